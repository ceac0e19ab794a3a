// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that lines are told with their ends, colours and widths, and that more
// than a message holds are refused. tests/interop holds messages against
// Foxglove's schemas.

#include "replays/showing/formats/foxglove_lines.h"

#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/container/mcap_records.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;

TEST(FoxgloveLinesTest, LinesHaveEndsColoursAndWidths) {
  const std::vector<DrawnLine> lines = {
      {{1, 2, 3}, {4, 5, 6}, {0.25, 0.5, 1}, 2},
      {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, 3},
      {{7, 0, 0}, {8, 0, 0}, {0, 1, 0}, 2}};
  const auto message = FoxgloveLinesOf(lines, "run", 1'500'000'000);
  ASSERT_TRUE(message.ok()) << message.status();
  ASSERT_EQ((*message)["entities"].size(), 1u);
  const Json& entity = (*message)["entities"][0];
  EXPECT_EQ(entity["frame_id"], "run");
  EXPECT_EQ(entity["timestamp"], Json({{"sec", 1}, {"nsec", 500'000'000}}));
  ASSERT_EQ(entity["lines"].size(), 2u);
  const Json& two = entity["lines"][0];
  EXPECT_EQ(two["thickness"], 2.0);
  ASSERT_EQ(two["points"].size(), 4u);
  EXPECT_EQ(two["points"][1], Json({{"x", 4.0}, {"y", 5.0}, {"z", 6.0}}));
  EXPECT_EQ(two["points"][2], Json({{"x", 7.0}, {"y", 0.0}, {"z", 0.0}}));
  ASSERT_EQ(two["colors"].size(), 4u);
  EXPECT_EQ(two["colors"][0],
            Json({{"r", 0.25}, {"g", 0.5}, {"b", 1.0}, {"a", 1}}));
  EXPECT_EQ(entity["lines"][1]["points"].size(), 2u);
}

TEST(FoxgloveLinesTest, OfNoneTheLastOnesAreTakenAway) {
  const auto message = FoxgloveLinesOf({}, "run", 0);
  ASSERT_TRUE(message.ok());
  EXPECT_EQ((*message)["deletions"].size(), 1u);
  EXPECT_TRUE((*message)["entities"][0]["lines"].empty());
}

// As long as numbers come.
TEST(FoxgloveLinesTest, AsManyAsThereMayBeFitAMessage) {
  constexpr double kLong = -1.2345678901234567e-100;
  std::vector<DrawnLine> lines(
      kFoxgloveLinesMax,
      {{kLong, kLong, kLong}, {kLong, kLong, kLong}, {0.95, 0.62, 0.72}, 2});
  const auto message = FoxgloveLinesOf(lines, "run", 0);
  ASSERT_TRUE(message.ok());
  EXPECT_LT(message->dump().size(), kMcapMessageBytesMax);
  lines.emplace_back();
  EXPECT_EQ(FoxgloveLinesOf(lines, "run", 0).status().code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace reprise::replays
