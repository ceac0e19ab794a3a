// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that plans lead where they are to and are the cheapest and shortest,
// against a search that goes forward through every state of the world; and that
// budgets end what would take longer.

#include "sim/decisions/planner.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

constexpr uint64_t Bit(int symbol) { return uint64_t{1} << symbol; }

// The least cost, and of the plans that have it the least steps, by
// Bellman-Ford over (state, steps).
std::optional<std::pair<uint64_t, size_t>> Exhaustive(
    uint64_t world, const PlanFacts& goal,
    const std::vector<PlanAction>& actions) {
  std::map<uint64_t, uint64_t> costs = {{world, 0}};
  std::optional<std::pair<uint64_t, size_t>> best;
  for (size_t steps = 0; steps <= kPlanStepsMax; ++steps) {
    for (const auto& [state, cost] : costs) {
      if (!HoldIn(goal, state)) continue;
      if (!best.has_value() || cost < best->first) best = {cost, steps};
    }
    std::map<uint64_t, uint64_t> next;
    for (const auto& [state, cost] : costs) {
      for (const PlanAction& action : actions) {
        if (!HoldIn(action.needs, state)) continue;
        const uint64_t after = After(action.gives, state);
        const auto [found, is_new] = next.emplace(after, cost + action.cost);
        if (!is_new && cost + action.cost < found->second) {
          found->second = cost + action.cost;
        }
      }
    }
    costs = std::move(next);
  }
  return best;
}

PlanFacts RandomFacts(RandomStream& random, int symbols, uint64_t count_max) {
  PlanFacts facts;
  const uint64_t count = NextBelow(random, count_max + 1);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t bit = Bit(
        static_cast<int>(NextBelow(random, static_cast<uint64_t>(symbols))));
    facts.mask |= bit;
    if (NextBelow(random, 3) != 0) {
      facts.values |= bit;
    } else {
      facts.values &= ~bit;
    }
  }
  return facts;
}

TEST(PlannerTest, PlansAreThoseOfAnExhaustiveSearch) {
  constexpr int kSymbols = 7;
  RandomStream random = MakeRandomStream(1, IdOf("plans"));
  Planner planner;
  Plan plan;
  int found = 0;
  int impossible = 0;
  size_t longest = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::vector<PlanAction> actions(1 + NextBelow(random, 10));
    for (PlanAction& action : actions) {
      action.needs = RandomFacts(random, kSymbols, 3);
      action.gives = RandomFacts(random, kSymbols, 1);
      action.cost = static_cast<uint32_t>(1 + NextBelow(random, 5));
    }
    const uint64_t world = NextBelow(random, 1 << kSymbols);
    const PlanFacts goal = RandomFacts(random, kSymbols, 4);
    planner.Find(world, goal, actions, 1'000'000, plan);
    const auto expected = Exhaustive(world, goal, actions);
    ASSERT_EQ(plan.result == PlanResult::kFound, expected.has_value()) << round;
    if (!expected.has_value()) {
      ++impossible;
      continue;
    }
    ++found;
    longest = std::max(longest, plan.actions.size());
    EXPECT_EQ(plan.cost, expected->first) << round;
    EXPECT_EQ(plan.actions.size(), expected->second) << round;
    uint64_t state = world;
    uint64_t cost = 0;
    for (const uint32_t action : plan.actions) {
      ASSERT_TRUE(HoldIn(actions[action].needs, state)) << round;
      state = After(actions[action].gives, state);
      cost += actions[action].cost;
    }
    EXPECT_TRUE(HoldIn(goal, state)) << round;
    EXPECT_EQ(cost, plan.cost) << round;
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(impossible, 500);
  EXPECT_GE(longest, 3u);
}

// In slices, each by a planner that begins with what the last one had come to:
// the same plan after as many expansions.
TEST(PlannerTest, SlicesChangeNothing) {
  RandomStream random = MakeRandomStream(3, IdOf("slices"));
  int resumed = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::vector<PlanAction> actions(1 + NextBelow(random, 12));
    for (PlanAction& action : actions) {
      action.needs = RandomFacts(random, 9, 3);
      action.gives = RandomFacts(random, 9, 2);
      action.cost = static_cast<uint32_t>(1 + NextBelow(random, 5));
    }
    const uint64_t world = NextBelow(random, 1 << 9);
    const PlanFacts goal = RandomFacts(random, 9, 5);
    Planner whole;
    Plan expected;
    whole.Find(world, goal, actions, 1'000'000, expected);
    const auto slice = static_cast<uint32_t>(1 + NextBelow(random, 7));
    Planner first;
    first.Begin(world, goal, actions);
    std::vector<PlanNode> reached(first.reached().begin(),
                                  first.reached().end());
    Plan plan;
    uint32_t expansions = 0;
    do {
      ASSERT_TRUE(Planner::CanRestore(goal, actions.size(), reached));
      Planner planner;
      planner.Restore(world, actions, reached);
      planner.Advance(actions, slice, plan);
      ASSERT_LE(plan.expansions, slice);
      expansions += plan.expansions;
      reached.assign(planner.reached().begin(), planner.reached().end());
      resumed += plan.result == PlanResult::kBudget ? 1 : 0;
    } while (plan.result == PlanResult::kBudget);
    ASSERT_EQ(plan.result, expected.result) << round;
    ASSERT_EQ(plan.actions, expected.actions) << round;
    ASSERT_EQ(plan.cost, expected.cost) << round;
    ASSERT_EQ(expansions, expected.expansions) << round;
    ASSERT_TRUE(std::ranges::equal(reached, whole.reached())) << round;
  }
  EXPECT_GT(resumed, 500);
}

// Orkin's soldier: a weapon is to be drawn and loaded before it is fired; a
// knife needs the enemy near.
TEST(PlannerTest, CheapestOfSeveralWaysIsTaken) {
  enum { kDrawn, kLoaded, kNear, kDead };
  std::vector<PlanAction> actions = {
      {.gives = {Bit(kDrawn), Bit(kDrawn)}, .cost = 1},
      {.needs = {Bit(kDrawn), Bit(kDrawn)},
       .gives = {Bit(kLoaded), Bit(kLoaded)},
       .cost = 2},
      {.needs = {Bit(kDrawn) | Bit(kLoaded), Bit(kDrawn) | Bit(kLoaded)},
       .gives = {Bit(kDead) | Bit(kLoaded), Bit(kDead)},
       .cost = 1},
      {.gives = {Bit(kNear), Bit(kNear)}, .cost = 3},
      {.needs = {Bit(kNear), Bit(kNear)},
       .gives = {Bit(kDead), Bit(kDead)},
       .cost = 2}};
  const PlanFacts goal = {Bit(kDead), Bit(kDead)};
  Planner planner;
  Plan plan;
  planner.Find(0, goal, actions, 100, plan);
  EXPECT_EQ(plan.actions, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(plan.cost, 4u);
  planner.Find(Bit(kNear), goal, actions, 100, plan);
  EXPECT_EQ(plan.actions, (std::vector<uint32_t>{4}));
  planner.Find(Bit(kDead), goal, actions, 100, plan);
  EXPECT_EQ(plan.result, PlanResult::kFound);
  EXPECT_TRUE(plan.actions.empty());
}

TEST(PlannerTest, WhatCannotBeEnds) {
  Planner planner;
  Plan plan;
  // Each needs the other's: a ring.
  const std::vector<PlanAction> ring = {
      {.needs = {Bit(0), Bit(0)}, .gives = {Bit(1), Bit(1)}},
      {.needs = {Bit(1), Bit(1)}, .gives = {Bit(0), Bit(0)}}};
  planner.Find(0, {Bit(0), Bit(0)}, ring, 1'000, plan);
  EXPECT_EQ(plan.result, PlanResult::kImpossible);
  EXPECT_LE(plan.expansions, 3u);
  planner.Find(0, {Bit(5), Bit(5)}, {}, 1, plan);
  EXPECT_EQ(plan.result, PlanResult::kImpossible);
}

// A counter of 5 bits, counted up from 0: 31 steps, more than a plan has.
TEST(PlannerTest, LongPlansEndAtTheirSteps) {
  std::vector<PlanAction> actions;
  for (int bit = 0; bit < 5; ++bit) {
    const uint64_t lower = Bit(bit) - 1;
    actions.push_back({.needs = {lower | Bit(bit), lower},
                       .gives = {lower | Bit(bit), Bit(bit)}});
  }
  Planner planner;
  Plan plan;
  planner.Find(0, {Bit(5) - 1, Bit(4) - 1}, actions, 1'000'000, plan);
  EXPECT_EQ(plan.result, PlanResult::kFound);
  EXPECT_EQ(plan.actions.size(), 15u);
  planner.Find(0, {Bit(5) - 1, Bit(5) - 1}, actions, 1'000'000, plan);
  EXPECT_EQ(plan.result, PlanResult::kImpossible);
}

TEST(PlannerTest, BudgetsAreKept) {
  RandomStream random = MakeRandomStream(2, IdOf("budgets"));
  std::vector<PlanAction> actions(kPlanActionsMax);
  for (PlanAction& action : actions) {
    action.needs = RandomFacts(random, 64, 4);
    action.gives = RandomFacts(random, 64, 3);
  }
  Planner planner;
  Plan plan;
  for (const uint32_t budget : {1u, 2u, 50u, 4096u}) {
    planner.Find(0, {~uint64_t{0}, ~uint64_t{0}}, actions, budget, plan);
    EXPECT_NE(plan.result, PlanResult::kFound);
    EXPECT_LE(plan.expansions, budget);
  }
}

}  // namespace
}  // namespace reprise::sim
