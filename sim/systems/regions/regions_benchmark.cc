// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What it costs to know who is where: 100 regions, 1,000 objects that move. The
// ratio is to asking every region about every object, as the definition says
// it, in the same run.

#include <cstdint>
#include <ctime>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/volume.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/layers/layers.h"
#include "sim/systems/regions/regions.h"

namespace reprise::sim {
namespace {

constexpr int kRegions = 100;
constexpr uint64_t kObjects = 1000;
constexpr double kWorldSizeM = 500.0;

Vector3 RandomPoint(RandomStream& stream, double size_m) {
  const double x = NextUnit(stream);
  const double y = NextUnit(stream);
  const double z = NextUnit(stream);
  return size_m * Vector3{x - 0.5, 0.1 * y, z - 0.5};
}

// Rooms of 20 m by 10 m by 30 m, turned.
std::vector<RegionDefinition> MakeRegions(RandomStream& stream) {
  std::vector<RegionDefinition> regions;
  for (int i = 0; i < kRegions; ++i) {
    const Vector3 centre = RandomPoint(stream, kWorldSizeM);
    const double angle_rad = NextUnit(stream);
    regions.push_back(
        {.name = IdOf(fmt::format("region {}", i)),
         .volume = OrientedBoxVolume{
             .centre = centre,
             .rotation = FromAxisAngle({0.0, 1.0, 0.0}, angle_rad),
             .half_extents_m = {10.0, 5.0, 15.0}}});
  }
  return regions;
}

void BM_RegionsAgainstAskingAll(benchmark::State& benchmark_state) {
  RandomStream stream = MakeRandomStream(1, IdOf("benchmark"));
  const std::vector<RegionDefinition> definitions = MakeRegions(stream);
  const Regions regions(definitions);
  const Table layers(RowSchema::Of<LayerRow>());
  Table rows(RowSchema::Of<RegionVisitRow>());
  std::vector<ObjectPoint> points;
  for (uint64_t serial = 1; serial <= kObjects; ++serial) {
    points.push_back({ObjectId{serial}, RandomPoint(stream, kWorldSizeM)});
  }
  std::clock_t ours = 0;
  std::clock_t asking_all = 0;
  uint64_t inside_count = 0;
  Tick tick = 0;
  for (auto _ : benchmark_state) {
    for (ObjectPoint& place : points) {
      place.point = place.point + RandomPoint(stream, 1.0);
    }
    const std::clock_t begin = std::clock();
    benchmark::DoNotOptimize(regions.Update(points, tick++, layers, rows));
    const std::clock_t middle = std::clock();
    for (const RegionDefinition& region : definitions) {
      for (const ObjectPoint& place : points) {
        inside_count += Contains(region.volume, place.point) ? 1 : 0;
      }
    }
    benchmark::DoNotOptimize(inside_count);
    ours += middle - begin;
    asking_all += std::clock() - middle;
    benchmark_state.SetIterationTime(static_cast<double>(middle - begin) /
                                     CLOCKS_PER_SEC);
  }
  benchmark_state.counters["ratio"] =
      static_cast<double>(ours) / static_cast<double>(asking_all);
  benchmark_state.counters["visits"] =
      static_cast<double>(inside_count) / static_cast<double>(tick);
}
BENCHMARK(BM_RegionsAgainstAskingAll)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim
