// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a solver is given and what it changes that lasts, so that two solvers
// can have the same task; and a world of Bullet's that gives them its tasks.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_SOLVER_TRIAL_H_
#define REPRISE_SIM_PHYSICS_SOLVER_SOLVER_TRIAL_H_

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "BulletDynamics/ConstraintSolver/btConstraintSolver.h"
#include "BulletDynamics/ConstraintSolver/btContactSolverInfo.h"
#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "sim/physics/bodies/body_rows.h"
#include "sim/physics/bodies/bullet_joints.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_parts.h"

namespace reprise::sim {

struct SolverTask {
  std::span<btCollisionObject*> bodies;
  std::span<btPersistentManifold*> manifolds;
  std::span<btTypedConstraint*> joints;
  const btContactSolverInfo& info;

  void Give(btConstraintSolver& solver) const {
    solver.solveGroup(bodies.data(), static_cast<int>(bodies.size()),
                      manifolds.data(), static_cast<int>(manifolds.size()),
                      joints.data(), static_cast<int>(joints.size()), info,
                      nullptr, nullptr);
  }
};

// What solvers change of a task's bodies, points and joints. Bullet also leaves
// directions of friction in points, which nothing reads.
class SolverState {
 public:
  void Save(const SolverTask& task) {
    numbers_.clear();
    Visit(task, [this](double& value) { numbers_.push_back(value); });
  }

  void Restore(const SolverTask& task) const {
    size_t next = 0;
    Visit(task, [&](double& value) { value = numbers_[next++]; });
  }

  // Compares bits. Returns how many numbers are others.
  uint32_t CountDifferences(const SolverState& other) const {
    uint32_t count = numbers_.size() == other.numbers_.size() ? 0 : 1;
    for (size_t i = 0; i < numbers_.size() && i < other.numbers_.size(); ++i) {
      if (std::bit_cast<uint64_t>(numbers_[i]) !=
          std::bit_cast<uint64_t>(other.numbers_[i])) {
        ++count;
      }
    }
    return count;
  }

 private:
  template <typename Visitor>
  static void VisitVector(btVector3& v, const Visitor& visit) {
    for (int i = 0; i < 3; ++i) visit(v[i]);
  }

  template <typename Visitor>
  static void VisitBody(btRigidBody& body, const Visitor& visit) {
    btVector3 linear = body.getLinearVelocity();
    btVector3 angular = body.getAngularVelocity();
    btTransform pose = body.getWorldTransform();
    VisitVector(linear, visit);
    VisitVector(angular, visit);
    VisitVector(pose.getOrigin(), visit);
    for (int i = 0; i < 3; ++i) VisitVector(pose.getBasis()[i], visit);
    body.setLinearVelocity(linear);
    body.setAngularVelocity(angular);
    body.setWorldTransform(pose);
  }

  template <typename Visitor>
  static void Visit(const SolverTask& task, const Visitor& visit) {
    for (btCollisionObject* body : task.bodies) {
      VisitBody(*btRigidBody::upcast(body), visit);
    }
    for (btPersistentManifold* manifold : task.manifolds) {
      for (int i = 0; i < manifold->getNumContacts(); ++i) {
        btManifoldPoint& point = manifold->getContactPoint(i);
        visit(point.m_appliedImpulse);
        visit(point.m_appliedImpulseLateral1);
      }
    }
    for (btTypedConstraint* joint : task.joints) {
      double impulse = joint->internalGetAppliedImpulse();
      double is_enabled = joint->isEnabled() ? 1.0 : 0.0;
      visit(impulse);
      visit(is_enabled);
      joint->internalSetAppliedImpulse(impulse);
      joint->setEnabled(is_enabled != 0.0);
    }
  }

  std::vector<double> numbers_;
};

// A definition without surfaces, whose objects are numbered from 1 and all have
// a body, stepped by Bullet's own world with a solver that is given, which
// outlives it.
class TrialWorld {
 public:
  TrialWorld(const PhysicsDefinition& definition, btConstraintSolver& solver)
      : tick_s_(definition.tick_s),
        world_(&dispatcher_, &broadphase_, &solver, &configuration_) {
    world_.setGravity(ToBullet(definition.gravity_m_s2));
    for (const ShapeDefinition& shape : definition.shapes) {
      shapes_.push_back(MakeBulletShape(shape));
    }
    for (const BodyPlacement& body : definition.bodies) {
      const BodyKind& kind = definition.kinds[body.kind];
      bodies_.push_back(MakeBulletBody(kind, shapes_[kind.shape].get()));
      WriteBody(InitialRow(body, kind), *bodies_.back());
      world_.addRigidBody(bodies_.back().get());
    }
    for (const JointDefinition& joint : definition.joints) {
      joints_.push_back(MakeBulletJoint(joint,
                                        *bodies_[joint.object_a.serial - 1],
                                        *bodies_[joint.object_b.serial - 1]));
      world_.addConstraint(joints_.back().get(), true);
    }
  }

  ~TrialWorld() {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  TrialWorld(const TrialWorld&) = delete;
  TrialWorld& operator=(const TrialWorld&) = delete;

  btRigidBody& last_body() { return *bodies_.back(); }

  void Step() { world_.stepSimulation(tick_s_, 0); }

 private:
  const double tick_s_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  std::vector<BulletShape> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  btDiscreteDynamicsWorld world_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_SOLVER_TRIAL_H_
