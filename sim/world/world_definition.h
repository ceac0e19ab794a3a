// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A pack as the world needs it: flat tables, made once when the pack is
// compiled and never changed. Worlds of one pack share it.

#ifndef REPRISE_SIM_WORLD_WORLD_DEFINITION_H_
#define REPRISE_SIM_WORLD_WORLD_DEFINITION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/physics_definition.h"
#include "sim/simulation.h"

namespace reprise::sim {

struct ObjectDefinition {
  ObjectId object;
  std::string name;
  Id name_id;
  std::string type;
  Id type_id;
  // Where it stays when it has no body.
  Vector3 position;
  Quaternion rotation;
};

// Pushes a dynamic body the way a player holds the stick.
struct RollerDefinition {
  ObjectId object;
  uint32_t player = 0;
  uint32_t axis_x = 0;  // of the device
  uint32_t axis_z = 0;
  double force_n = 0.0;  // at full deflection
  std::optional<uint32_t> jump_button;
  double jump_impulse_ns = 0.0;
};

// Decides the outcome when a roller comes in.
struct DecisionDefinition {
  ObjectId trigger;
  Outcome::Status outcome = Outcome::Status::kWon;
  std::string reason;
};

struct WorldDefinition {
  SimulationInfo info;
  // Every name that an id in the state may stand for.
  NameTable names;
  // All in object order.
  std::vector<ObjectDefinition> objects;
  std::vector<RollerDefinition> rollers;
  std::vector<DecisionDefinition> decisions;
  PhysicsDefinition physics;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_WORLD_DEFINITION_H_
