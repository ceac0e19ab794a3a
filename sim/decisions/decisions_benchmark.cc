// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What plans cost, by the number of actions, and by how many slices they are
// sought in; and what it costs to share tasks out.

#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/decisions/assignment.h"
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

// The same of 16 actions, by slices of so many expansions, each of which begins
// with what the last one had come to.
void BM_PlanInSlices(benchmark::State& state) {
  constexpr int kLength = 16;
  std::vector<PlanAction> actions;
  for (int i = 0; i < kLength; ++i) {
    const uint64_t gives = uint64_t{1} << (i + 1);
    const uint64_t needs = uint64_t{1} << i;
    actions.push_back({.needs = {needs, needs}, .gives = {gives, gives}});
    const uint64_t nowhere = uint64_t{1} << (i + 32);
    actions.push_back({.needs = {nowhere, nowhere}, .gives = {gives, gives}});
  }
  const uint64_t goal = uint64_t{1} << kLength;
  Planner planner;
  Plan plan;
  std::vector<PlanNode> reached;
  for (auto _ : state) {
    planner.Begin(1, {goal, goal}, actions);
    planner.Advance(actions, static_cast<uint32_t>(state.range(0)), plan);
    while (plan.result == PlanResult::kBudget) {
      reached.assign(planner.reached().begin(), planner.reached().end());
      planner.Restore(1, actions, reached);
      planner.Advance(actions, static_cast<uint32_t>(state.range(0)), plan);
    }
    CHECK(plan.actions.size() == static_cast<size_t>(kLength));
  }
}
BENCHMARK(BM_PlanInSlices)->Arg(1)->Arg(8)->Arg(1000);

// So many units, and a quarter as many tasks of four priorities, each for two.
void BM_Assign(benchmark::State& state) {
  const auto units = static_cast<size_t>(state.range(0));
  RandomStream random = MakeRandomStream(1, IdOf("assign"));
  std::vector<TaskNeed> tasks(units / 4);
  for (TaskNeed& task : tasks) {
    task = {.priority = static_cast<double>(NextBelow(random, 4)),
            .units_min = 1,
            .units_max = 2};
  }
  std::vector<double> scores;
  for (size_t i = 0; i < tasks.size() * units; ++i) {
    scores.push_back(NextUnit(random));
  }
  Assigner assigner;
  for (auto _ : state) {
    benchmark::DoNotOptimize(assigner.Assign(tasks, units, scores).data());
  }
  state.counters["pairs"] =
      benchmark::Counter(static_cast<double>(scores.size()),
                         benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(BM_Assign)->Arg(16)->Arg(64)->Arg(256);

}  // namespace
}  // namespace reprise::sim
