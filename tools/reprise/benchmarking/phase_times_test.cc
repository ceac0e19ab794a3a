// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves who is given which time, with a clock that the tests move.

#include "tools/reprise/benchmarking/phase_times.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/state/state.h"

namespace reprise::tools {
namespace {

using std::chrono::nanoseconds;

class PhaseTimesTest : public testing::Test {
 protected:
  void Wait(int64_t nanoseconds_count) {
    now_ += nanoseconds(nanoseconds_count);
  }
  void Write(int64_t nanoseconds_count, const std::string& writer) {
    Wait(nanoseconds_count);
    times_.OnWriter(writer, state_);
  }
  void EndPhase(int64_t nanoseconds_count, uint32_t phase) {
    Wait(nanoseconds_count);
    times_.OnPhase(phase, state_);
  }

  nanoseconds now_{1000};
  const sim::State state_{};
  PhaseTimes times_{{"move", "score"}, [this] { return now_; }};
};

TEST_F(PhaseTimesTest, PartsAndPhasesHaveTheirTimes) {
  Wait(7);
  times_.BeginTick();
  Write(10, "wind");
  Write(30, "solver");
  EndPhase(2, 0);
  Write(5, "wind");
  EndPhase(0, 1);
  const std::vector<PhaseTime> expected = {
      {.name = "move",
       .time = nanoseconds(42),
       .parts = {{"solver", nanoseconds(30)}, {"wind", nanoseconds(10)}}},
      {.name = "score",
       .time = nanoseconds(5),
       .parts = {{"wind", nanoseconds(5)}}}};
  EXPECT_EQ(times_.Summarize(), expected);
  EXPECT_EQ(times_.outside(), nanoseconds(7));
}

// An event that is handled at once interrupts whoever sent it.
TEST_F(PhaseTimesTest, AnInterruptedPartHasOnlyItsOwnTime) {
  times_.BeginTick();
  Write(3, "sender");
  Write(20, "receiver");
  Write(4, "sender");
  EndPhase(0, 0);
  const std::vector<PartTime> expected = {{"receiver", nanoseconds(20)},
                                          {"sender", nanoseconds(7)}};
  EXPECT_EQ(times_.Summarize()[0].parts, expected);
}

TEST_F(PhaseTimesTest, TicksAddUpAndPhasesMayBeLeftOutOrComeAgain) {
  for (int tick = 0; tick < 3; ++tick) {
    Wait(1);
    times_.BeginTick();
    EndPhase(5, 0);
    EndPhase(5, 0);
  }
  EXPECT_EQ(times_.Summarize()[0].time, nanoseconds(30));
  EXPECT_EQ(times_.Summarize()[1].time, nanoseconds(0));
  EXPECT_EQ(times_.outside(), nanoseconds(3));
}

}  // namespace
}  // namespace reprise::tools
