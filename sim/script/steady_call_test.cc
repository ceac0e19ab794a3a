// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that calling a script again allocates nothing, neither ours nor Lua's:
// one that makes nothing doesn't even ask, and what the others make goes into
// the memory of what they made before.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <variant>

#include "gtest/gtest.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_scripts.h"

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

TEST(SteadyCallTest, CallingAgainAllocatesNothing) {
  const auto machine =
      LoadFiles({{"a.lua",
                  "local function step(x, n) for i = 1, n do x = x * 0.5 + "
                  "height() end return x end return {main = function(x, name, "
                  "object) world.follow(object, true) if name == 'ball' then "
                  "return step(x, 10) end end}"}},
                {}, TestingApi());
  ASSERT_TRUE(machine.ok()) << machine.status();
  const auto entry = (*machine)->Find("a.lua", "main");
  ASSERT_TRUE(entry.has_value());
  TestingWorld world = {.position = {.x = 0, .y = 1, .z = 0}};
  const ScriptValue arguments[] = {8.0, std::string_view("ball"),
                                   Handle{.index = 1, .generation = 1}};
  ScriptValue result;
  uint64_t ours_before = 0;
  uint64_t luas_before = 0;
  for (int i = 0; i < 1000; ++i) {
    if (i == 2) {
      ours_before = allocation_count;
      luas_before = (*machine)->allocation_count();
    }
    ASSERT_FALSE((*machine)->Call(*entry, arguments, &world, &result));
  }
  EXPECT_EQ(allocation_count, ours_before);
  EXPECT_EQ((*machine)->allocation_count(), luas_before);
  EXPECT_GT(ours_before, 0u);
  EXPECT_EQ(result, ScriptValue(2.005859375));
  EXPECT_EQ(world.calls, 10000);
}

// Vectors by the interpreter and by functions, short and long strings, tables
// that grow, closures: of each, some live until the collector comes.
TEST(SteadyCallTest, MakingTheSameAgainAllocatesNothing) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "blocks are not kept for reuse in this build";
#endif
  const auto machine = LoadFiles({{"a.lua", R"(
return {main = function(x)
  local at = vector(x, 0, 1)
  for i = 1, 10 do at = at * 0.5 + vector(i, x, at.z) end
  local words = {}
  for i = 1, 12 do words[i] = "word " .. i .. " of " .. x end
  local text = table.concat(words, ", ") .. string.rep("-", 300)
  local far = function() return at:length() + #text end
  return far()
end})"}});
  ASSERT_TRUE(machine.ok()) << machine.status();
  const auto entry = (*machine)->Find("a.lua", "main");
  ASSERT_TRUE(entry.has_value());
  uint64_t before = 0;
  uint64_t asked_before = 0;
  for (int i = 0; i < 4000; ++i) {
    if (i == 2000) {
      before = allocation_count;
      asked_before = (*machine)->allocation_count();
    }
    const ScriptValue arguments[] = {static_cast<double>(i % 7)};
    ScriptValue result;
    ASSERT_FALSE((*machine)->Call(*entry, arguments, nullptr, &result));
    ASSERT_GT(*std::get_if<double>(&result), 400.0);
  }
  EXPECT_EQ(allocation_count, before);
  // It asks for more than 30 blocks in each call.
  EXPECT_GT((*machine)->allocation_count() - asked_before, 60'000u);
}

}  // namespace
}  // namespace reprise::sim
