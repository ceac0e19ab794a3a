// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an API takes only descriptions that say something, whatever the
// order in which they come.

#include "sim/script/functions/script_api.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/script/functions/testing_api.h"

namespace reprise::sim {
namespace {

ScriptFunction Function(const std::string& name) {
  return {.name = name, .help = "Does it.", .native = Height};
}

TEST(ScriptApiTest, FunctionsAreSortedByName) {
  ScriptApi api;
  for (const char* const name : {"b", "a.y", "c", "a.x"}) {
    ASSERT_TRUE(api.Add(Function(name)).ok());
  }
  std::vector<std::string> names;
  for (const ScriptFunction& function : api.functions()) {
    names.push_back(function.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a.x", "a.y", "b", "c"}));
}

TEST(ScriptApiTest, NamesThatAreTakenAreRefused) {
  ScriptApi api;
  ASSERT_TRUE(api.Add(Function("world.push")).ok());
  ASSERT_TRUE(api.Add(Function("height")).ok());
  for (const char* const name : {"world.push", "world", "height", "height.x",
                                 "string.push", "math", "pairs", "vector"}) {
    EXPECT_EQ(api.Add(Function(name)).code(),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
  EXPECT_EQ(api.functions().size(), 2u);
}

TEST(ScriptApiTest, DescriptionsThatSayNothingAreRefused) {
  for (const char* const name :
       {"", ".", "a.", ".a", "a.b.c", "A", "1a", "a b", "end", "world.end"}) {
    EXPECT_FALSE(ValidateScriptFunction(Function(name)).ok()) << name;
  }
  ScriptFunction function = Function("push");
  ASSERT_TRUE(ValidateScriptFunction(function).ok());
  function.help = "";
  EXPECT_FALSE(ValidateScriptFunction(function).ok());
  function = Function("push");
  function.native = nullptr;
  EXPECT_FALSE(ValidateScriptFunction(function).ok());
  function = Function("push");
  function.result.type = ScriptType::kNumber;
  EXPECT_FALSE(ValidateScriptFunction(function).ok());
}

TEST(ScriptApiTest, ParametersThatContradictThemselvesAreRefused) {
  const ScriptParameter good = {.name = "far", .help = "how far"};
  const auto with = [](std::vector<ScriptParameter> parameters) {
    ScriptFunction function = Function("push");
    function.parameters = std::move(parameters);
    return ValidateScriptFunction(function).ok();
  };
  ASSERT_TRUE(with({good}));
  ScriptParameter bad = good;
  bad.minimum = 2.0;
  bad.maximum = 1.0;
  EXPECT_FALSE(with({bad}));
  bad = good;
  bad.help = "";
  EXPECT_FALSE(with({bad}));
  bad = good;
  bad.name = "not";
  EXPECT_FALSE(with({bad}));
  bad = good;
  bad.type = ScriptType::kNil;
  EXPECT_FALSE(with({bad}));
  bad = good;
  bad.is_optional = true;
  EXPECT_TRUE(with({good, bad}));
  EXPECT_FALSE(with({bad, good}));
  EXPECT_FALSE(with(std::vector<ScriptParameter>(17, good)));
}

}  // namespace
}  // namespace reprise::sim
