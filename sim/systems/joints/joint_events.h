// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Joints as events: those that break are told to both objects, and objects
// understand how their motors are to run.

#ifndef REPRISE_SIM_SYSTEMS_JOINTS_JOINT_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_JOINTS_JOINT_EVENTS_H_

#include <cstdint>

#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Tells the objects of the joints that broke in the last step: object_a first,
// in the order of joints.
void TellBrokenJoints(const WorldParts& parts);

// Changes motors of the object of a row as a `joint_motor` event says. Returns
// whether it has such motors and the numbers can be.
bool HearJointMotor(const WorldParts& parts, uint32_t row,
                    const WorldEvent& event);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_JOINTS_JOINT_EVENTS_H_
