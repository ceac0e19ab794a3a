// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A small API for tests: one function for each type of argument and result, and
// one that fails.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_TESTING_API_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_TESTING_API_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "sim/base/check.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/functions/script_call.h"

namespace reprise::sim {

// What the functions work on.
struct TestingWorld {
  Vector3 position;
  int64_t calls = 0;
};

inline absl::Status Push(ScriptCall& call) {
  auto& world = call.context<TestingWorld>();
  ++world.calls;
  world.position = world.position + call.vector(0) * call.number(1);
  return absl::OkStatus();
}

inline absl::Status Position(ScriptCall& call) {
  call.Return(call.context<TestingWorld>().position);
  return absl::OkStatus();
}

inline absl::Status Height(ScriptCall& call) {
  ++call.context<TestingWorld>().calls;
  call.Return(call.context<TestingWorld>().position.y);
  return absl::OkStatus();
}

inline absl::Status Repeat(ScriptCall& call) {
  std::string text;
  const int64_t count = call.has(1) ? call.integer(1) : 2;
  call.Charge(count);
  for (int64_t i = 0; i < count; ++i) text += call.string(0);
  call.Return(std::string_view(text));
  return absl::OkStatus();
}

inline absl::Status Follow(ScriptCall& call) {
  if (call.handle(0).index != 1) {
    return absl::NotFoundError("the object is gone");
  }
  if (!call.boolean(1)) return absl::OkStatus();
  call.Return(call.handle(0));
  return absl::OkStatus();
}

inline std::shared_ptr<const ScriptApi> TestingApi() {
  auto api = std::make_shared<ScriptApi>();
  const auto add = [&api](ScriptFunction function) {
    const absl::Status status = api->Add(std::move(function));
    CHECK(status.ok(), "{}", status.ToString());
  };
  add({.name = "world.push",
       .help = "Moves the body.",
       .parameters = {{.name = "direction",
                       .type = ScriptType::kVector,
                       .help = "where to"},
                      {.name = "distance",
                       .type = ScriptType::kNumber,
                       .help = "how far",
                       .unit = "m",
                       .minimum = 0.0,
                       .maximum = 100.0}},
       .native = Push});
  add({.name = "world.position",
       .help = "Tells where the body is.",
       .result = {.type = ScriptType::kVector,
                  .help = "where it is",
                  .unit = "m"},
       .native = Position});
  add({.name = "height",
       .help = "Tells how high the body is.",
       .result = {.type = ScriptType::kNumber,
                  .help = "its height",
                  .unit = "m"},
       .native = Height});
  add({.name = "text_times",
       .help = "Repeats a text.",
       .parameters = {{.name = "text",
                       .type = ScriptType::kString,
                       .help = "what is repeated"},
                      {.name = "count",
                       .type = ScriptType::kInteger,
                       .help = "how often, 2 by default",
                       .minimum = 0.0,
                       .is_optional = true}},
       .result = {.type = ScriptType::kString, .help = "the long text"},
       .native = Repeat,
       .is_pure = true});
  add({.name = "world.follow",
       .help = "Follows a handle.",
       .parameters = {{.name = "object",
                       .type = ScriptType::kHandle,
                       .help = "whom"},
                      {.name = "really",
                       .type = ScriptType::kBoolean,
                       .help = "whether to do it"}},
       .result = {.type = ScriptType::kHandle,
                  .help = "the object",
                  .may_be_nil = true},
       .failures = {{.code = absl::StatusCode::kNotFound,
                     .when = "the object is gone"}},
       .native = Follow,
       .is_pure = true});
  return api;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_TESTING_API_H_
