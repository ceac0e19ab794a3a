// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A Lua state, and what the rest of the room keeps for it. Only this room sees
// Lua.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_HOST_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_HOST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lua.h"
#include "sim/script/functions/script_error.h"

namespace reprise::sim {

class ScriptApi;
class ScriptCallWatcher;
class ScriptProbes;
class ScriptProfile;
class ScriptProgram;
class ScriptWatcher;

// The hooks of one function of ours, by their numbers among all.
struct FunctionHooks {
  std::vector<int> before;
  std::vector<int> after;
  bool is_running = false;  // one of them
};

// Blocks that were freed and are given out again: what scripts make lives
// shortly, vectors and strings above all. So a script that makes the same in
// each tick asks the system for nothing. Which block is given out is nothing
// that a script can see, and budgets count what is asked for.
struct LuaSpare {
  struct Block {
    Block* next = nullptr;
  };
  // Sizes up to 128 bytes in steps of 16, which every block is aligned to; then
  // four between a power of two and the next one.
  static constexpr size_t kSmallMax = 128;   // bytes
  static constexpr size_t kSizeMax = 65536;  // bytes; larger ones aren't kept
  static constexpr size_t kLists = 44;
  // What is kept at most, in bytes. It is about what a script with 4 MiB of its
  // own leaves to the collector at once.
  static constexpr size_t kKeptMax = 4 << 20;

  LuaSpare() = default;
  LuaSpare(const LuaSpare&) = delete;
  LuaSpare& operator=(const LuaSpare&) = delete;
  ~LuaSpare();

  // How many blocks there are in use for one that is got in reserve, when a
  // list has none left. What the collector leaves lying differs a little from
  // time to time; that is not to be asked for each time that it is more.
  static constexpr size_t kReserveShare = 8;

  std::array<Block*, kLists> first = {};
  std::array<size_t, kLists> made = {};  // blocks that are there, in use or not
  size_t kept = 0;                       // bytes of all lists
};

// What a machine tells the functions that its Lua state calls.
struct LuaHost {
  const ScriptProgram* program = nullptr;
  const ScriptApi* api = nullptr;
  ScriptProfile* profile = nullptr;           // null until steps are followed
  ScriptProbes* probes = nullptr;             // null: nothing is looked for
  ScriptWatcher* watcher = nullptr;           // null: nobody looks on
  ScriptCallWatcher* call_watcher = nullptr;  // null: nobody looks on
  void* context = nullptr;                    // of the call that runs
  std::optional<ScriptError> error;           // of the call that runs
  // Of each function of the API; empty: there is no hook.
  std::vector<FunctionHooks> hooks;
  int hook_depth = 0;                     // of hooks that run within each other
  std::optional<ScriptError> hook_error;  // the first of the call that runs
  std::vector<int> loading;  // files whose main chunks run, outermost first
  uint64_t allocation_count = 0;  // of blocks that Lua asked for
  LuaSpare spare;
};

struct LuaCloser {
  void operator()(lua_State* lua) const;
};
using LuaState = std::unique_ptr<lua_State, LuaCloser>;

// What the registry has for us, behind what it has for Lua.
inline constexpr int kVectorMetatableIndex = 3;
inline constexpr int kModulesIndex = 4;  // what each script returned
// Main chunks, whose functions are listed when steps are followed.
inline constexpr int kChunksIndex = 5;
inline constexpr int kRequestIndex = 6;  // what runs functions that were found
inline constexpr int kHooksIndex = 7;

// Where a script declares hooks, in the table that it returns.
inline constexpr char kBeforeTable[] = "before";
inline constexpr char kAfterTable[] = "after";

// Returns a state without any library. REQUIRES: `host` outlives it.
LuaState NewLuaState(LuaHost* host);

// The host of a state or of one of its coroutines.
inline LuaHost& HostOf(lua_State* lua) {
  return **static_cast<LuaHost**>(lua_getextraspace(lua));
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_LUA_HOST_H_
