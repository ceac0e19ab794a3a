// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Joints as events: those that break are told to both objects, and objects
// understand how their motors are to run. What joints do to bodies is physics.

#ifndef REPRISE_SIM_SYSTEMS_JOINTS_JOINT_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_JOINTS_JOINT_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/world_event.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

const SystemDeclaration& JointsDeclaration();

// Of a pack with joints; they stand in its PhysicsDefinition.
class JointsDefinition final : public SystemDefinition {
 public:
  static constexpr std::string_view kSystem = "joints";

  const SystemDeclaration& declaration() const override {
    return JointsDeclaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
};

class Joints final : public System {
 public:
  static constexpr std::string_view kSystem = JointsDefinition::kSystem;

  explicit Joints(const SystemPlace& place) : System(place) {}

  // Tells the objects of the joints that broke in the last physics step:
  // object_a first, in the order of joints.
  void Run(uint32_t step) override;

  // Has `joint_motor` change motors of an active object. Handled where it has
  // such motors and the numbers can be.
  bool OnEvent(uint32_t row, const WorldEvent& event) override;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_JOINTS_JOINT_SYSTEM_H_
