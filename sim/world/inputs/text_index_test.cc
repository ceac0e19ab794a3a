// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that texts are found where they were put last, whatever else is there,
// and that marks last until all is forgotten.

#include "sim/world/inputs/text_index.h"

#include <cstdint>
#include <optional>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"

namespace reprise::sim {
namespace {

TEST(TextIndexTest, TextsAreFoundWhereTheyWerePutLast) {
  constexpr uint64_t kCount = 1000;
  TextIndex index;
  index.Clear(kCount);
  for (uint64_t i = 0; i < kCount; ++i) {
    ASSERT_FALSE(index.is_full()) << i;
    index.Set(IdOf(fmt::to_string(i)), i);
  }
  for (uint64_t i = 0; i < kCount; i += 2) {
    index.Set(IdOf(fmt::to_string(i)), kCount + i);
  }
  for (uint64_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(index.Find(IdOf(fmt::to_string(i))), i % 2 == 0 ? kCount + i : i);
  }
  EXPECT_EQ(index.Find(IdOf("other")), std::nullopt);
  EXPECT_EQ(index.Find(kNoId), std::nullopt);
}

TEST(TextIndexTest, IdsThatCollideAreToldApart) {
  TextIndex index;
  index.Clear(3);
  // Products with the multiplier below 2^58: the first of 8 slots or more.
  constexpr uint64_t kInverse = 0xf1de83e19937733d;
  static_assert(kInverse * 0x9e3779b97f4a7c15 == 1);
  for (uint64_t i = 1; i <= 3; ++i) index.Set(Id{kInverse * i}, i);
  for (uint64_t i = 1; i <= 3; ++i) {
    EXPECT_EQ(index.Find(Id{kInverse * i}), i);
  }
  EXPECT_EQ(index.Find(Id{kInverse * 4}), std::nullopt);
}

TEST(TextIndexTest, IsFullWhereAnotherOneHasNoRoom) {
  TextIndex index;
  EXPECT_TRUE(index.is_full());
  index.Clear(1);
  EXPECT_FALSE(index.is_full());
  for (uint64_t i = 1; !index.is_full(); ++i) index.Set(Id{i}, i);
  index.Set(Id{1}, 7);
  EXPECT_EQ(index.Find(Id{1}), 7u);
}

TEST(TextIndexTest, MarksLastUntilAllIsForgotten) {
  TextIndex index;
  index.Mark(IdOf("one"));
  EXPECT_FALSE(index.IsMarked(IdOf("one")));
  index.Clear(2);
  index.Set(IdOf("one"), 1);
  index.Mark(IdOf("one"));
  index.Mark(IdOf("two"));
  index.Set(IdOf("two"), 2);
  EXPECT_TRUE(index.IsMarked(IdOf("one")));
  EXPECT_FALSE(index.IsMarked(IdOf("two")));
  index.Clear(2);
  EXPECT_EQ(index.Find(IdOf("one")), std::nullopt);
  index.Set(IdOf("one"), 1);
  EXPECT_FALSE(index.IsMarked(IdOf("one")));
}

}  // namespace
}  // namespace reprise::sim
