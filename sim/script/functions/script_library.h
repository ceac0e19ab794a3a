// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What scripts have of Lua's own libraries. Nothing that isn't listed here can
// be reached; what is missing, and why, stands in docs/scripts.md.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_LIBRARY_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_LIBRARY_H_

#include <span>
#include <string_view>

namespace reprise::sim {

struct ScriptLibrary {
  std::string_view name;  // of the table; empty for globals
  std::span<const std::string_view> names;
};

// In a fixed order, globals first.
std::span<const ScriptLibrary> ScriptLibraries();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_LIBRARY_H_
