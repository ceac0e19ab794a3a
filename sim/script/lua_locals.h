// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the variables of a running function are, for people.

#ifndef REPRISE_SIM_SCRIPT_LUA_LOCALS_H_
#define REPRISE_SIM_SCRIPT_LUA_LOCALS_H_

#include "sim/script/script_watcher.h"

struct lua_State;

namespace reprise::sim {

// The function that runs and its variables, whose names a script can write.
// Makes nothing and needs 5 slots of the stack, which it leaves as it was, so
// that it works within lua_StepFunction. REQUIRES: nothing is limited.
ScriptVisit ReadVisit(lua_State* lua, const ScriptLine& line,
                      ScriptWatcher& watcher);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_LOCALS_H_
