// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/bot_seats.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"

namespace reprise::tools {

absl::StatusOr<sim::BotChoice> ParseBotChoice(std::string_view text) {
  const size_t colon = text.find(':');
  sim::BotChoice choice;
  const std::string number(text.substr(0, colon));
  if (colon == std::string_view::npos || colon + 1 == text.size() ||
      !absl::SimpleAtoi(number, &choice.player)) {
    return absl::InvalidArgumentError(
        fmt::format("--bot '{}' is not PLAYER:NAME, such as 0:random", text));
  }
  choice.name = std::string(text.substr(colon + 1));
  return choice;
}

absl::StatusOr<std::set<uint32_t>> PlayersOf(replays::InputSource& source) {
  std::set<uint32_t> players;
  const sim::Tick tick_count = source.tick_count().value_or(0);
  for (sim::Tick tick = 0; tick < tick_count; ++tick) {
    const auto frames = source.FramesAt(tick);
    if (!frames.ok()) return frames.status();
    for (const sim::InputFrame& frame : *frames) players.insert(frame.player);
  }
  return players;
}

absl::StatusOr<std::vector<uint32_t>> PlayersTowards(const BotFlags& flags) {
  std::vector<uint32_t> players;
  for (const std::string& text : flags.named) {
    const absl::StatusOr<sim::BotChoice> choice = ParseBotChoice(text);
    if (!choice.ok()) return choice.status();
    if (choice->name == kTowardsBot) players.push_back(choice->player);
  }
  if (!players.empty() && (flags.all || players.size() < flags.named.size())) {
    return absl::InvalidArgumentError(
        fmt::format("--bot {}:{}: other bots can't play beside a search",
                    players.front(), kTowardsBot));
  }
  return players;
}

absl::StatusOr<std::unique_ptr<sim::BotPlayers>> SeatBots(
    const sim::Simulation& simulation, const BotFlags& flags,
    const std::set<uint32_t>& taken, std::string_view taken_by) {
  std::vector<sim::BotChoice> choices;
  std::set<uint32_t> seated;
  for (const std::string& text : flags.named) {
    absl::StatusOr<sim::BotChoice> choice = ParseBotChoice(text);
    if (!choice.ok()) return choice.status();
    if (taken.contains(choice->player)) {
      return absl::InvalidArgumentError(
          fmt::format("--bot {}: {} plays player {} already", text, taken_by,
                      choice->player));
    }
    seated.insert(choice->player);
    choices.push_back(*std::move(choice));
  }
  if (flags.all) {
    const std::vector<sim::BotChoice> all = sim::AllBots(simulation);
    if (all.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("--bots: the pack {} has no bots but those in reserve; "
                      "--bot 0:random plays any pack",
                      simulation.info().pack));
    }
    for (const sim::BotChoice& choice : all) {
      if (seated.contains(choice.player) || taken.contains(choice.player)) {
        continue;
      }
      choices.push_back(choice);
    }
  }
  return sim::BotPlayers::Create(simulation, choices);
}

}  // namespace reprise::tools
