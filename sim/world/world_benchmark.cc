// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What it costs to be free of history and to keep all state in tables: piles
// stepped through World, and by a stock Bullet loop. The two take turns every
// few ticks within one run, from the fall to the settled pile, so that what
// else the machine does meets both alike; the ratios are of their sums.

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/physics/pile.h"
#include "sim/physics/stock_world.h"
#include "sim/world/world.h"
#include "sim/world/world_definition.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTicks = 600;
constexpr uint32_t kTicksPerTurn = 10;

std::shared_ptr<const WorldDefinition> MakePileWorld(uint32_t body_count) {
  auto definition = std::make_shared<WorldDefinition>();
  definition->physics = MakePile({.body_count = body_count});
  definition->info.simulation = "world";
  definition->info.pack = "pile";
  definition->info.phases = WorldPhaseNames();
  definition->objects_max =
      static_cast<uint32_t>(definition->physics.bodies.size());
  TypeDefinition& type = definition->types.emplace_back();
  type.name = "body";
  type.id = IdOf(type.name);
  type.body_kind = 0;
  type.objects_max = definition->objects_max;
  definition->archetypes.push_back(
      {.name = type.name, .id = type.id, .type = 0, .rows = {}});
  for (const BodyPlacement& body : definition->physics.bodies) {
    const std::string name = fmt::format("body_{}", body.object.serial);
    definition->objects.push_back(
        {.name = name,
         .name_id = IdOf(name),
         .place = {.position = body.position, .rotation = body.rotation}});
  }
  return definition;
}

// A world of the product, with or without a digest every tick.
class OurWorld {
 public:
  OurWorld(std::shared_ptr<const WorldDefinition> definition, bool has_digest)
      : world_(std::move(definition)), has_digest_(has_digest) {}

  void Step() {
    world_.Step({}, nullptr);
    if (has_digest_) {
      benchmark::DoNotOptimize(world_.state().ComputeRootDigest());
    }
  }

  int contact_point_count() const {
    const TableIndex points = *world_.state().Find("physics", "contact_points");
    return static_cast<int>(world_.state().table(points).row_count());
  }

 private:
  World world_;
  bool has_digest_;
};

// Time and contact points of one side.
struct Sums {
  double seconds = 0.0;
  double contact_points = 0.0;
};

template <typename Side>
void TakeTurn(Side& side, Sums& sums) {
  const std::clock_t begin = std::clock();
  for (uint32_t i = 0; i < kTicksPerTurn; ++i) side.Step();
  sums.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  sums.contact_points += side.contact_point_count();
}

// The time reported is World's, of one tick.
void BM_PileAgainstStock(benchmark::State& benchmark_state) {
  const std::shared_ptr<const WorldDefinition> definition =
      MakePileWorld(static_cast<uint32_t>(benchmark_state.range(0)));
  Sums stock_sums;
  Sums our_sums;
  Sums digest_sums;
  for (auto _ : benchmark_state) {
    StockWorld stock(definition->physics);
    OurWorld ours(definition, /*has_digest=*/false);
    OurWorld with_digest(definition, /*has_digest=*/true);
    const double seconds_before = our_sums.seconds;
    for (uint32_t tick = 0; tick < kTicks; tick += kTicksPerTurn) {
      TakeTurn(stock, stock_sums);
      TakeTurn(ours, our_sums);
      TakeTurn(with_digest, digest_sums);
    }
    benchmark_state.SetIterationTime((our_sums.seconds - seconds_before) /
                                     kTicks);
  }
  benchmark_state.counters["ratio"] = our_sums.seconds / stock_sums.seconds;
  benchmark_state.counters["ratio_with_digest"] =
      digest_sums.seconds / stock_sums.seconds;
  benchmark_state.counters["contact_points_ratio"] =
      our_sums.contact_points / stock_sums.contact_points;
}
BENCHMARK(BM_PileAgainstStock)
    ->Arg(300)
    ->Arg(1000)
    ->Iterations(1)  // one is 600 ticks of each
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim
