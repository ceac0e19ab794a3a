// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What contact points ask of bodies: not to approach, to rub against each
// other, to roll and spin less. One constraint each for pressure and friction
// and three for rolling, those of a manifold together.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_CONTACT_CONSTRAINTS_H_
#define REPRISE_SIM_PHYSICS_SOLVER_CONTACT_CONSTRAINTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "BulletDynamics/ConstraintSolver/btContactSolverInfo.h"
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/solver_bodies.h"

namespace reprise::sim {

class ContactConstraints {
 public:
  // Forgets what there is and takes the points of `manifolds`, with the
  // impulses of the step before. The points live until WriteBack.
  void Reset(std::span<btPersistentManifold* const> manifolds,
             const btContactSolverInfo& info, SolverBodies& bodies);

  // Make one iteration: all pressures, then all friction, then all rolling; or
  // of what takes bodies out of each other. Return whether anything changed.
  bool Solve(std::span<VelocityChange> changes);
  bool SolvePushes(std::span<VelocityChange> pushes);

  bool has_pushes() const { return !pushes_.empty(); }

  // Gives points their impulses.
  void WriteBack() const;

 private:
  // A manifold's share of the arrays below.
  struct Group {
    BodyPair pair;
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  struct Friction {
    Constraint constraint;
    double coefficient = 0.0;
    double impulse = 0.0;
  };
  struct Rolling {
    Constraint constraint;
    double coefficient = 0.0;
    double impulse = 0.0;
    uint32_t point = 0;
  };
  struct Push {
    double target = 0.0;
    double impulse = 0.0;
    uint32_t point = 0;
    uint32_t group = 0;
  };

  void AddManifold(btPersistentManifold& manifold,
                   const btContactSolverInfo& info, SolverBodies& bodies);
  void AddPoint(btManifoldPoint& point, const LaneVector3& arms,
                const SolverBodyPair& pair, const btContactSolverInfo& info);
  void AddRolling(const btManifoldPoint& point, const SolverBodyPair& pair);

  bool SolvePressure(std::span<VelocityChange> changes);
  bool SolveFriction(std::span<VelocityChange> changes);
  bool SolveRolling(std::span<VelocityChange> changes);

  std::vector<Group> groups_;
  // By point.
  std::vector<btManifoldPoint*> points_;
  std::vector<Constraint> pressures_;
  std::vector<double> impulses_;
  std::vector<Friction> frictions_;
  // Of the points that have any.
  std::vector<Group> rolling_groups_;
  std::vector<Rolling> rolling_;
  std::vector<Push> pushes_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_CONTACT_CONSTRAINTS_H_
