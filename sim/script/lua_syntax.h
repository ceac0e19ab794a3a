// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether a text is Lua.

#ifndef REPRISE_SIM_SCRIPT_LUA_SYNTAX_H_
#define REPRISE_SIM_SCRIPT_LUA_SYNTAX_H_

#include <string>
#include <string_view>

namespace reprise::sim {

// Returns "file:line: what" for a text that is no Lua, or nothing.
std::string FindSyntaxError(std::string_view file, std::string_view source);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_SYNTAX_H_
