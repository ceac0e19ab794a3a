// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that slips of a finger are recognised and that unrelated words are not
// taken for slips.

#include "sim/base/nearest_name.h"

#include <array>
#include <string_view>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"verify", "inputs", "ticks",
                                                    "run"};

TEST(NearestNameTest, OneEditIsRecognised) {
  EXPECT_EQ(NearestName("verfy", kNames), "verify");
  EXPECT_EQ(NearestName("input", kNames), "inputs");
  EXPECT_EQ(NearestName("tucks", kNames), "ticks");
}

TEST(NearestNameTest, SwappedLettersAreRecognised) {
  EXPECT_EQ(NearestName("vreify", kNames), "verify");
}

TEST(NearestNameTest, TheNearerNameWins) {
  constexpr std::array<std::string_view, 2> kClose = {"record", "recorder"};
  EXPECT_EQ(NearestName("recorde", kClose), "record");
  EXPECT_EQ(NearestName("recordr", kClose), "record");
}

TEST(NearestNameTest, UnrelatedWordsHaveNone) {
  EXPECT_EQ(NearestName("photograph", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
}

TEST(NearestNameTest, NoNamesHaveNone) {
  EXPECT_EQ(NearestName("run", {}), "");
}

}  // namespace
}  // namespace reprise::sim
