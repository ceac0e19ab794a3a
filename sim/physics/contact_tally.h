// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What bodies did to each other during a tick, added up over its substeps.
// Made anew by each tick, from what the tick computes: it is no state.

#ifndef REPRISE_SIM_PHYSICS_CONTACT_TALLY_H_
#define REPRISE_SIM_PHYSICS_CONTACT_TALLY_H_

#include <span>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

class BulletWorld;

struct BodyContact {
  ObjectId object_a;  // object_a < object_b
  ObjectId object_b;
  double impulse_n_s = 0.0;  // the sum over points and substeps, along normals
  // The point with the largest impulse in one substep; without any, the
  // deepest.
  double point_impulse_n_s = 0.0;
  double point_distance_m = 0.0;
  Vector3 point;   // in the world, on object_b
  Vector3 normal;  // out of object_b, of length 1
};

// Keeps its memory from tick to tick, and nothing else.
class ContactTally {
 public:
  // Begins a tick.
  void Clear() { contacts_.clear(); }

  // Adds the substep just made: each pair of bodies, triggers aside, that
  // touched or pushed each other in it, on their way, too. Two that sleep touch
  // as they fell asleep, without an impulse.
  void AddSubstep(BulletWorld& bullet);

  // In ascending order of (object_a, object_b), each pair once.
  std::span<const BodyContact> contacts() const { return contacts_; }

 private:
  void Collect(BulletWorld& bullet);
  void CollectImpacts(const BulletWorld& bullet);
  void Merge();

  std::vector<BodyContact> contacts_;
  std::vector<BodyContact> substep_;
  std::vector<BodyContact> merged_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTACT_TALLY_H_
