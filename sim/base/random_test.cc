// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the generator is Philox4x32-10, by the known answers published
// with Random123; that draws follow the rules in the header to the bit; that
// they are spread evenly; and that streams don't disturb one another.

#include "sim/base/random.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr int64_t kInt64Min = std::numeric_limits<int64_t>::min();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

static_assert(std::is_trivially_copyable_v<RandomStream>);
static_assert(std::has_unique_object_representations_v<RandomStream>);
static_assert(sizeof(RandomStream) == FieldTraits<RandomStream>::kCount * 8);

RandomStream StreamOf(uint64_t seed) {
  return MakeRandomStream(seed, IdOf("test"));
}

std::vector<uint64_t> Draw(RandomStream& stream, int count) {
  std::vector<uint64_t> draws;
  for (int i = 0; i < count; ++i) draws.push_back(NextUint64(stream));
  return draws;
}

// Pearson's statistic of `counts` against equal shares, times the share:
// integers, so that the test's outcome is the same everywhere.
template <size_t kBuckets>
uint64_t ChiSquaredTimesShare(const std::array<uint64_t, kBuckets>& counts,
                              uint64_t share) {
  uint64_t sum = 0;
  for (const uint64_t count : counts) {
    const uint64_t off = count > share ? count - share : share - count;
    sum += off * off;
  }
  return sum;
}

TEST(PhiloxTest, MatchesThePublishedAnswers) {
  // kat_vectors of Random123, "philox4x32 10".
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(Philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStreamTest, ADrawIsTheBlockOfItsCounter) {
  // The third published answer: draws and stream hold its counter.
  RandomStream stream = {.key = 0x299f31d0a4093822,
                         .stream = 0x0370734413198a2e,
                         .draws = 0x85a308d3243f6a88};
  EXPECT_EQ(NextUint64(stream), 0x94fdccebd16cfe09);
  EXPECT_EQ(stream.draws, 0x85a308d3243f6a89);
}

TEST(RandomStreamTest, TheKeyIsTheBlockOfTheName) {
  // The first published answer: name, counter and seed are zero.
  const RandomStream stream = MakeRandomStream(0, kNoId, ObjectId{5});
  EXPECT_EQ(stream, (RandomStream{0xe169c58d6627e8d5, 5, 0}));
}

TEST(RandomStreamTest, ACopyGoesOnFromTheSamePlace) {
  RandomStream stream = StreamOf(1);
  Draw(stream, 100);
  RandomStream copy = stream;
  EXPECT_EQ(Draw(stream, 100), Draw(copy, 100));
  EXPECT_EQ(stream, copy);
}

TEST(RandomStreamTest, StreamsAreUndisturbedByOneAnother) {
  RandomStream alone = MakeRandomStream(1, IdOf("weather"));
  const std::vector<uint64_t> expected = Draw(alone, 50);

  RandomStream weather = MakeRandomStream(1, IdOf("weather"));
  RandomStream spawns = MakeRandomStream(1, IdOf("spawns"));
  std::vector<uint64_t> actual;
  for (int i = 0; i < 50; ++i) {
    Draw(spawns, i);
    actual.push_back(NextUint64(weather));
  }
  EXPECT_EQ(actual, expected);
}

TEST(RandomStreamTest, SeedsNamesAndObjectsAllMakeAnotherStream) {
  std::vector<uint64_t> draws;
  for (const uint64_t seed : {0u, 1u, 2u}) {
    for (const char* name : {"weather", "spawns"}) {
      for (uint64_t serial = 0; serial < 50; ++serial) {
        RandomStream stream =
            MakeRandomStream(seed, IdOf(name), ObjectId{serial});
        const std::vector<uint64_t> some = Draw(stream, 20);
        draws.insert(draws.end(), some.begin(), some.end());
      }
    }
  }
  std::sort(draws.begin(), draws.end());
  EXPECT_EQ(std::adjacent_find(draws.begin(), draws.end()), draws.end());
}

TEST(RandomStreamTest, EveryBitIsSetHalfTheTime) {
  constexpr uint64_t kDraws = 65'536;
  RandomStream stream = StreamOf(2);
  std::array<uint64_t, 64> set = {};
  for (uint64_t i = 0; i < kDraws; ++i) {
    const uint64_t bits = NextUint64(stream);
    for (int bit = 0; bit < 64; ++bit) set[bit] += bits >> bit & 1;
  }
  // Five standard deviations, each the root of 65,536 / 4.
  for (const uint64_t count : set) {
    EXPECT_GE(count, kDraws / 2 - 5 * 128);
    EXPECT_LE(count, kDraws / 2 + 5 * 128);
  }
}

TEST(NextBelowTest, StaysBelowItsBound) {
  RandomStream stream = StreamOf(3);
  for (const uint64_t bound :
       {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{1} << 32,
        (uint64_t{1} << 63) + 1, ~uint64_t{0}}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LT(NextBelow(stream, bound), bound);
  }
}

TEST(NextBelowTest, APowerOfTwoTakesTheUpperBitsOfOneDraw) {
  RandomStream stream = StreamOf(4);
  RandomStream raw = stream;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t bits = NextUint64(raw);
    ASSERT_EQ(NextBelow(stream, 1024), bits >> 54);
  }
  EXPECT_EQ(stream.draws, 1000u);
}

TEST(NextBelowTest, ABoundOfOneTakesADrawToo) {
  RandomStream stream = StreamOf(5);
  EXPECT_EQ(NextBelow(stream, 1), 0u);
  EXPECT_EQ(stream.draws, 1u);
}

TEST(NextBelowTest, RejectsExactlyTheDrawsThatTheRuleNames) {
  // 2^64 modulo this bound is 2^62: a quarter of all draws is rejected.
  constexpr uint64_t kBound = uint64_t{3} << 62;
  RandomStream stream = StreamOf(6);
  RandomStream raw = stream;
  for (int i = 0; i < 1000; ++i) {
    uint64_t bits = NextUint64(raw);
    // bits * kBound modulo 2^64 is the lowest two bits of 3 * bits, moved up.
    while ((3 * bits) << 62 < uint64_t{1} << 62) bits = NextUint64(raw);
    // Three quarters of bits, rounded down.
    const uint64_t expected = (bits >> 2) * 3 + ((bits & 3) * 3 >> 2);
    ASSERT_EQ(NextBelow(stream, kBound), expected);
  }
  EXPECT_EQ(stream.draws, raw.draws);
  EXPECT_GT(stream.draws, 1250u);
  EXPECT_LT(stream.draws, 1420u);
}

TEST(NextBelowTest, BucketsFillEvenly) {
  constexpr uint64_t kShare = 10'000;
  std::array<uint64_t, 10> counts = {};
  RandomStream stream = StreamOf(7);
  for (uint64_t i = 0; i < 10 * kShare; ++i) ++counts[NextBelow(stream, 10)];
  // The 0.999 quantile of chi-squared with 9 degrees of freedom is 27.88.
  EXPECT_LT(ChiSquaredTimesShare(counts, kShare), 28 * kShare);
}

TEST(NextBelowTest, PairsOfDrawsFillEvenly) {
  constexpr uint64_t kShare = 1'000;
  std::array<uint64_t, 256> counts = {};
  RandomStream stream = StreamOf(8);
  for (uint64_t i = 0; i < 256 * kShare; ++i) {
    const uint64_t row = NextBelow(stream, 16);
    const uint64_t column = NextBelow(stream, 16);
    ++counts[16 * row + column];
  }
  // The 0.999 quantile of chi-squared with 255 degrees of freedom is 330.5.
  EXPECT_LT(ChiSquaredTimesShare(counts, kShare), 331 * kShare);
}

TEST(NextInRangeTest, ReachesBothEndsAndNothingBeyond) {
  RandomStream stream = StreamOf(9);
  std::array<uint64_t, 7> counts = {};
  for (int i = 0; i < 700; ++i) ++counts.at(NextInRange(stream, -3, 3) + 3);
  for (const uint64_t count : counts) EXPECT_GT(count, 0u);
}

TEST(NextInRangeTest, ARangeOfOneIsThatOne) {
  RandomStream stream = StreamOf(10);
  EXPECT_EQ(NextInRange(stream, kInt64Min, kInt64Min), kInt64Min);
  EXPECT_EQ(NextInRange(stream, kInt64Max, kInt64Max), kInt64Max);
  EXPECT_EQ(stream.draws, 2u);
}

TEST(NextInRangeTest, TheWholeRangeTakesOneDrawEach) {
  RandomStream stream = StreamOf(11);
  int negative = 0;
  for (int i = 0; i < 1000; ++i) {
    negative += NextInRange(stream, kInt64Min, kInt64Max) < 0;
  }
  EXPECT_EQ(stream.draws, 1000u);
  EXPECT_GT(negative, 400);
  EXPECT_LT(negative, 600);
}

TEST(NextUnitTest, IsTheUpper53BitsOfADraw) {
  RandomStream stream = StreamOf(12);
  RandomStream raw = stream;
  for (int i = 0; i < 10'000; ++i) {
    const double unit = NextUnit(stream);
    const uint64_t bits = NextUint64(raw);
    ASSERT_EQ(static_cast<uint64_t>(unit * 0x1p53), bits >> 11);
    ASSERT_LT(unit, 1.0);
  }
}

TEST(RandomDeathTest, EmptyRangesBreakAPromise) {
  RandomStream stream = StreamOf(13);
  EXPECT_DEATH(NextBelow(stream, 0), "bound > 0");
  EXPECT_DEATH(NextInRange(stream, 1, 0), "low <= high");
}

}  // namespace
}  // namespace reprise::sim
