// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that expectations are judged at the end of a run, tell the values that
// made them fail, and that other texts are refused, on runs of the tiny
// simulation.

#include "tools/reprise/inputs/expectation.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::tools {
namespace {

// After 100 idle ticks; the last of them brought the event hundred_ticks.
class ExpectationTest : public testing::Test {
 protected:
  ExpectationTest() : simulation_(replays::MakeTiny()) {
    while (simulation_->tick() < 100) {
      simulation_->Step({}, /*observer=*/nullptr);
      events_ = simulation_->DrainEvents();
    }
  }

  // "holds", or why it doesn't.
  std::string Judge(std::string_view text) {
    const absl::StatusOr<Expectation> expectation =
        Expectation::Parse(text, *simulation_);
    if (!expectation.ok()) return expectation.status().ToString();
    return expectation->DescribeFailure(*simulation_, events_)
        .value_or("holds");
  }

  std::unique_ptr<sim::Simulation> simulation_;
  std::vector<sim::Event> events_;
};

TEST_F(ExpectationTest, OutcomeAndTickNeedNoQuotes) {
  EXPECT_EQ(Judge("outcome == running"), "holds");
  EXPECT_EQ(Judge("outcome != lost and tick <= 100"), "holds");
  EXPECT_EQ(Judge("outcome==\"running\""), "holds");
  EXPECT_EQ(Judge("outcome == won"), "tick 100, running");
  EXPECT_EQ(Judge("tick < 100"), "tick 100, running");
}

TEST_F(ExpectationTest, FailureTellsTheValues) {
  EXPECT_EQ(Judge("game.score > 3 and runner.pieces.x > 0.5"),
            "tick 100, running; runner.pieces.x = 0");
  EXPECT_EQ(Judge("event(\"hundred_ticks\") == 2"),
            "tick 100, running; event(\"hundred_ticks\") = 1");
}

TEST_F(ExpectationTest, HoldsForSomeObject) {
  EXPECT_EQ(Judge("pieces.x > 0.5"), "holds");
  EXPECT_EQ(Judge("pieces.x > 1.5"), "tick 100, running");
}

TEST_F(ExpectationTest, ErrorIsAFailure) {
  EXPECT_EQ(Judge("1 / (tick - 100) > 0"),
            "tick 100, running; a division by zero");
}

TEST_F(ExpectationTest, OtherTextsAreRefused) {
  for (const std::string_view text :
       {"", "won", "outcome", "outcome = won", "outcome === won",
        "outcome < won", "outcome == win", "outcome == ", "tick == nobody",
        "tick <= 1 2", "tick << 1", "scores == 1", "== won",
        "tick >= 18446744073709551616", "tick + 1"}) {
    EXPECT_EQ(Expectation::Parse(text, *simulation_).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace reprise::tools
