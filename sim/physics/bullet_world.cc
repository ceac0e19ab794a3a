// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bullet_world.h"

#include <algorithm>
#include <cstddef>

#include "BulletCollision/CollisionDispatch/btSimulationIslandManager.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "sim/base/check.h"
#include "sim/physics/bullet_conversion.h"

// Declared in none of Bullet's headers that are meant to be included.
extern bool gContactCalcArea3Points;

namespace reprise::sim {
namespace {

// In a dense pile a body's box overlaps about five others, and each such pair
// takes a manifold and two algorithms. What doesn't fit a pool is allocated.
constexpr int kPairsPerBody = 6;
constexpr int kPairsMin = 64;
constexpr int kPairsMax = 8192;

btDefaultCollisionConstructionInfo PoolsFor(size_t body_count) {
  const int pairs = std::clamp(kPairsPerBody * static_cast<int>(body_count),
                               kPairsMin, kPairsMax);
  btDefaultCollisionConstructionInfo info;
  info.m_defaultMaxPersistentManifoldPoolSize = pairs;
  info.m_defaultMaxCollisionAlgorithmPoolSize = 2 * pairs;
  info.m_customCollisionAlgorithmMaxElementSize = sizeof(PairAlgorithm);
  return info;
}

// Bullet's switches for the whole process. Worlds on other threads read them,
// so they are left alone, but a step is only itself with these values.
void CheckGlobals() {
  CHECK(gDeactivationTime == 2.0);
  CHECK(!gDisableDeactivation);
  CHECK(gContactBreakingThreshold == 0.02);
  CHECK(gContactCalcArea3Points);
  CHECK(gContactAddedCallback == nullptr);
  CHECK(gContactProcessedCallback == nullptr);
  CHECK(gContactDestroyedCallback == nullptr);
}

}  // namespace

BulletWorld::DynamicsWorld::DynamicsWorld(
    OrderedDispatcher& dispatcher, SortedBroadphase& broadphase,
    btConstraintSolver& solver, btCollisionConfiguration& configuration)
    : btDiscreteDynamicsWorld(&dispatcher, &broadphase, &solver,
                              &configuration),
      island_solver_(dispatcher, solver) {
  m_islandManager->setSplitIslands(false);  // island_solver_ does
  // Manifolds without points, which a restored world lacks, wake nothing.
  getDispatchInfo().m_deterministicOverlappingPairs = true;
}

void BulletWorld::DynamicsWorld::solveConstraints(
    btContactSolverInfo& solver_info) {
  island_solver_.Prepare(
      solver_info, {m_constraints.size() > 0 ? &m_constraints[0] : nullptr,
                    static_cast<size_t>(m_constraints.size())});
  m_constraintSolver->prepareSolve(getNumCollisionObjects(),
                                   getDispatcher()->getNumManifolds());
  m_islandManager->buildAndProcessIslands(getDispatcher(), this,
                                          &island_solver_);
  m_constraintSolver->allSolved(solver_info, nullptr);
}

BulletWorld::BulletWorld(const PhysicsDefinition& definition)
    : configuration_(PoolsFor(definition.bodies.size())),
      dispatcher_(&configuration_),
      world_anchor_(0.0, nullptr, nullptr),
      world_(dispatcher_, broadphase_, solver_, configuration_) {
  CheckGlobals();
  // Bullet's constructor chooses among variants that it may have for the CPU.
  solver_.setConstraintRowSolverGeneric(
      solver_.getScalarConstraintRowSolverGeneric());
  solver_.setConstraintRowSolverLowerLimit(
      solver_.getScalarConstraintRowSolverLowerLimit());
  btContactSolverInfo& solver_info = world_.getSolverInfo();
  solver_info.m_numIterations = static_cast<int>(definition.solver_iterations);
  // With a threshold the solver would stop by the worst row of all islands.
  solver_info.m_leastSquaresResidualThreshold = 0.0;
  CHECK((solver_info.m_solverMode & SOLVER_RANDMIZE_ORDER) == 0);
  world_.setGravity(ToBullet(definition.gravity_m_s2));

  for (const ShapeDefinition& shape : definition.shapes) {
    shapes_.push_back(MakeBulletShape(shape));
  }
  for (const BodyDefinition& body : definition.bodies) {
    bodies_.push_back(MakeBulletBody(body, shapes_[body.shape].get()));
    world_.addRigidBody(bodies_.back().get(), static_cast<int>(body.layers),
                        static_cast<int>(body.collides_with));
  }
  const auto body_of = [&](ObjectId object) -> btRigidBody& {
    if (object == kNoObject) return world_anchor_;
    const auto found =
        std::lower_bound(definition.bodies.begin(), definition.bodies.end(),
                         object, [](const BodyDefinition& body, ObjectId id) {
                           return body.object < id;
                         });
    return *bodies_[found - definition.bodies.begin()];
  };
  for (const JointDefinition& joint : definition.joints) {
    joints_.push_back(MakeBulletJoint(joint, body_of(joint.object_a),
                                      body_of(joint.object_b)));
    world_.addConstraint(joints_.back().get(),
                         /*disableCollisionsBetweenLinkedBodies=*/true);
  }
}

BulletWorld::~BulletWorld() {
  for (; !joints_.empty(); joints_.pop_back()) {
    world_.removeConstraint(joints_.back().get());
  }
  broadphase_.pair_cache().Clear(&dispatcher_);
  // From the last to the first: so each leaves no gap behind to be closed.
  while (!bodies_.empty()) {
    world_.btCollisionWorld::removeCollisionObject(bodies_.back().get());
    bodies_.pop_back();
  }
}

void BulletWorld::Step(double substep_s) {
  if (bodies_.empty()) return;
  // With a greatest number of substeps of 0 Bullet makes exactly one, of this
  // length, and keeps no time over.
  world_.stepSimulation(substep_s, 0);
}

}  // namespace reprise::sim
