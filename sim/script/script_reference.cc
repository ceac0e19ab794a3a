// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_reference.h"

#include <cstddef>
#include <string_view>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/script/functions/script_library.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(---@meta
-- Made by Reprise of the descriptions of its functions. Never run.

---A vector of three numbers, which can't be changed.
---@class vector
---@field x number
---@field y number
---@field z number
---@operator add(vector): vector
---@operator sub(vector): vector
---@operator mul(number): vector
---@operator div(number): vector
---@operator unm: vector
local vector_type = {}

---@param other vector
---@return number
function vector_type:dot(other) end

---@param other vector
---@return vector
function vector_type:cross(other) end

---@return number
function vector_type:length() end

---@return vector
function vector_type:normalized() end

---Makes a vector; what is left out is 0.
---@param x? number
---@param y? number
---@param z? number
---@return vector
function vector(x, y, z) end

---A reference that only native functions can follow.
---@class handle

---Returns what another script of the pack returned, and runs it if it hasn't
---run.
---@param name string
---@return any
function require(name) end
)";

// "in m/s, from 0 to 100": what a type alone doesn't say.
std::string BoundsOf(const ScriptParameter& parameter) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!text.empty()) text += ", ";
    text += part;
  };
  if (!parameter.unit.empty()) add("in " + parameter.unit);
  if (IsFinite(parameter.minimum) && IsFinite(parameter.maximum)) {
    add(fmt::format("from {} to {}", parameter.minimum, parameter.maximum));
  } else if (IsFinite(parameter.minimum)) {
    add(fmt::format("{} or more", parameter.minimum));
  } else if (IsFinite(parameter.maximum)) {
    add(fmt::format("{} or less", parameter.maximum));
  }
  return text;
}

std::string HelpOf(const ScriptParameter& parameter) {
  const std::string bounds = BoundsOf(parameter);
  if (bounds.empty()) return parameter.help;
  return fmt::format("{} ({})", parameter.help, bounds);
}

std::string HelpOf(const ScriptResult& result) {
  if (result.unit.empty()) return result.help;
  return fmt::format("{} (in {})", result.help, result.unit);
}

// "push(body, force)".
std::string SignatureOf(const ScriptFunction& function) {
  std::string text = function.name + "(";
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (i > 0) text += ", ";
    text += function.parameters[i].name;
  }
  return text + ")";
}

// "INVALID_ARGUMENT".
std::string CodeName(absl::StatusCode code) {
  return absl::StatusCodeToString(code);
}

void AddAnnotations(const ScriptFunction& function, std::string* text) {
  *text += fmt::format("\n---{}\n", function.help);
  if (function.is_observing) *text += "---\n---Hooks may call it.\n";
  for (const ScriptFailure& failure : function.failures) {
    *text += fmt::format("---\n---Error {}: {}.\n", CodeName(failure.code),
                         failure.when);
  }
  for (const ScriptParameter& parameter : function.parameters) {
    *text += fmt::format("---@param {}{} {} {}\n", parameter.name,
                         parameter.is_optional ? "?" : "",
                         ScriptTypeName(parameter.type), HelpOf(parameter));
  }
  if (function.result.type != ScriptType::kNil) {
    *text += fmt::format(
        "---@return {}{} # {}\n", ScriptTypeName(function.result.type),
        function.result.may_be_nil ? "|nil" : "", HelpOf(function.result));
  }
  *text += fmt::format("function {} end\n", SignatureOf(function));
}

void AddReference(const ScriptFunction& function, std::string* text) {
  *text +=
      fmt::format("\n### `{}`\n\n{}\n", SignatureOf(function), function.help);
  if (!function.parameters.empty()) {
    *text += "\n| parameter | type | what |\n|---|---|---|\n";
  }
  for (const ScriptParameter& parameter : function.parameters) {
    *text += fmt::format("| `{}` | {}{} | {} |\n", parameter.name,
                         ScriptTypeName(parameter.type),
                         parameter.is_optional ? ", may be left out" : "",
                         HelpOf(parameter));
  }
  if (function.result.type != ScriptType::kNil) {
    *text += fmt::format(
        "\nReturns a {}{}: {}.\n", ScriptTypeName(function.result.type),
        function.result.may_be_nil ? " or nil" : "", HelpOf(function.result));
  }
  for (const ScriptFailure& failure : function.failures) {
    *text +=
        fmt::format("\nError {}: {}.\n", CodeName(failure.code), failure.when);
  }
  if (function.is_observing) *text += "\nHooks may call it.\n";
}

}  // namespace

std::string ScriptAnnotations(const ScriptApi& api) {
  std::string text(kTypes);
  std::string table;
  for (const ScriptFunction& function : api.functions()) {
    const std::string own = ScriptTableOf(function);
    if (!own.empty() && own != table) text += fmt::format("\n{} = {{}}\n", own);
    table = own;
    AddAnnotations(function, &text);
  }
  return text;
}

std::string ScriptEditorSettings(const std::string& annotations_path) {
  return fmt::format(R"({{
  "runtime.version": "Lua 5.4",
  "runtime.builtin": {{
    "debug": "disable",
    "ffi": "disable",
    "io": "disable",
    "jit": "disable",
    "os": "disable",
    "package": "disable"
  }},
  "workspace.library": ["{}"]
}}
)",
                     annotations_path);
}

std::string ScriptReference(const ScriptApi& api) {
  std::string text = "# Functions for scripts\n\n## Of Reprise\n";
  for (const ScriptFunction& function : api.functions()) {
    AddReference(function, &text);
  }
  text += "\n## Of Lua\n\n";
  for (const ScriptLibrary& library : ScriptLibraries()) {
    text +=
        library.name.empty() ? "globals:" : fmt::format("`{}`:", library.name);
    for (const std::string_view name : library.names) {
      text += fmt::format(" `{}`", name);
    }
    text += "\n\n";
  }
  text.pop_back();
  return text;
}

}  // namespace reprise::sim
