// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves on a simulation that shares nothing with the built-in one that a watch
// tells of each mistake that it is for, and of nothing else.

#include "replays/fuzzing/checks/run_watch.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "replays/format/event_flood.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

std::unique_ptr<sim::Simulation> MakeTiny() {
  return *TinySimulation::Create(MakeTinyPack(), /*seed=*/1);
}

FuzzRules RulesOf(const sim::FuzzingDescription& description) {
  auto rules = FuzzRules::Create(description, *MakeTiny());
  EXPECT_TRUE(rules.ok()) << rules.status();
  return *std::move(rules);
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

// Steps without inputs, which players are said to give at every tick, and is
// told of at tick 60.
std::optional<RunFailure> WaitWith(const FuzzRules& rules, bool has_inputs) {
  const auto tiny = MakeTiny();
  RunWatch watch(&rules, *tiny);
  std::vector<uint64_t> buckets;
  std::optional<RunFailure> failure;
  while (tiny->tick() < 60 && !failure) {
    tiny->Step({}, nullptr);
    failure = watch.Look(*tiny, tiny->DrainEvents(), has_inputs);
    if (!failure) failure = watch.Scan(*tiny, buckets);
  }
  return failure;
}

TEST(RunWatchTest, GameIsStuckWhereInputsChangeNothing) {
  const FuzzRules rules = RulesOf({.stuck_ticks = 25});
  const auto failure = WaitWith(rules, /*has_inputs=*/true);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "stuck");
  // A player who does nothing has no game to be stuck in.
  EXPECT_FALSE(WaitWith(rules, /*has_inputs=*/false).has_value());
  EXPECT_FALSE(WaitWith(RulesOf({.stuck_ticks = 59}), true).has_value());
}

TEST(RunWatchTest, UnreachableEventIsToldWithItsObjectAndArguments) {
  const auto tiny = MakeTiny();
  const FuzzRules rules = RulesOf({.unreachable = {"goal_reached"}});
  RunWatch watch(&rules, *tiny);
  sim::Event event;
  event.type = sim::IdOf("goal_reached");
  const auto bare = watch.Look(*tiny, {&event, 1}, false);
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->message, "the event goal_reached came");
  event.object = kRunner;
  event.arguments = {
      {.name = sim::IdOf("score"), .value = sim::FieldValue::OfDouble(2.5)}};
  const auto failure = watch.Look(*tiny, {&event, 1}, false);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "unreachable goal_reached");
  EXPECT_EQ(failure->message, "the event goal_reached came: runner score=2.5");
}

TEST(RunWatchTest, FloodOfEventsIsAFailure) {
  const auto tiny = MakeTiny();
  const FuzzRules rules = RulesOf({});
  RunWatch watch(&rules, *tiny);
  std::vector<sim::Event> events(kEventFlood - 1);
  EXPECT_FALSE(watch.Look(*tiny, events, false).has_value());
  events.emplace_back();
  const auto failure = watch.Look(*tiny, events, false);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->signature, "flood of events");
}

}  // namespace
}  // namespace reprise::replays
