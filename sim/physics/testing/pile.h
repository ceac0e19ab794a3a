// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Piles of mixed bodies in a pen: the scene that physics is tested and measured
// on. A pile is a function of its settings.

#ifndef REPRISE_SIM_PHYSICS_TESTING_PILE_H_
#define REPRISE_SIM_PHYSICS_TESTING_PILE_H_

#include <cstdint>

#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

struct PileSettings {
  // Boxes, spheres, capsules, cylinders and compounds in turn.
  uint32_t body_count = 300;
  uint64_t seed = 1;
  // Every seventh body hangs on the one before it: by a hinge with a motor,
  // then by a cone-twist joint, and so on.
  bool has_joints = true;
  // How much higher each body starts than the one before it.
  double rise_m = 0.12;
};

// A floor and four walls (objects 1 to 5), and the bodies above it (objects 6
// and up), turned and spinning at random.
PhysicsDefinition MakePile(const PileSettings& settings);

// Objects of a pile that don't belong to its bodies.
inline constexpr uint32_t kPenBodies = 5;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_TESTING_PILE_H_
