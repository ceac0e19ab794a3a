// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/events/effect_compiler.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/expression/value.h"
#include "sim/world/components/component.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"

namespace reprise::sim {
namespace {

// What the value of a property is to an expression.
ExpressionType ExpressionTypeOf(PropertyType type) {
  switch (type) {
    case PropertyType::kBool:
      return ExpressionType::kBool;
    case PropertyType::kName:
    case PropertyType::kEnum:
    case PropertyType::kText:
      return ExpressionType::kText;
    default:
      return ExpressionType::kNumber;
  }
}

std::string_view NameOf(ExpressionType type) {
  switch (type) {
    case ExpressionType::kBool:
      return "a condition";
    case ExpressionType::kText:
      return "a text";
    case ExpressionType::kNumber:
      break;
  }
  return "a number";
}

}  // namespace

std::optional<Participant> EffectCompiler::FindObject(
    const std::string& name, const std::string& event,
    const MessageChecker& place) const {
  if (name.empty()) {
    place.Problem("object", "required");
    return std::nullopt;
  }
  return references_.FindEither("object", name, event, place);
}

std::optional<EventEffect> EffectCompiler::Compile(
    const v1::Effect& effect, const std::string& event,
    const MessageChecker& place) const {
  switch (effect.kind_case()) {
    case v1::Effect::kSet:
      return CompileProperty(effect.set().object(), effect.set().property(),
                             "to", effect.set().to(), /*is_added=*/false, event,
                             place.In(effect.set(), "set"));
    case v1::Effect::kAdd:
      return CompileProperty(effect.add().object(), effect.add().property(),
                             "amount", effect.add().amount(), /*is_added=*/true,
                             event, place.In(effect.add(), "add"));
    case v1::Effect::kSend:
      return CompileSend(effect.send(), event, place.In(effect.send(), "send"));
    case v1::Effect::kSpawn:
      return CompileSpawn(effect.spawn(), event,
                          place.In(effect.spawn(), "spawn"));
    case v1::Effect::kDestroy: {
      const MessageChecker at = place.In(effect.destroy(), "destroy");
      const std::optional<Participant> object =
          FindObject(effect.destroy().object(), event, at);
      if (!object.has_value()) return std::nullopt;
      return EventEffect{.object = object, .kind = DestroyEffect{}};
    }
    case v1::Effect::kStartTimer: {
      const v1::StartTimerEffect& start = effect.start_timer();
      const MessageChecker at = place.In(start, "start_timer");
      const TimerStart timer =
          CompileTimer(start.timer(), at.In(start.timer(), "timer"),
                       world_.info.tick_rate, events_, words_);
      const std::optional<Participant> object =
          FindObject(start.object(), event, at);
      if (!object.has_value()) return std::nullopt;
      return EventEffect{.object = object,
                         .kind = StartTimerEffect{.timer = timer}};
    }
    case v1::Effect::kStopTimer: {
      const v1::StopTimerEffect& stop = effect.stop_timer();
      const MessageChecker at = place.In(stop, "stop_timer");
      const Id name = CompileWord("timer", stop.timer(), at, words_);
      const std::optional<Participant> object =
          FindObject(stop.object(), event, at);
      if (!object.has_value()) return std::nullopt;
      return EventEffect{.object = object,
                         .kind = StopTimerEffect{.name = name}};
    }
    case v1::Effect::kOutcome:
      return CompileOutcome(effect.outcome(), event,
                            place.In(effect.outcome(), "outcome"));
    case v1::Effect::KIND_NOT_SET:
      break;
  }
  place.Problem("set",
                "one of set, add, send, spawn, destroy, start_timer, "
                "stop_timer, outcome is needed");
  return std::nullopt;
}

bool EffectCompiler::FindTarget(const std::string& name,
                                const MessageChecker& place,
                                PropertyEffect& effect) const {
  const std::vector<std::string> parts = absl::StrSplit(name, '.');
  if (parts.size() != 2 && parts.size() != 3) {
    place.Problem("property", fmt::format("'{}' is not component.property, nor "
                                          "component.property.x of a vector",
                                          name));
    return false;
  }
  const absl::StatusOr<PropertyRef> property =
      FindProperty(world_.components, parts[0], parts[1]);
  if (!property.ok()) {
    place.Problem("property", std::string(property.status().message()));
    return false;
  }
  effect.property = *property;
  if (property->capacity > 0 || property->type == PropertyType::kQuaternion) {
    place.Problem("property",
                  fmt::format("'{}' is a {}: an effect can't write it", name,
                              property->capacity > 0 ? "list" : "rotation"));
    return false;
  }
  const uint32_t count = ScalarsOf(property->type);
  if ((count > 1) != (parts.size() == 3)) {
    place.Problem(
        "property",
        count > 1 ? fmt::format("which number of '{0}'? {0}.x, {0}.y "
                                "and so on",
                                name)
                  : fmt::format("'{}.{}' has no parts", parts[0], parts[1]));
    return false;
  }
  if (count == 1) return true;
  constexpr std::array<std::string_view, 3> kParts = {"x", "y", "z"};
  const auto part = std::find(kParts.begin(), kParts.begin() + count, parts[2]);
  if (part == kParts.begin() + count) {
    place.Problem("property", fmt::format("'{}.{}' has no part '{}'", parts[0],
                                          parts[1], parts[2]));
    return false;
  }
  effect.part = static_cast<uint32_t>(part - kParts.begin());
  return true;
}

bool EffectCompiler::CompileReference(const std::string& name,
                                      const std::string& event,
                                      const MessageChecker& place,
                                      PropertyEffect& effect) const {
  if (effect.is_added) {
    place.Problem("property", "a reference is no number");
    return false;
  }
  if (name == "none") return true;
  effect.whom = references_.FindEither("to", name, event, place);
  return effect.whom.has_value();
}

std::optional<EventEffect> EffectCompiler::CompileProperty(
    const std::string& object, const std::string& property,
    std::string_view value_field, const std::string& value, bool is_added,
    const std::string& event, const MessageChecker& place) const {
  PropertyEffect effect{.is_added = is_added};
  const std::optional<Participant> whose = FindObject(object, event, place);
  if (!FindTarget(property, place, effect) || !whose.has_value()) {
    return std::nullopt;
  }
  if (effect.property.type == PropertyType::kReference) {
    if (!CompileReference(value, event, place, effect)) return std::nullopt;
    return EventEffect{.object = whose, .kind = std::move(effect)};
  }
  effect.value =
      references_.CompileExpression(value_field, value, event, place);
  if (effect.value == nullptr) return std::nullopt;
  const ExpressionType wanted = ExpressionTypeOf(effect.property.type);
  if (is_added && wanted != ExpressionType::kNumber) {
    place.Problem("property", fmt::format("'{}' is no number", property));
    return std::nullopt;
  }
  if (effect.value->type() != wanted) {
    place.Problem(value_field,
                  fmt::format("'{}' wants {}, not {}", property, NameOf(wanted),
                              NameOf(effect.value->type())));
    return std::nullopt;
  }
  const PropertyDefinition& definition =
      world_.components[effect.property.component]
          .properties[effect.property.property];
  for (const std::string& word : effect.value->words()) {
    if (definition.type != PropertyType::kEnum ||
        std::ranges::find(definition.choices, IdOf(word)) !=
            definition.choices.end()) {
      continue;
    }
    std::vector<std::string> choices;
    for (const Id choice : definition.choices) {
      const auto named = std::ranges::find(words_, choice, &IdOf);
      if (named != words_.end()) choices.push_back(*named);
    }
    place.Problem(value_field,
                  fmt::format("'{}' is not among the choices of '{}'{}", word,
                              property, place.SuggestionFor(word, choices)));
    return std::nullopt;
  }
  return EventEffect{.object = whose, .kind = std::move(effect)};
}

std::optional<EventEffect> EffectCompiler::CompileSend(
    const v1::SendEffect& effect, const std::string& event,
    const MessageChecker& place) const {
  SendEffect send{
      .event = events_.Refer(EventRole::kSends, "event", effect.event(), place),
      .arguments =
          references_.CompileConstants(effect.with(), effect.event(), place),
      .delay = CompileSeconds("delay_s", effect.delay_s(),
                              world_.info.tick_rate, place)};
  std::set<std::string> given;
  for (int i = 0; i < effect.with_size(); ++i) {
    const v1::ArgumentValue& with = effect.with(i);
    if (given.insert(with.argument()).second) continue;
    place.In(with, "with", i)
        .LeadsNowhere("argument",
                      fmt::format("'{}' is given twice: the last one alone "
                                  "would count",
                                  with.argument()));
  }
  events_.WarnOfMissing("event", effect.event(), given, place);
  const std::optional<Participant> object =
      FindObject(effect.object(), event, place);
  if (!object.has_value()) return std::nullopt;
  return EventEffect{.object = object, .kind = std::move(send)};
}

std::optional<EventEffect> EffectCompiler::CompileSpawn(
    const v1::SpawnEffect& effect, const std::string& event,
    const MessageChecker& place) const {
  SpawnEffect spawn{.archetype = IdOf(effect.archetype()),
                    .name = kNoId,
                    .offset = place.Vector("offset", effect.offset())};
  if (!effect.name().empty()) {
    spawn.name = CompileWord("name", effect.name(), place, words_);
  }
  const bool is_known = world_.FindArchetype(spawn.archetype).has_value();
  if (!is_known) {
    place.NoSuch("archetype", "type or archetype", effect.archetype());
  }
  const std::optional<Participant> object =
      FindObject(effect.object(), event, place);
  if (!is_known || !object.has_value()) return std::nullopt;
  return EventEffect{.object = object, .kind = spawn};
}

std::optional<EventEffect> EffectCompiler::CompileOutcome(
    const v1::OutcomeEffect& effect, const std::string& event,
    const MessageChecker& place) const {
  OutcomeEffect outcome{
      .is_won = effect.decision() == v1::Objective::DECISION_WON,
      .reason = kNoId};
  if (!outcome.is_won && effect.decision() != v1::Objective::DECISION_LOST) {
    place.Problem("decision", "required: DECISION_WON or DECISION_LOST");
    return std::nullopt;
  }
  if (!effect.reason().empty()) {
    words_.insert(effect.reason());
    outcome.reason = IdOf(effect.reason());
  }
  if (effect.object().empty()) {
    if (outcome.reason == kNoId) {
      place.Problem("reason", "required where no object decides");
      return std::nullopt;
    }
    return EventEffect{.object = std::nullopt, .kind = outcome};
  }
  const std::optional<Participant> object =
      references_.FindEither("object", effect.object(), event, place);
  if (!object.has_value()) return std::nullopt;
  return EventEffect{.object = object, .kind = outcome};
}

}  // namespace reprise::sim
