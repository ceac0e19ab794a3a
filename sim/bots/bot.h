// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who plays in the place of a person: it is shown what a player may see, and
// says what to do. What it remembers is its own and no state of the world, so
// it is to follow from its seat and what it was shown alone: no clock, no file,
// nothing shared.
//
//   class Sleeper final : public Bot {
//     absl::Status Decide(BotTurn& turn) override {
//       return turn.actions.Hold("brake", true);
//     }
//   };
//   REPRISE_REGISTER_BOT(sleeper, "sleeper",
//                        (NativeBot{.help = "holds the brake", ...}));

#ifndef REPRISE_SIM_BOTS_BOT_H_
#define REPRISE_SIM_BOTS_BOT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/random.h"
#include "sim/bot_description.h"
#include "sim/bots/player_actions.h"
#include "sim/bots/player_view.h"
#include "sim/input/input_grammar.h"

namespace reprise::sim {

class ScriptMachine;

// What a bot knows from the start. All of it outlives the bot.
struct BotSeat {
  uint32_t player = 0;
  const BotDescription* description = nullptr;
  const InputGrammar* inputs = nullptr;
};

// One decision.
struct BotTurn {
  const PlayerView& view;
  PlayerActions& actions;
  // The bot's own, from the run's seed, its name and its player.
  RandomStream& random;
  // Lines for the log, which is no state.
  std::vector<std::string>& notes;
};

class Bot {
 public:
  virtual ~Bot() = default;

  // Decides what the player does. An error says what went wrong, with file and
  // line where there is one: the player does nothing new then.
  virtual absl::Status Decide(BotTurn& turn) = 0;

  // Its description has other scripts, which it runs from now on; what it
  // remembers stays. An error says why it goes on with those before.
  virtual absl::Status TakeScripts() { return absl::OkStatus(); }

  // Counts what its scripts do from now on. They are loaded anew, which is
  // counted, too.
  virtual void CountScripts() {}
  // In whose profiles what was counted stands; they live as long as the bot.
  virtual std::vector<const ScriptMachine*> counting_machines() const {
    return {};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BOTS_BOT_H_
