// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where an upright capsule comes to that moves among bodies: along walls, up
// slopes and steps, down to the ground, out of what came into it. It keeps
// kCharacterSkinM from everything, and closer than that it counts as touching.

#ifndef REPRISE_SIM_PHYSICS_CHARACTERS_CAPSULE_MOTION_H_
#define REPRISE_SIM_PHYSICS_CHARACTERS_CAPSULE_MOTION_H_

#include <optional>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/characters/character_definition.h"
#include "sim/physics/queries/physics_queries.h"

namespace reprise::sim {

// Something on the way.
struct Obstacle {
  double free_m = 0.0;  // how far the capsule can go
  ObjectId object;
  Vector3 point;
  Vector3 normal;
};

struct CapsuleSlide {
  Vector3 position;
  std::vector<Obstacle> touched;
};

// For the time of a tick. All positions are of the capsule's centre.
class CapsuleMotion {
 public:
  // `definition` and `queries` outlive this; the filter leaves the capsule's
  // own body out.
  CapsuleMotion(const CharacterDefinition& definition,
                const PhysicsQueries& queries, const QueryFilter& filter)
      : definition_(definition), queries_(queries), filter_(filter) {}

  // The first thing on the way that leaves less than all of it free.
  // `ignored_too` is an object that isn't in the way.
  std::optional<Obstacle> FindObstacle(Vector3 from, Vector3 motion,
                                       ObjectId ignored_too = kNoObject) const;

  // Goes as far as it can, and no farther than the first obstacle.
  Vector3 Sweep(Vector3 from, Vector3 motion, ObjectId ignored_too) const;

  // Moves on the ground: walls turn it aside, slopes that it can stand on and
  // steps lift it without slowing it down, steeper slopes are walls.
  CapsuleSlide Walk(Vector3 from, Vector3 motion) const;

  // Moves through the air: everything turns it aside, and nothing steep lifts
  // it by how fast it comes.
  CapsuleSlide Fly(Vector3 from, Vector3 motion) const;

  // What it can stand on within `depth_m` below its foot.
  std::optional<Obstacle> FindGround(Vector3 from, double depth_m) const;

  // Leaves what it overlaps, the shortest way, up to its own radius and never
  // through something else; what can't be left is stayed in.
  Vector3 Recover(Vector3 from) const;

  // The part of a velocity that the obstacles leave.
  Vector3 Clip(Vector3 velocity, const std::vector<Obstacle>& touched) const;

 private:
  bool IsWalkable(Vector3 normal) const;
  // Whether it can stand on an obstacle with its foot at a height: a walkable
  // slope, or the edge of one that isn't higher than a step.
  bool CanStandOn(const Obstacle& obstacle, double foot_m) const;
  double FootOf(Vector3 position) const;
  PlacedSolid At(Vector3 position) const;

  // Slides along what is in its way, a bounded number of times. At each
  // obstacle turn(obstacle, result, left) may change what is left of the way;
  // it returns the normal of what may not be entered from then on, or nullopt
  // to end.
  template <typename Turn>
  CapsuleSlide Slide(Vector3 from, Vector3 motion, const Turn& turn) const;

  // `v` without what would lift it on a slope too steep to stand on.
  Vector3 OffSteepSlope(Vector3 v, const Obstacle& obstacle) const;

  // Where it comes to on the step that is on the way; nullopt when there is
  // none.
  std::optional<Vector3> ClimbStep(Vector3 from, Vector3 motion) const;

  const CharacterDefinition& definition_;
  const PhysicsQueries& queries_;
  QueryFilter filter_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CHARACTERS_CAPSULE_MOTION_H_
