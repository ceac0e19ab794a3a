// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What it costs when bodies come and go, against ticks in which none do; and
// what rays cost, against those of Bullet as it comes, with its dynamic tree.

#include <cstdint>
#include <ctime>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/stock/stock_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

// By then a pile of 300 has come down and still moves.
constexpr uint32_t kTicksBefore = 240;
constexpr uint32_t kTurns = 60;
constexpr uint32_t kTicksPerTurn = 5;
constexpr uint32_t kRays = 1000;

double SecondsNow() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Takes one body out of the pile, and puts a new one where that one began.
void ExchangeOne(uint32_t tick, TestingWorld& world) {
  const PhysicsDefinition& definition = *world.definition();
  const Table& bodies = world.state().table(world.tables().bodies);
  const auto row = kPenBodies + 37 * tick % (bodies.row_count() - kPenBodies);
  const auto& body = bodies.Get<BodyRow>(static_cast<uint32_t>(row));
  BodyPlacement placement = definition.bodies[body.kind];
  placement.object = {1'000'000 + tick};
  CHECK(
      RemoveBody(world.state(), world.tables(), definition, body.object).ok());
  CHECK(AddBody(world.state(), world.tables(), definition, placement).ok());
}

// One world takes turns, so that both sides simulate the same pile. The time
// reported is that of a tick with an exchange.
void BM_OneBodyExchangedEveryTick(benchmark::State& benchmark_state) {
  const auto body_count = static_cast<uint32_t>(benchmark_state.range(0));
  double plain_s = 0.0;
  double exchange_s = 0.0;
  for (auto _ : benchmark_state) {
    TestingWorld world(MakePile({.body_count = body_count}));
    world.Step(kTicksBefore);
    const double exchange_before_s = exchange_s;
    for (uint32_t turn = 0; turn < kTurns; ++turn) {
      const double begin_s = SecondsNow();
      world.Step(kTicksPerTurn);
      const double middle_s = SecondsNow();
      for (uint32_t i = 0; i < kTicksPerTurn; ++i) {
        ExchangeOne(turn * kTicksPerTurn + i, world);
        world.Step();
      }
      plain_s += middle_s - begin_s;
      exchange_s += SecondsNow() - middle_s;
    }
    benchmark_state.SetIterationTime((exchange_s - exchange_before_s) /
                                     (kTurns * kTicksPerTurn));
  }
  benchmark_state.counters["ratio"] = exchange_s / plain_s;
}
BENCHMARK(BM_OneBodyExchangedEveryTick)
    ->Arg(300)
    ->Arg(1000)
    ->Iterations(1)  // one is 600 ticks
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

std::vector<RayQuery> DrawRays() {
  RandomStream random = MakeRandomStream(1, IdOf("rays"));
  std::vector<RayQuery> rays;
  for (uint32_t i = 0; i < kRays; ++i) {
    RayQuery ray = {.from = {0.0, 6.0, 0.0}, .to = {}};
    ray.from.x = 10.0 * NextUnit(random) - 5.0;
    ray.from.z = 10.0 * NextUnit(random) - 5.0;
    ray.to.x = 10.0 * NextUnit(random) - 5.0;
    ray.to.z = 10.0 * NextUnit(random) - 5.0;
    rays.push_back(ray);
  }
  return rays;
}

// The time reported is that of a look and a thousand rays.
void BM_RaysAgainstStock(benchmark::State& benchmark_state) {
  const PhysicsDefinition pile =
      MakePile({.body_count = static_cast<uint32_t>(benchmark_state.range(0))});
  TestingWorld world(pile);
  StockWorld stock(pile);
  world.Step(kTicksBefore);
  for (uint32_t tick = 0; tick < kTicksBefore; ++tick) stock.Step();
  PhysicsQueries queries(world.definition(), world.tables());
  const std::vector<RayQuery> rays = DrawRays();
  double ours_s = 0.0;
  double stock_s = 0.0;
  double hits = 0.0;
  double stock_hits = 0.0;
  for (auto _ : benchmark_state) {
    const double begin_s = SecondsNow();
    queries.Look(world.state());
    for (const auto& hit : queries.CastRays(rays)) {
      hits += hit.has_value() ? 1.0 : 0.0;
    }
    const double middle_s = SecondsNow();
    for (const RayQuery& ray : rays) {
      stock_hits += stock.CastRay(ray.from, ray.to) ? 1.0 : 0.0;
    }
    const double end_s = SecondsNow();
    ours_s += middle_s - begin_s;
    stock_s += end_s - middle_s;
    benchmark_state.SetIterationTime(middle_s - begin_s);
  }
  benchmark_state.counters["ratio"] = ours_s / stock_s;
  benchmark_state.counters["hits_ratio"] = hits / stock_hits;
}
BENCHMARK(BM_RaysAgainstStock)
    ->Arg(300)
    ->Arg(1000)
    ->Iterations(50)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim
