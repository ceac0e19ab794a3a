// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The bots that play in one run: each has a seat, decides at its rate, and its
// frames are inputs like a person's. The same pack, seed, seats and inputs of
// others give the same frames. What bots remember lasts as long as this.

#ifndef REPRISE_SIM_BOTS_BOT_PLAYERS_H_
#define REPRISE_SIM_BOTS_BOT_PLAYERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/digest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/bots/bot.h"
#include "sim/bots/player_actions.h"
#include "sim/bots/player_view.h"
#include "sim/bots/view_rules.h"
#include "sim/event.h"
#include "sim/game_description.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Who plays a player: a bot of the pack, or else a native one of the program.
struct BotChoice {
  uint32_t player = 0;
  std::string name;

  friend bool operator==(const BotChoice&, const BotChoice&) = default;
};

// Those of a pack that aren't in reserve, each for every player that it may
// play, ascending by player.
std::vector<BotChoice> AllBots(const Simulation& simulation);

// What a bot tells of itself, or what is told of it: never state.
struct BotLogEntry {
  Tick tick = 0;
  uint32_t player = 0;
  std::string bot;
  bool is_error = false;  // the decision at this tick came to nothing
  std::string text;

  friend bool operator==(const BotLogEntry&, const BotLogEntry&) = default;
};

// "tick 12, player 0, bot racer: bots/racer.lua:7: ...".
std::string FormatBotLogEntry(const BotLogEntry& entry);

// What a bot that decides seldom is told of at once; of more the oldest are
// forgotten.
inline constexpr size_t kBotEventsMax = 4096;

class BotPlayers {
 public:
  // INVALID_ARGUMENT: there is no such player or bot, the bot may not play the
  // player, two are to play one, or a script can't be loaded (file and line).
  static absl::StatusOr<std::unique_ptr<BotPlayers>> Create(
      const Simulation& simulation, std::span<const BotChoice> choices);

  BotPlayers(const BotPlayers&) = delete;
  BotPlayers& operator=(const BotPlayers&) = delete;

  std::span<const BotChoice> choices() const { return choices_; }
  bool Plays(uint32_t player) const;

  // Tells the bots what happened in the last tick, as Simulation::DrainEvents
  // gives it.
  void Hear(std::span<const Event> events);

  // What the bots do at the tick that comes: valid frames, ascending by player,
  // and none of a player who goes on as before. The first decision of each
  // gives the whole device, whatever was held until then. Where the state has
  // other sources of scripts than the pack (script_reload), bots run those.
  // REQUIRES: `simulation` is of the pack that this was made for.
  std::vector<InputFrame> Decide(const Simulation& simulation);

  // What was told since the last call, oldest first.
  std::vector<BotLogEntry> DrainLog();
  // Counts what the scripts of bots do from now on, as Bot::CountScripts.
  void CountScripts();
  std::vector<const ScriptMachine*> counting_machines() const;

  uint64_t decision_count() const { return decision_count_; }
  uint64_t error_count() const { return error_count_; }

 private:
  struct Seat {
    BotDescription description;
    std::unique_ptr<Bot> bot;
    PlayerView view;
    PlayerActions actions;
    RandomStream random;
    DeviceState held;
    bool has_given = false;  // a frame
    std::vector<Event> unheard;
    std::vector<std::string> notes;
  };

  BotPlayers(InputGrammar inputs, ViewRules rules)
      : inputs_(std::move(inputs)), rules_(std::move(rules)) {}

  absl::Status Add(const Simulation& simulation, const BotChoice& choice);
  void FindSources(const Simulation& simulation);
  // Has bots run what the state says.
  void FollowSources(const Simulation& simulation);
  void TakeScripts(const Simulation& simulation,
                   const std::map<Id, std::string>& sources, Seat& seat);
  void Tell(const Simulation& simulation, const Seat& seat, bool is_error,
            std::string text);
  void DecideOne(const Simulation& simulation, Seat& seat,
                 std::vector<InputFrame>& frames);

  InputGrammar inputs_;
  ViewRules rules_;
  std::vector<BotChoice> choices_;            // ascending by player
  std::vector<std::unique_ptr<Seat>> seats_;  // of each
  std::vector<BotLogEntry> log_;
  // Of the sources of scripts that a state has; none where it can't have any.
  std::optional<TableIndex> sources_table_;
  Digest sources_digest_;
  uint64_t decision_count_ = 0;
  uint64_t error_count_ = 0;
};

// Makes the bot of a description: what a pack says, or a native bot as it is.
// `seat` and what it refers to outlive the bot. NOT_FOUND: there is no such
// native bot; otherwise as MakeScriptBot and CheckBotParameter.
absl::StatusOr<std::unique_ptr<Bot>> MakeBot(const BotSeat& seat);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_BOT_PLAYERS_H_
