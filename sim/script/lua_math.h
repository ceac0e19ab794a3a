// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Lua's `math` on sim/base/math: the same bits everywhere. Random numbers are
// not in it, since they would be state.

#ifndef REPRISE_SIM_SCRIPT_LUA_MATH_H_
#define REPRISE_SIM_SCRIPT_LUA_MATH_H_

struct lua_State;

namespace reprise::sim {

// A function of Lua that returns the library.
int OpenMath(lua_State* lua);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_MATH_H_
