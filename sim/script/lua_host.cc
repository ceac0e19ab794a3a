// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/lua_host.h"

#include <cstddef>
#include <cstdlib>

#include "lua.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// Memory that can't be had ends the process, as everywhere: whether it can is
// nothing that a script may see.
void* Allocate(void* host, void* memory, size_t, size_t size) {
  if (size == 0) {
    std::free(memory);
    return nullptr;
  }
  if (memory == nullptr) ++static_cast<LuaHost*>(host)->allocation_count;
  void* const result = std::realloc(memory, size);
  CHECK(result != nullptr, "{} bytes", size);
  return result;
}

int Panic(lua_State* lua) {
  const char* const message = lua_tostring(lua, -1);
  CHECK(false, "an error of Lua outside of a call: {}",
        message == nullptr ? "no message" : message);
  return 0;
}

}  // namespace

void LuaCloser::operator()(lua_State* lua) const { lua_close(lua); }

LuaState NewLuaState(LuaHost* host) {
  LuaState lua(lua_newstate(Allocate, host));
  CHECK(lua != nullptr);
  lua_atpanic(lua.get(), Panic);
  *static_cast<LuaHost**>(lua_getextraspace(lua.get())) = host;
  return lua;
}

LuaHost& HostOf(lua_State* lua) {
  return **static_cast<LuaHost**>(lua_getextraspace(lua));
}

}  // namespace reprise::sim
