// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a run which is made again in ways that must not matter tells a
// simulation that keeps the contract from one that breaks it in each of them;
// and that a campaign does so by itself, in few ticks, without becoming another
// search by it, and what it found comes down to the shortest run.

#include "replays/fuzzing/perturbed_run.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "replays/fuzzing/fuzz_rules.h"
#include "replays/fuzzing/minimization.h"
#include "replays/fuzzing/run_check.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/injecting_simulation.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"
#include "sim/frame.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

// The least change of a state that there is.
void Nudge(sim::Simulation& simulation) {
  const Injection nudge =
      OneUlpMore(simulation, "board", "pieces", 1, "y", simulation.tick());
  CHECK(simulation.Inject(nudge.address, nudge.value).ok());
}

// To be drawn moves a piece.
class WritesWhenWatched final : public ForwardingSimulation {
 public:
  using ForwardingSimulation::ForwardingSimulation;

  sim::Frame ProduceFrame() const override {
    Nudge(simulation());
    return simulation().ProduceFrame();
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<WritesWhenWatched>(simulation().Fork());
  }
};

// What was forked three times isn't what it was.
class LosesByMoving final : public ForwardingSimulation {
 public:
  explicit LosesByMoving(std::unique_ptr<sim::Simulation> tiny, int moves = 0)
      : ForwardingSimulation(std::move(tiny)), moves_(moves) {}

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (moves_ >= 3) Nudge(simulation());
    ForwardingSimulation::Step(frames, observer);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<LosesByMoving>(simulation().Fork(), moves_ + 1);
  }

 private:
  const int moves_;
};

// All of them go by the tick that was made last, by whomever.
class SharesAVariable final : public ForwardingSimulation {
 public:
  explicit SharesAVariable(std::unique_ptr<sim::Simulation> tiny,
                           std::shared_ptr<sim::Tick> last_tick = nullptr)
      : ForwardingSimulation(std::move(tiny)),
        last_tick_(last_tick != nullptr ? std::move(last_tick)
                                        : std::make_shared<sim::Tick>(0)) {}

  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (*last_tick_ + 1 < tick()) Nudge(simulation());
    *last_tick_ = tick();
    ForwardingSimulation::Step(frames, observer);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<SharesAVariable>(simulation().Fork(), last_tick_);
  }

 private:
  const std::shared_ptr<sim::Tick> last_tick_;
};

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

FuzzRules RulesOf(const sim::Simulation& start) {
  auto rules = FuzzRules::Create({}, start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
}

TEST(RunCheckTest, ShadowThatShowsTheFailureIsNamed) {
  const WritesWhenWatched start(MakeTiny());
  const FuzzRules rules = RulesOf(start);
  RunShadow shadow;
  const auto failure =
      FindFailure(start, rules, {.ticks = kInputs, .tick_count = 40}, &shadow);
  ASSERT_TRUE(failure.ok()) << failure.status();
  EXPECT_EQ(failure->signature, "perturbation watched board.pieces.y");
  EXPECT_THAT(failure->message, HasSubstr("a run that was looked at: "));
  EXPECT_EQ(failure->tick, 1u);
  EXPECT_EQ(shadow.perturbation, Perturbation::kWatched);
  EXPECT_FALSE(shadow.is_restored);
  EXPECT_EQ(FindFailure(start, rules, {.ticks = kInputs, .tick_count = 40},
                        nullptr, RunShadows().first(2))
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

TEST(RunCheckTest, StatesOfBothRunsAreThereAfterAFailure) {
  const LosesByMoving start(MakeTiny());
  const FuzzRules rules = RulesOf(start);
  RunCheck check(&rules, start, {.perturbation = Perturbation::kMoved});
  const auto failure = check.Run(kInputs, 40);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "perturbation moved board.pieces.y");
  ASSERT_NE(check.shadow_state(), nullptr);
  EXPECT_NE(check.shadow_state()->ComputeRootDigest(),
            check.state().ComputeRootDigest());
}

TEST(PerturbedCampaignTest, MistakeIsFoundAndMadeShort) {
  const WritesWhenWatched start(MakeTiny());
  auto campaign = *FuzzCampaign::Create(start, RulesOf(start), {.seed = 1});
  for (int round = 0; round < 16; ++round) campaign->RunRound(4096);
  ASSERT_EQ(campaign->failures().size(), 1);
  const auto& [signature, found] = *campaign->failures().begin();
  EXPECT_EQ(signature, "perturbation watched board.pieces.y");
  EXPECT_EQ(found.inputs.tick_count, found.failure.tick);
  const auto small = MinimizeRun(start, RulesOf(start), found.inputs, {});
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_EQ(small->failure.signature, signature);
  EXPECT_EQ(small->inputs.tick_count, 1u);
  EXPECT_TRUE(small->changes.empty());
}

TEST(PerturbedCampaignTest, SearchIsTheSameWithoutAndTicksAreFew) {
  const auto start = MakeTiny();
  const auto run = [&](uint64_t interval) {
    auto campaign = *FuzzCampaign::Create(
        *start, RulesOf(*start),
        {.seed = 4, .jobs = 2, .perturbation_check_interval = interval});
    for (int round = 0; round < 8; ++round) campaign->RunRound(8192);
    EXPECT_TRUE(campaign->failures().empty());
    return std::pair(campaign->TakeRuns(true), campaign->progress());
  };
  const auto with = run(64);
  auto without = run(0);
  EXPECT_EQ(without.second.perturbed_ticks, 0u);
  EXPECT_GT(with.second.perturbed_ticks, 0u);
  // A 64th of the pieces, of each 64 ticks at most; one beside it makes half as
  // many.
  EXPECT_LE(with.second.perturbed_ticks, with.second.pieces / 64 * 96);
  EXPECT_LT(10 * with.second.perturbed_ticks, with.second.ticks);
  EXPECT_EQ(with.first, without.first);
  without.second.perturbed_ticks = with.second.perturbed_ticks;
  EXPECT_EQ(with.second, without.second);
}

}  // namespace
}  // namespace reprise::replays
