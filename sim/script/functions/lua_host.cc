// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/lua_host.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "lua.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// The list of spare blocks in which such a size is; kSpareLists: none.
size_t ListOf(size_t size) { return (size - 1) / LuaSpare::kStep; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REPRISE_SEES_ADDRESSES
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define REPRISE_SEES_ADDRESSES
#endif

bool IsSpared([[maybe_unused]] size_t size) {
#ifdef REPRISE_SEES_ADDRESSES
  return false;  // it is to see what is used after it was freed
#else
  return size > 0 && size <= LuaSpare::kStep * LuaSpare::kLists;
#endif
}

// Memory that can't be had ends the process, as everywhere: whether it can is
// nothing that a script may see.
void* FromSystem(void* memory, size_t size) {
  void* const result = std::realloc(memory, size);
  CHECK(result != nullptr, "{} bytes", size);
  return result;
}

void* Take(LuaSpare& spare, size_t size) {
  if (!IsSpared(size)) return FromSystem(nullptr, size);
  LuaSpare::Block*& first = spare.first[ListOf(size)];
  if (first == nullptr) {
    return FromSystem(nullptr, (ListOf(size) + 1) * LuaSpare::kStep);
  }
  return std::exchange(first, first->next);
}

void Give(LuaSpare& spare, void* memory, size_t size) {
  if (!IsSpared(size)) {
    std::free(memory);
    return;
  }
  LuaSpare::Block*& first = spare.first[ListOf(size)];
  first = new (memory) LuaSpare::Block{first};
}

// What Lua asks for its memory. Without a block `old_size` says what it is for.
void* Allocate(void* host_of, void* memory, size_t old_size, size_t size) {
  LuaHost& host = *static_cast<LuaHost*>(host_of);
  if (memory == nullptr) {
    if (size == 0) return nullptr;
    ++host.allocation_count;
    return Take(host.spare, size);
  }
  if (size == 0) {
    Give(host.spare, memory, old_size);
    return nullptr;
  }
  if (!IsSpared(old_size) && !IsSpared(size)) return FromSystem(memory, size);
  void* const result = Take(host.spare, size);
  std::memcpy(result, memory, std::min(old_size, size));
  Give(host.spare, memory, old_size);
  return result;
}

int Panic(lua_State* lua) {
  const char* const message = lua_tostring(lua, -1);
  CHECK(false, "an error of Lua outside of a call: {}",
        message == nullptr ? "no message" : message);
  return 0;
}

}  // namespace

LuaSpare::~LuaSpare() {
  for (Block* block : first) {
    while (block != nullptr) std::free(std::exchange(block, block->next));
  }
}

void LuaCloser::operator()(lua_State* lua) const { lua_close(lua); }

LuaState NewLuaState(LuaHost* host) {
  LuaState lua(lua_newstate(Allocate, host));
  CHECK(lua != nullptr);
  lua_atpanic(lua.get(), Panic);
  *static_cast<LuaHost**>(lua_getextraspace(lua.get())) = host;
  return lua;
}

}  // namespace reprise::sim
