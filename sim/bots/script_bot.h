// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bots written in Lua: the script's function `decide` is called for each
// decision, with a budget. Bits of a decision follow from what the bot was
// shown, what it remembers and its random numbers, on every machine.

#ifndef REPRISE_SIM_BOTS_SCRIPT_BOT_H_
#define REPRISE_SIM_BOTS_SCRIPT_BOT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "sim/bot_description.h"
#include "sim/bots/bot.h"
#include "sim/script/script_api.h"

namespace reprise::sim {

// Loads the scripts of a bot. `description` outlives it. INVALID_ARGUMENT with
// file and line: a mistake in a script, or one that is made while it is loaded;
// it returns no function `decide`. RESOURCE_EXHAUSTED: a budget is passed.
absl::StatusOr<std::unique_ptr<Bot>> MakeScriptBot(
    const BotDescription& description);

// What scripts of bots may call.
std::shared_ptr<const ScriptApi> BotScriptApi();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_SCRIPT_BOT_H_
