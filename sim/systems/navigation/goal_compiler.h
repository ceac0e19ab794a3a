// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles sets of goals, of which navigators go to the nearest.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_GOAL_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_GOAL_COMPILER_H_

#include <optional>

#include "reprise/v1/navigation.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/systems/navigation/navigation_definition.h"

namespace reprise::sim {

// The goals of a set, without its name. What is wrong is reported, at
// `checker`, the message's own: none or too many, one that isn't on the
// space or in a wall of it, and one that is another one, too; then nothing is
// returned. REQUIRES: `space`, the index of which is `index`, is whole; of a
// mesh with polygons.
std::optional<GoalSetDefinition> CompileGoals(const v1::GoalSet& message,
                                              const MessageChecker& checker,
                                              const SpaceDefinition& space,
                                              uint32_t index);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_GOAL_COMPILER_H_
