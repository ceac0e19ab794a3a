// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what of joints doesn't depend on whom they join.

#ifndef REPRISE_SIM_SYSTEMS_JOINTS_JOINT_PARTS_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_JOINTS_JOINT_PARTS_COMPILER_H_

#include "reprise/v1/joint.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/geometry/transform.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// The kind of a joint, its frames and when it breaks. The bodies stand at
// `place_a` and `place_b` (null: the world) in the space in which the joint is
// given. `checker` is the joint's own.
JointDefinition CompileJointParts(const v1::Joint& joint,
                                  const MessageChecker& checker,
                                  const Transform& place_a,
                                  const Transform* place_b);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_JOINTS_JOINT_PARTS_COMPILER_H_
