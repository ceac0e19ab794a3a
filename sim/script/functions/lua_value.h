// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Values between C++ and the stack of a Lua state, and what scripts can do with
// vectors and handles.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_VALUE_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_VALUE_H_

#include "sim/script/functions/script_value.h"

struct lua_State;

namespace reprise::sim {

// Makes the types of vectors and handles.
void OpenVectors(lua_State* lua);

// The function `vector(x, y, z)` of scripts; what is left out is 0.
int MakeVector(lua_State* lua);

// The handle that light userdata stands for.
Handle HandleIn(const void* packed);

// Pushes a value. Raises an error of Lua if that passes a budget.
void PushScriptValue(lua_State* lua, const ScriptValue& value);

// Reads a value; a string of it lives as long as it stays on the stack. Returns
// false for what can't leave a script: tables, functions, coroutines. NaN is
// read as it is.
bool ReadScriptValue(lua_State* lua, int index, ScriptValue* value);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_VALUE_H_
