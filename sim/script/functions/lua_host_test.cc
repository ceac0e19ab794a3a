// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that Lua's memory is what it asks for, whatever was freed before, and
// that what is freed is given out again within a bound: by a model of what each
// block holds, and by counting the calls of operator new.

#include "sim/script/functions/lua_host.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "gtest/gtest.h"
#include "lua.h"

namespace {

uint64_t allocation_count = 0;

}  // namespace

void* operator new(size_t size) {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace reprise::sim {
namespace {

// What Lua calls for memory, as it does.
class LuaHostTest : public testing::Test {
 protected:
  LuaHostTest() : state_(NewLuaState(&host_)) {
    allocate_ = lua_getallocf(state_.get(), &data_);
  }

  uint8_t* Make(size_t size) {
    return static_cast<uint8_t*>(allocate_(data_, nullptr, LUA_TSTRING, size));
  }
  uint8_t* Resize(uint8_t* block, size_t from, size_t to) {
    return static_cast<uint8_t*>(allocate_(data_, block, from, to));
  }
  void Free(uint8_t* block, size_t size) {
    EXPECT_EQ(allocate_(data_, block, size, 0), nullptr);
  }

  LuaHost host_;
  LuaState state_;  // freed before its host
  lua_Alloc allocate_ = nullptr;
  void* data_ = nullptr;
};

struct Block {
  uint8_t* memory = nullptr;
  size_t size = 0;
  uint8_t content = 0;  // of each byte
};

bool IsWhole(const Block& block) {
  return std::all_of(block.memory, block.memory + block.size,
                     [&](uint8_t byte) { return byte == block.content; });
}

// Every size at which something changes, and others.
TEST_F(LuaHostTest, BlocksKeepWhatIsInThem) {
  std::vector<size_t> sizes;
  for (const size_t edge : {16, 32, 112, 128, 160, 192, 224, 256, 320, 512,
                            1024, 4096, 57344, 65536, 100'000}) {
    sizes.insert(sizes.end(), {edge - 1, edge, edge + 1});
  }
  std::vector<Block> blocks(200);
  uint64_t random = 1;  // of Knuth's MMIX
  const auto draw = [&](uint64_t end) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (random >> 33) % end;
  };
  for (int turn = 0; turn < 20'000; ++turn) {
    Block& block = blocks[draw(blocks.size())];
    const size_t size = sizes[draw(sizes.size())];
    if (block.memory == nullptr) {
      block = {Make(size), size, static_cast<uint8_t>(turn)};
      std::memset(block.memory, block.content, size);
      continue;
    }
    ASSERT_TRUE(IsWhole(block)) << turn << ": " << block.size;
    if (draw(2) == 0) {
      Free(block.memory, block.size);
      block = {};
      continue;
    }
    block.memory = Resize(block.memory, block.size, size);
    block.size = std::min(block.size, size);
    ASSERT_TRUE(IsWhole(block)) << turn << ": resized to " << size;
    block.size = size;
    std::memset(block.memory, block.content, size);
  }
  for (const Block& block : blocks) {
    if (block.memory != nullptr) Free(block.memory, block.size);
  }
}

TEST_F(LuaHostTest, WhatWasFreedIsGivenOutAgain) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "blocks are not kept for reuse in this build";
#endif
  for (const size_t size :
       {size_t{1}, size_t{40}, size_t{129}, size_t{5000}, LuaSpare::kSizeMax}) {
    Free(Make(size), size);
    const uint64_t before = allocation_count;
    const uint64_t asked_before = host_.allocation_count;
    for (int i = 0; i < 100; ++i) Free(Make(size), size);
    EXPECT_EQ(allocation_count, before) << size;
    EXPECT_EQ(host_.allocation_count - asked_before, 100u) << size;
  }
}

TEST_F(LuaHostTest, LargeBlocksAreNotKept) {
  constexpr size_t kSize = LuaSpare::kSizeMax + 1;
  Free(Make(kSize), kSize);
  const size_t kept_before = host_.spare.kept;
  const uint64_t before = allocation_count;
  for (int i = 0; i < 10; ++i) Free(Make(kSize), kSize);
  EXPECT_EQ(allocation_count - before, 10u);
  EXPECT_EQ(host_.spare.kept, kept_before);
}

TEST_F(LuaHostTest, WhatIsKeptHasABound) {
  constexpr size_t kSize = 4096;
  constexpr size_t kCount = 2 * LuaSpare::kKeptMax / kSize;
  std::vector<uint8_t*> blocks(kCount);
  for (uint8_t*& block : blocks) block = Make(kSize);
  for (uint8_t* const block : blocks) Free(block, kSize);
  EXPECT_LE(host_.spare.kept, LuaSpare::kKeptMax);
#ifndef __SANITIZE_ADDRESS__
  EXPECT_GT(host_.spare.kept, LuaSpare::kKeptMax - kSize);
  // No byte of what was kept is lost: all of that is taken first.
  const size_t kept = host_.spare.kept / kSize;
  for (size_t i = 0; i < kept; ++i) blocks[i] = Make(kSize);
  const uint64_t before = allocation_count;
  for (size_t i = kept; i < kCount; ++i) blocks[i] = Make(kSize);
  EXPECT_GE(allocation_count - before, kCount - kept);
  for (uint8_t* const block : blocks) Free(block, kSize);
#endif
}

// Who needs a few more than ever before finds them there.
TEST_F(LuaHostTest, SomeAreGotInReserve) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "blocks are not kept for reuse in this build";
#endif
  constexpr size_t kSize = 48;
  std::vector<uint8_t*> blocks;
  blocks.reserve(10'000);
  const auto make = [&](size_t count) {
    const uint64_t before = allocation_count;
    for (size_t i = 0; i < count; ++i) blocks.push_back(Make(kSize));
    return allocation_count - before;
  };
  make(5000);
  size_t largest_gap = 0;
  size_t gap = 0;
  for (int i = 0; i < 2000; ++i) {
    gap = make(1) == 0 ? gap + 1 : 0;
    largest_gap = std::max(largest_gap, gap);
  }
  EXPECT_GE(largest_gap, 500u);
  for (uint8_t* const block : blocks) Free(block, kSize);
}

}  // namespace
}  // namespace reprise::sim
