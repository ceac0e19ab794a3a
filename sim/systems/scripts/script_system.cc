// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_system.h"

#include <array>
#include <utility>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/base/field_value.h"
#include "sim/base/utf8.h"
#include "sim/input/input_frame.h"
#include "sim/script/script_error.h"
#include "sim/systems/scripts/script_events.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_rows.h"
#include "sim/world/components/component.h"
#include "sim/world/systems/systems.h"
#include "sim/world/world.h"

namespace reprise::sim {
namespace {

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"state",
     "the state of its script; one that is set is entered by the next call"},
});

// What of a message can be kept: scripts may put any bytes into one.
std::string MessageOf(const ScriptError& error) {
  std::string text;
  std::string_view rest = error.message;
  while (!rest.empty()) {
    const size_t size = Utf8CharacterSize(rest);
    const std::string_view next =
        size == 0 ? std::string_view("?") : rest.substr(0, size);
    if (text.size() + next.size() > kInputTextBytesMax) break;
    text += next;
    rest.remove_prefix(size == 0 ? 1 : size);
  }
  return text;
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
      properties_(place.parts.definition) {}

const ScriptHooks& Scripts::HooksOf(const std::string& file) {
  const auto known = hooks_.find(file);
  if (known != hooks_.end()) return known->second;
  if (machine_ == nullptr) machine_ = MakeMachine(/*is_profiled=*/false);
  return hooks_.emplace(file, FindHooks(*machine_, file)).first->second;
}

std::unique_ptr<ScriptMachine> Scripts::MakeMachine(bool is_profiled) const {
  absl::StatusOr<std::unique_ptr<ScriptMachine>> made = ScriptMachine::Create(
      definition_.program, WorldScriptApi(), ScriptLimits(), is_profiled);
  CHECK(made.ok(), "{}", made.status().ToString());
  return *std::move(made);
}

const ScriptMachine& Scripts::CountScripts() {
  hooks_.clear();  // of the machine that was
  machine_ = MakeMachine(/*is_profiled=*/true);
  return *machine_;
}

void Scripts::Watch(ScriptWatcher* watcher) {
  CHECK(machine_ != nullptr);
  machine_->Watch(watcher);
}

std::optional<ScriptValue> Scripts::Call(ScriptEntry entry,
                                         ScriptPlace& place) {
  ScriptValue result;
  const std::optional<ScriptError> error =
      machine_->Call(entry, {}, &place, &result);
  if (!error.has_value()) return result;
  Tell(*error, place);
  return std::nullopt;
}

void Scripts::Fail(ScriptPlace& place, std::optional<ScriptEntry> entry,
                   std::string message) {
  Tell({.kind = ScriptErrorKind::kRuntime,
        .file = place.use.file,
        .line = entry.has_value() ? machine_->LineOf(*entry) : 0,
        .message = std::move(message),
        .frames = {}},
       place);
}

Scripts* FindScripts(Simulation& simulation) {
  auto* const world = dynamic_cast<World*>(&simulation);
  return world == nullptr ? nullptr : world->systems().Find<Scripts>();
}

ScriptLog* FindScriptLog(Simulation& simulation) {
  Scripts* const scripts = FindScripts(simulation);
  return scripts == nullptr ? nullptr : &scripts->log();
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
  parts().router->Post(
      {.type = kScriptFailed,
       .sender = context.handle(place.object),
       .target = {},
       .arguments = {{kScriptFile, FieldValue::OfId(IdOf(file))},
                     {kScriptLine, FieldValue::OfInt64(int64_t{error.line})},
                     {kScriptMessage,
                      FieldValue::OfId(context.KeepText(MessageOf(error)))}}});
  context.Fail(place.object, IdOf(kScriptErrorReason));
}

}  // namespace reprise::sim
