// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/script_machine.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "fmt/format.h"
#include "lauxlib.h"
#include "lua.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/script/functions/lua_error.h"
#include "sim/script/functions/lua_host.h"
#include "sim/script/functions/lua_value.h"
#include "sim/script/lua_hooks.h"
#include "sim/script/lua_modules.h"
#include "sim/script/lua_sandbox.h"
#include "sim/script/lua_steps.h"

namespace reprise::sim {
namespace {

// Functions that were found, by number, at the bottom of the stack.
constexpr int kEntriesSlot = 1;

// What a call is given and gives back.
struct Request {
  int entry = 0;
  std::span<const ScriptValue> arguments;
  ScriptValue* result = nullptr;
  std::string* result_text = nullptr;
  // Where the function is, for an error that nothing else has a place for.
  std::string file;
  int line = 0;
};

bool IsAnyNan(const ScriptValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) {
    return IsNan(*number);
  }
  if (const auto* const vector = std::get_if<Vector3>(&value)) {
    return IsNan(vector->x) || IsNan(vector->y) || IsNan(vector->z);
  }
  return false;
}

// Within RunRequest.
void PushEntry(lua_State* lua, int entry) {
  lua_rawgeti(lua, lua_upvalueindex(1), entry);
}

void KeepPlace(lua_State* lua, Request* request) {
  lua_Debug info;
  PushEntry(lua, request->entry);
  lua_getinfo(lua, ">S", &info);
  if (info.linedefined < 1) return;
  request->file = info.source + 1;
  request->line = info.linedefined;
}

// What every C function may push.
constexpr int kFreeSlots = LUA_MINSTACK - 4;

// A closure of the functions that were found.
int RunRequest(lua_State* lua) {
  Request& request = *static_cast<Request*>(lua_touserdata(lua, 1));
  const int count = static_cast<int>(request.arguments.size());
  if (count > kFreeSlots) luaL_checkstack(lua, count + 1, "too many arguments");
  PushEntry(lua, request.entry);
  for (const ScriptValue& argument : request.arguments) {
    PushScriptValue(lua, argument);
  }
  lua_call(lua, count, 1);
  if (request.result == nullptr) return 0;
  const bool is_value = ReadScriptValue(lua, -1, request.result);
  if (!is_value || IsAnyNan(*request.result)) KeepPlace(lua, &request);
  if (!is_value) {
    return luaL_error(lua, "the result is a %s, which can't leave a script",
                      luaL_typename(lua, -1));
  }
  if (IsAnyNan(*request.result)) {
    return luaL_error(lua, "the result is not a number (NaN)");
  }
  if (const auto* const text = std::get_if<std::string_view>(request.result)) {
    request.result_text->assign(*text);
    *request.result = std::string_view(*request.result_text);
  }
  return 0;
}

// The place in a list that a part of a path names: of up to 9 digits.
std::optional<int64_t> ListPlace(std::string_view name) {
  if (name.empty() || name.size() > 9) return std::nullopt;
  int64_t place = 0;
  for (const char digit : name) {
    if (digit < '0' || digit > '9') return std::nullopt;
    place = 10 * place + (digit - '0');
  }
  return place;
}

}  // namespace

struct ScriptMachine::Lua {
  LuaHost host;
  LuaState state;
};

ScriptMachine::ScriptMachine(std::shared_ptr<const ScriptProgram> program,
                             std::shared_ptr<const ScriptApi> api,
                             const ScriptLimits& limits)
    : program_(std::move(program)),
      api_(std::move(api)),
      limits_(limits),
      profile_(program_->files().size()),
      lua_(std::make_unique<Lua>()) {}

ScriptMachine::~ScriptMachine() = default;

absl::StatusOr<std::unique_ptr<ScriptMachine>> ScriptMachine::Create(
    std::shared_ptr<const ScriptProgram> program,
    std::shared_ptr<const ScriptApi> api, const ScriptLimits& limits,
    bool is_profiled) {
  for (const int64_t limit : {limits.call_instructions, limits.call_bytes,
                              limits.load_instructions, limits.load_bytes}) {
    if (limit < 1) {
      return absl::InvalidArgumentError(
          fmt::format("a limit of scripts is {}; 1 is the least", limit));
    }
  }
  // The constructor is private.
  std::unique_ptr<ScriptMachine> machine(
      new ScriptMachine(std::move(program), std::move(api), limits));
  const absl::Status status = machine->Load(is_profiled);
  if (!status.ok()) return status;
  return machine;
}

absl::Status ScriptMachine::Load(bool is_profiled) {
  LuaHost& host = lua_->host;
  host.program = program_.get();
  host.api = api_.get();
  lua_->state = NewLuaState(&host);
  lua_State* const lua = lua_->state.get();
  OpenSandbox(lua, *api_);
  lua_setoverrun(lua, KeepOverrun);
  SetProfiling(is_profiled);
  const std::optional<ScriptError> error = RunProtected(
      LoadModules, nullptr, limits_.load_instructions, limits_.load_bytes);
  if (error.has_value()) return error->ToStatus();
  if (lua_freeze(lua, /*keepglobals=*/0) > 0) {
    return absl::InvalidArgumentError(
        "a coroutine is left when all scripts are loaded; it would be state");
  }
  lua_newtable(lua);
  CHECK(lua_gettop(lua) == kEntriesSlot);
  lua_pushvalue(lua, kEntriesSlot);
  lua_pushcclosure(lua, RunRequest, 1);
  lua_rawseti(lua, LUA_REGISTRYINDEX, kRequestIndex);
  absl::Status status = CollectHooks(lua);
  lua_settop(lua, kEntriesSlot);
  return status;
}

std::optional<ScriptError> ScriptMachine::RunProtected(
    int (*function)(lua_State*), void* data, int64_t instructions,
    int64_t bytes) {
  CHECK(!is_running_);
  is_running_ = true;
  lua_State* const lua = lua_->state.get();
  const int top = lua_gettop(lua);
  lua_->host.error.reset();
  lua_->host.hook_error.reset();
  lua_pushcfunction(lua, KeepError);
  if (function == nullptr) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, kRequestIndex);
  } else {
    lua_pushcfunction(lua, function);
  }
  lua_pushlightuserdata(lua, data);
  lua_setbudget(lua, instructions, bytes);
  const int status = lua_pcall(lua, 1, 0, top + 1);
  usage_ = {
      .instructions = instructions - lua_budgetleft(lua, LUA_INSTRUCTIONS),
      .bytes = bytes - lua_budgetleft(lua, LUA_BYTES)};
  const bool has_failed = status != LUA_OK || lua_overran(lua) != 0;
  // What is done between calls is no script's.
  lua_setbudget(lua, LUA_MAXINTEGER, LUA_MAXINTEGER);
  lua_settop(lua, top);
  is_running_ = false;
  // What a hook did wrong is told when the call has gone to its end.
  if (!has_failed) {
    if (!lua_->host.hook_error.has_value()) return std::nullopt;
    return std::exchange(lua_->host.hook_error, std::nullopt);
  }
  if (!lua_->host.error.has_value()) {
    // An error while an error was handled, which left no room for words.
    lua_->host.error = ScriptError{.kind = ScriptErrorKind::kRuntime,
                                   .file = "",
                                   .line = 0,
                                   .message = "an error in handling an error",
                                   .frames = {}};
  }
  return std::exchange(lua_->host.error, std::nullopt);
}

void ScriptMachine::PushAt(std::string_view file, std::string_view path) {
  lua_State* const lua = lua_->state.get();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kModulesIndex);
  lua_pushlstring(lua, file.data(), file.size());
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
  std::string_view rest = path;
  while (!rest.empty() && lua_istable(lua, -1)) {
    const std::string_view name = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (const std::optional<int64_t> place = ListPlace(name)) {
      lua_rawgeti(lua, -1, *place);
    } else {
      lua_pushlstring(lua, name.data(), name.size());
      lua_rawget(lua, -2);
    }
    lua_remove(lua, -2);
  }
  if (rest.empty()) return;
  lua_pop(lua, 1);
  lua_pushnil(lua);
}

std::optional<ScriptEntry> ScriptMachine::Find(std::string_view file,
                                               std::string_view path) {
  CHECK(!is_running_);
  std::string key = fmt::format("{}\n{}", file, path);
  const auto known = entries_.find(key);
  if (known != entries_.end()) return known->second;
  lua_State* const lua = lua_->state.get();
  const int top = lua_gettop(lua);
  PushAt(file, path);
  std::optional<ScriptEntry> entry;
  if (lua_isfunction(lua, -1)) {
    entry = ScriptEntry{.index = ++entry_count_};
    lua_rawseti(lua, kEntriesSlot, entry->index);
    entries_.emplace(std::move(key), *entry);
  }
  lua_settop(lua, top);
  return entry;
}

std::vector<std::string> ScriptMachine::Keys(std::string_view file,
                                             std::string_view path) {
  CHECK(!is_running_);
  lua_State* const lua = lua_->state.get();
  const int top = lua_gettop(lua);
  std::vector<std::string> keys;
  PushAt(file, path);
  if (lua_istable(lua, -1)) {
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
      if (lua_type(lua, -2) == LUA_TSTRING) {
        keys.emplace_back(lua_tostring(lua, -2));
      }
      lua_pop(lua, 1);
    }
  }
  lua_settop(lua, top);
  return keys;
}

int ScriptMachine::LineOf(ScriptEntry entry) const {
  CHECK(entry.index >= 1);
  CHECK(entry.index <= entry_count_);
  lua_Debug info;
  lua_rawgeti(lua_->state.get(), kEntriesSlot, entry.index);
  lua_getinfo(lua_->state.get(), ">S", &info);
  return info.linedefined;
}

int64_t ScriptMachine::ListSize(std::string_view file, std::string_view path) {
  CHECK(!is_running_);
  lua_State* const lua = lua_->state.get();
  const int top = lua_gettop(lua);
  PushAt(file, path);
  const int64_t size =
      lua_istable(lua, -1) ? static_cast<int64_t>(lua_rawlen(lua, -1)) : 0;
  lua_settop(lua, top);
  return size;
}

ScriptValue ScriptMachine::Value(std::string_view file, std::string_view path) {
  CHECK(!is_running_);
  lua_State* const lua = lua_->state.get();
  const int top = lua_gettop(lua);
  PushAt(file, path);
  ScriptValue value;
  if (!ReadScriptValue(lua, -1, &value)) value = std::monostate();
  if (const auto* const text = std::get_if<std::string_view>(&value)) {
    result_text_.assign(*text);
    value = std::string_view(result_text_);
  }
  lua_settop(lua, top);
  return value;
}

std::vector<std::string> ScriptMachine::FunctionNames(std::string_view file) {
  CHECK(!is_running_);
  lua_State* const lua = lua_->state.get();
  const int top = lua_gettop(lua);
  std::vector<std::string> names;
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kModulesIndex);
  lua_pushlstring(lua, file.data(), file.size());
  if (lua_rawget(lua, -2) == LUA_TTABLE) {
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
      if (lua_type(lua, -2) == LUA_TSTRING && lua_isfunction(lua, -1)) {
        names.emplace_back(lua_tostring(lua, -2));
      }
      lua_pop(lua, 1);
    }
  }
  lua_settop(lua, top);
  return names;
}

std::optional<ScriptError> ScriptMachine::Call(
    ScriptEntry entry, std::span<const ScriptValue> arguments, void* context,
    ScriptValue* result) {
  CHECK(entry.index >= 1);
  CHECK(entry.index <= entry_count_);
  Request request = {.entry = entry.index,
                     .arguments = arguments,
                     .result = result,
                     .result_text = &result_text_};
  lua_->host.context = context;
  std::optional<ScriptError> error = RunProtected(
      /*function=*/nullptr, &request, limits_.call_instructions,
      limits_.call_bytes);
  lua_->host.context = nullptr;
  if (!error.has_value()) return error;
  if (result != nullptr) *result = std::monostate();
  if (error->file.empty()) {
    error->file = request.file;
    error->line = request.line;
  }
  return error;
}

void ScriptMachine::SetProfiling(bool is_profiled) {
  CHECK(!is_running_);
  lua_State* const lua = lua_->state.get();
  if (is_profiled && lua_->host.profile == nullptr) {
    lua_->host.profile = &profile_;
    ListLoaded();
  }
  FollowSteps(lua, is_profiled);
}

void ScriptMachine::ListLoaded() {
  ForEachChunk([this](int file) { ListFunctions(lua_->state.get(), file); });
}

void ScriptMachine::ForEachChunk(absl::FunctionRef<void(int file)> visit) {
  lua_State* const lua = lua_->state.get();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kChunksIndex);
  for (size_t file = 0; file < program_->files().size(); ++file) {
    if (lua_rawgeti(lua, -1, static_cast<lua_Integer>(file) + 1) != LUA_TNIL) {
      visit(static_cast<int>(file));
    }
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

void ScriptMachine::SetProbes(ScriptProbes* probes) {
  CHECK(!is_running_);
  LuaHost& host = lua_->host;
  if (probes != nullptr) {
    CHECK(host.profile != nullptr);
    if (host.probes != probes || probes_revision_ != probes->revision()) {
      host.probes = probes;
      probes_revision_ = probes->revision();
      ForEachChunk([this](int /*file*/) { PlaceProbes(lua_->state.get()); });
    }
  }
  FollowProbes(lua_->state.get(), probes != nullptr);
}

void ScriptMachine::Watch(ScriptWatcher* watcher) {
  CHECK(!is_running_);
  lua_->host.watcher = watcher;
  if (watcher != nullptr) SetProfiling(true);
}

void ScriptMachine::WatchCalls(ScriptCallWatcher* watcher) {
  CHECK(!is_running_);
  lua_->host.call_watcher = watcher;
}

uint64_t ScriptMachine::allocation_count() const {
  return lua_->host.allocation_count;
}

}  // namespace reprise::sim
