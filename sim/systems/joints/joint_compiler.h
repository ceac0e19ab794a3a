// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what holds the bodies of a pack together.

#ifndef REPRISE_SIM_SYSTEMS_JOINTS_JOINT_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_JOINTS_JOINT_COMPILER_H_

#include "reprise/v1/joint.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/geometry/transform.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// What of a joint doesn't depend on whom it joins: its kind, its frames and
// when it breaks. The bodies stand at `place_a` and `place_b` (null: the world)
// in the space in which the joint is given. `checker` is the joint's own.
JointDefinition CompileJointParts(const v1::Joint& joint,
                                  const MessageChecker& checker,
                                  const Transform& place_a,
                                  const Transform* place_b);

// Adds the joints of `pack` to `world`, whose objects are there already.
// `checker` is the pack's own.
void CompileJoints(const v1::Pack& pack, const MessageChecker& checker,
                   WorldDefinition& world);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_JOINTS_JOINT_COMPILER_H_
