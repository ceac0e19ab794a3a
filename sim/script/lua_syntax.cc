// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_syntax.h"

#include "lauxlib.h"
#include "lua.h"
#include "sim/script/functions/lua_host.h"

namespace reprise::sim {

std::string FindSyntaxError(std::string_view file, std::string_view source) {
  LuaHost host;
  const LuaState lua = NewLuaState(&host);
  const std::string chunk_name = "=" + std::string(file);
  if (luaL_loadbufferx(lua.get(), source.data(), source.size(),
                       chunk_name.c_str(), "t") == LUA_OK) {
    return "";
  }
  std::string message = lua_tostring(lua.get(), -1);
  // Of what is no text at all, Lua doesn't say where.
  if (message.rfind(std::string(file) + ":", 0) != 0) {
    message = std::string(file) + ":1: " + message;
  }
  return message;
}

}  // namespace reprise::sim
