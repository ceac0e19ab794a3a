// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of joints, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_JOINTS_JOINT_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_JOINTS_JOINT_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kJointEvents = std::to_array<EventDeclaration>({
    {.name = "joint_broken",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "an overload broke a joint that held it",
     .arguments = {{{"joint"}}}},
    {.name = "joint_motor",
     .sender = kByPack,
     .receiver = "an object with motors",
     .when =
         "motors of joints that hold it are to run so: of this joint, or of "
         "all; target in rad/s, m/s, rad or m",
     .arguments = {{{"joint", ScalarType::kId, "", true},
                    {"target", ScalarType::kDouble, "", true},
                    {"impulse_max", ScalarType::kDouble, "N s", true}}}},
});

inline constexpr Id kJointBroken = EventIdIn(kJointEvents, "joint_broken");
inline constexpr Id kJointMotor = EventIdIn(kJointEvents, "joint_motor");
inline constexpr Id kImpulseMax = WordIdIn(kJointEvents, "impulse_max");
inline constexpr Id kJoint = WordIdIn(kJointEvents, "joint");
inline constexpr Id kTarget = WordIdIn(kJointEvents, "target");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_JOINTS_JOINT_EVENTS_H_
