// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the functions that a bot's script calls work on.

#ifndef REPRISE_SIM_BOTS_SCRIPT_TURN_H_
#define REPRISE_SIM_BOTS_SCRIPT_TURN_H_

#include "sim/bot_description.h"
#include "sim/bots/bot.h"
#include "sim/bots/bot_memory.h"

namespace reprise::sim {

struct ScriptTurn {
  BotTurn& turn;
  BotMemory& memory;
  const BotDescription& description;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_SCRIPT_TURN_H_
