// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What it costs to be free of history: the same piles stepped by PhysicsWorld,
// with all of its rows written, and by a stock Bullet loop with default
// settings (dynamic tree, hashed pairs, its own compounds and islands). The two
// take turns every few ticks within one run, from the fall to the settled pile,
// so that what else the machine does meets both alike; the ratios are of their
// sums.

#include <cstdint>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"
#include "benchmark/benchmark.h"
#include "sim/base/check.h"
#include "sim/base/state.h"
#include "sim/physics/bullet_conversion.h"
#include "sim/physics/bullet_parts.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/pile.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kTicks = 600;
constexpr uint32_t kTicksPerTurn = 10;

// A program that uses Bullet as it comes.
class StockWorld {
 public:
  explicit StockWorld(const PhysicsDefinition& definition)
      : tick_s_(definition.tick_s) {
    world_.setGravity(ToBullet(definition.gravity_m_s2));
    for (const ShapeDefinition& shape : definition.shapes) {
      shapes_.push_back(MakeBulletShape(shape));
      if (shapes_.back().compound == nullptr) continue;
      // The tree over its children, which is the default.
      auto compound = std::make_unique<btCompoundShape>();
      const auto& plain =
          static_cast<const btCompoundShape&>(*shapes_.back().compound);
      for (int i = 0; i < plain.getNumChildShapes(); ++i) {
        compound->addChildShape(plain.getChildTransform(i),
                                shapes_.back().primitives[i].get());
      }
      shapes_.back().compound = std::move(compound);
    }
    for (const BodyDefinition& body : definition.bodies) {
      bodies_.push_back(MakeBulletBody(body, shapes_[body.shape].get()));
      world_.addRigidBody(bodies_.back().get());
    }
    for (const JointDefinition& joint : definition.joints) {
      // The objects of a pile are numbered from 1.
      joints_.push_back(MakeBulletJoint(joint,
                                        *bodies_[joint.object_a.serial - 1],
                                        *bodies_[joint.object_b.serial - 1]));
      world_.addConstraint(joints_.back().get(), true);
    }
  }

  ~StockWorld() {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void Step() { world_.stepSimulation(tick_s_, 0); }

  int contact_point_count() {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    }
    return count;
  }

 private:
  const double tick_s_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  std::vector<BulletShape> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_,
                                 &configuration_};
};

// PhysicsWorld and its state, with or without a digest every tick.
class OurWorld {
 public:
  OurWorld(const std::shared_ptr<const PhysicsDefinition>& definition,
           bool has_digest)
      : tables_(PhysicsWorld::AddTables(state_)),
        world_(definition, tables_),
        has_digest_(has_digest) {
    world_.InitializeState(state_);
    CHECK(world_.Load(state_).ok());
  }

  void Step() {
    world_.Step(state_);
    if (has_digest_) benchmark::DoNotOptimize(state_.ComputeRootDigest());
  }

  int contact_point_count() const {
    return static_cast<int>(state_.table(tables_.contact_points).row_count());
  }

 private:
  State state_;
  PhysicsTables tables_;
  PhysicsWorld world_;
  bool has_digest_;
};

// Time and contact points of one side.
struct Sums {
  double seconds = 0.0;
  double contact_points = 0.0;
};

template <typename World>
void TakeTurn(World& world, Sums& sums) {
  const std::clock_t begin = std::clock();
  for (uint32_t i = 0; i < kTicksPerTurn; ++i) world.Step();
  sums.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  sums.contact_points += world.contact_point_count();
}

// The time reported is PhysicsWorld's, of one tick.
void BM_PileAgainstStock(benchmark::State& benchmark_state) {
  const auto definition = std::make_shared<const PhysicsDefinition>(MakePile(
      {.body_count = static_cast<uint32_t>(benchmark_state.range(0))}));
  Sums stock_sums;
  Sums our_sums;
  Sums digest_sums;
  for (auto _ : benchmark_state) {
    StockWorld stock(*definition);
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
