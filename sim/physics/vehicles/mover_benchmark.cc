// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What characters and vehicles cost against the physics step of the crates that
// they move among, in the same run.

#include <cstdint>
#include <ctime>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/math.h"
#include "sim/physics/characters/character.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/physics/vehicles/vehicle.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTicks = 300;
constexpr uint32_t kCrates = 200;
constexpr CapsulePrimitive kCapsule = {.radius_m = 0.3, .height_m = 1.2};

double SecondsNow() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// A place on a spiral, far enough from the next.
Vector3 PlaceOnSpiral(uint32_t i, double height_m) {
  const double radius = 1.2 * Sqrt(i + 1.0);
  const double angle = 2.4 * i;
  return {radius * Cos(angle), height_m, radius * Sin(angle)};
}

// A plain with crates on it; returns it with `movers` bodies more.
PhysicsDefinition MakePlain(uint32_t movers, const ShapeDefinition& shape,
                            Motion motion, double height_m, double mass_kg) {
  PhysicsDefinition definition;
  AddBody(definition, PlaneShape{}, Motion::kFixed, {});
  for (uint32_t i = 0; i < kCrates; ++i) {
    AddBody(definition, ShapeOf(BoxPrimitive{{0.3, 0.3, 0.3}}),
            Motion::kDynamic, PlaceOnSpiral(i, 0.3))
        .kind.mass_kg = 20.0;
  }
  for (uint32_t i = 0; i < movers; ++i) {
    AddBody(definition, shape, motion, PlaceOnSpiral(kCrates + 8 * i, height_m))
        .kind.mass_kg = mass_kg;
  }
  return definition;
}

// Where mover i wants to go: through the middle and back.
double Swing(uint32_t tick) { return tick / 150 % 2 == 0 ? -1.0 : 1.0; }

// The time reported is that of a look and of all characters, for a tick.
void BM_CharactersAmongCrates(benchmark::State& benchmark_state) {
  const auto count = static_cast<uint32_t>(benchmark_state.range(0));
  double movers_s = 0.0;
  double physics_s = 0.0;
  for (auto _ : benchmark_state) {
    TestingWorld world(
        MakePlain(count, ShapeOf(kCapsule), Motion::kKinematic, 0.95, 1.0));
    PhysicsQueries queries(world.definition(), world.tables());
    const CharacterDefinition definition = {
        .capsule = kCapsule, .mass_kg = 80.0, .push_force_n = 400.0};
    std::vector<CharacterRow> rows;
    for (uint32_t i = 0; i < count; ++i) {
      rows.push_back(InitialCharacter(world.body(1 + kCrates + i).object));
    }
    const double movers_before_s = movers_s;
    for (uint32_t tick = 0; tick < kTicks; ++tick) {
      const double begin_s = SecondsNow();
      queries.Look(world.state());
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t body = 1 + kCrates + i;
        const Vector3 place = world.body(body).position;
        rows[i].wanted_velocity = Swing(tick) * Vector3{place.x, 0.0, place.z};
        MoveCharacter(definition,
                      {.physics = world.world(),
                       .queries = queries,
                       .gravity_m_s2 = world.definition()->gravity_m_s2},
                      world.state(), body, rows[i]);
      }
      const double middle_s = SecondsNow();
      world.Step();
      movers_s += middle_s - begin_s;
      physics_s += SecondsNow() - middle_s;
    }
    benchmark_state.SetIterationTime((movers_s - movers_before_s) / kTicks);
  }
  benchmark_state.counters["ratio"] = movers_s / physics_s;
}
BENCHMARK(BM_CharactersAmongCrates)
    ->Arg(10)
    ->Arg(50)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

VehicleDefinition MakeKart() {
  VehicleDefinition kart;
  for (const double z : {1.0, -1.0}) {
    for (const double x : {0.7, -0.7}) {
      kart.wheels.push_back({.position = {x, -0.1, z},
                             .radius_m = 0.3,
                             .travel_m = 0.25,
                             .stiffness_n_m = 20000.0,
                             .damping_compression_n_s_m = 1000.0,
                             .damping_rebound_n_s_m = 1200.0,
                             .force_max_n = 20000.0,
                             .is_driven = z<0.0, .is_steered = z> 0.0});
    }
  }
  kart.engine_force_n = 3000.0;
  kart.steering_max_rad = 0.5;
  return kart;
}

// The time reported is that of a look and of all vehicles, for a tick.
void BM_VehiclesAmongCrates(benchmark::State& benchmark_state) {
  const auto count = static_cast<uint32_t>(benchmark_state.range(0));
  double movers_s = 0.0;
  double physics_s = 0.0;
  for (auto _ : benchmark_state) {
    TestingWorld world(MakePlain(count, ShapeOf(BoxPrimitive{{0.6, 0.2, 1.3}}),
                                 Motion::kDynamic, 0.7, 500.0));
    PhysicsQueries queries(world.definition(), world.tables());
    const VehicleDefinition definition = MakeKart();
    std::vector<VehicleRow> rows(count);
    std::vector<std::vector<WheelRow>> wheels(count);
    for (uint32_t i = 0; i < count; ++i) {
      rows[i].object = world.body(1 + kCrates + i).object;
      for (uint64_t k = 0; k < definition.wheels.size(); ++k) {
        wheels[i].push_back(
            InitialWheel(definition.wheels[k], rows[i].object, k));
      }
    }
    const double movers_before_s = movers_s;
    for (uint32_t tick = 0; tick < kTicks; ++tick) {
      const double begin_s = SecondsNow();
      queries.Look(world.state());
      for (uint32_t i = 0; i < count; ++i) {
        rows[i].throttle = 0.5;
        rows[i].steer = Swing(tick);
        MoveVehicle(definition,
                    {.physics = world.world(),
                     .queries = queries,
                     .gravity_m_s2 = world.definition()->gravity_m_s2},
                    world.state(), 1 + kCrates + i, rows[i], wheels[i],
                    /*drivetrain=*/nullptr);
      }
      const double middle_s = SecondsNow();
      world.Step();
      movers_s += middle_s - begin_s;
      physics_s += SecondsNow() - middle_s;
    }
    benchmark_state.SetIterationTime((movers_s - movers_before_s) / kTicks);
  }
  benchmark_state.counters["ratio"] = movers_s / physics_s;
}
BENCHMARK(BM_VehiclesAmongCrates)
    ->Arg(10)
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise::sim
