// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Short ways to run a script for tests. Everything that a script gives back, an
// error too, is one text.

#ifndef REPRISE_SIM_SCRIPT_TESTING_SCRIPTS_H_
#define REPRISE_SIM_SCRIPT_TESTING_SCRIPTS_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/script/script_machine.h"

namespace reprise::sim {

// "nil", "true", "7", "1.5", "text", "(1, 2, 3)", "handle 4.1".
inline std::string TextOf(const ScriptValue& value) {
  switch (ScriptTypeOf(value)) {
    case ScriptType::kNil:
      return "nil";
    case ScriptType::kBoolean:
      return *std::get_if<bool>(&value) ? "true" : "false";
    case ScriptType::kInteger:
      return fmt::format("{}", *std::get_if<int64_t>(&value));
    case ScriptType::kNumber:
      return fmt::format("{}", *std::get_if<double>(&value));
    case ScriptType::kString:
      return std::string(*std::get_if<std::string_view>(&value));
    case ScriptType::kVector: {
      const Vector3 vector = *std::get_if<Vector3>(&value);
      return fmt::format("({}, {}, {})", vector.x, vector.y, vector.z);
    }
    case ScriptType::kHandle: {
      const Handle handle = *std::get_if<Handle>(&value);
      return fmt::format("handle {}.{}", handle.index, handle.generation);
    }
    case ScriptType::kAny:  // no value is of it
      break;
  }
  return "";
}

inline absl::StatusOr<std::unique_ptr<ScriptMachine>> LoadFiles(
    std::vector<ScriptFile> files, const ScriptLimits& limits = {},
    std::shared_ptr<const ScriptApi> api = std::make_shared<ScriptApi>(),
    bool is_profiled = false) {
  absl::StatusOr<std::shared_ptr<const ScriptProgram>> program =
      ScriptProgram::Compile(std::move(files));
  if (!program.ok()) return program.status();
  return ScriptMachine::Create(*std::move(program), std::move(api), limits,
                               is_profiled);
}

inline absl::StatusOr<std::unique_ptr<ScriptMachine>> LoadText(
    std::string source, const ScriptLimits& limits = {}) {
  return LoadFiles({{.name = "a.lua", .source = std::move(source)}}, limits);
}

// Calls a function of a.lua. The result as text, or the error's.
inline std::string CallText(ScriptMachine& machine, std::string_view function,
                            std::vector<ScriptValue> arguments = {},
                            void* context = nullptr) {
  const std::optional<ScriptEntry> entry = machine.Find("a.lua", function);
  CHECK(entry.has_value(), "{}", function);
  ScriptValue result;
  const std::optional<ScriptError> error =
      machine.Call(*entry, arguments, context, &result);
  return error.has_value() ? error->ToString() : TextOf(result);
}

// Loads a text as the script a.lua, and calls the function `main` of the table
// it returns.
inline std::string RunText(std::string source,
                           const ScriptLimits& limits = {}) {
  const auto machine = LoadText(std::move(source), limits);
  if (!machine.ok()) return std::string(machine.status().message());
  return CallText(**machine, "main");
}

// Runs statements as the body of `main`, in line 1.
inline std::string RunBody(const std::string& body,
                           const ScriptLimits& limits = {}) {
  return RunText("return {main = function() " + body + "\nend}", limits);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_TESTING_SCRIPTS_H_
