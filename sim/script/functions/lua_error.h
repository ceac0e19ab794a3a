// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Errors of Lua as values.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_ERROR_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_ERROR_H_

#include <string>

#include "sim/script/functions/script_error.h"

struct lua_Debug;
struct lua_State;

namespace reprise::sim {

// Returns the error as of what runs now, from the frame at `level` outwards.
// The outermost function, which is ours, is left out.
ScriptError MakeScriptError(lua_State* lua, ScriptErrorKind kind, int level,
                            std::string message);

// What a function is called: "function 'aim'", "main chunk". REQUIRES: `info`
// has what lua_getinfo gives for "nS".
std::string NameOfFunction(const lua_Debug& info);

// A message handler of Lua: keeps the error in the host.
int KeepError(lua_State* lua);

// What is called where a budget is passed: keeps the error in the host.
void KeepOverrun(lua_State* lua, int resource);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_ERROR_H_
