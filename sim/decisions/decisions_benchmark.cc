// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What plans cost, by the number of actions.

#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/decisions/planner.h"

namespace reprise::sim {
namespace {

// A chain of so many actions, each of which needs what the one before gives,
// among as many that lead nowhere.
void BM_Plan(benchmark::State& state) {
  const auto length = static_cast<int>(state.range(0));
  std::vector<PlanAction> actions;
  for (int i = 0; i < length; ++i) {
    const uint64_t gives = uint64_t{1} << (i + 1);
    const uint64_t needs = uint64_t{1} << i;
    actions.push_back({.needs = {needs, needs}, .gives = {gives, gives}});
    const uint64_t nowhere = uint64_t{1} << (i + 32);
    actions.push_back({.needs = {nowhere, nowhere}, .gives = {gives, gives}});
  }
  const uint64_t goal = uint64_t{1} << length;
  Planner planner;
  Plan plan;
  uint64_t expansions = 0;
  for (auto _ : state) {
    planner.Find(1, {goal, goal}, actions, 100'000, plan);
    CHECK(plan.actions.size() == static_cast<size_t>(length));
    expansions += plan.expansions;
  }
  state.counters["expansions"] = benchmark::Counter(
      static_cast<double>(expansions), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Plan)->Arg(4)->Arg(8)->Arg(16);

}  // namespace
}  // namespace reprise::sim
