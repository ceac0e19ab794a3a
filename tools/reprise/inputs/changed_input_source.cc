// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/changed_input_source.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/id.h"

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

// Checks all that is known of a change before the run.
absl::StatusOr<const sim::Action*> FindAction(
    const InputChange& change, const sim::InputGrammar& grammar,
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
  int64_t minimum = 0;
  int64_t maximum = 1;
  switch (action->kind) {
    case sim::Action::Kind::kCommand:
      return refuse("a command is no button or axis");
    case sim::Action::Kind::kAxis:
      minimum = -sim::kAxisMax;
      maximum = sim::kAxisMax;
      break;
    case sim::Action::Kind::kButton:
      break;
  }
  if (change.value < minimum || change.value > maximum) {
    return refuse(fmt::format("the value is {} to {}", minimum, maximum));
  }
  return action;
}

}  // namespace

absl::StatusOr<InputChange> ParseInputChange(std::string_view text) {
  InputChange change;
  std::string_view rest = text;
  const bool has_tick = ParseWhole(TakeUntil(rest, ':'), change.tick);
  const bool has_player = ParseWhole(TakeUntil(rest, ':'), change.player);
  change.action = TakeUntil(rest, '=');
  if (!has_tick || !has_player || change.action.empty() ||
      !ParseWhole(rest, change.value)) {
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
    const absl::StatusOr<const sim::Action*> action =
        FindAction(change, grammar, original->tick_count());
    if (!action.ok()) return action.status();
    source->changes_.push_back({.tick = change.tick,
                                .player = change.player,
                                .kind = (*action)->kind,
                                .device_index = (*action)->device_index,
                                .value = change.value});
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
    sim::DeviceState device = player.original;
    for (const DeviceChange& change : changes_) {
      if (change.tick != tick || change.player != i) continue;
      if (change.kind == sim::Action::Kind::kAxis) {
        device.axes[change.device_index] = static_cast<int16_t>(change.value);
      } else {
        const uint64_t bit = uint64_t{1} << change.device_index;
        device.buttons &= ~bit;
        if (change.value != 0) device.buttons |= bit;
      }
    }
    const auto frame = std::ranges::find(frames_, i, &sim::InputFrame::player);
    if (frame != frames_.end()) {
      frame->device = device;
    } else if (device != player.sent) {
      frames_.push_back({.player = i, .device = device, .commands = {}});
    }
    player.sent = device;
  }
  return frames_;
}

}  // namespace reprise::tools
