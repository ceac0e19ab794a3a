// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/scenarios/scenario_setup.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "google/protobuf/text_format.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/input.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/nearest_name.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "sim/input/input_frame.h"
#include "tools/reprise/inputs/action_text.h"

namespace reprise::tools {
namespace {

using Kind = sim::Action::Kind;

// Drops what `object` says of the property, "component.property".
void ClearProperty(std::string_view property, v1::Object& object) {
  const auto drop = [](auto& settings, auto matches) {
    settings.erase(
        std::remove_if(settings.begin(), settings.end(), std::move(matches)),
        settings.end());
  };
  drop(*object.mutable_set(), [&](const v1::PropertySetting& setting) {
    return setting.property() == property;
  });
  for (v1::ComponentUse& use : *object.mutable_components()) {
    drop(*use.mutable_set(), [&](const v1::PropertySetting& setting) {
      return fmt::format("{}.{}", use.component(), setting.property()) ==
             property;
    });
  }
}

// What `changes` says takes the place of what `object` says.
void ChangeObject(const v1::Object& changes, v1::Object& object) {
  for (const v1::PropertySetting& setting : changes.set()) {
    ClearProperty(setting.property(), object);
  }
  for (const v1::ComponentUse& use : changes.components()) {
    for (const v1::PropertySetting& setting : use.set()) {
      ClearProperty(fmt::format("{}.{}", use.component(), setting.property()),
                    object);
    }
  }
  // Vectors come whole: one that says x alone has no y of before.
  if (changes.has_position()) object.clear_position();
  if (changes.has_rotation_degrees()) object.clear_rotation_degrees();
  if (changes.has_linear_velocity()) object.clear_linear_velocity();
  if (changes.has_angular_velocity_degrees()) {
    object.clear_angular_velocity_degrees();
  }
  if (changes.has_grid()) object.clear_grid();
  v1::Object rest = changes;
  rest.clear_components();
  object.MergeFrom(rest);
  // A component is used once.
  for (const v1::ComponentUse& use : changes.components()) {
    auto& uses = *object.mutable_components();
    const auto same =
        std::ranges::find(uses, use.component(), &v1::ComponentUse::component);
    if (same == uses.end()) {
      *object.add_components() = use;
    } else {
      same->MergeFrom(use);
    }
  }
}

// One thing that one device does at one tick.
struct DeviceEdit {
  sim::Tick tick = 0;
  bool is_end = false;  // of what began before
  uint32_t player = 0;
  const sim::Action* action = nullptr;  // null: the input is a command
  std::string text;                     // as SetAction takes it
  int input = 0;
};

// Turns a scenario's inputs into frames.
class InputBuilder {
 public:
  InputBuilder(const Scenario* scenario, const sim::InputGrammar* grammar)
      : scenario_(*scenario), grammar_(*grammar) {}

  absl::StatusOr<std::vector<replays::TickInputs>> Build() {
    for (int i = 0; i < scenario_.message.inputs_size(); ++i) {
      absl::Status status = Add(i);
      if (!status.ok()) return status;
    }
    // At a tick what ends comes first, so that something else can begin.
    std::ranges::stable_sort(edits_, {}, [](const DeviceEdit& edit) {
      return std::tuple(edit.tick, !edit.is_end);
    });
    return MakeFrames();
  }

 private:
  absl::Status Refuse(int index, std::string_view field,
                      std::string_view reason) const {
    return scenario_.Error({{"inputs", index}, {field}}, reason);
  }

  absl::StatusOr<const sim::Action*> FindAction(int index,
                                                std::string_view field,
                                                const std::string& name,
                                                auto&& is_right,
                                                std::string_view kind) const {
    const auto found =
        std::ranges::find(grammar_.actions, name, &sim::Action::name);
    if (found == grammar_.actions.end()) {
      std::vector<std::string_view> names;
      for (const sim::Action& action : grammar_.actions) {
        if (is_right(action)) names.push_back(action.name);
      }
      return Refuse(index, field, sim::ThereIsNo("action", name, names));
    }
    if (!is_right(*found)) {
      return Refuse(index, field, fmt::format("{} is no {}", name, kind));
    }
    return &*found;
  }

  absl::Status Add(int index) {
    const v1::ScenarioInput& input = scenario_.message.inputs(index);
    if (input.player() >= grammar_.player_count) {
      return Refuse(index, "player",
                    fmt::format("there is no player {}: the last is {}",
                                input.player(), grammar_.player_count - 1));
    }
    switch (input.what_case()) {
      case v1::ScenarioInput::kHold:
        return AddButton(index, "hold", input.hold(), input.ticks());
      case v1::ScenarioInput::kPress:
        return AddButton(index, "press", input.press(), 1);
      case v1::ScenarioInput::kAxis:
        return AddAxis(index);
      case v1::ScenarioInput::kCommand:
        return AddCommand(index);
      case v1::ScenarioInput::kDevice:
        return AddDevice(index);
      case v1::ScenarioInput::WHAT_NOT_SET:
        break;
    }
    return absl::OkStatus();  // It was refused when it was read.
  }

  absl::Status AddButton(int index, std::string_view field,
                         const std::string& name, uint64_t ticks) {
    const auto action = FindAction(
        index, field, name,
        [](const sim::Action& found) { return found.is_button(); },
        "button or key");
    if (!action.ok()) return action.status();
    return AddEdits(index, field, *action, "1", ticks);
  }

  absl::Status AddAxis(int index) {
    const v1::ScenarioInput& input = scenario_.message.inputs(index);
    const auto action = FindAction(
        index, "axis", input.axis(),
        [](const sim::Action& found) { return found.kind == Kind::kAxis; },
        "axis");
    if (!action.ok()) return action.status();
    const auto value =
        static_cast<int>(std::lround(input.value() * sim::kAxisMax));
    return AddEdits(index, "axis", *action, fmt::format("{}", value),
                    input.ticks());
  }

  absl::Status AddDevice(int index) {
    const v1::ScenarioInput& input = scenario_.message.inputs(index);
    const auto action = FindAction(
        index, "device", input.device(),
        [](const sim::Action& found) {
          return found.kind != Kind::kCommand && found.kind != Kind::kAxis &&
                 !found.is_button();
        },
        "pointer, motion, wheel, touch, sensor or text");
    if (!action.ok()) return action.status();
    return AddEdits(index, "device", *action, input.to(), 0);
  }

  absl::Status AddCommand(int index) {
    const v1::ScenarioInput& input = scenario_.message.inputs(index);
    const auto action = FindAction(
        index, "command", input.command().name(),
        [](const sim::Action& found) { return found.kind == Kind::kCommand; },
        "command");
    if (!action.ok()) return action.status();
    edits_.push_back({.tick = input.tick(),
                      .is_end = false,
                      .player = input.player(),
                      .action = nullptr,
                      .text = "",
                      .input = index});
    return absl::OkStatus();
  }

  // `ticks` later the device is at rest again; 0: it stays.
  absl::Status AddEdits(int index, std::string_view field,
                        const sim::Action* action, std::string text,
                        uint64_t ticks) {
    const v1::ScenarioInput& input = scenario_.message.inputs(index);
    if (ticks > 0) {
      const sim::Tick begin = input.tick();
      const sim::Tick end = begin + std::min(ticks, sim::kTickMax - begin);
      for (const auto& other : spans_[{input.player(), action}]) {
        if (begin < other.end && other.begin < end) {
          return Refuse(
              index, field,
              fmt::format("inputs[{}] still holds {} at tick {}", other.input,
                          action->name, std::max(begin, other.begin)));
        }
      }
      spans_[{input.player(), action}].push_back({begin, end, index});
      if (end < scenario_.message.ticks()) {
        edits_.push_back({.tick = end,
                          .is_end = true,
                          .player = input.player(),
                          .action = action,
                          .text = "0",
                          .input = index});
      }
    }
    edits_.push_back({.tick = input.tick(),
                      .is_end = false,
                      .player = input.player(),
                      .action = action,
                      .text = std::move(text),
                      .input = index});
    return absl::OkStatus();
  }

  absl::Status Apply(const DeviceEdit& edit, sim::InputFrame& frame) const {
    if (edit.action != nullptr) {
      absl::Status status = SetAction(*edit.action, edit.text, frame);
      return status.ok()
                 ? status
                 : Refuse(edit.input, "to", std::string(status.message()));
    }
    v1::InputFrame message;
    *message.add_commands() = scenario_.message.inputs(edit.input).command();
    absl::StatusOr<sim::InputFrame> command = replays::FromProto(message);
    if (!command.ok()) {
      return Refuse(edit.input, "command",
                    std::string(command.status().message()));
    }
    frame.commands.push_back(std::move(command->commands.front()));
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<replays::TickInputs>> MakeFrames() const {
    std::vector<replays::TickInputs> ticks;
    std::vector<sim::DeviceState> held(grammar_.player_count);
    for (size_t i = 0; i < edits_.size();) {
      const sim::Tick tick = edits_[i].tick;
      std::map<uint32_t, sim::InputFrame> frames;
      for (; i < edits_.size() && edits_[i].tick == tick; ++i) {
        const DeviceEdit& edit = edits_[i];
        const auto [frame, is_new] = frames.try_emplace(edit.player);
        if (is_new) {
          frame->second.player = edit.player;
          frame->second.device = held[edit.player];
        }
        absl::Status status = Apply(edit, frame->second);
        if (!status.ok()) return status;
        // One after the other, so that the input that is refused is known.
        status = sim::ValidateInputs(grammar_, std::span(&frame->second, 1));
        if (!status.ok()) {
          return scenario_.Error({{"inputs", edit.input}},
                                 std::string(status.message()));
        }
      }
      replays::TickInputs inputs{.tick = tick, .frames = {}};
      for (auto& [player, frame] : frames) {
        held[player] = frame.device;
        inputs.frames.push_back(std::move(frame));
      }
      ticks.push_back(std::move(inputs));
    }
    return ticks;
  }

  struct Span {
    sim::Tick begin;
    sim::Tick end;
    int input;
  };

  const Scenario& scenario_;
  const sim::InputGrammar& grammar_;
  std::vector<DeviceEdit> edits_;
  std::map<std::pair<uint32_t, const sim::Action*>, std::vector<Span>> spans_;
};

}  // namespace

absl::StatusOr<sim::PackArchive> WithObjectsOf(const Scenario& scenario,
                                               const sim::PackArchive& pack) {
  if (scenario.message.objects_size() == 0) return pack;
  sim::PackReport report;
  const std::unique_ptr<const sim::Manifest> manifest =
      sim::ParseManifest(pack, report);
  absl::Status status = report.ToStatus();
  if (!status.ok()) return status;

  v1::Pack changed = manifest->pack;
  // They have been put together.
  changed.clear_include();
  changed.clear_tables();
  for (int i = 0; i < scenario.message.objects_size(); ++i) {
    const v1::Object& object = scenario.message.objects(i);
    auto& objects = *changed.mutable_objects();
    const auto same =
        std::ranges::find(objects, object.name(), &v1::Object::name);
    if (same != objects.end()) {
      ChangeObject(object, *same);
    } else if (!object.type().empty()) {
      *changed.add_objects() = object;
    } else {
      std::vector<std::string_view> names;
      for (const v1::Object& known : objects) names.push_back(known.name());
      return scenario.Error(
          {{"objects", i}, {"name"}},
          fmt::format("the pack has no object '{}', and a new one needs a "
                      "type{}",
                      object.name(), sim::DidYouMean(object.name(), names)));
    }
  }
  std::string text;
  google::protobuf::TextFormat::PrintToString(changed, &text);
  sim::PackArchive archive;
  for (const auto& [path, contents] : pack.files()) {
    status =
        archive.Add(path, path == sim::kPackManifestPath ? text : contents);
    if (!status.ok()) return status;
  }
  return archive;
}

absl::StatusOr<std::vector<replays::TickInputs>> InputsOf(
    const Scenario& scenario, const sim::InputGrammar& grammar) {
  return InputBuilder(&scenario, &grammar).Build();
}

}  // namespace reprise::tools
