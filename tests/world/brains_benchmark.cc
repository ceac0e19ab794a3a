// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick costs with brains: trees that go on, and trees of which a part
// begins anew in every tick; and both against objects that decide nothing, side
// by side in one run.

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kGoesOn = "wait { seconds: 80000 }";
constexpr std::string_view kBeginsAnew =
    "repeat { node { sequence { nodes { if: 'self.need.hunger == 0' } "
    "nodes { enter { set { object: 'self' property: 'need.hunger' to: "
    "'0' } } } } } }";

std::unique_ptr<Simulation> WorldOf(const std::string& manifest) {
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath), manifest).ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  return *std::move(world);
}

// The same objects without brains.
std::unique_ptr<Simulation> Idlers(int64_t count) {
  return WorldOf(fmt::format(
      "name: 'idlers'\ncomponents {{ name: 'need' properties {{ name: 'hunger' "
      "type: TYPE_NUMBER }} }}\ntypes {{ name: 'agent' components {{ "
      "component: 'need' }} }}\nobjects {{ name: 'agent' type: 'agent' grid {{ "
      "count_x: 100 count_z: {} spacing {{ x: 1 z: 1 }} }} }}\n",
      count / 100));
}

// Twenty nodes with conditions; `leaf` is at the end of the last.
std::unique_ptr<Simulation> Crowd(int64_t count, std::string_view leaf) {
  std::string nodes;
  for (int i = 0; i < 8; ++i) {
    nodes += fmt::format(
        "nodes {{ if: 'self.need.hunger > {}' aborts: ABORTS_BOTH sequence {{ "
        "nodes {{ wait {{ seconds: 1 }} }} }} }}\n",
        1e6 + i);
  }
  const std::string manifest = fmt::format(
      "name: 'crowd'\ncomponents {{ name: 'need' properties {{ name: 'hunger' "
      "type: TYPE_NUMBER }} }}\ntypes {{ name: 'agent' brain: 'mind' "
      "components "
      "{{ component: 'need' }} }}\nbrains {{ name: 'mind' root {{ machine {{ "
      "states {{ name: 'live' selector {{ {} nodes {{ {} }} }} transitions {{ "
      "to: 'live' if: 'self.need.hunger < 0' }} }} }} }} }}\nobjects {{ name: "
      "'agent' type: 'agent' grid {{ count_x: 100 count_z: {} spacing {{ x: 1 "
      "z: 1 }} }} }}\n",
      nodes, leaf, count / 100);
  return WorldOf(manifest);
}

void Measure(benchmark::State& state, std::string_view leaf) {
  const int64_t count = state.range(0);
  const auto world = Crowd(count, leaf);
  for (int tick = 0; tick < 3; ++tick) world->Step({}, nullptr);
  world->DrainEvents();
  for ([[maybe_unused]] auto _ : state) world->Step({}, nullptr);
  state.SetItemsProcessed(state.iterations() * count);
  state.SetLabel(fmt::format("digest {:016x} of tick {}",
                             world->state().ComputeRootDigest().value,
                             world->tick()));
}

void BM_TreesThatGoOn(benchmark::State& state) { Measure(state, kGoesOn); }
BENCHMARK(BM_TreesThatGoOn)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

void BM_TreesThatBeginAnew(benchmark::State& state) {
  Measure(state, kBeginsAnew);
}
BENCHMARK(BM_TreesThatBeginAnew)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

// A world and what its ticks have taken.
struct Measured {
  std::unique_ptr<Simulation> world;
  int64_t agents = 0;
  double seconds = 0.0;
  int64_t ticks = 0;

  void Step(int count) {
    const double before = Seconds();
    for (int tick = 0; tick < count; ++tick) world->Step({}, nullptr);
    seconds += Seconds() - before;
    ticks += count;
  }
  double NanosecondsAnAgent() const {
    return seconds * 1e9 / static_cast<double>(ticks * agents);
  }
};

// All take turns, so that what else the machine does is done to all of them.
void BM_ThousandTrees(benchmark::State& state) {
  Measured none = {.world = Idlers(1000), .agents = 1000};
  Measured on = {.world = Crowd(1000, kGoesOn), .agents = 1000};
  Measured anew = {.world = Crowd(1000, kBeginsAnew), .agents = 1000};
  Measured few_on = {.world = Crowd(100, kGoesOn), .agents = 100};
  Measured few_anew = {.world = Crowd(100, kBeginsAnew), .agents = 100};
  for (auto* const one : {&none, &on, &anew, &few_on, &few_anew}) {
    for (int tick = 0; tick < 3; ++tick) one->world->Step({}, nullptr);
  }
  for ([[maybe_unused]] auto _ : state) {
    none.Step(10);
    on.Step(10);
    anew.Step(10);
    few_on.Step(100);
    few_anew.Step(100);
  }
  state.counters["none_ns"] = none.NanosecondsAnAgent();
  state.counters["on_ns"] = on.NanosecondsAnAgent();
  state.counters["anew_ns"] = anew.NanosecondsAnAgent();
  state.counters["anew_to_on"] =
      anew.NanosecondsAnAgent() / on.NanosecondsAnAgent();
  state.counters["on_1000_to_100"] =
      on.NanosecondsAnAgent() / few_on.NanosecondsAnAgent();
  state.counters["anew_1000_to_100"] =
      anew.NanosecondsAnAgent() / few_anew.NanosecondsAnAgent();
  state.SetLabel(fmt::format("digests {:016x} {:016x}",
                             on.world->state().ComputeRootDigest().value,
                             anew.world->state().ComputeRootDigest().value));
}
BENCHMARK(BM_ThousandTrees)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::sim
