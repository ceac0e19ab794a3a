// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The native bot "random": plays like a restless person, from the actions that
// the pack declares alone.

#include <memory>
#include <optional>
#include <vector>

#include "sim/bots/native_bots.h"
#include "sim/input/random_input_source.h"

namespace reprise::sim {
namespace {

class RandomBot final : public Bot {
 public:
  explicit RandomBot(const BotSeat& seat) : grammar_(*seat.inputs) {
    // The source is asked for one player.
    grammar_.player_count = 1;
  }

  absl::Status Decide(BotTurn& turn) override {
    if (!source_) source_.emplace(grammar_, NextUint64(turn.random));
    const std::vector<InputFrame> frames = source_->Next();
    if (!frames.empty()) turn.actions.SetFrame(frames.front());
    return absl::OkStatus();
  }

 private:
  InputGrammar grammar_;
  std::optional<RandomInputSource> source_;
};

REPRISE_REGISTER_BOT(random, "random",
                     (NativeBot{
                         .help = "plays anything that the pack's actions allow",
                         .parameters = {},
                         .make = [](const BotSeat& seat) {
                           return std::make_unique<RandomBot>(seat);
                         }}));

}  // namespace
}  // namespace reprise::sim
