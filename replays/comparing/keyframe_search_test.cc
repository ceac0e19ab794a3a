// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that recordings of programs with other tables are compared by name at
// their keyframes: what only one has is no difference, and one unit in the last
// place of what both have is.

#include "replays/comparing/keyframe_search.h"

#include <memory>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/reshaped_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "sim/base/field.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

using testing::Optional;

sim::State WithMass() {
  return ChangeShape(
      MakeTiny()->state(), [](std::string_view, std::string_view table,
                              std::vector<sim::Field>& fields) {
        if (table != "pieces") return;
        fields.push_back(NewField("mass", sim::ScalarType::kDouble, "kg"));
      });
}

absl::StatusOr<std::optional<sim::Tick>> Search(const Bytes& expected,
                                                const Bytes& actual) {
  const auto left =
      ReplayReader::Open(std::make_unique<MemorySource>(expected));
  const auto right = ReplayReader::Open(std::make_unique<MemorySource>(actual));
  return FindDifferentKeyframe(**left, **right);
}

// Keyframes are of ticks 0, 40 and 80.
TEST(KeyframeSearchTest, WhatOnlyOneHasIsNoDifference) {
  const Bytes before = RecordReshaped(MakeTiny()->state());
  const Bytes after = RecordReshaped(WithMass());

  const auto different = Search(before, after);

  ASSERT_TRUE(different.ok()) << different.status();
  EXPECT_EQ(*different, std::nullopt);
}

TEST(KeyframeSearchTest, OneUnitInTheLastPlaceIsFoundAtTheNextKeyframe) {
  const Bytes before = RecordReshaped(MakeTiny()->state());
  const Bytes after = RecordReshaped(
      WithMass(),
      OneUlpMore(*MakeTiny(), "board", "pieces", 1, "x", /*tick=*/50));

  const auto different = Search(before, after);

  ASSERT_TRUE(different.ok()) << different.status();
  EXPECT_THAT(*different, Optional(80u));
}

}  // namespace
}  // namespace reprise::replays
