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
#include "sim/physics/solver/constraint.h"
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
             std::span<const BodyVelocity> displacements,
             std::span<BodyVelocity> pushes);
  bool is_pushed() const { return is_pushed_; }
  void Relax(Order order, std::span<BodyVelocity> velocities,
             std::span<const BodyVelocity> displacements);

  // After the last part: has what has met bounce, once.
  void Bounce(std::span<BodyVelocity> velocities,
              std::span<const BodyVelocity> displacements);

  // Gives points the impulses with which the next step begins, and those that
  // they had in this one (StepImpulse).
  void WriteBack() const;

 private:
  struct Pressure {
    Direction direction;
    double effective_mass = 0.0;
    double distance_m = 0.0;   // at the beginning of the step
    double impulse = 0.0;      // of a part
    double impulse_sum = 0.0;  // of all parts that were
  };
  // Against sliding in any direction across the normal, and against turning
  // around it. Impulses are of a part.
  struct Rubbing {
    std::array<Direction, 2> across;
    std::array<double, 2> across_masses = {};
    Direction around;
    double around_mass = 0.0;
    ManifoldFriction impulses;
    double friction = 0.0;
    // What turns: the bound on its impulse by the pressure, m.
    double spin_lever_m = 0.0;
  };
  // Against rolling.
  struct Rolling {
    std::array<Direction, 2> axes;
    std::array<double, 2> masses = {};
    std::array<double, 2> impulses = {};
    double lever_m = 0.0;
  };
  // Whether a manifold has pressed yet, in this step or the one before.
  enum class Meeting : uint8_t { kBefore, kBehind };
  // A manifold's share of the points.
  struct Group {
    BodyPair pair;
    uint32_t begin = 0;
    uint32_t end = 0;
    int32_t rolling = -1;  // below 0: rolls freely
    Meeting meeting = Meeting::kBefore;
    bool is_deep = false;
  };
  struct Bouncing {
    uint32_t point = 0;
    uint32_t group = 0;
    // Of its speed where it meets the surface, after the bounce.
    double speed_squared = 0.0;
    double acceleration = 0.0;  // along the normal, m/s^2
    double impulse = 0.0;
  };

  void AddManifold(btPersistentManifold& manifold, double step_s,
                   const StepParts& parts, SolverBodies& bodies);
  // Whether a point overlaps by more than a spring would.
  bool IsDeep(const Pressure& p, const SolverBodyPair& pair) const;
  void AddPoint(btManifoldPoint& point, double step_s, const StepParts& parts,
                const SolverBodyPair& pair);
  void AddRubbing(const SolverBodyPair& pair, Group& group);

  std::span<Pressure> PressuresOf(const Group& group) {
    return std::span(pressures_).subspan(group.begin, group.end - group.begin);
  }
  double PressureOf(const Group& group) const;
  std::span<btManifoldPoint* const> PointsOf(const Group& group) const {
    return std::span(points_).subspan(group.begin, group.end - group.begin);
  }
  void Press(Order order, const Group& group, const LaneVelocity& moved,
             LaneVelocity& velocity);
  // Without springs.
  void Stop(Order order, const Group& group, const LaneVelocity& moved,
            LaneVelocity& velocity);
  void Push(Order order, const Group& group, const LaneVelocity& moved,
            const LaneVelocity& velocity, std::span<BodyVelocity> pushes);
  // Sums up, and tells what the next part begins with.
  void EndPart();
  void SolveRubbing(const Group& group, Rubbing& rubbing, double pressure,
                    LaneVelocity& velocity);
  void SolveAcross(const Group& group, double pressure, LaneVelocity& velocity);

  double part_s_ = 0.0;
  double part_count_ = 0.0;
  Softness softness_;
  std::vector<Group> groups_;
  std::vector<Rubbing> rubbings_;      // by group
  std::vector<ManifoldFrame> frames_;  // as above
  std::vector<Rolling> rollings_;
  std::vector<Pressure> pressures_;
  std::vector<btManifoldPoint*> points_;  // as above
  std::vector<Bouncing> bouncing_;
  bool is_pushed_ = false;       // whether any group is deep
  std::vector<double> pushing_;  // impulses of pushes in a part, by point
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_CONTACT_CONSTRAINTS_H_
