// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Native functions as Lua sees them: checked by their descriptions.

#ifndef REPRISE_SIM_SCRIPT_LUA_NATIVE_H_
#define REPRISE_SIM_SCRIPT_LUA_NATIVE_H_

#include "sim/script/functions/script_function.h"

struct lua_State;

namespace reprise::sim {

// Pushes the function. REQUIRES: it outlives the state.
void PushNative(lua_State* lua, const ScriptFunction& function);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_NATIVE_H_
