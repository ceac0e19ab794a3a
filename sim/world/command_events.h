// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Commands as the events that they become.

#ifndef REPRISE_SIM_WORLD_COMMAND_EVENTS_H_
#define REPRISE_SIM_WORLD_COMMAND_EVENTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sim/input/action_argument.h"
#include "sim/input/input_frame.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// The arguments of the event that an argument of a command fills: its name; of
// a vector or rotation `at_x`, `at_y` and so on; of a list `path_count`, and
// `path_0`, `path_1` for the values that are given.
std::vector<std::string> EventNamesOf(const ActionArgument& argument);

// The event of a command that `player` gives: `player`, and the arguments. The
// name of an object becomes its handle, null where it isn't there; names and
// texts are kept (InputTexts). -0 comes as 0, as it is equal in a frame.
// REQUIRES: the command is valid.
WorldEvent EventOfCommand(const WorldParts& parts, uint32_t player,
                          const Command& command);

// The event of the action `name` by which `player` enters `text`: `player` and
// `text`.
WorldEvent EventOfText(const WorldParts& parts, uint32_t player, Id name,
                       const std::string& text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMMAND_EVENTS_H_
