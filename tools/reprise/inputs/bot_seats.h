// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which bots play which players in `reprise run`, as --bots and --bot say.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_BOT_SEATS_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_BOT_SEATS_H_

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "sim/bots/bot_players.h"
#include "sim/simulation.h"

namespace reprise::tools {

// Reads "PLAYER:NAME". INVALID_ARGUMENT for any other form.
absl::StatusOr<sim::BotChoice> ParseBotChoice(std::string_view text);

// The players that `source` gives a frame of, at any tick. Reads it to its end.
// REQUIRES: it has one.
absl::StatusOr<std::set<uint32_t>> PlayersOf(replays::InputSource& source);

// The bot that no pack declares: a search for a way to --goal.
inline constexpr std::string_view kTowardsBot = "towards";

struct BotFlags {
  bool all = false;                // --bots
  std::vector<std::string> named;  // --bot
  bool is_set() const { return all || !named.empty(); }
};

// The players whom `flags` gives to kTowardsBot. INVALID_ARGUMENT: other bots
// are to play beside it, or a choice is none.
absl::StatusOr<std::vector<uint32_t>> PlayersTowards(const BotFlags& flags);

// Seats the bots that were named and, with `all`, those of the pack at what is
// left of the players. `taken` are played by inputs that the person named
// `taken_by`. INVALID_ARGUMENT: as BotPlayers::Create; a bot is named for a
// player who is taken; there is nobody to seat.
absl::StatusOr<std::unique_ptr<sim::BotPlayers>> SeatBots(
    const sim::Simulation& simulation, const BotFlags& flags,
    const std::set<uint32_t>& taken, std::string_view taken_by);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_BOT_SEATS_H_
