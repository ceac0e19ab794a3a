// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A Lua state, and what the rest of the room keeps for it. Only this room sees
// Lua.

#ifndef REPRISE_SIM_SCRIPT_LUA_HOST_H_
#define REPRISE_SIM_SCRIPT_LUA_HOST_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/script/script_error.h"

struct lua_State;

namespace reprise::sim {

class ScriptProfile;
class ScriptProgram;

// What a machine tells the functions that its Lua state calls.
struct LuaHost {
  const ScriptProgram* program = nullptr;
  ScriptProfile* profile = nullptr;
  void* context = nullptr;           // of the call that runs
  std::optional<ScriptError> error;  // of the call that runs
  std::vector<int> loading;  // files whose main chunks run, outermost first
  // Where Lua keeps the names of files, and which those are.
  std::vector<std::pair<const char*, int>> sources;
  uint64_t allocation_count = 0;
};

struct LuaCloser {
  void operator()(lua_State* lua) const;
};
using LuaState = std::unique_ptr<lua_State, LuaCloser>;

// What the registry has for us, behind what it has for Lua.
inline constexpr int kVectorMetatableIndex = 3;
inline constexpr int kModulesIndex = 4;  // what each script returned
// Main chunks, so that where Lua keeps the names of files stays theirs.
inline constexpr int kChunksIndex = 5;
inline constexpr int kEntriesIndex = 6;

// Returns a state without any library. REQUIRES: `host` outlives it.
LuaState NewLuaState(LuaHost* host);

// The host of a state or of one of its coroutines.
LuaHost& HostOf(lua_State* lua);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_LUA_HOST_H_
