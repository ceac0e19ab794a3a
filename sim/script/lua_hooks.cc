// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_hooks.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "lauxlib.h"
#include "lua.h"
#include "sim/base/nearest_name.h"
#include "sim/script/functions/lua_error.h"
#include "sim/script/functions/lua_host.h"
#include "sim/script/functions/lua_value.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/script_program.h"

namespace reprise::sim {
namespace {

size_t IndexOf(const LuaHost& host, const ScriptFunction& function) {
  return static_cast<size_t>(&function - host.api->functions().data());
}

// The place of a function among those of the API; its size where there is none.
size_t FindFunction(const ScriptApi& api, std::string_view name) {
  const std::vector<ScriptFunction>& functions = api.functions();
  size_t place = 0;
  while (place < functions.size() && functions[place].name != name) ++place;
  return place;
}

absl::Status Mistake(std::string_view file, int line, std::string_view table,
                     std::string_view what) {
  return absl::InvalidArgumentError(
      line > 0 ? fmt::format("{}:{}: {}: {}", file, line, table, what)
               : fmt::format("{}: {}: {}", file, table, what));
}

// Keeps the function on the top, which it removes. Returns its number.
int KeepHook(lua_State* lua) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kHooksIndex);
  const int number = static_cast<int>(lua_rawlen(lua, -1)) + 1;
  lua_pushvalue(lua, -2);
  lua_rawseti(lua, -2, number);
  lua_pop(lua, 2);
  return number;
}

// Adds the entry of a table of hooks whose key and value are on the top; pops
// the value.
absl::Status AddHook(lua_State* lua, const std::string& file,
                     const char* table) {
  LuaHost& host = HostOf(lua);
  int line = 0;
  if (lua_isfunction(lua, -1)) {
    lua_Debug info;
    lua_pushvalue(lua, -1);
    lua_getinfo(lua, ">S", &info);
    line = info.linedefined;
  }
  std::string name;
  if (lua_type(lua, -2) == LUA_TSTRING) name = lua_tostring(lua, -2);
  const size_t place = FindFunction(*host.api, name);
  if (place == host.api->functions().size()) {
    std::vector<std::string_view> names;
    for (const ScriptFunction& each : host.api->functions()) {
      names.push_back(each.name);
    }
    return Mistake(file, line, table, ThereIsNo("function", name, names));
  }
  if (!lua_isfunction(lua, -1)) {
    return Mistake(file, 0, table, fmt::format("'{}' is no function", name));
  }
  host.hooks.resize(host.api->functions().size());
  FunctionHooks& hooks = host.hooks[place];
  (std::string_view(table) == kBeforeTable ? hooks.before : hooks.after)
      .push_back(KeepHook(lua));
  return absl::OkStatus();
}

// Of the table that a script returned, on the top.
absl::Status CollectTable(lua_State* lua, const std::string& file,
                          const char* table) {
  lua_pushstring(lua, table);
  lua_rawget(lua, -2);
  if (lua_istable(lua, -1)) {
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
      absl::Status status = AddHook(lua, file, table);
      if (!status.ok()) return status;
    }
  }
  lua_pop(lua, 1);
  return absl::OkStatus();
}

// A hook that runs, for as long as this lives.
class Running {
 public:
  Running(LuaHost* host, FunctionHooks* hooks, void* context)
      : host_(*host),
        hooks_(*hooks),
        outside_(std::exchange(host->context, context)) {
    hooks_.is_running = true;
    ++host_.hook_depth;
  }
  ~Running() {
    hooks_.is_running = false;
    --host_.hook_depth;
    host_.context = outside_;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  LuaHost& host_;
  FunctionHooks& hooks_;
  void* outside_;
};

struct HookCall {
  int number = 0;
  const ScriptValue* result = nullptr;  // null: before
  std::span<const ScriptValue> arguments;
};

int CallHook(lua_State* lua) {
  const auto& call = *static_cast<const HookCall*>(lua_touserdata(lua, 1));
  const int count = static_cast<int>(call.arguments.size());
  luaL_checkstack(lua, count + 3, "too many arguments");
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kHooksIndex);
  lua_rawgeti(lua, -1, call.number);
  if (call.result != nullptr) PushScriptValue(lua, *call.result);
  for (const ScriptValue& argument : call.arguments) {
    PushScriptValue(lua, argument);
  }
  lua_call(lua, count + (call.result == nullptr ? 0 : 1), 0);
  return 0;
}

void RunHook(lua_State* lua, const HookCall& call) {
  LuaHost& host = HostOf(lua);
  const int top = lua_gettop(lua);
  lua_pushcfunction(lua, KeepError);
  lua_pushcfunction(lua, CallHook);
  lua_pushlightuserdata(lua, const_cast<HookCall*>(&call));  // read only
  const int status = lua_pcall(lua, 1, 0, top + 1);
  if (lua_overran(lua) != 0) return;
  lua_settop(lua, top);
  if (status == LUA_OK) return;
  if (!host.error.has_value()) {
    // An error while one was handled, which left no room for words.
    host.error = MakeScriptError(lua, ScriptErrorKind::kRuntime, /*level=*/0,
                                 "an error in handling an error of a hook");
  }
  if (!host.hook_error.has_value()) host.hook_error = std::move(host.error);
  host.error.reset();
}

}  // namespace

absl::Status CollectHooks(lua_State* lua) {
  LuaHost& host = HostOf(lua);
  lua_newtable(lua);
  lua_rawseti(lua, LUA_REGISTRYINDEX, kHooksIndex);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kModulesIndex);
  for (const ScriptFile& file : host.program->files()) {
    lua_pushlstring(lua, file.name.data(), file.name.size());
    if (lua_rawget(lua, -2) == LUA_TTABLE) {
      for (const char* const table : {kBeforeTable, kAfterTable}) {
        absl::Status status = CollectTable(lua, file.name, table);
        if (!status.ok()) return status;
      }
    }
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return absl::OkStatus();
}

std::string RefusalInHook(lua_State* lua, const ScriptFunction& function) {
  const LuaHost& host = HostOf(lua);
  if (host.hook_depth == 0) return "";
  if (!function.is_pure && !function.is_observing) {
    return fmt::format("{}: not in a hook, which only looks on", function.name);
  }
  if (host.hooks[IndexOf(host, function)].is_running) {
    return fmt::format("{}: its own hook calls it", function.name);
  }
  return "";
}

void RunHooks(lua_State* lua, const ScriptFunction& function, HookTime time,
              std::span<const ScriptValue> arguments) {
  LuaHost& host = HostOf(lua);
  // While scripts are loaded, nobody looks on.
  if (host.hooks.empty() || host.context == nullptr) return;
  FunctionHooks& hooks = host.hooks[IndexOf(host, function)];
  const bool is_after = time == HookTime::kAfter;
  const std::vector<int>& numbers = is_after ? hooks.after : hooks.before;
  if (numbers.empty()) return;
  ScriptValue result;
  if (is_after && function.result.type != ScriptType::kNil) {
    ReadScriptValue(lua, -1, &result);
  }
  // Arguments, a result and what this needs fit into the 20 slots that every
  // native function has.
  for (const int number : numbers) {
    const HookCall call = {.number = number,
                           .result = is_after ? &result : nullptr,
                           .arguments = arguments};
    const auto run = [&](void* context) {
      const Running running(&host, &hooks, context);
      RunHook(lua, call);
    };
    if (host.api->watching() == nullptr) {
      run(host.context);
    } else {
      host.api->watching()(host.context, run);
    }
    // It can't be caught, so what is watched doesn't go on either.
    if (lua_overran(lua) != 0) lua_charge(lua, 1);
  }
}

}  // namespace reprise::sim
