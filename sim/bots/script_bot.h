// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bots written in Lua: the script's function `decide` is called for each
// decision, with a budget. Bits of a decision follow from what the bot was
// shown, what it remembers and its random numbers, on every machine.

#ifndef REPRISE_SIM_BOTS_SCRIPT_BOT_H_
#define REPRISE_SIM_BOTS_SCRIPT_BOT_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/bot_description.h"
#include "sim/bots/bot.h"
#include "sim/script/functions/script_api.h"

namespace reprise::sim {

// Loads the scripts of a bot. `description` outlives it. INVALID_ARGUMENT with
// file and line: a mistake in a script, or one that is made while it is loaded;
// it returns no function `decide`. RESOURCE_EXHAUSTED: a budget is passed.
absl::StatusOr<std::unique_ptr<Bot>> MakeScriptBot(
    const BotDescription& description);

// The scripts of a bot where others, by the ids of their files, have taken the
// place of some.
std::vector<BotScript> WithSources(std::vector<BotScript> scripts,
                                   const std::map<Id, std::string>& sources);

// What scripts of bots may call.
std::shared_ptr<const ScriptApi> BotScriptApi();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_SCRIPT_BOT_H_
