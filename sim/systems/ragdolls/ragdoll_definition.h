// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an object of a type becomes when it goes limp, as a pack says it.

#ifndef REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_DEFINITION_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/geometry/transform.h"

namespace reprise::sim {

inline constexpr uint32_t kBonesMax = 64;  // of a ragdoll
inline constexpr uint32_t kRagdollJointsMax = 128;

struct BoneDefinition {
  Id name;                 // "walker.left_thigh": the type's and the bone's
  uint32_t archetype = 0;  // index into WorldDefinition::archetypes
  Transform place;         // in the object's space
};

struct BoneJoint {
  Id joint;  // "walker.left_knee", one of PhysicsDefinition::joint_templates
  uint32_t bone_a = 0;  // index into the bones
  uint32_t bone_b = 0;
};

// The part of a type whose objects go limp.
struct RagdollDefinition {
  static constexpr std::string_view kPart = "ragdoll";

  std::vector<BoneDefinition> bones;
  std::vector<BoneJoint> joints;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_DEFINITION_H_
