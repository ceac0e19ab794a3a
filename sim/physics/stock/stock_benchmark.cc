// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What it costs to be free of history and to keep all state in tables: the same
// scenes stepped by PhysicsWorld and by a stock Bullet loop, and alone.

#include <cstdint>
#include <ctime>
#include <memory>
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/digest.h"
#include "sim/base/math.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/stock/stock_comparison_benchmark.h"
#include "sim/physics/stock/stock_world.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/physics/vehicles/vehicle.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTicksPerSwing = 150;

struct Scene {
  PhysicsDefinition physics;
  // The bodies of vehicles, by object, and what they have in common.
  std::vector<ObjectId> chassis;
  VehicleDefinition vehicle;
};

// What all vehicles are told: through the middle and back.
double SteerAt(uint32_t tick) {
  return tick / kTicksPerSwing % 2 == 0 ? -1.0 : 1.0;
}
constexpr double kThrottle = 0.5;

// A capsule of a ragdoll; each hangs on one before it.
struct Bone {
  Vector3 position;  // in the ragdoll's frame
  CapsulePrimitive capsule;
  double mass_kg = 1.0;
  uint32_t parent = 0;  // of the first itself
  bool is_hinged = false;
};

std::vector<Bone> Bones() {
  return {{{0.0, 1.0, 0.0}, {0.15, 0.12}, 12.0, 0, false},    // pelvis
          {{0.0, 1.4, 0.0}, {0.16, 0.2}, 18.0, 0, false},     // chest
          {{0.0, 1.78, 0.0}, {0.11, 0.04}, 5.0, 1, false},    // head
          {{-0.28, 1.35, 0.0}, {0.055, 0.2}, 2.5, 1, false},  // upper arms
          {{0.28, 1.35, 0.0}, {0.055, 0.2}, 2.5, 1, false},
          {{-0.28, 1.05, 0.0}, {0.045, 0.2}, 1.5, 3, true},  // lower arms
          {{0.28, 1.05, 0.0}, {0.045, 0.2}, 1.5, 4, true},
          {{-0.11, 0.65, 0.0}, {0.08, 0.3}, 8.0, 0, false},  // thighs
          {{0.11, 0.65, 0.0}, {0.08, 0.3}, 8.0, 0, false},
          {{-0.11, 0.22, 0.0}, {0.06, 0.28}, 4.0, 7, true},  // shins
          {{0.11, 0.22, 0.0}, {0.06, 0.28}, 4.0, 8, true}};
}

// Adds a ragdoll that falls from `place`.
void AddRagdoll(Vector3 place, PhysicsDefinition& physics) {
  const std::vector<Bone> bones = Bones();
  const uint64_t first = physics.bodies.size() + 1;
  for (const Bone& bone : bones) {
    BodyKind& kind = AddBody(physics, ShapeOf(bone.capsule), Motion::kDynamic,
                             place + bone.position)
                         .kind;
    kind.mass_kg = bone.mass_kg;
    kind.linear_damping = 0.05;
    kind.angular_damping = 0.5;
  }
  for (uint32_t i = 1; i < bones.size(); ++i) {
    const Bone& parent = bones[bones[i].parent];
    // Where the bone ends that is nearer to its parent.
    const double end = bones[i].position.y > parent.position.y ? -1.0 : 1.0;
    const Vector3 at = {0.0, end * 0.5 * bones[i].capsule.height_m, 0.0};
    JointDefinition joint;
    joint.name = {physics.joints.size() + 1};
    joint.object_a = {first + bones[i].parent};
    joint.object_b = {first + i};
    joint.frame_a.position = bones[i].position + at - parent.position;
    joint.frame_b.position = at;
    if (bones[i].is_hinged) {
      joint.kind = HingeJoint{.lower_rad = -0.1, .upper_rad = 2.0};
    } else {
      joint.kind = ConeTwistJoint{0.8, 0.8, 0.5};
    }
    physics.joints.push_back(joint);
  }
}

Scene MakeRagdolls(uint32_t count) {
  Scene scene = {.physics = MakeFloor()};
  for (uint32_t i = 0; i < count; ++i) {
    // Four columns, close enough for limbs to lie on each other.
    const uint32_t column = i % 4;
    const uint32_t layer = i / 4;
    const uint32_t back = column / 2;
    AddRagdoll({0.8 * (column % 2), 0.3 + 2.0 * layer, 0.6 * back},
               scene.physics);
  }
  return scene;
}

Scene MakeVehicles(uint32_t count) {
  constexpr uint32_t kCrates = 200;
  const auto spiral = [](uint32_t i, double height_m) {
    const double radius = 1.2 * Sqrt(i + 1.0);
    return Vector3{radius * Cos(2.4 * i), height_m, radius * Sin(2.4 * i)};
  };
  Scene scene;
  AddBody(scene.physics, PlaneShape{}, Motion::kFixed, {});
  for (uint32_t i = 0; i < kCrates; ++i) {
    AddBody(scene.physics, ShapeOf(BoxPrimitive{{0.3, 0.3, 0.3}}),
            Motion::kDynamic, spiral(i, 0.3))
        .kind.mass_kg = 20.0;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const AddedBody added =
        AddBody(scene.physics, ShapeOf(BoxPrimitive{{0.6, 0.2, 1.3}}),
                Motion::kDynamic, spiral(kCrates + 8 * i, 0.7));
    added.kind.mass_kg = 500.0;
    scene.chassis.push_back(added.placement.object);
  }
  for (const double z : {1.0, -1.0}) {
    for (const double x : {0.7, -0.7}) {
      WheelDefinition& wheel = scene.vehicle.wheels.emplace_back();
      wheel.position = {x, -0.1, z};
      wheel.travel_m = 0.25;
      wheel.stiffness_n_m = 20000.0;
      wheel.damping_compression_n_s_m = 1000.0;
      wheel.damping_rebound_n_s_m = 1200.0;
      wheel.force_max_n = 20000.0;
      wheel.is_driven = z < 0.0;
      wheel.is_steered = z > 0.0;
    }
  }
  scene.vehicle.engine_force_n = 3000.0;
  scene.vehicle.steering_max_rad = 0.5;
  return scene;
}

// Bodies of all shapes in a bowl of 512 triangles.
Scene MakeTerrain(uint32_t body_count) {
  Scene scene = {.physics = MakeShapeScene(Ground::kMesh, body_count / 8)};
  // What stock Bullet does without: layers, rules, continuous bodies.
  for (BodyKind& kind : scene.physics.kinds) {
    kind.layers = 1;
    kind.collides_with = 1;
    kind.friction_rule = CombinationRule::kMultiply;
    kind.rolling_friction_rule = CombinationRule::kMultiply;
    kind.restitution_rule = CombinationRule::kMultiply;
    kind.is_continuous = false;
  }
  for (BodyPlacement& body : scene.physics.bodies) {
    body.linear_velocity_m_s = {};
  }
  return scene;
}

Scene MakePileScene(uint32_t body_count) {
  return {.physics = MakePile({.body_count = body_count})};
}

// A world of the product, with or without a digest of all state every tick.
class OurSide {
 public:
  OurSide(const Scene& scene, bool has_digest)
      : world_(scene.physics),
        queries_(world_.definition(), world_.tables()),
        definition_(scene.vehicle),
        has_digest_(has_digest) {
    for (const ObjectId chassis : scene.chassis) {
      vehicles_.push_back({.object = chassis});
      std::vector<WheelRow>& wheels = wheels_.emplace_back();
      for (uint64_t i = 0; i < definition_.wheels.size(); ++i) {
        wheels.push_back(InitialWheel(definition_.wheels[i], chassis, i));
      }
    }
  }

  void Step(uint32_t tick) {
    if (!vehicles_.empty()) queries_.Look(world_.state());
    for (size_t i = 0; i < vehicles_.size(); ++i) {
      vehicles_[i].throttle = kThrottle;
      vehicles_[i].steer = SteerAt(tick);
      MoveVehicle(definition_,
                  {.physics = world_.world(),
                   .queries = queries_,
                   .gravity_m_s2 = world_.definition()->gravity_m_s2},
                  world_.state(),
                  static_cast<uint32_t>(vehicles_[i].object.serial - 1),
                  vehicles_[i], wheels_[i], /*drivetrain=*/nullptr);
    }
    world_.Step();
    if (has_digest_) benchmark::DoNotOptimize(world_.digest());
  }

  uint32_t contact_point_count() const {
    return world_.contact_points().row_count();
  }

  Digest digest() const { return world_.digest(); }

 private:
  TestingWorld world_;
  PhysicsQueries queries_;
  VehicleDefinition definition_;
  std::vector<VehicleRow> vehicles_;
  std::vector<std::vector<WheelRow>> wheels_;
  bool has_digest_;
};

class StockSide {
 public:
  explicit StockSide(const Scene& scene) : world_(scene.physics) {
    for (const ObjectId chassis : scene.chassis) {
      world_.AddVehicle(chassis, scene.vehicle);
    }
  }

  void Step(uint32_t tick) {
    world_.Drive(kThrottle, SteerAt(tick));
    world_.Step();
  }

  uint32_t contact_point_count() const { return world_.contact_point_count(); }

 private:
  StockWorld world_;
};

// Ours alone, for profiles: phase_costs.py counts its instructions.
void BM_Alone(benchmark::State& benchmark_state,
              Scene (*make_scene)(uint32_t)) {
  const Scene scene =
      make_scene(static_cast<uint32_t>(benchmark_state.range(0)));
  Digest digest;
  for (auto _ : benchmark_state) {
    OurSide ours(scene, /*has_digest=*/false);
    const std::clock_t begin = std::clock();
    for (uint32_t i = 0; i < kStockComparisonTicks; ++i) ours.Step(i);
    benchmark_state.SetIterationTime(static_cast<double>(std::clock() - begin) /
                                     CLOCKS_PER_SEC / kStockComparisonTicks);
    digest = ours.digest();
  }
  benchmark_state.SetLabel(FormatDigest(digest));
}

void BM_AgainstStock(benchmark::State& benchmark_state,
                     Scene (*make_scene)(uint32_t)) {
  const Scene scene =
      make_scene(static_cast<uint32_t>(benchmark_state.range(0)));
  RunAgainstStock(
      benchmark_state, [&] { return std::make_unique<StockSide>(scene); },
      [&](bool has_digest) {
        return std::make_unique<OurSide>(scene, has_digest);
      });
}

BENCHMARK_CAPTURE(BM_AgainstStock, Pile, MakePileScene)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Arg(3000)
    ->Apply(ConfigureStockComparison);
BENCHMARK_CAPTURE(BM_AgainstStock, Ragdolls, MakeRagdolls)
    ->Arg(20)
    ->Apply(ConfigureStockComparison);
BENCHMARK_CAPTURE(BM_AgainstStock, VehiclesAmongCrates, MakeVehicles)
    ->Arg(10)
    ->Apply(ConfigureStockComparison);
BENCHMARK_CAPTURE(BM_AgainstStock, Terrain, MakeTerrain)
    ->Arg(300)
    ->Apply(ConfigureStockComparison);

BENCHMARK_CAPTURE(BM_Alone, Pile, MakePileScene)
    ->Arg(100)
    ->Arg(300)
    ->Arg(1000)
    ->Arg(3000)
    ->Apply(ConfigureStockComparison);
BENCHMARK_CAPTURE(BM_Alone, Ragdolls, MakeRagdolls)
    ->Arg(20)
    ->Apply(ConfigureStockComparison);
BENCHMARK_CAPTURE(BM_Alone, VehiclesAmongCrates, MakeVehicles)
    ->Arg(10)
    ->Apply(ConfigureStockComparison);
BENCHMARK_CAPTURE(BM_Alone, Terrain, MakeTerrain)
    ->Arg(300)
    ->Apply(ConfigureStockComparison);

}  // namespace
}  // namespace reprise::sim
