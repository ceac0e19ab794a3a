// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/events/event_references.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/known_names.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/reading/value_text.h"
#include "sim/game_description.h"

namespace reprise::sim {
namespace {

bool IsObject(ScalarType type) {
  return type == ScalarType::kObject || type == ScalarType::kHandle;
}

// The type of a value that is written as text; of objects, a name.
PropertyType WrittenAs(ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
      return PropertyType::kBool;
    case ScalarType::kInt64:
      return PropertyType::kInt;
    case ScalarType::kDouble:
      return PropertyType::kDouble;
    default:
      return PropertyType::kText;
  }
}

}  // namespace

EventReferences::EventReferences(const EventCatalogue& events,
                                 std::set<std::string>& words,
                                 const WorldDefinition& world, Self self)
    : events_(events),
      words_(words),
      world_(world),
      has_self_(self == Self::kIs) {
  for (const TypeDefinition& type : world.types) types_.push_back(type.name);
}

std::vector<Id> EventReferences::TypesOf(std::string_view field,
                                         const std::string& name,
                                         const MessageChecker& place) const {
  std::vector<Id> types;
  const Id id = IdOf(name);
  for (const TypeDefinition& type : world_.types) {
    if (type.id == id ||
        std::ranges::find(type.bases, id) != type.bases.end()) {
      types.push_back(type.id);
    }
  }
  if (types.empty()) place.NoSuch(field, "type", name);
  return types;
}

std::optional<Participant> EventReferences::FindObject(
    std::string_view field, const std::string& name,
    const MessageChecker& place) const {
  const std::optional<Participant> object = ObjectNamed(name);
  if (!object.has_value()) place.NoSuch(field, "object", name);
  return object;
}

std::optional<Participant> EventReferences::ObjectNamed(
    const std::string& name) const {
  const ObjectDefinition* const object = FindObjectNamed(name, world_);
  if (object == nullptr) return std::nullopt;
  if (object->presence.chunk != kNoId) {
    return Participant{.kind = Participant::Kind::kNamed,
                       .id = object->name_id};
  }
  const auto index = static_cast<uint64_t>(object - world_.objects.data());
  return Participant{.kind = Participant::Kind::kObject,
                     .object = ObjectId{index + 1}};
}

std::optional<Participant> EventReferences::PartNamed(
    const std::string& name, const std::string& event,
    std::vector<std::string>& known) const {
  if (name == "sender") {
    return Participant{.kind = Participant::Kind::kSender};
  }
  if (name == "target") {
    return Participant{.kind = Participant::Kind::kTarget};
  }
  if (has_self_ && name == "self") {
    return Participant{.kind = Participant::Kind::kTarget};
  }
  known = {"sender", "target"};
  if (has_self_) known.emplace_back("self");
  for (const EventArgumentDescription& argument : events_.ArgumentsOf(event)) {
    if (!argument.type.has_value() || !IsObject(*argument.type)) continue;
    if (argument.name == name) {
      return Participant{.kind = Participant::Kind::kArgument,
                         .id = IdOf(name)};
    }
    known.push_back(argument.name);
  }
  return std::nullopt;
}

std::optional<Participant> EventReferences::FindParticipant(
    std::string_view field, const std::string& name, const std::string& event,
    const MessageChecker& place) const {
  std::vector<std::string> known;
  const std::optional<Participant> part = PartNamed(name, event, known);
  if (!part.has_value()) {
    place.Problem(
        field, fmt::format("'{}' has no part in the event '{}'{}", name, event,
                           place.SuggestionFor(name, known)));
  }
  return part;
}

std::optional<Participant> EventReferences::FindEither(
    std::string_view field, const std::string& name, const std::string& event,
    const MessageChecker& place) const {
  std::vector<std::string> known;
  std::optional<Participant> found = PartNamed(name, event, known);
  if (!found.has_value()) found = ObjectNamed(name);
  if (!found.has_value() && event.empty()) {
    place.NoSuch(field, "object", name);
  } else if (!found.has_value()) {
    if (place.manifest() != nullptr) {
      const std::vector<std::string> objects =
          KnownNames(*place.manifest(), "object");
      known.insert(known.end(), objects.begin(), objects.end());
    }
    place.Problem(
        field,
        fmt::format("'{}' has no part in the event '{}', and no object of the "
                    "pack is called so{}",
                    name, event, place.SuggestionFor(name, known)));
  }
  return found;
}

std::shared_ptr<const EventExpression> EventReferences::CompileExpression(
    std::string_view field, const std::string& text, const std::string& event,
    const MessageChecker& place) const {
  const bool is_of_none = has_self_ && event.empty();
  if (!is_of_none && !RequireKnown(field, event, place)) return nullptr;
  const std::vector<EventArgumentDescription> arguments =
      events_.ArgumentsOf(event);
  EventNames names{
      .arguments = arguments,
      .components = world_.components,
      .types = types_,
      .find_object = [&](const std::string& name) { return ObjectNamed(name); },
      .name_of = [&](Id id) { return NameOf(id); },
      .names_in =
          [&](std::string_view argument) {
            const std::string kind = events_.NamedBy(event, argument);
            if (kind.empty() || place.manifest() == nullptr) {
              return std::vector<std::string>();
            }
            return KnownNames(*place.manifest(), kind);
          },
      .has_self = has_self_};
  absl::StatusOr<EventExpression> expression =
      EventExpression::Parse(text, names);
  if (!expression.ok()) {
    // Packs that asked for names that nothing has ran once.
    names.names_in = nullptr;
    absl::StatusOr<EventExpression> lax = EventExpression::Parse(text, names);
    if (lax.ok()) {
      place.LeadsNowhere(field, std::string(expression.status().message()));
      expression = std::move(lax);
    }
  }
  if (!expression.ok()) {
    place.Problem(field, std::string(expression.status().message()));
    return nullptr;
  }
  words_.insert(expression->words().begin(), expression->words().end());
  return std::make_shared<const EventExpression>(*std::move(expression));
}

std::string EventReferences::NameOf(Id id) const {
  for (const std::string& word : words_) {
    if (IdOf(word) == id) return word;
  }
  return "";
}

// Whether an event is declared; reports that it has to be.
bool EventReferences::RequireKnown(std::string_view field,
                                   const std::string& event,
                                   const MessageChecker& place) const {
  if (events_.IsKnown(event)) return true;
  place.Problem(field, fmt::format("nobody declares the event '{}': what its "
                                   "arguments are, isn't known",
                                   event));
  return false;
}

std::vector<EventArgument> EventReferences::CompileConstants(
    const google::protobuf::RepeatedPtrField<v1::ArgumentValue>& constants,
    const std::string& event, const MessageChecker& place) const {
  std::vector<EventArgument> compiled;
  for (int i = 0; i < constants.size(); ++i) {
    const v1::ArgumentValue& constant = constants[i];
    const MessageChecker at = place.In(constant, "with", i);
    if (!RequireKnown("argument", event, at)) continue;
    const EventArgumentDescription* const argument =
        events_.ReferArgument("argument", event, constant.argument(), at);
    if (argument == nullptr) continue;
    if (!argument->type.has_value()) {
      at.Problem("argument",
                 fmt::format("of which type '{}' is, nobody declares",
                             constant.argument()));
      continue;
    }
    const std::optional<FieldValue> value =
        CompileConstant(*argument->type, constant, at);
    if (!value.has_value()) continue;
    CheckNamed(events_.NamedBy(event, constant.argument()), constant.to(), at);
    words_.insert(constant.argument());
    compiled.push_back({IdOf(constant.argument()), *value});
  }
  return compiled;
}

// Packs that named what isn't there ran once: the object that is asked refuses.
void EventReferences::CheckNamed(std::string_view kind, const std::string& name,
                                 const MessageChecker& at) {
  if (kind.empty() || at.manifest() == nullptr) return;
  const std::vector<std::string> known = KnownNames(*at.manifest(), kind);
  if (std::ranges::find(known, name) != known.end()) return;
  at.LeadsNowhere("to", fmt::format("there is no {} '{}'{}", kind, name,
                                    at.SuggestionFor(name, known)));
}

// nullopt after reporting that the text is none.
std::optional<FieldValue> EventReferences::CompileConstant(
    ScalarType type, const v1::ArgumentValue& constant,
    const MessageChecker& at) const {
  const std::string& text = constant.to();
  if (IsObject(type)) {
    const std::optional<uint32_t> object =
        FindPermanentObject("to", text, at, world_);
    if (!object.has_value()) return std::nullopt;
    return type == ScalarType::kObject
               ? FieldValue::OfObject(ObjectId{*object + uint64_t{1}})
               : FieldValue::OfHandle({.index = *object, .generation = 1});
  }
  const absl::StatusOr<v1::Value> value = ParseValueText(WrittenAs(type), text);
  if (!value.ok()) {
    at.Problem("to", fmt::format("'{}': {}", constant.argument(),
                                 std::string(value.status().message())));
    return std::nullopt;
  }
  switch (value->kind_case()) {
    case v1::Value::kBoolean:
      return FieldValue{ScalarType::kBool, value->boolean() ? 1u : 0u};
    case v1::Value::kInteger:
      return FieldValue::OfInt64(value->integer());
    case v1::Value::kNumber:
      return FieldValue::OfDouble(value->number());
    default:
      words_.insert(value->text());
      return FieldValue::OfId(IdOf(value->text()));
  }
}

}  // namespace reprise::sim
