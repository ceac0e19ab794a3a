// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a tick costs with many navigators: of a crowd on one flow field, and of
// as many that go along paths of their own. Linear in their number.

#include <cstdint>
#include <memory>
#include <string>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/simulation.h"

namespace reprise::sim {
namespace {

// 256 by 256 cells, one in ten of them a wall; the corners are free.
std::string Rows() {
  constexpr int kSide = 256;
  RandomStream stream = MakeRandomStream(19, IdOf("benchmark"));
  std::string text;
  for (int row = 0; row < kSide; ++row) {
    std::string cells(kSide, '.');
    for (char& cell : cells) {
      if (NextBelow(stream, 10) == 0) cell = '#';
    }
    if (row == 0) cells.front() = '.';
    if (row + 1 == kSide) cells.back() = '.';
    text += fmt::format("rows: '{}'\n", cells);
  }
  return text;
}

std::unique_ptr<Simulation> Crowd(int64_t count, std::string_view navigator) {
  const int64_t side = count / 100;
  const std::string manifest = fmt::format(
      "name: 'crowd'\nnavigation {{ expansions_per_tick: 10000000 grids {{ "
      "name: 'field' neighbours: NEIGHBOURS_EIGHT {} }} flow_fields {{ name: "
      "'home' grid: 'field' goal {{ x: 255.5 z: 255.5 }} }} }}\n"
      "types {{ name: 'sheep' navigator {{ {} speed: 0.5 }} }}\n"
      "objects {{ name: 'sheep' type: 'sheep' position {{ x: 0.5 z: 0.5 }} "
      "grid "
      "{{ count_x: 100 count_z: {} spacing {{ x: 1.6 z: 1.6 }} }} set {{ "
      "property: 'navigator.goal' to: '255.5 0 255.5' }} set {{ property: "
      "'navigator.is_active' to: '1' }} }}\n",
      Rows(), navigator, side);
  PackArchive pack;
  CHECK(pack.Add(std::string(kPackManifestPath), manifest).ok());
  auto world = CreateWorld(pack, 1);
  CHECK(world.ok(), "{}", world.status().ToString());
  return *std::move(world);
}

void Measure(benchmark::State& state, std::string_view navigator) {
  const int64_t count = state.range(0);
  const auto world = Crowd(count, navigator);
  for (int tick = 0; tick < 3; ++tick) world->Step({}, nullptr);
  world->DrainEvents();
  for ([[maybe_unused]] auto _ : state) world->Step({}, nullptr);
  state.SetItemsProcessed(state.iterations() * count);
  state.SetLabel(fmt::format("digest {:016x} of tick {}",
                             world->state().ComputeRootDigest().value,
                             world->tick()));
}

void BM_CrowdOnOneFlowField(benchmark::State& state) {
  Measure(state, "flow_field: 'home'");
}
BENCHMARK(BM_CrowdOnOneFlowField)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

void BM_CrowdOnPathsOfTheirOwn(benchmark::State& state) {
  Measure(state, "space: 'field'");
}
BENCHMARK(BM_CrowdOnPathsOfTheirOwn)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::sim
