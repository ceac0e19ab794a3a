// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_modules.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lauxlib.h"
#include "lua.h"
#include "sim/script/functions/lua_host.h"
#include "sim/script/lua_steps.h"
#include "sim/script/script_program.h"

namespace reprise::sim {
namespace {

// What a script returned, on the stack; nil if it hasn't run.
bool PushModule(lua_State* lua, const std::string& name) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kModulesIndex);
  lua_pushlstring(lua, name.data(), name.size());
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
  return lua_type(lua, -1) != LUA_TNIL;
}

// That the file is being loaded, for as long as this lives.
class Loading {
 public:
  Loading(std::vector<int>* files, int file) : files_(files) {
    files_->push_back(file);
  }
  ~Loading() { files_->pop_back(); }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

 private:
  std::vector<int>* files_;
};

// Runs a script and pushes what it returned: true if that is nothing.
void Load(lua_State* lua, int file) {
  LuaHost& host = HostOf(lua);
  const ScriptFile& script = host.program->files()[static_cast<size_t>(file)];
  const Loading loading(&host.loading, file);
  const std::string chunk_name = "=" + script.name;
  if (luaL_loadbufferx(lua, script.source.data(), script.source.size(),
                       chunk_name.c_str(), "t") != LUA_OK) {
    lua_error(lua);
  }
  if (host.profile != nullptr) ListFunctions(lua, file);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kChunksIndex);
  lua_pushvalue(lua, -2);
  lua_rawseti(lua, -2, file + 1);
  lua_pop(lua, 1);
  lua_call(lua, 0, 1);
  if (lua_isnil(lua, -1)) {
    lua_pop(lua, 1);
    lua_pushboolean(lua, 1);
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, kModulesIndex);
  lua_pushlstring(lua, script.name.data(), script.name.size());
  lua_pushvalue(lua, -3);
  lua_rawset(lua, -3);
  lua_pop(lua, 1);
}

}  // namespace

int Require(lua_State* lua) {
  LuaHost& host = HostOf(lua);
  const char* const wanted = luaL_checkstring(lua, 1);
  int file = host.program->Find(wanted);
  if (file < 0) file = host.program->Find(std::string(wanted) + ".lua");
  if (file < 0) {
    return luaL_error(lua, "require: the pack has no script '%s'", wanted);
  }
  if (PushModule(lua, host.program->files()[static_cast<size_t>(file)].name)) {
    return 1;
  }
  if (std::find(host.loading.begin(), host.loading.end(), file) !=
      host.loading.end()) {
    return luaL_error(lua, "require: '%s' requires itself, if not directly",
                      wanted);
  }
  Load(lua, file);
  return 1;
}

int LoadModules(lua_State* lua) {
  const LuaHost& host = HostOf(lua);
  for (size_t i = 0; i < host.program->files().size(); ++i) {
    lua_settop(lua, 0);
    if (PushModule(lua, host.program->files()[i].name)) continue;
    Load(lua, static_cast<int>(i));
  }
  return 0;
}

}  // namespace reprise::sim
