// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what editors and readers are told is what the descriptions say,
// whole, and that the annotations are Lua.

#include "sim/script/script_reference.h"

#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "sim/script/functions/testing_api.h"
#include "sim/script/script_program.h"

namespace reprise::sim {
namespace {

TEST(ScriptReferenceTest, AnnotationsSayAllThatIsDescribed) {
  const std::string text = ScriptAnnotations(*TestingApi());
  EXPECT_EQ(text.substr(text.find("\n---Tells how high")), R"(
---Tells how high the body is.
---@return number # its height (in m)
function height() end

---Repeats a text.
---@param text string what is repeated
---@param count? integer how often, 2 by default (0 or more)
---@return string # the long text
function text_times(text, count) end

world = {}

---Follows a handle.
---
---Error NOT_FOUND: the object is gone.
---@param object handle whom
---@param really boolean whether to do it
---@return handle|nil # the object
function world.follow(object, really) end

---Tells where the body is.
---@return vector # where it is (in m)
function world.position() end

---Moves the body.
---@param direction vector where to
---@param distance number how far (in m, from 0 to 100)
function world.push(direction, distance) end
)");
}

TEST(ScriptReferenceTest, AnnotationsAreLua) {
  const auto program = ScriptProgram::Compile(
      {{"reprise.lua", ScriptAnnotations(*TestingApi())}});
  EXPECT_TRUE(program.ok()) << program.status();
}

TEST(ScriptReferenceTest, EditorSettingsAreJson) {
  const auto settings =
      nlohmann::json::parse(ScriptEditorSettings("types/reprise.lua"));
  EXPECT_EQ(settings["runtime.version"], "Lua 5.4");
  EXPECT_EQ(settings["runtime.builtin"]["os"], "disable");
  EXPECT_EQ(settings["workspace.library"][0], "types/reprise.lua");
}

TEST(ScriptReferenceTest, ReferenceSaysAllThatIsDescribed) {
  const std::string text = ScriptReference(*TestingApi());
  const size_t start = text.find("\n### `world.follow");
  EXPECT_EQ(text.substr(start, text.find("\n### `world.position") - start),
            R"(
### `world.follow(object, really)`

Follows a handle.

| parameter | type | what |
|---|---|---|
| `object` | handle | whom |
| `really` | boolean | whether to do it |

Returns a handle or nil: the object.

Error NOT_FOUND: the object is gone.
)");
  EXPECT_NE(text.find("`utf8`: `char` `charpattern`"), std::string::npos);
}

TEST(ScriptReferenceTest, WhatHooksMayCallIsSaid) {
  ScriptApi api = *TestingApi();
  api.LetHooksCall("height");
  const std::string text = ScriptReference(api);
  const size_t start = text.find("\n### `height");
  EXPECT_EQ(text.substr(start, text.find("\n### `text_times") - start),
            R"(
### `height()`

Tells how high the body is.

Returns a number: its height (in m).

Hooks may call it.
)");
  EXPECT_NE(ScriptAnnotations(api).find("---Tells how high the body is.\n"
                                        "---\n---Hooks may call it.\n"),
            std::string::npos);
}

}  // namespace
}  // namespace reprise::sim
