// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts that look on when a function of ours is called. They see
// what it is given and gives back, and can neither change that nor keep it from
// running.

#ifndef REPRISE_SIM_SCRIPT_LUA_HOOKS_H_
#define REPRISE_SIM_SCRIPT_LUA_HOOKS_H_

#include <span>
#include <string>

#include "absl/status/status.h"
#include "sim/script/functions/script_function.h"
#include "sim/script/functions/script_value.h"

struct lua_State;

namespace reprise::sim {

// Finds the hooks that scripts declare in the tables that they returned, files
// in their order: `before = { ["own.set"] = function(property, value) end }`,
// and `after`, whose functions get the result first. INVALID_ARGUMENT with file
// and, where there is one, line: there is no such function, or its hook is no
// function.
absl::Status CollectHooks(lua_State* lua);

// Refuses the call of a function by a hook: one that would change something, or
// is hooked by it. An empty text if it may be called.
std::string RefusalInHook(lua_State* lua, const ScriptFunction& function);

enum class HookTime { kBefore, kAfter };

// Calls the hooks of a function. A mistake of one is kept in the host, and
// nothing else comes of it. Leaves the stack as it was. Raises an error only
// where a budget is passed. REQUIRES: with kAfter, the result lies on the top,
// if the function has one.
void RunHooks(lua_State* lua, const ScriptFunction& function, HookTime time,
              std::span<const ScriptValue> arguments);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_HOOKS_H_
