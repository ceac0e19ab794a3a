// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick costs with brains: trees that go on, and trees of which a part
// begins anew in every tick.

#include <cstdint>
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
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath), manifest).ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  return *std::move(world);
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

void BM_TreesThatGoOn(benchmark::State& state) {
  Measure(state, "wait { seconds: 80000 }");
}
BENCHMARK(BM_TreesThatGoOn)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

void BM_TreesThatBeginAnew(benchmark::State& state) {
  Measure(state,
          "repeat { node { sequence { nodes { if: 'self.need.hunger == 0' } "
          "nodes { enter { set { object: 'self' property: 'need.hunger' to: "
          "'0' } } } } } }");
}
BENCHMARK(BM_TreesThatBeginAnew)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::sim
