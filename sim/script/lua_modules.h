// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The scripts of a program as modules that require each other.

#ifndef REPRISE_SIM_SCRIPT_LUA_MODULES_H_
#define REPRISE_SIM_SCRIPT_LUA_MODULES_H_

struct lua_State;

namespace reprise::sim {

// The function `require(name)` of scripts: what the script of that name in the
// pack returned. Runs it if it hasn't run; the `.lua` may be left out.
int Require(lua_State* lua);

// Runs each script that hasn't run, in the order of their names. Raises the
// error of the first that has one. A function of Lua without results.
int LoadModules(lua_State* lua);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_MODULES_H_
