// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/script_api.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/script/functions/script_library.h"

namespace reprise::sim {
namespace {

// The name that scripts see among the globals.
std::string_view GlobalOf(std::string_view name) {
  return name.substr(0, name.find('.'));
}

bool IsOfLua(std::string_view global) {
  for (const ScriptLibrary& library : ScriptLibraries()) {
    if (library.name == global) return true;
    if (!library.name.empty()) continue;
    for (const std::string_view name : library.names) {
      if (name == global) return true;
    }
  }
  return false;
}

}  // namespace

std::string ScriptTableOf(const ScriptFunction& function) {
  const size_t dot = function.name.find('.');
  return dot == std::string::npos ? "" : function.name.substr(0, dot);
}

absl::Status ScriptApi::Add(ScriptFunction function) {
  const absl::Status valid = ValidateScriptFunction(function);
  if (!valid.ok()) return valid;
  const std::string_view global = GlobalOf(function.name);
  if (IsOfLua(global)) {
    return absl::InvalidArgumentError(
        fmt::format("{}: '{}' is Lua's own", function.name, global));
  }
  for (const ScriptFunction& other : functions_) {
    if (other.name == function.name) {
      return absl::InvalidArgumentError(function.name + " is there already");
    }
    if (GlobalOf(other.name) == global &&
        (other.name == global || function.name == global)) {
      return absl::InvalidArgumentError(
          fmt::format("{}: '{}' can't be a function and a table with {}",
                      function.name, global, other.name));
    }
  }
  const auto place =
      std::lower_bound(functions_.begin(), functions_.end(), function,
                       [](const ScriptFunction& a, const ScriptFunction& b) {
                         return a.name < b.name;
                       });
  functions_.insert(place, std::move(function));
  return absl::OkStatus();
}

void ScriptApi::LetHooksCall(std::string_view name) {
  const auto found = std::ranges::find(functions_, name, &ScriptFunction::name);
  CHECK(found != functions_.end(), "{}", name);
  found->is_observing = true;
}

}  // namespace reprise::sim
