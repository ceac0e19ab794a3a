// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the world around the bodies adds: piles stepped through World, with all
// its phases, and by a stock Bullet loop that knows of bodies only.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/physics/stock/stock_comparison_benchmark.h"
#include "sim/physics/stock/stock_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/state/state.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/world.h"

namespace reprise::sim {
namespace {

// A pile whose bodies are objects of one type, without components.
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

class OurSide {
 public:
  OurSide(std::shared_ptr<const WorldDefinition> definition, bool has_digest)
      : world_(std::move(definition)), has_digest_(has_digest) {}

  void Step(uint32_t /*tick*/) {
    world_.Step({}, nullptr);
    if (has_digest_) benchmark::DoNotOptimize(digest());
  }

  uint32_t contact_point_count() const {
    const TableIndex points = *world_.state().Find("physics", "contact_points");
    return world_.state().table(points).row_count();
  }

  Digest digest() const { return world_.state().ComputeRootDigest(); }

 private:
  World world_;
  bool has_digest_;
};

class StockSide {
 public:
  explicit StockSide(const PhysicsDefinition& definition)
      : world_(definition) {}

  void Step(uint32_t /*tick*/) { world_.Step(); }

  uint32_t contact_point_count() const { return world_.contact_point_count(); }

 private:
  StockWorld world_;
};

void BM_PileAgainstStock(benchmark::State& benchmark_state) {
  const std::shared_ptr<const WorldDefinition> definition =
      MakePileWorld(static_cast<uint32_t>(benchmark_state.range(0)));
  RunAgainstStock(
      benchmark_state,
      [&] { return std::make_unique<StockSide>(definition->physics); },
      [&](bool has_digest) {
        return std::make_unique<OurSide>(definition, has_digest);
      });
}
BENCHMARK(BM_PileAgainstStock)
    ->Arg(300)
    ->Arg(1000)
    ->Apply(ConfigureStockComparison);

}  // namespace
}  // namespace reprise::sim
