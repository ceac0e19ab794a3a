// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_sandbox.h"

#include <string>
#include <string_view>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "sim/base/check.h"
#include "sim/script/functions/lua_host.h"
#include "sim/script/functions/lua_value.h"
#include "sim/script/functions/script_library.h"
#include "sim/script/lua_math.h"
#include "sim/script/lua_modules.h"
#include "sim/script/lua_native.h"

namespace reprise::sim {
namespace {

// As Lua's, and knows our two types.
int Type(lua_State* lua) {
  switch (lua_type(lua, 1)) {
    case LUA_TNONE:
      return luaL_argerror(lua, 1, "value expected");
    case LUA_TUSERDATA:
      lua_pushliteral(lua, "vector");
      return 1;
    case LUA_TLIGHTUSERDATA:
      lua_pushliteral(lua, "handle");
      return 1;
    default:
      lua_pushstring(lua, luaL_typename(lua, 1));
      return 1;
  }
}

// Pushes a table with the listed names of the library on the top, and removes
// that.
void KeepListed(lua_State* lua, const ScriptLibrary& library) {
  lua_createtable(lua, 0, static_cast<int>(library.names.size()));
  for (const std::string_view name : library.names) {
    lua_pushlstring(lua, name.data(), name.size());
    lua_pushvalue(lua, -1);
    lua_rawget(lua, -4);
    lua_rawset(lua, -3);
  }
  lua_remove(lua, -2);
}

// Sets a function of the table on the top.
void SetField(lua_State* lua, const char* name, lua_CFunction function) {
  lua_pushcfunction(lua, function);
  lua_setfield(lua, -2, name);
}

// Pushes a library with all that Lua and we have for it.
void PushWhole(lua_State* lua, std::string_view library) {
  if (library.empty()) {
    lua_pushcfunction(lua, luaopen_base);
  } else if (library == "coroutine") {
    lua_pushcfunction(lua, luaopen_coroutine);
  } else if (library == "math") {
    lua_pushcfunction(lua, OpenMath);
  } else if (library == "string") {
    lua_pushcfunction(lua, luaopen_string);
  } else if (library == "table") {
    lua_pushcfunction(lua, luaopen_table);
  } else {
    CHECK(library == "utf8", "{}", library);
    lua_pushcfunction(lua, luaopen_utf8);
  }
  lua_call(lua, 0, 1);
  if (!library.empty()) return;
  SetField(lua, "type", Type);
  SetField(lua, "require", Require);
  SetField(lua, "vector", MakeVector);
}

// Methods of strings are those that are listed, too. The library is on the top.
void PointStringsTo(lua_State* lua) {
  lua_pushliteral(lua, "");
  CHECK(lua_getmetatable(lua, -1) == 1);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pop(lua, 2);
}

// Adds functions of ours to the globals on the top.
void AddApi(lua_State* lua, const ScriptApi& api) {
  for (const ScriptFunction& function : api.functions()) {
    const std::string table = ScriptTableOf(function);
    if (table.empty()) {
      PushNative(lua, function);
      lua_setfield(lua, -2, function.name.c_str());
      continue;
    }
    if (lua_getfield(lua, -1, table.c_str()) == LUA_TNIL) {
      lua_pop(lua, 1);
      lua_newtable(lua);
      lua_pushvalue(lua, -1);
      lua_setfield(lua, -3, table.c_str());
    }
    PushNative(lua, function);
    lua_setfield(lua, -2, function.name.c_str() + table.size() + 1);
    lua_pop(lua, 1);
  }
}

}  // namespace

void OpenSandbox(lua_State* lua, const ScriptApi& api) {
  // Lua looks for names of functions here.
  lua_newtable(lua);
  lua_setfield(lua, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  OpenVectors(lua);
  // Globals come first, and become the table of globals of what is loaded.
  for (const ScriptLibrary& library : ScriptLibraries()) {
    PushWhole(lua, library.name);
    KeepListed(lua, library);
    if (library.name == "string") PointStringsTo(lua);
    if (library.name.empty()) continue;
    lua_setfield(lua, -2, library.name.data());
  }
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -2, "_G");
  AddApi(lua, api);
  lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  CHECK(lua_gettop(lua) == 0);
  CHECK(lua_freeze(lua, /*keepglobals=*/1) == 0);
  // Loading fills these.
  lua_newtable(lua);
  lua_rawseti(lua, LUA_REGISTRYINDEX, kModulesIndex);
  lua_newtable(lua);
  lua_rawseti(lua, LUA_REGISTRYINDEX, kChunksIndex);
}

}  // namespace reprise::sim
