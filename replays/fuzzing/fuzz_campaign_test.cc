// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves on a simulation that shares nothing with the built-in one that a
// campaign finds failures, tells of them as it promises, and finds the same for
// the same seed; that what it found can be minimized to the one input there has
// to be; and that each oracle tells what it is for.

#include "replays/fuzzing/fuzz_campaign.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/fuzz_rules.h"
#include "replays/fuzzing/minimization.h"
#include "replays/fuzzing/restore_check.h"
#include "replays/fuzzing/run_watch.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/field_value.h"
#include "sim/base/state_codec.h"

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
  const FuzzOptions options = {.seed = 1, .snapshot_bytes_max = 1 << 20};
  const auto campaign = Search(fine, options, 60'000);
  EXPECT_GT(campaign->progress().states_dropped, 0u);
  EXPECT_LE(campaign->progress().snapshot_bytes, uint64_t{1} << 20);
  EXPECT_GT(campaign->progress().states, 0u);
}

TEST(FuzzCampaignTest, RunsThatWereTakenLeadToWhatWasSeen) {
  const auto campaign = Search(kNear, {.seed = 9}, 60'000);
  auto next = *FuzzCampaign::Create(*MakeTiny(), RulesOf(kNear), {.seed = 10});
  for (const PlayedInputs& run : campaign->TakeRuns(false)) next->AddRun(run);
  EXPECT_GE(next->set_counts()[0], campaign->set_counts()[0]);
}

TEST(FuzzCampaignTest, GameThatFailsAtItsStartIsToldAndNotPlayed) {
  auto campaign = *FuzzCampaign::Create(
      *MakeTiny(), RulesOf({.always = {{.name = "later", .text = "tick > 0"}}}),
      {});
  campaign->RunRound(1000);
  EXPECT_EQ(campaign->progress().ticks, 0u);
  EXPECT_EQ(campaign->failures().at("always later").failure.tick, 0u);
}

TEST(FuzzCampaignTest, WrongExpressionIsToldWithItsWord) {
  const auto wrong = FuzzRules::Create(
      {.maximize = {{.name = "up", .text = "pieces.x > 3"}}}, *MakeTiny());
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(wrong.status().message()),
              HasSubstr("fuzzing.maximize 'up': it is no number"));
}

// What a watch says of a tiny simulation whose runner is at `x`.
std::optional<RunFailure> ScanWith(double x, const FuzzRules& rules) {
  const auto tiny = MakeTiny();
  RunWatch watch(&rules, *tiny);
  const sim::TableIndex pieces = *tiny->state().Find("board", "pieces");
  const sim::ScalarPath path = *tiny->state().table(pieces).schema().Find("x");
  EXPECT_TRUE(tiny->Inject({.table = pieces, .row = 0, .scalar = path},
                           sim::FieldValue::OfDouble(x))
                  .ok());
  std::vector<uint64_t> buckets;
  return watch.Scan(*tiny, buckets);
}

TEST(RunWatchTest, InfinityIsAFailure) {
  const FuzzRules rules = RulesOf({});
  EXPECT_FALSE(ScanWith(7.0, rules).has_value());
  const auto failure = ScanWith(std::numeric_limits<double>::infinity(), rules);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "not finite board.pieces.x");
}

TEST(RunWatchTest, RestoredRunThatDiffersNamesTheField) {
  const auto one = MakeTiny();
  const auto other = one->Fork();
  EXPECT_FALSE(DescribeRestoredRun(0, one->state(), *other).has_value());
  const sim::TableIndex pieces = *one->state().Find("board", "pieces");
  const sim::ScalarPath path = *one->state().table(pieces).schema().Find("y");
  ASSERT_TRUE(other
                  ->Inject({.table = pieces, .row = 1, .scalar = path},
                           sim::FieldValue::OfDouble(0.5))
                  .ok());
  const auto failure = DescribeRestoredRun(0, one->state(), *other);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "restore board.pieces.y");
}

TEST(RunWatchTest, StateThatWasSavedGoesOnTheSame) {
  const auto tiny = MakeTiny();
  const std::string saved = sim::EncodeState(tiny->state());
  for (int tick = 0; tick < 50; ++tick) tiny->Step({}, nullptr);
  const auto other = tiny->Fork();
  EXPECT_FALSE(
      CheckRestoredRun(saved, 0, {}, tiny->state(), 50, *other).has_value());
}

}  // namespace
}  // namespace reprise::replays
