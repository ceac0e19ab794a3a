// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves on a simulation that shares nothing with the built-in one that a
// campaign finds failures, tells of them as it promises, and finds the same for
// the same seed; and that what it found can be minimized to the one input there
// has to be.

#include "replays/fuzzing/fuzz_campaign.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/checks/run_check.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_coverage.h"
#include "replays/fuzzing/minimizing/minimization.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/event.h"
#include "sim/frame.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"

namespace reprise::replays {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

FuzzRules RulesOf(const sim::FuzzingDescription& description) {
  auto rules = FuzzRules::Create(description, *MakeTiny());
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
}

std::unique_ptr<FuzzCampaign> Search(const sim::FuzzingDescription& description,
                                     const FuzzOptions& options,
                                     uint64_t ticks) {
  auto campaign =
      *FuzzCampaign::Create(*MakeTiny(), RulesOf(description), options);
  while (campaign->progress().ticks < ticks) {
    campaign->RunRound(ticks - campaign->progress().ticks);
  }
  return campaign;
}

// The runner gets no further than this.
const sim::FuzzingDescription kNear = {
    .always = {{.name = "near", .text = "pieces.x < 5"}},
    .sometimes = {{.name = "left", .text = "pieces.x < -2"},
                  {.name = "far_off", .text = "pieces.x > 1000000"}},
    .sets = {{.name = "places", .expressions = {"pieces.x"}, .step = 0.5}}};

TEST(FuzzCampaignTest, FailureIsFoundAndPlaysAgain) {
  const auto campaign = Search(kNear, {.seed = 3}, 100'000);
  ASSERT_EQ(campaign->failures().size(), 1);
  const FoundFailure& found = campaign->failures().at("always near");
  EXPECT_EQ(found.failure.tick, found.inputs.tick_count);
  const auto again = FindFailure(*MakeTiny(), RulesOf(kNear), found.inputs);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->signature, "always near");
  EXPECT_EQ(again->tick, found.failure.tick);
  EXPECT_THAT(campaign->NeverCame(), ElementsAre("sometimes far_off"));
  EXPECT_GT(campaign->set_counts()[0], 5u);
}

TEST(FuzzCampaignTest, MinimizedRunIsOneInputAsFarAsItGoes) {
  const auto campaign = Search(kNear, {.seed = 4}, 100'000);
  const FoundFailure& found = campaign->failures().at("always near");
  const auto small = MinimizeRun(*MakeTiny(), RulesOf(kNear), found.inputs, {});
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_EQ(small->failure.signature, "always near");
  ASSERT_EQ(small->changes.size(), 1);
  EXPECT_EQ(small->changes[0].tick, 0u);
}

TEST(FuzzCampaignTest, MinimizingEndsWhereItIsTold) {
  const auto campaign = Search(kNear, {.seed = 4}, 100'000);
  const FoundFailure& found = campaign->failures().at("always near");
  const auto small =
      MinimizeRun(*MakeTiny(), RulesOf(kNear), found.inputs, {.ticks_max = 1});
  ASSERT_TRUE(small.ok());
  EXPECT_FALSE(small->is_done);
  EXPECT_EQ(FindFailure(*MakeTiny(), RulesOf(kNear), small->inputs)->signature,
            "always near");
}

TEST(FuzzCampaignTest, MinimizingByManyThreadsComesToTheSame) {
  const auto campaign = Search(kNear, {.seed = 4}, 100'000);
  const FoundFailure& found = campaign->failures().at("always near");
  const auto minimize = [&](uint32_t jobs, uint64_t ticks_max) {
    return *MinimizeRun(*MakeTiny(), RulesOf(kNear), found.inputs,
                        {.jobs = jobs, .ticks_max = ticks_max});
  };
  const uint64_t ticks = minimize(1, 0).ticks_run;
  for (const uint64_t ticks_max : {uint64_t{0}, ticks / 2, ticks / 7}) {
    const MinimizedRun one = minimize(1, ticks_max);
    for (const uint32_t jobs : {2u, 3u, 16u}) {
      const MinimizedRun many = minimize(jobs, ticks_max);
      EXPECT_EQ(many.inputs, one.inputs) << jobs;
      EXPECT_EQ(many.changes, one.changes) << jobs;
      EXPECT_EQ(many.failure, one.failure) << jobs;
      EXPECT_EQ(many.ticks_run, one.ticks_run) << jobs;
      EXPECT_EQ(many.runs_tried, one.runs_tried) << jobs;
      EXPECT_EQ(many.is_done, one.is_done) << jobs;
    }
  }
}

TEST(FuzzCampaignTest, ThreadsDecideNothing) {
  const auto one = Search(kNear, {.seed = 7, .jobs = 4}, 60'000);
  const auto same = Search(kNear, {.seed = 7, .jobs = 4}, 60'000);
  EXPECT_EQ(one->progress(), same->progress());
  EXPECT_EQ(one->TakeNews(), same->TakeNews());
  EXPECT_EQ(one->TakeRuns(true), same->TakeRuns(true));
}

TEST(FuzzCampaignTest, MemoryOfStatesIsBounded) {
  sim::FuzzingDescription fine = kNear;
  fine.sets[0].step = 0.001;
  const FuzzOptions options = {
      .seed = 1, .memory_bytes_max = 1 << 20, .keeps_runs = false};
  const auto campaign = Search(fine, options, 60'000);
  EXPECT_GT(campaign->progress().states_dropped, 0u);
  EXPECT_LE(campaign->progress().memory_bytes_most, uint64_t{1} << 20);
  EXPECT_LT(campaign->progress().snapshot_bytes,
            campaign->progress().memory_bytes);
  EXPECT_GT(campaign->progress().states, 0u);
}

TEST(FuzzCampaignTest, WhatTellsStatesApartIsBoundedAndThenNothingIsNew) {
  sim::FuzzingDescription fine = kNear;
  fine.always.clear();
  fine.sets[0].step = 0.001;
  const FuzzOptions options = {.seed = 1, .memory_bytes_max = 1 << 16};
  const auto campaign = Search(fine, options, 60'000);
  EXPECT_TRUE(campaign->progress().has_all_features);
  EXPECT_LE(campaign->progress().features, (1u << 16) / 4 / 48 + 1);
  EXPECT_FALSE(Search(fine, {.seed = 1}, 60'000)->progress().has_all_features);
}

TEST(FuzzCampaignTest, RunsThatNobodyTakesAreNotKept) {
  sim::FuzzingDescription fine = kNear;
  fine.sets[0].step = 0.001;
  FuzzOptions options = {.seed = 1, .memory_bytes_max = 1 << 20};
  const size_t kept = Search(fine, options, 60'000)->TakeRuns(true).size();
  options.keeps_runs = false;
  EXPECT_LT(Search(fine, options, 60'000)->TakeRuns(true).size(), kept);
}

TEST(FuzzCampaignTest, RunsThatWereTakenLeadToWhatWasSeen) {
  const auto campaign = Search(kNear, {.seed = 9}, 60'000);
  auto next = *FuzzCampaign::Create(*MakeTiny(), RulesOf(kNear), {.seed = 10});
  for (const PlayedInputs& run : campaign->TakeRuns(false)) next->AddRun(run);
  EXPECT_GE(next->set_counts()[0], campaign->set_counts()[0]);
}

TEST(FuzzCampaignTest, RunsThatBeginAlikeArePlayedOnceUpToThere) {
  PlayedInputs run{.ticks = {}, .tick_count = 4000};
  auto next = *FuzzCampaign::Create(*MakeTiny(), RulesOf(kNear), {.seed = 10});
  next->AddRun(run);
  const uint64_t once = next->progress().ticks;
  EXPECT_EQ(once, 4000u);
  next->AddRun(run);
  EXPECT_EQ(next->progress().ticks, once);
  // Longer, and the same up to there.
  run.tick_count = 5000;
  next->AddRun(run);
  EXPECT_EQ(next->progress().ticks, 5000u);
}

TEST(FuzzCampaignTest, RunIsPlayedAsItIsOrNot) {
  const std::vector<TickInputs> refused = {
      {.tick = 600, .frames = {{.player = 900}}}};
  auto next = *FuzzCampaign::Create(*MakeTiny(), RulesOf({}), {.seed = 10});
  EXPECT_TRUE(next->AddRun({.ticks = {}, .tick_count = 2000}));
  EXPECT_FALSE(next->AddRun({.ticks = refused, .tick_count = 2000}));
  // Also where what was refused isn't played again.
  EXPECT_FALSE(next->AddRun({.ticks = refused, .tick_count = 2500}));
  EXPECT_TRUE(next->AddRun({.ticks = {}, .tick_count = 2000}));
  auto fails = *FuzzCampaign::Create(
      *MakeTiny(),
      RulesOf({.always = {{.name = "short", .text = "tick < 100"}}}), {});
  EXPECT_TRUE(fails->AddRun({.ticks = {}, .tick_count = 50}));
  EXPECT_FALSE(fails->AddRun({.ticks = {}, .tick_count = 200}));
  auto broken = *FuzzCampaign::Create(
      *MakeTiny(), RulesOf({.always = {{.name = "later", .text = "tick > 0"}}}),
      {});
  EXPECT_FALSE(broken->AddRun({.ticks = {}, .tick_count = 50}));
}

TEST(FuzzCampaignTest, MemoryIsBoundedWhileALongRunIsAdded) {
  sim::FuzzingDescription fine = kNear;
  fine.always.clear();
  fine.sets[0].step = 0.001;
  constexpr uint64_t kBytesMax = 8 << 20;
  // Every tick is another place.
  const auto campaign = Search(fine, {.seed = 1}, 20'000);
  const std::vector<PlayedInputs> runs = campaign->TakeRuns(true);
  auto next = *FuzzCampaign::Create(*MakeTiny(), RulesOf(fine),
                                    {.memory_bytes_max = kBytesMax});
  for (const PlayedInputs& run : runs) {
    next->AddRun(run, /*is_kept=*/true);
    EXPECT_LE(next->progress().memory_bytes_most, kBytesMax);
  }
  EXPECT_GT(next->progress().states_dropped, 0u);
  EXPECT_GE(next->set_counts()[0], campaign->set_counts()[0]);
}

TEST(FuzzCampaignTest, OpenEndsAreSoManyAndLeadToNoOther) {
  const auto campaign = Search(kNear, {.seed = 9}, 60'000);
  const std::vector<PlayedInputs> ends = campaign->OpenEnds(SIZE_MAX);
  ASSERT_GT(ends.size(), 8u);
  EXPECT_EQ(campaign->OpenEnds(8).size(), 8u);
  // To play them all is to see all that runs to every state go through.
  auto next = *FuzzCampaign::Create(*MakeTiny(), RulesOf(kNear), {.seed = 10});
  for (const PlayedInputs& run : ends) next->AddRun(run);
  EXPECT_GE(next->set_counts()[0], campaign->set_counts()[0]);
}

TEST(FuzzCampaignTest, SearchGoesOnFromTheMiddleOfARun) {
  const auto start = MakeTiny();
  for (int tick = 0; tick < 70; ++tick) start->Step({}, nullptr);
  auto campaign = *FuzzCampaign::Create(*start, RulesOf(kNear), {.seed = 3});
  campaign->RunRound(FuzzCampaign::kRoundTicks);
  ASSERT_EQ(campaign->failures().size(), 1);
  const FoundFailure& found = campaign->failures().begin()->second;
  EXPECT_GT(found.failure.tick, 70u);
  EXPECT_GE(found.inputs.ticks.front().tick, 70u);
}

// What never came of a part; a part that there isn't has "no such part".
std::vector<std::string> NeverOf(const FuzzCoverage& coverage,
                                 std::string_view name) {
  for (const FuzzCoveragePart& part : coverage) {
    if (part.name == name) return part.never;
  }
  return {"no such part"};
}

TEST(FuzzCoverageTest, SaysWhatNeverCame) {
  const auto start = MakeTiny();
  auto campaign = *FuzzCampaign::Create(
      *start, RulesOf({.never_used = {"teleport"}}), {.seed = 1});
  const FuzzCoverage before = CoverageOf(*campaign, *start, {});
  ASSERT_EQ(before.size(), 2);  // its tables say nothing of types
  EXPECT_THAT(NeverOf(before, "events"),
              ElementsAre("goal_reached", "hundred_ticks"));
  EXPECT_THAT(NeverOf(before, "actions"), ElementsAre("drift", "steer"));
  for (int round = 0; round < 4; ++round) campaign->RunRound(4096);
  const FuzzCoverage after = CoverageOf(*campaign, *start, {});
  EXPECT_THAT(NeverOf(after, "events"), ElementsAre("goal_reached"));
  EXPECT_THAT(NeverOf(after, "actions"), ElementsAre());
  EXPECT_EQ(after[1].count, 2u);
}

TEST(FuzzCoverageTest, ForeignAndForbiddenEventsAreNotCounted) {
  const auto start = MakeTiny();
  auto campaign = *FuzzCampaign::Create(
      *start, RulesOf({.unreachable = {"goal_reached"}}), {.seed = 1});
  const FuzzCoverage coverage =
      CoverageOf(*campaign, *start, {.foreign_events = {"hundred_ticks"}});
  EXPECT_THAT(NeverOf(coverage, "events"), ElementsAre("no such part"));
}

TEST(FuzzCoverageTest, EventOfATickThatFailsHasCome) {
  const auto start = MakeTiny();
  auto campaign = *FuzzCampaign::Create(
      *start, RulesOf({.always = {{.name = "short", .text = "tick < 100"}}}),
      {.seed = 1});
  while (campaign->failures().empty()) campaign->RunRound(4096);
  EXPECT_THAT(NeverOf(CoverageOf(*campaign, *start, {}), "events"),
              ElementsAre("goal_reached"));
}

TEST(FuzzCampaignTest, GameThatFailsAtItsStartIsToldAndNotPlayed) {
  auto campaign = *FuzzCampaign::Create(
      *MakeTiny(), RulesOf({.always = {{.name = "later", .text = "tick > 0"}}}),
      {});
  campaign->RunRound(1000);
  EXPECT_EQ(campaign->progress().ticks, 0u);
  EXPECT_EQ(campaign->failures().at("always later").failure.tick, 0u);
}

// A tiny simulation that takes no input at all.
class RefusingSimulation final : public sim::Simulation {
 public:
  explicit RefusingSimulation(std::unique_ptr<sim::Simulation> tiny)
      : tiny_(std::move(tiny)) {}

  const sim::SimulationInfo& info() const override { return tiny_->info(); }
  const sim::GameDescription& description() const override {
    return tiny_->description();
  }
  sim::Tick tick() const override { return tiny_->tick(); }
  const sim::State& state() const override { return tiny_->state(); }
  absl::Status Validate(
      std::span<const sim::InputFrame> frames) const override {
    if (frames.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError("nobody may do anything");
  }
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    EXPECT_TRUE(frames.empty());
    tiny_->Step(frames, observer);
  }
  absl::Status Restore(const sim::State& snapshot) override {
    return tiny_->Restore(snapshot);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<RefusingSimulation>(tiny_->Fork());
  }
  std::vector<sim::Event> DrainEvents() override {
    return tiny_->DrainEvents();
  }
  sim::Outcome outcome() const override { return tiny_->outcome(); }
  sim::Frame ProduceFrame() const override { return tiny_->ProduceFrame(); }
  std::string ObjectName(sim::ObjectId object) const override {
    return tiny_->ObjectName(object);
  }
  std::string IdName(sim::Id id) const override { return tiny_->IdName(id); }
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override {
    return tiny_->Inject(address, value);
  }

 private:
  const std::unique_ptr<sim::Simulation> tiny_;
};

TEST(FuzzCampaignTest, GameThatRefusesAllInputsIsPlayedWithoutAndCounted) {
  const RefusingSimulation start(MakeTiny());
  auto campaign = *FuzzCampaign::Create(start, RulesOf(kNear), {.seed = 2});
  for (int round = 0; round < 4; ++round) campaign->RunRound(4096);
  EXPECT_GE(campaign->progress().ticks, 4u * 4096u);
  EXPECT_GT(campaign->progress().refused_ticks, 100u);
  EXPECT_TRUE(campaign->failures().empty());
  EXPECT_TRUE(campaign->actions_used().empty());
  for (const PlayedInputs& run : campaign->TakeRuns(true)) {
    EXPECT_TRUE(run.ticks.empty());
  }
}

TEST(FuzzCampaignTest, WrongExpressionIsToldWithItsWord) {
  const auto wrong = FuzzRules::Create(
      {.maximize = {{.name = "up", .text = "pieces.x > 3"}}}, *MakeTiny());
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.status().message()),
              HasSubstr("fuzzing.maximize 'up': it is no number"));
}

}  // namespace
}  // namespace reprise::replays
