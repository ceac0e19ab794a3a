// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a run which is made again in ways that must not matter tells a
// simulation that keeps the contract from one that breaks it in each of them.

#include "replays/fuzzing/checks/perturbed_run.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/testing_flaws.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

// The runner goes right from tick 3 on.
const std::vector<TickInputs> kInputs = {
    {.tick = 3,
     .frames = {{.player = 0, .device = {.axes = {sim::kAxisMax}}}}}};

// What a run of `start` with kInputs, perturbed so, is found to be after
// `end` ticks.
PerturbationCheck CheckTo(const sim::Simulation& start,
                          Perturbation perturbation, sim::Tick end = 60) {
  const std::unique_ptr<sim::Simulation> run = start.Fork();
  const sim::State snapshot = run->state();
  for (sim::Tick tick = 0; tick < end; ++tick) {
    run->Step(tick == 3 ? std::span<const sim::InputFrame>(kInputs[0].frames)
                        : std::span<const sim::InputFrame>(),
              nullptr);
  }
  const sim::State expected = run->state();
  return CheckPerturbedRun(perturbation, snapshot, kInputs, expected, end,
                           *run);
}

std::string SignatureOf(const sim::Simulation& start,
                        Perturbation perturbation) {
  const PerturbationCheck check = CheckTo(start, perturbation);
  return check.failure ? check.failure->signature : "";
}

TEST(PerturbedRunTest, SimulationThatKeepsTheContractIsTheSame) {
  for (const Perturbation perturbation : kPerturbations) {
    const PerturbationCheck check = CheckTo(*MakeTiny(), perturbation);
    EXPECT_FALSE(check.failure.has_value()) << check.failure->message;
    EXPECT_GE(check.ticks, 60u) << NameOf(perturbation);
    EXPECT_LE(check.ticks, 90u) << NameOf(perturbation);
  }
}

TEST(PerturbedRunTest, RunWithOtherInputsIsToldByItsField) {
  const std::unique_ptr<sim::Simulation> run = MakeTiny();
  const sim::State snapshot = run->state();
  for (int tick = 0; tick < 20; ++tick) run->Step({}, nullptr);
  const sim::State expected = run->state();
  const PerturbationCheck check = CheckPerturbedRun(
      Perturbation::kMoved, snapshot, kInputs, expected, 20, *run);
  ASSERT_TRUE(check.failure.has_value());
  EXPECT_THAT(check.failure->signature, HasSubstr("perturbation moved "));
  EXPECT_EQ(check.failure->tick, 20u);
}

TEST(PerturbedRunTest, EachMistakeIsToldByTheWayThatShowsIt) {
  const WritesWhenWatched watched(MakeTiny());
  EXPECT_EQ(SignatureOf(watched, Perturbation::kWatched),
            "perturbation watched board.pieces.y");
  EXPECT_EQ(SignatureOf(watched, Perturbation::kMoved), "");
  EXPECT_EQ(SignatureOf(watched, Perturbation::kAccompanied), "");

  const LosesByMoving moving(MakeTiny());
  EXPECT_EQ(SignatureOf(moving, Perturbation::kWatched), "");
  EXPECT_EQ(SignatureOf(moving, Perturbation::kMoved),
            "perturbation moved board.pieces.y");
  EXPECT_EQ(SignatureOf(moving, Perturbation::kAccompanied), "");

  const SharesAVariable sharing(MakeTiny());
  EXPECT_EQ(SignatureOf(sharing, Perturbation::kWatched), "");
  EXPECT_EQ(SignatureOf(sharing, Perturbation::kMoved), "");
  EXPECT_EQ(SignatureOf(sharing, Perturbation::kAccompanied),
            "perturbation accompanied board.pieces.y");
}

TEST(PerturbedRunTest, EachTickIsTold) {
  const std::unique_ptr<sim::Simulation> run = MakeTiny();
  const sim::State snapshot = run->state();
  int told = 0;
  CheckPerturbedRun(Perturbation::kWatched, snapshot, {}, snapshot, 7, *run,
                    [&told] { ++told; });
  EXPECT_EQ(told, 7);
}

}  // namespace
}  // namespace reprise::replays
