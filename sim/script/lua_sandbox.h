// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What scripts see when they begin: Lua's libraries as far as they are listed,
// and our functions.

#ifndef REPRISE_SIM_SCRIPT_LUA_SANDBOX_H_
#define REPRISE_SIM_SCRIPT_LUA_SANDBOX_H_

#include "sim/script/functions/script_api.h"

struct lua_State;

namespace reprise::sim {

// Gives a new state the libraries that scripts may have and the functions of
// the API, all of them frozen; the table of globals is not yet.
// REQUIRES: `api` outlives the state.
void OpenSandbox(lua_State* lua, const ScriptApi& api);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_SANDBOX_H_
