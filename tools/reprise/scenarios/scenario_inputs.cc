// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario_inputs.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "replays/format/proto_conversion.h"
#include "reprise/v1/input.pb.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"
#include "tools/reprise/inputs/action_text.h"

namespace reprise::tools {
namespace {

using sim::Action;
using Inputs = google::protobuf::RepeatedPtrField<v1::ScenarioInput>;
using Kind = sim::Action::Kind;

// An action that comes to a value.
struct Change {
  uint32_t player = 0;
  const Action* action = nullptr;
  std::string value;
  std::vector<sim::Command> commands;  // instead, of a command
  int input = 0;                       // which of the scenario's
};

class InputMaker {
 public:
  InputMaker(const sim::InputGrammar& grammar, const Inputs& inputs,
             sim::Tick tick_count, const sim::MessageChecker& checker)
      : grammar_(grammar),
        inputs_(inputs),
        tick_count_(tick_count),
        checker_(checker),
        held_(grammar.player_count) {}

  void Add(const v1::ScenarioInput& input, int index) {
    const sim::MessageChecker place = checker_.In(input, "inputs", index);
    if (input.at() >= tick_count_) {
      return Refuse(place, "at",
                    fmt::format("{}: the scenario ends after {} ticks",
                                input.at(), tick_count_));
    }
    if (input.player() >= grammar_.player_count) {
      return Refuse(
          place, "player",
          fmt::format("the pack has {} players", grammar_.player_count));
    }
    const Action* const action = grammar_.Find(sim::IdOf(input.action()));
    if (action == nullptr) {
      std::vector<std::string> known;
      for (const Action& one : grammar_.actions) known.push_back(one.name);
      place.NoSuch("action", "action", input.action(), known);
      is_ok_ = false;
      return;
    }
    Change change{.player = input.player(),
                  .action = action,
                  .value = input.to(),
                  .commands = {},
                  .input = index};
    if (action->kind == Kind::kCommand) {
      AddCommand(input, place, std::move(change));
      return;
    }
    if (input.values_size() > 0) {
      return Refuse(place, "values", "of commands alone");
    }
    if (change.value.empty() && action->is_button())
      change.value.assign(1, '1');
    sim::InputFrame tried{.player = change.player};
    const absl::Status status = SetAction(*action, change.value, tried);
    if (!status.ok()) {
      return Refuse(place, "to", std::string(status.message()));
    }
    const sim::Tick end = input.at() + input.ticks();
    if (input.ticks() > 0 && end < tick_count_ && action->kind != Kind::kText) {
      Change rest = change;
      rest.value = FormatAction(*action, {});
      rests_[end].push_back(std::move(rest));
    }
    changes_[input.at()].push_back(std::move(change));
  }

  std::optional<std::vector<replays::TickInputs>> Make() {
    if (!is_ok_) return std::nullopt;
    // What begins at a tick goes before what ends there.
    for (auto& [tick, rests] : rests_) {
      std::vector<Change>& there = changes_[tick];
      for (Change& rest : rests) {
        const bool is_changed =
            std::ranges::any_of(there, [&](const auto& one) {
              return one.player == rest.player && one.action == rest.action;
            });
        if (!is_changed) there.push_back(std::move(rest));
      }
    }
    std::vector<replays::TickInputs> ticks;
    for (const auto& [tick, changes] : changes_) {
      replays::TickInputs inputs = FramesOf(tick, changes);
      if (!inputs.frames.empty()) ticks.push_back(std::move(inputs));
    }
    if (!is_ok_) return std::nullopt;
    return ticks;
  }

 private:
  void Refuse(const sim::MessageChecker& place, std::string_view field,
              std::string text) {
    place.Problem(field, std::move(text));
    is_ok_ = false;
  }

  void AddCommand(const v1::ScenarioInput& input,
                  const sim::MessageChecker& place, Change change) {
    if (!input.to().empty()) {
      return Refuse(place, "to", "a command takes values");
    }
    v1::InputFrame message;
    v1::Command& command = *message.add_commands();
    command.set_name(input.action());
    *command.mutable_values() = input.values();
    absl::StatusOr<sim::InputFrame> frame = replays::FromProto(message);
    if (!frame.ok()) {
      return Refuse(place, "values", std::string(frame.status().message()));
    }
    change.commands = std::move(frame->commands);
    changes_[input.at()].push_back(std::move(change));
  }

  replays::TickInputs FramesOf(sim::Tick tick,
                               const std::vector<Change>& changes) {
    std::map<uint32_t, sim::InputFrame> frames;
    for (const Change& change : changes) {
      const auto [found, is_new] = frames.try_emplace(change.player);
      sim::InputFrame& frame = found->second;
      if (is_new) {
        frame.player = change.player;
        frame.device = held_[change.player];
      }
      if (change.action->kind == Kind::kCommand) {
        frame.commands.insert(frame.commands.end(), change.commands.begin(),
                              change.commands.end());
      } else {
        // It went well when the change was added.
        (void)SetAction(*change.action, change.value, frame);
      }
      const absl::Status status =
          sim::ValidateInputs(grammar_, std::span(&frame, 1));
      if (status.ok()) continue;
      is_ok_ = false;
      checker_.In(inputs_[change.input], "inputs", change.input)
          .Problem("action", std::string(status.message()));
    }
    replays::TickInputs inputs{.tick = tick, .frames = {}};
    for (auto& [player, frame] : frames) {
      held_[player] = frame.device;
      inputs.frames.push_back(std::move(frame));
    }
    return inputs;
  }

  const sim::InputGrammar& grammar_;
  const Inputs& inputs_;
  const sim::Tick tick_count_;
  const sim::MessageChecker& checker_;
  std::map<sim::Tick, std::vector<Change>> changes_;
  std::map<sim::Tick, std::vector<Change>> rests_;
  std::vector<sim::DeviceState> held_;
  bool is_ok_ = true;
};

}  // namespace

std::optional<std::vector<replays::TickInputs>> MakeScenarioInputs(
    const sim::InputGrammar& grammar,
    const google::protobuf::RepeatedPtrField<v1::ScenarioInput>& inputs,
    sim::Tick tick_count, const sim::MessageChecker& checker) {
  InputMaker maker(grammar, inputs, tick_count, checker);
  for (int i = 0; i < inputs.size(); ++i) maker.Add(inputs[i], i);
  return maker.Make();
}

}  // namespace reprise::tools
