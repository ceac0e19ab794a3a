// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_system.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/script/functions/script_error.h"
#include "sim/state/field_value.h"
#include "sim/systems/scripts/script_events.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_rows.h"
#include "sim/systems/scripts/script_states.h"
#include "sim/systems/scripts/script_texts.h"
#include "sim/world/components/component.h"
#include "sim/world/systems/systems.h"
#include "sim/world/updates/step_writers.h"
#include "sim/world/world.h"

namespace reprise::sim {
namespace {

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"state",
     "the state of its script; one that is set is entered by the next call"},
});

// Names the lines of scripts as writers.
class LineWriters final : public ScriptCallWatcher {
 public:
  explicit LineWriters(StepWriters& writers) : writers_(writers) {}

  void OnCall(std::string_view file, int line) override {
    writers_.Begin(fmt::format("script {}:{}", file, line));
  }
  void OnReturn() override { writers_.End(); }

 private:
  StepWriters& writers_;
};

// Makes a row of `old` states one that `states` can go on from.
void Resettle(const ScriptStates& old, const ScriptStates& states,
              ScriptRow& row) {
  if (row.state != kNoId && states.Find(row.state) == nullptr) {
    row.state = kNoId;
  }
  const ScriptState* const entered = states.Find(row.entered);
  if (entered == nullptr) row.entered = kNoId;
  if (row.step == 0) return;
  if (entered == nullptr || row.step > entered->steps.size()) {
    row.step = 0;
    row.is_begun = 0;
    return;
  }
  // A snapshot may say of a state what those before don't have.
  const ScriptState* const before = old.Find(row.entered);
  const size_t step = row.step - 1;
  if (before == nullptr || step >= before->steps.size() ||
      before->steps[step].kind != entered->steps[step].kind) {
    row.is_begun = 0;
  }
}

}  // namespace

const SystemDeclaration& ScriptsDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "behaviours in Lua",
      .tables = {},
      .steps = {},
      .events = kScriptEvents,
      .handles = {},
      .components = {NativeComponent<ScriptRow>("has a script with states",
                                                kNotes)},
      .legends = {},
      .requests = {},
      .words = {kScriptErrorReason, "script"}};
  return declaration;
}

std::unique_ptr<System> ScriptsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Scripts>(*this, place);
}

Scripts::Scripts(const ScriptsDefinition& definition, const SystemPlace& place)
    : System(place),
      definition_(definition),
      properties_(place.parts.definition),
      program_(definition.program) {}

const ScriptHooks& Scripts::HooksOf(const std::string& file) {
  const auto known = hooks_.find(file);
  if (known != hooks_.end()) return known->second;
  if (machine_ == nullptr) MakeMachine();
  return hooks_.emplace(file, FindHooks(*machine_, file)).first->second;
}

const ScriptHooks& Scripts::HooksOf(const ScriptUse& use) {
  // Files of one folder mostly differ in length.
  Recent& recent = recent_[use.file.size() % kRecentCount];
  if (recent.use != &use) recent = {.use = &use, .hooks = &HooksOf(use.file)};
  return *recent.hooks;
}

void Scripts::MakeMachine() {
  // Of the machine that was.
  hooks_.clear();
  recent_ = {};
  absl::StatusOr<std::unique_ptr<ScriptMachine>> made = ScriptMachine::Create(
      program_, WorldScriptApi(), ScriptLimits(), is_counted_);
  CHECK(made.ok(), "{}", made.status().ToString());
  if (machine_ != nullptr && is_counted_) {
    replaced_.push_back(std::move(machine_));
  }
  machine_ = *std::move(made);
  if (watcher_ != nullptr) machine_->Watch(watcher_);
}

void Scripts::CountScripts() {
  machine_.reset();
  is_counted_ = true;
  MakeMachine();
}

void Scripts::SetProbes(ScriptProbes* probes) {
  CHECK(is_counted_);
  machine_->SetProfiling(false);
  machine_->SetProbes(probes);
}

std::vector<const ScriptMachine*> Scripts::counting_machines() const {
  std::vector<const ScriptMachine*> machines;
  if (!is_counted_) return machines;
  for (const auto& machine : replaced_) machines.push_back(machine.get());
  machines.push_back(machine_.get());
  return machines;
}

void Scripts::Use(std::shared_ptr<const ScriptProgram> program) {
  program_ = std::move(program);
  MakeMachine();
}

void Scripts::ChangeTo(std::shared_ptr<const ScriptProgram> program) {
  const std::optional<uint32_t> component =
      parts().definition.FindComponent(IdOf(ScriptRow::kTable));
  if (!component.has_value()) {
    Use(std::move(program));
    return;
  }
  const auto& types = parts().definition.types;
  std::map<std::string, ScriptStates> old;  // by file
  for (const TypeDefinition& type : types) {
    const auto* const use = type.parts.Find<ScriptStatesUse>();
    if (use != nullptr) old.emplace(use->file, HooksOf(use->file).states);
  }
  Use(std::move(program));
  Table& rows =
      state().mutable_table(parts().tables.objects.components[*component]);
  for (uint32_t type = 0; type < types.size(); ++type) {
    const auto* const use = types[type].parts.Find<ScriptStatesUse>();
    if (use == nullptr) continue;
    const ScriptStates& states = HooksOf(use->file).states;
    for (const ScriptState& each : states.states) KeepText(parts(), each.text);
    for (const uint32_t object : parts().objects.RowsOfType(type)) {
      Resettle(old.at(use->file), states,
               rows.Mutable<ScriptRow>(
                   parts().objects.ComponentRow(object, *component)));
    }
  }
}

void Scripts::Watch(ScriptWatcher* watcher) {
  CHECK(is_counted_);
  watcher_ = watcher;
  machine_->Watch(watcher);
}

std::optional<ScriptValue> Scripts::Call(ScriptEntry entry,
                                         ScriptPlace& place) {
  ScriptValue result;
  StepWriters& writers = parts().systems->writers();
  const bool is_watched = writers.is_watched();
  LineWriters lines(writers);
  if (is_watched) machine_->WatchCalls(&lines);
  const std::optional<ScriptError> error =
      machine_->Call(entry, {}, &place, &result);
  if (is_watched) machine_->WatchCalls(nullptr);
  if (!error.has_value()) return result;
  Tell(*error, place);
  return std::nullopt;
}

void Scripts::Fail(ScriptPlace& place, int line, std::string message) {
  Tell({.kind = ScriptErrorKind::kRuntime,
        .file = place.use.file,
        .line = line,
        .message = std::move(message),
        .frames = {}},
       place);
}

Scripts* FindScripts(Simulation& simulation) {
  auto* const world = dynamic_cast<World*>(&simulation);
  return world == nullptr ? nullptr : world->systems().Find<Scripts>();
}

std::unique_ptr<Simulation> BeginAgain(
    Simulation& simulation, const std::function<void(Scripts&)>& prepare) {
  auto* const world = dynamic_cast<World*>(&simulation);
  if (world == nullptr || FindScripts(simulation) == nullptr) return nullptr;
  return std::make_unique<World>(
      world->definition(),
      [&](const Systems& systems) { prepare(*systems.Find<Scripts>()); });
}

void Scripts::Tell(const ScriptError& error, ScriptPlace& place) const {
  UpdateContext& context = place.context;
  const std::string_view file =
      error.file.empty() ? std::string_view(place.use.file) : error.file;
  parts().router->PostMistake(
      {.type = kScriptFailed,
       .sender = context.handle(place.object),
       .target = {},
       .arguments = {{kScriptFile, FieldValue::OfId(IdOf(file))},
                     {kScriptLine, FieldValue::OfInt64(int64_t{error.line})},
                     {kScriptMessage,
                      FieldValue::OfId(KeepText(parts(), error.message))}}},
      context.are_going());
  context.Fail(place.object, IdOf(kScriptErrorReason));
}

}  // namespace reprise::sim
