// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_agent.h"

#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/inputs/input_texts.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/time/timeline.h"

namespace reprise::sim {
namespace {

// Steps are no delays beyond what scripts may ask for.
constexpr double kStepTicksMax = 1e9;

}  // namespace

ScriptAgent::ScriptAgent(Scripts& scripts, const ScriptHooks& hooks,
                         const ScriptUse& use, UpdateContext& context,
                         uint32_t object)
    : scripts_(scripts),
      hooks_(hooks),
      use_(use),
      context_(context),
      object_(object) {}

const ScriptRow& ScriptAgent::row() const {
  return ScriptRowOf(context_, object_, *use_.component);
}

ScriptRow& ScriptAgent::mutable_row() {
  const WorldParts& parts = context_.parts();
  return parts.state
      .mutable_table(parts.tables.objects.components[*use_.component])
      .Mutable<ScriptRow>(parts.objects.ComponentRow(context_.rows()[object_],
                                                     *use_.component));
}

const ScriptState* ScriptAgent::state() const {
  return hooks_.states.Find(row().entered);
}

std::optional<ScriptValue> ScriptAgent::Run(ScriptEntry entry,
                                            const WorldEvent* event,
                                            bool is_leaving) {
  if (has_failed_) return std::nullopt;
  ScriptPlace place{.context = context_,
                    .object = object_,
                    .use = use_,
                    .properties = scripts_.properties(),
                    .event_types = scripts_.definition().event_types,
                    .event = event,
                    .is_update = is_update_,
                    .states = has_states() ? &hooks_.states : nullptr,
                    .is_leaving = is_leaving};
  std::optional<ScriptValue> result = scripts_.Call(entry, place);
  has_failed_ = !result.has_value();
  if (place.go_to.has_value()) go_to_ = place.go_to;
  return result;
}

void ScriptAgent::Fail(int line, std::string message) {
  ScriptPlace place{.context = context_,
                    .object = object_,
                    .use = use_,
                    .properties = scripts_.properties(),
                    .event_types = scripts_.definition().event_types};
  scripts_.Fail(place, line, std::move(message));
  has_failed_ = true;
}

void ScriptAgent::FailStep(std::optional<ScriptEntry> function,
                           const std::string& message) {
  if (function.has_value()) {
    Fail(scripts_.LineOf(*function), message);
    return;
  }
  const ScriptState& of = *state();
  const uint64_t step = row().step;
  Fail(of.steps[step - 1].line,
       fmt::format("step {} of the state '{}': {}", step, of.text, message));
}

void ScriptAgent::RunUpdate(StateHook of_state, FileHook of_file) {
  std::optional<ScriptEntry> entry = hooks_.*of_file;
  if (has_states()) {
    Settle();
    const ScriptState* const current = state();
    if (current != nullptr && (current->*of_state).has_value()) {
      entry = current->*of_state;
    }
  }
  if (!entry.has_value()) return;
  Run(*entry);
  if (has_states()) Settle();
}

void ScriptAgent::Spawn() {
  if (hooks_.spawn.has_value()) Run(*hooks_.spawn);
  if (has_states()) Settle();
}

void ScriptAgent::Update() {
  is_update_ = true;
  RunUpdate(&ScriptState::update, &ScriptHooks::update);
  if (has_states()) DoSteps();
}

void ScriptAgent::UpdateAfterPhysics() {
  is_update_ = true;
  RunUpdate(&ScriptState::after_physics, &ScriptHooks::after_physics);
}

bool ScriptAgent::Handle(const WorldEvent& event) {
  const ScriptEntry* entry = hooks_.FindHandler(event.type);
  if (has_states()) {
    Settle();
    const ScriptState* const current = state();
    const std::optional<ScriptEntry>* const own =
        current == nullptr ? nullptr : current->FindHandler(event.type);
    if (own != nullptr) {
      if (!own->has_value()) return true;  // ignored
      entry = &**own;
    }
  }
  if (entry == nullptr) return false;
  const std::optional<ScriptValue> result = Run(*entry, &event);
  if (!result.has_value()) return false;
  // A string of the result doesn't outlive the next call.
  const auto* const flag = std::get_if<bool>(&*result);
  const bool is_handled = flag == nullptr || *flag;
  if (has_states()) Settle();
  return is_handled;
}

void ScriptAgent::Destroy() {
  if (hooks_.destroyed.has_value()) Run(*hooks_.destroyed);
}

void ScriptAgent::Settle() {
  while (!has_failed_) {
    const bool is_asked = go_to_.has_value();
    Id wanted = is_asked ? *go_to_ : row().state;
    if (wanted == kNoId) wanted = hooks_.states.initial;
    go_to_.reset();
    if (!is_asked && wanted == row().entered) return;
    if (hooks_.states.Find(wanted) == nullptr) {
      Fail(/*line=*/0,
           fmt::format("there is no state '{}'", context_.TextOf(wanted)));
      return;
    }
    if (++transitions_ > kScriptTransitionsMax) {
      const std::optional<ScriptEntry>& enter =
          hooks_.states.Find(wanted)->enter;
      Fail(
          enter.has_value() ? scripts_.LineOf(*enter) : 0,
          fmt::format("more than {} transitions in one call, the last to '{}'",
                      kScriptTransitionsMax, hooks_.states.Find(wanted)->text));
      return;
    }
    Leave();
    if (!has_failed_) Enter(wanted);
  }
}

void ScriptAgent::Leave() {
  const ScriptState* const old = state();
  if (old == nullptr) return;
  const uint64_t step = row().step;
  if (row().is_begun != 0 && step >= 1 && step <= old->steps.size() &&
      old->steps[step - 1].kind == ScriptStepKind::kPlay) {
    context_.StopTimeline(object_, old->steps[step - 1].timeline);
  }
  if (old->exit.has_value()) Run(*old->exit, nullptr, /*is_leaving=*/true);
}

void ScriptAgent::Enter(Id name) {
  const ScriptState& entered = *hooks_.states.Find(name);
  const WorldParts& parts = context_.parts();
  // One of a file that was replaced while the game ran is no name of the pack.
  if (parts.definition.names.NameOf(name).empty() &&
      !parts.texts.Find(name).has_value()) {
    context_.KeepText(entered.text);
  }
  ScriptRow& row = mutable_row();
  row.state = name;
  row.entered = name;
  row.since = context_.tick();
  row.step = entered.steps.empty() ? 0 : 1;
  row.is_begun = 0;
  row.began = 0;
  row.until = 0;
  row.from = {};
  row.to = {};
  if (entered.enter.has_value()) Run(*entered.enter);
}

void ScriptAgent::DoSteps() {
  const ScriptState* const current = state();
  if (current == nullptr || current->steps.empty()) return;
  const uint32_t transitions = transitions_;
  while (!has_failed_ && row().step >= 1 &&
         row().step <= current->steps.size()) {
    const ScriptStep& step = current->steps[row().step - 1];
    if (row().is_begun == 0 && !Begin(step)) return;
    const bool is_done = IsDone(step);
    Settle();
    if (!is_done || has_failed_ || transitions_ != transitions) return;
    ScriptRow& row = mutable_row();
    row.step = row.step < current->steps.size() ? row.step + 1 : 0;
    row.is_begun = 0;
    if (row.step != 0) continue;
    // What follows may be a step of another state, which is for the next
    // update.
    Finish(*current);
    return;
  }
}

void ScriptAgent::Finish(const ScriptState& state) {
  const uint32_t transitions = transitions_;
  if (state.finished.has_value()) Run(*state.finished);
  Settle();
  if (has_failed_ || transitions_ != transitions) return;
  if (state.next == kNoId) return;
  go_to_ = state.next;
  Settle();
}

void ScriptAgent::SetBegun(Tick until, Vector3 from, Vector3 to) {
  ScriptRow& row = mutable_row();
  row.is_begun = 1;
  row.began = context_.tick();
  row.until = until;
  row.from = from;
  row.to = to;
}

bool ScriptAgent::Begin(const ScriptStep& step) {
  switch (step.kind) {
    case ScriptStepKind::kWait:
      return BeginWait(step);
    case ScriptStepKind::kMoveTo:
      return BeginMove(step);
    case ScriptStepKind::kPlay:
      return BeginPlay(step);
    case ScriptStepKind::kWaitUntil:
    case ScriptStepKind::kCall:
      SetBegun(0);
      return true;
  }
  return false;
}

bool ScriptAgent::BeginWait(const ScriptStep& step) {
  const std::optional<Tick> ticks = Ticks(step.amount, 0.0);
  if (!ticks.has_value()) return false;
  SetBegun(context_.tick() + *ticks);
  return true;
}

bool ScriptAgent::BeginMove(const ScriptStep& step) {
  const std::optional<Vector3> to = Vector(step.to);
  if (!to.has_value()) return false;
  const std::optional<double> speed = Number(step.amount, 0.0);
  if (!speed.has_value()) return false;
  const Vector3 from = context_.Place(object_).position;
  // Whole ticks: it is as fast as that, or a little slower.
  const double ticks = Ceil(Length(*to - from) / (*speed * context_.dt_s()));
  if (!(ticks <= kStepTicksMax)) {
    FailStep(
        step.amount.function,
        fmt::format("move_to would take more than {} ticks", kStepTicksMax));
    return false;
  }
  SetBegun(context_.tick() + static_cast<Tick>(ticks), from, *to);
  return true;
}

bool ScriptAgent::BeginPlay(const ScriptStep& step) {
  const std::optional<Tick> ticks = Ticks(step.amount, 1.0);
  if (!ticks.has_value()) return false;
  const absl::Status status = context_.StartTimeline(
      object_, {.name = step.timeline, .duration = *ticks});
  if (!status.ok()) {
    FailStep(std::nullopt, "play: " + std::string(status.message()));
    return false;
  }
  SetBegun(0);
  return true;
}

bool ScriptAgent::IsDone(const ScriptStep& step) {
  switch (step.kind) {
    case ScriptStepKind::kWait:
      return context_.tick() >= row().until;
    case ScriptStepKind::kMoveTo:
      return Move();
    case ScriptStepKind::kPlay: {
      const std::optional<TimelineRow> timeline =
          context_.Timeline(object_, step.timeline);
      return !timeline.has_value() || HasEnded(*timeline, context_.tick());
    }
    case ScriptStepKind::kCall:
      return Run(*step.function).has_value();
    case ScriptStepKind::kWaitUntil: {
      const std::optional<ScriptValue> result = Run(*step.function);
      if (!result.has_value()) return false;
      if (const auto* const flag = std::get_if<bool>(&*result)) return *flag;
      return !std::holds_alternative<std::monostate>(*result);
    }
  }
  return false;
}

bool ScriptAgent::Move() {
  const ScriptRow own = row();
  const bool is_there = context_.tick() >= own.until;
  Transform place = context_.Place(object_);
  place.position = own.to;
  if (!is_there) {
    const double part = static_cast<double>(context_.tick() - own.began) /
                        static_cast<double>(own.until - own.began);
    place.position = own.from + (own.to - own.from) * part;
  }
  context_.SetPlace(object_, place);
  if (context_.Place(object_).position == place.position) return is_there;
  FailStep(std::nullopt,
           "move_to: the object can't be there, or physics moves it");
  return false;
}

std::optional<double> ScriptAgent::Number(const ScriptArgument& argument,
                                          double minimum) {
  std::optional<double> number = argument.number;
  if (argument.function.has_value()) {
    const std::optional<ScriptValue> result = Run(*argument.function);
    if (!result.has_value()) return std::nullopt;
    number = std::nullopt;
    if (const auto* const given = std::get_if<double>(&*result)) {
      number = *given;
    } else if (const auto* const whole = std::get_if<int64_t>(&*result)) {
      number = static_cast<double>(*whole);
    }
  }
  if (number.has_value() && IsFinite(*number) && *number >= minimum) {
    return number;
  }
  FailStep(argument.function,
           fmt::format("a step is given no number of {} or more", minimum));
  return std::nullopt;
}

std::optional<Tick> ScriptAgent::Ticks(const ScriptArgument& argument,
                                       double minimum) {
  const std::optional<double> number = Number(argument, minimum);
  if (!number.has_value()) return std::nullopt;
  if (*number <= kStepTicksMax && Floor(*number) == *number) {
    return static_cast<Tick>(*number);
  }
  FailStep(argument.function,
           fmt::format("{} is no whole number of ticks of at most {}", *number,
                       kStepTicksMax));
  return std::nullopt;
}

std::optional<Vector3> ScriptAgent::Vector(const ScriptArgument& argument) {
  if (!argument.function.has_value()) return argument.vector;
  const std::optional<ScriptValue> result = Run(*argument.function);
  if (!result.has_value()) return std::nullopt;
  if (const auto* const vector = std::get_if<Vector3>(&*result)) {
    return *vector;
  }
  FailStep(argument.function, "move_to is given no vector");
  return std::nullopt;
}

}  // namespace reprise::sim
