// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/script/functions/lua_host.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include "lua.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

constexpr size_t kSmallStep = 16;                                 // bytes
constexpr size_t kSmallLists = LuaSpare::kSmallMax / kSmallStep;  // 8

// The list in which blocks of such a size are. REQUIRES: IsSpared(size).
size_t ListOf(size_t size) {
  if (size <= LuaSpare::kSmallMax) return (size - 1) / kSmallStep;
  const int width = std::bit_width(size - 1);        // 8 above 128, 9 above 256
  const size_t quarter = (size - 1) >> (width - 3);  // 4 to 7
  return kSmallLists + static_cast<size_t>(width - 8) * 4 + quarter - 4;
}

// The largest size of a list, which all of its blocks have.
constexpr size_t SizeOf(size_t list) {
  if (list < kSmallLists) return (list + 1) * kSmallStep;
  const size_t place = list - kSmallLists;
  return (place % 4 + 5) << (place / 4 + 5);
}
static_assert(SizeOf(LuaSpare::kLists - 1) == LuaSpare::kSizeMax);

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REPRISE_SEES_ADDRESSES
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define REPRISE_SEES_ADDRESSES
#endif

bool IsSpared([[maybe_unused]] size_t size) {
#ifdef REPRISE_SEES_ADDRESSES
  return false;  // it is to see what is used after it was freed
#else
  return size > 0 && size <= LuaSpare::kSizeMax;
#endif
}

// By the operator, as all else, so that who counts allocations sees these.
// Memory that can't be had ends the process, as everywhere: whether it can is
// nothing that a script may see.
void* FromSystem(size_t size) {
  void* const result = ::operator new(size, std::nothrow);
  CHECK(result != nullptr, "{} bytes", size);
  return result;
}

void Keep(LuaSpare& spare, size_t list, void* memory) {
  spare.kept += SizeOf(list);
  spare.first[list] = new (memory) LuaSpare::Block{spare.first[list]};
}

bool HasRoom(const LuaSpare& spare, size_t list) {
  return spare.kept + SizeOf(list) <= LuaSpare::kKeptMax;
}

// A block for a list that has none left, and some in reserve.
void* Make(LuaSpare& spare, size_t list) {
  const size_t reserve = spare.made[list] / LuaSpare::kReserveShare;
  ++spare.made[list];
  for (size_t i = 0; i < reserve && HasRoom(spare, list); ++i) {
    Keep(spare, list, FromSystem(SizeOf(list)));
    ++spare.made[list];
  }
  return FromSystem(SizeOf(list));
}

void* Take(LuaSpare& spare, size_t size) {
  if (!IsSpared(size)) return FromSystem(size);
  const size_t list = ListOf(size);
  LuaSpare::Block*& first = spare.first[list];
  if (first == nullptr) return Make(spare, list);
  spare.kept -= SizeOf(list);
  return std::exchange(first, first->next);
}

void Give(LuaSpare& spare, void* memory, size_t size) {
  if (IsSpared(size)) {
    const size_t list = ListOf(size);
    if (HasRoom(spare, list)) {
      Keep(spare, list, memory);
      return;
    }
    --spare.made[list];
  }
  ::operator delete(memory);
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
  if (IsSpared(old_size) && IsSpared(size) &&
      ListOf(old_size) == ListOf(size)) {
    return memory;
  }
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
    while (block != nullptr) {
      ::operator delete(std::exchange(block, block->next));
    }
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
