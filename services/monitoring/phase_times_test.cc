// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves which phases are counted, in which order they are told, and that
// looking at a tick changes nothing.

#include "services/monitoring/phase_times.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

sim::SimulationInfo InfoOf(const std::string& simulation,
                           const std::vector<std::string>& phases) {
  sim::SimulationInfo info;
  info.simulation = simulation;
  info.phases = phases;
  return info;
}

std::vector<std::string> NamesOf(const PhaseTimes& times) {
  std::vector<std::string> names;
  for (const PhaseTimes::Phase& phase : times.Read()) {
    names.push_back(phase.simulation + "." + phase.phase);
  }
  return names;
}

TEST(PhaseTimesTest, PhasesStandInTheOrderInWhichTheyRunBySimulation) {
  PhaseTimes times;
  PhaseTimer timer(2);
  const sim::State state;
  timer.OnPhase(0, state);
  timer.OnPhase(1, state);
  timer.OnPhase(0, state);
  times.Add(InfoOf("a", {"inputs", "move"}), timer);
  times.Add(InfoOf("b", {"walk"}), timer);
  times.Add(InfoOf("a", {"inputs", "late"}), timer);

  EXPECT_THAT(NamesOf(times),
              ElementsAre("a.inputs", "a.move", "a.late", "b.walk"));
  EXPECT_EQ(times.Read()[0].times.total(), 2u);
  EXPECT_EQ(times.Read()[1].times.total(), 1u);
}

TEST(PhaseTimesTest, APhaseThatThereIsntIsPassedOver) {
  PhaseTimer timer(1);
  timer.OnPhase(7, sim::State());
  EXPECT_EQ(timer.times()[0], std::chrono::nanoseconds(0));
}

TEST(PhaseTimesTest, TheyAreBounded) {
  PhaseTimes times;
  for (size_t i = 0; i < 2 * kPhasesMax; ++i) {
    times.Add(InfoOf("a", {std::to_string(i)}), PhaseTimer(1));
  }
  EXPECT_THAT(times.Read(), SizeIs(kPhasesMax));
}

TEST(PhaseTimesTest, ATickThatIsLookedAtIsTheSame) {
  const auto looked_at =
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1);
  const auto other = looked_at->Fork();
  PhaseTimer timer(looked_at->info().phases.size());
  looked_at->Step({}, &timer);
  other->Step({}, /*observer=*/nullptr);

  EXPECT_EQ(looked_at->state().ComputeRootDigest(),
            other->state().ComputeRootDigest());
  PhaseTimes times;
  times.Add(looked_at->info(), timer);
  EXPECT_THAT(times.Read(), SizeIs(looked_at->info().phases.size()));
}

}  // namespace
}  // namespace reprise::services
