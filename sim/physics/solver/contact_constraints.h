// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What contact points ask of bodies: not to approach, to rub against each
// other, to roll and spin less, and to bounce. Each point presses for itself;
// a manifold rubs, rolls and spins in its middle.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_CONTACT_CONSTRAINTS_H_
#define REPRISE_SIM_PHYSICS_SOLVER_CONTACT_CONSTRAINTS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "BulletCollision/NarrowPhaseCollision/btPersistentManifold.h"
#include "sim/physics/solver/batch_places.h"
#include "sim/physics/solver/constraint.h"
#include "sim/physics/solver/contact_batch.h"
#include "sim/physics/solver/point_friction.h"
#include "sim/physics/solver/softness.h"
#include "sim/physics/solver/solver_bodies.h"

namespace reprise::sim {

// Slower than this, in m/s, nothing bounces.
inline constexpr double kBounceSpeedMin = 0.2;

// What a point has borne in the last step, N s, bounces included: 0 until it
// was solved. Bullet's name for the place is of something that isn't used.
inline double StepImpulse(const btManifoldPoint& point) {
  return point.m_appliedImpulseLateral1;
}

class ContactConstraints {
 public:
  ContactConstraints() : width_(WidestVectors()) {}

  // Forgets what there is and takes the points of `manifolds`, with their
  // impulses of the step before. The points live until WriteBack.
  void Reset(std::span<btPersistentManifold* const> manifolds, double step_s,
             const StepParts& parts, SolverBodies& bodies);

  // A part of a step: gives the impulses of the part before, solves with
  // springs where bodies overlap; once they have moved, without.
  void WarmStart(std::span<BodyVelocity> velocities) const;
  // What overlaps too deeply for a spring is solved without, and pushed apart
  // by velocities of its own (`pushes`, 0 before), which nothing keeps.
  void Solve(Order order, std::span<BodyVelocity> velocities,
             std::span<BodyVelocity> pushes);
  bool is_pushed() const { return is_pushed_; }
  void Relax(Order order, std::span<BodyVelocity> velocities,
             std::span<const BodyVelocity> displacements);

  // After the last part: has what has met bounce, once.
  void Bounce(std::span<BodyVelocity> velocities);

  // Gives points the impulses with which the next step begins, and those that
  // they had in this one (StepImpulse).
  void WriteBack() const;

 private:
  // A point of the manifold that is being taken.
  struct Pressure {
    Direction direction;
    double effective_mass = 0.0;
    double distance_m = 0.0;  // at the beginning of the step
    double impulse = 0.0;     // of a part
  };
  // What that rubs, rolls and spins with.
  struct Rubbing {
    std::array<Direction, 2> across;
    std::array<double, 2> across_masses = {};
    Direction around;
    double around_mass = 0.0;
    ManifoldFriction impulses;
    double friction = 0.0;
    double spin_lever_m = 0.0;
    double rolling_lever_m = 0.0;
    std::array<Direction, 2> axes;
    std::array<double, 2> axis_masses = {};
  };
  // A manifold: its points and where it is solved.
  struct Group {
    uint32_t begin = 0;
    uint32_t end = 0;
    BatchPlace place;
  };
  struct Bouncing {
    uint32_t point = 0;
    uint32_t group = 0;
    int island = 0;
    // Of its speed where it meets the surface, after the bounce.
    double speed_squared = 0.0;
    double acceleration = 0.0;  // along the normal, m/s^2
    double impulse = 0.0;
    // What isn't looked up anew in every round.
    Direction direction;
    double effective_mass = 0.0;
    BodyPair pair;
  };

  void AddManifold(btPersistentManifold& manifold, double step_s,
                   const StepParts& parts, SolverBodies& bodies);
  // Whether a point overlaps by more than a spring would.
  bool IsDeep(const Pressure& p, const SolverBodyPair& pair) const;
  Pressure PressureOf(const btManifoldPoint& point, const StepParts& parts,
                      const SolverBodyPair& pair) const;
  void AddBouncing(const btManifoldPoint& point, const Pressure& pressure,
                   double step_s, const SolverBodyPair& pair);
  Rubbing RubbingOf(const SolverBodyPair& pair,
                    std::span<btManifoldPoint* const> points,
                    double pressure_sum);
  // Writes a manifold where it is solved.
  void Place(const SolverBodyPair& pair, std::span<const Pressure> pressures,
             const Rubbing& rubbing, bool is_before, BatchPlace place);

  QuadPressure& PressureAt(const Group& group, uint32_t point) {
    return contacts_
        .pressures[contacts_.batches[group.place.batch].pressures_begin +
                   point - group.begin];
  }
  std::span<btManifoldPoint* const> PointsOf(const Group& group) const {
    return std::span(points_).subspan(group.begin, group.end - group.begin);
  }
  ContactRounds RoundsOf(std::span<BodyVelocity> velocities) const {
    return {.part_s = part_s_, .softness = softness_, .velocities = velocities};
  }
  // Has points of an island bounce.
  void BounceTogether(std::span<Bouncing> island,
                      std::span<BodyVelocity> velocities);
  // Has a manifold that bounced by `pressure` rub.
  void RubBounced(const Group& group, double pressure,
                  std::span<BodyVelocity> velocities);

  VectorWidth width_;
  double part_s_ = 0.0;
  double part_count_ = 0.0;
  Softness softness_;
  BatchPlaces places_;
  ContactBatches contacts_;
  std::vector<Group> groups_;
  std::vector<ManifoldFrame> frames_;     // by group
  std::vector<btManifoldPoint*> points_;  // group by group
  std::vector<Bouncing> bouncing_;
  int island_ = 0;          // of the manifold that is being added
  bool is_pushed_ = false;  // whether any group is deep
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_CONTACT_CONSTRAINTS_H_
