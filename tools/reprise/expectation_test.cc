// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that expectations mean what they say and that other texts are refused,
// by parsing texts and asking about made-up ends of runs.

#include "tools/reprise/expectation.h"

#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using Status = sim::Outcome::Status;

bool Holds(std::string_view text, Status outcome, sim::Tick tick) {
  const absl::StatusOr<Expectation> expectation = Expectation::Parse(text);
  EXPECT_TRUE(expectation.ok()) << expectation.status();
  return expectation.ok() && expectation->Holds(outcome, tick);
}

TEST(ExpectationTest, OutcomesAreCompared) {
  EXPECT_TRUE(Holds("outcome == won", Status::kWon, 1));
  EXPECT_FALSE(Holds("outcome == won", Status::kLost, 1));
  EXPECT_TRUE(Holds("outcome == lost", Status::kLost, 1));
  EXPECT_TRUE(Holds("outcome == running", Status::kRunning, 1));
  EXPECT_TRUE(Holds("outcome != lost", Status::kWon, 1));
  EXPECT_FALSE(Holds("outcome != lost", Status::kLost, 1));
}

TEST(ExpectationTest, TicksAreCompared) {
  EXPECT_TRUE(Holds("tick == 9", Status::kWon, 9));
  EXPECT_FALSE(Holds("tick != 9", Status::kWon, 9));
  EXPECT_TRUE(Holds("tick < 9", Status::kWon, 8));
  EXPECT_FALSE(Holds("tick < 9", Status::kWon, 9));
  EXPECT_TRUE(Holds("tick <= 9", Status::kWon, 9));
  EXPECT_FALSE(Holds("tick > 9", Status::kWon, 9));
  EXPECT_TRUE(Holds("tick >= 9", Status::kWon, 9));
}

TEST(ExpectationTest, BlanksDoNotMatter) {
  EXPECT_TRUE(Holds("outcome==won", Status::kWon, 1));
  EXPECT_TRUE(Holds("  tick  <=\t9 ", Status::kWon, 9));
}

TEST(ExpectationTest, OtherTextsAreRefused) {
  for (const std::string_view text :
       {"", "won", "outcome", "outcome = won", "outcome === won",
        "outcome < won", "outcome == win", "outcome == ", "tick == x",
        "tick <= -1", "tick <= 1 2", "tick << 1", "score == 1", "== won",
        "tick >= 18446744073709551616"}) {
    EXPECT_EQ(Expectation::Parse(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace reprise::tools
