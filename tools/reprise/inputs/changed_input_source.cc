// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/changed_input_source.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "tools/reprise/inputs/action_text.h"
#include "tools/reprise/inputs/command_text.h"

namespace reprise::tools {
namespace {

template <typename Number>
bool ParseWhole(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

// The part of `text` before `separator`, which is taken off; all of it where
// there is none.
std::string_view TakeUntil(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// Has a player do what a change says. Returns what is wrong with it.
absl::Status Apply(const sim::Action& action, const std::string& value,
                   sim::InputFrame& frame) {
  if (action.kind != sim::Action::Kind::kCommand) {
    return SetAction(action, value, frame);
  }
  absl::StatusOr<sim::Command> command = ParseCommand(action, value);
  if (!command.ok()) return command.status();
  frame.commands.push_back(*std::move(command));
  return absl::OkStatus();
}

// Checks all that is known of a change before the run; returns its action, and
// the command if it is one.
absl::StatusOr<std::pair<const sim::Action*, std::optional<sim::Command>>>
FindAction(const InputChange& change, const sim::InputGrammar& grammar,
           std::optional<sim::Tick> tick_count) {
  const auto refuse = [&change](std::string problem) {
    return absl::InvalidArgumentError(
        fmt::format("input change {}:{}:{}={}: {}", change.tick, change.player,
                    change.action, change.value, problem));
  };
  if (tick_count.has_value() && change.tick >= *tick_count) {
    return refuse(fmt::format("the inputs end at tick {}", *tick_count));
  }
  if (change.player >= grammar.player_count) {
    return refuse(fmt::format("the pack has {} players", grammar.player_count));
  }
  const sim::Action* const action = grammar.Find(sim::IdOf(change.action));
  if (action == nullptr) return refuse("the pack declares no such action");
  sim::InputFrame changed{.player = change.player};
  absl::Status status = Apply(*action, change.value, changed);
  if (status.ok()) {
    status = sim::ValidateInputs(grammar, std::span(&changed, 1));
  }
  if (!status.ok()) return refuse(std::string(status.message()));
  std::optional<sim::Command> command;
  if (!changed.commands.empty()) command = std::move(changed.commands.front());
  return std::pair(action, std::move(command));
}

}  // namespace

absl::StatusOr<InputChange> ParseInputChange(std::string_view text) {
  InputChange change;
  std::string_view rest = text;
  const bool has_tick = ParseWhole(TakeUntil(rest, ':'), change.tick);
  const bool has_player = ParseWhole(TakeUntil(rest, ':'), change.player);
  const bool has_value = rest.find('=') != std::string_view::npos;
  change.action = TakeUntil(rest, '=');
  change.value = rest;
  if (!has_tick || !has_player || change.action.empty() || !has_value) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' is no input change: it takes the form TICK:PLAYER:ACTION=VALUE",
        text));
  }
  return change;
}

absl::StatusOr<std::unique_ptr<ChangedInputSource>> ChangedInputSource::Create(
    replays::InputSource* original, const sim::InputGrammar& grammar,
    std::span<const InputChange> changes) {
  std::unique_ptr<ChangedInputSource> source(
      new ChangedInputSource(original, grammar.player_count));
  for (const InputChange& change : changes) {
    auto found = FindAction(change, grammar, original->tick_count());
    if (!found.ok()) return found.status();
    source->changes_.push_back({.tick = change.tick,
                                .player = change.player,
                                .action = *found->first,
                                .value = change.value,
                                .command = std::move(found->second)});
  }
  return source;
}

absl::StatusOr<std::span<const sim::InputFrame>> ChangedInputSource::FramesAt(
    sim::Tick tick) {
  const absl::StatusOr<std::span<const sim::InputFrame>> original =
      original_.FramesAt(tick);
  if (!original.ok()) return original.status();
  frames_.assign(original->begin(), original->end());
  for (const sim::InputFrame& frame : frames_) {
    // A player that the pack lacks is for the simulation to refuse.
    if (frame.player < players_.size()) {
      players_[frame.player].original = frame.device;
    }
  }

  for (uint32_t i = 0; i < players_.size(); ++i) {
    Player& player = players_[i];
    const auto frame = std::ranges::find(frames_, i, &sim::InputFrame::player);
    sim::InputFrame given =
        frame == frames_.end() ? sim::InputFrame{.player = i} : *frame;
    given.device = player.original;
    for (const ActionChange& change : changes_) {
      if (change.tick != tick || change.player != i) continue;
      if (change.command.has_value()) {
        given.commands.push_back(*change.command);
        continue;
      }
      const absl::Status status = SetAction(change.action, change.value, given);
      CHECK(status.ok(), "{}", status.ToString());
    }
    const bool is_new = !given.Repeats(player.sent);
    player.sent = given.device;
    if (frame != frames_.end()) {
      *frame = std::move(given);
    } else if (is_new) {
      frames_.push_back(std::move(given));
    }
  }
  return frames_;
}

}  // namespace reprise::tools
