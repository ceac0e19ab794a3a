// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A joint as lines: from bodies to anchors, its axes, how far it may go.

#ifndef REPRISE_SIM_WORLD_JOINT_OUTLINE_H_
#define REPRISE_SIM_WORLD_JOINT_OUTLINE_H_

#include <vector>

#include "sim/base/object_id.h"
#include "sim/debug_frame.h"
#include "sim/physics/definition/joint_definition.h"

namespace reprise::sim {

// Of a joint between two objects, of which `object_b` may be the world. Limits
// stand in the frame of object_b, and the direction in that of object_a that
// has to stay within them.
std::vector<DebugLine> JointOutline(const JointDefinition& joint,
                                    ObjectId object_a, ObjectId object_b);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_JOINT_OUTLINE_H_
