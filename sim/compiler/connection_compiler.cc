// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/connection_compiler.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/field_value.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/event_rings.h"
#include "sim/compiler/reading/value_text.h"
#include "sim/expression/value.h"
#include "sim/game_description.h"
#include "sim/world/events/event_connections.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"

namespace reprise::sim {
namespace {

bool IsObject(ScalarType type) {
  return type == ScalarType::kObject || type == ScalarType::kHandle;
}

// Whether a value of one type can become one of the other: a whole number does
// for a number, and an object is one however it is called.
bool DoesFor(ScalarType from, ScalarType to) {
  return from == to ||
         (from == ScalarType::kInt64 && to == ScalarType::kDouble) ||
         (IsObject(from) && IsObject(to));
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

class ConnectionCompiler {
 public:
  ConnectionCompiler(const v1::Pack& pack, const MessageChecker& checker,
                     EventCatalogue& events, std::set<std::string>& words,
                     WorldDefinition& world)
      : pack_(pack),
        checker_(checker),
        events_(events),
        words_(words),
        world_(world) {
    for (const TypeDefinition& type : world.types) types_.push_back(type.name);
  }

  void Compile() {
    std::set<std::string> names;
    for (int i = 0; i < pack_.connections_size(); ++i) {
      const v1::Connection& message = pack_.connections(i);
      if (!names.insert(message.name()).second) {
        Place(i).Problem("name", fmt::format("there are two connections '{}'",
                                             message.name()));
      }
      CompileConnection(i);
      if (connections_.size() > kEventConnectionsMax) break;  // reported below
    }
    const absl::Status status = ValidateEventConnections(connections_);
    if (!status.ok()) {
      checker_.Problem("connections", std::string(status.message()));
      return;
    }
    WarnOfRings();
    world_.connections = EventConnections(std::move(connections_));
  }

 private:
  MessageChecker Place(int index) const {
    return checker_.In(pack_.connections(index), "connections", index);
  }

  void CompileConnection(int index) {
    const v1::Connection& message = pack_.connections(index);
    const MessageChecker place = Place(index);
    EventConnection connection{
        .type =
            events_.Refer(EventRole::kHears, "event", message.event(), place),
        .name = CompileWord("name", message.name(), place, words_),
        .posted_type =
            events_.Refer(EventRole::kSends, "send", message.send(), place),
        .delay = CompileSeconds("delay_s", message.delay_s(),
                                world_.info.tick_rate, place),
        .priority = message.priority()};
    CompileTarget(message, place, connection);
    CompileCondition(message, place, connection);
    for (int k = 0; k < message.pass_size(); ++k) {
      connection.mappings.push_back(CompileMapping(message, k, place));
    }
    for (int k = 0; k < message.with_size(); ++k) {
      CompileConstant(message, k, place, connection);
    }
    const std::vector<Id> source_types =
        CompileSource(message, place, connection);
    const absl::Status status =
        ValidateEventConnections(std::span(&connection, 1));
    if (!status.ok()) {
      place.Problem(message.pass_size() > 0 ? "pass" : "with",
                    std::string(status.message()));
      return;
    }
    indexes_.insert(indexes_.end(), std::max<size_t>(source_types.size(), 1),
                    index);
    if (source_types.empty()) {
      connections_.push_back(std::move(connection));
      return;
    }
    for (const Id type : source_types) {
      connections_.push_back(connection);
      connections_.back().source_type = type;
    }
  }

  // Reports a second way of naming one thing.
  static void RefuseSecond(
      std::span<const std::pair<std::string_view, bool>> ways,
      const MessageChecker& place) {
    std::string_view first;
    for (const auto& [field, is_used] : ways) {
      if (!is_used) continue;
      if (!first.empty()) {
        place.Problem(field, fmt::format("'{}' stands there, too", first));
        return;
      }
      first = field;
    }
  }

  // That type and all that extend it, in the order of their names.
  std::vector<Id> TypesOf(std::string_view field, const std::string& name,
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

  // An object that is always there, or one of a chunk by its name; nullopt
  // after reporting that there is none.
  std::optional<Participant> FindObject(std::string_view field,
                                        const std::string& name,
                                        const MessageChecker& place) const {
    const std::optional<Participant> object = ObjectNamed(name);
    if (!object.has_value()) place.NoSuch(field, "object", name);
    return object;
  }

  std::optional<Participant> ObjectNamed(const std::string& name) const {
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

  // The types of senders; empty where the connection says whose events it
  // follows.
  std::vector<Id> CompileSource(const v1::Connection& message,
                                const MessageChecker& place,
                                EventConnection& connection) {
    RefuseSecond(std::to_array<std::pair<std::string_view, bool>>(
                     {{"source", !message.source().empty()},
                      {"source_type", !message.source_type().empty()},
                      {"source_spawned", !message.source_spawned().empty()}}),
                 place);
    if (!message.source_type().empty()) {
      return TypesOf("source_type", message.source_type(), place);
    }
    if (!message.source_spawned().empty()) {
      connection.source_name = CompileWord(
          "source_spawned", message.source_spawned(), place, words_);
    } else if (!message.source().empty()) {
      const std::optional<Participant> object =
          FindObject("source", message.source(), place);
      if (!object.has_value()) return {};
      connection.source = object->object;
      connection.source_name = object->id;
    }
    return {};
  }

  void CompileTarget(const v1::Connection& message, const MessageChecker& place,
                     EventConnection& connection) {
    RefuseSecond(
        std::to_array<std::pair<std::string_view, bool>>(
            {{"target", !message.target().empty()},
             {"target_participant", !message.target_participant().empty()},
             {"target_type", !message.target_type().empty()},
             {"target_spawned", !message.target_spawned().empty()}}),
        place);
    if (!message.target_type().empty()) {
      connection.target_types =
          TypesOf("target_type", message.target_type(), place);
    } else if (!message.target_participant().empty()) {
      connection.participant =
          CompileParticipant("target_participant", message.target_participant(),
                             message.event(), place);
    } else if (!message.target_spawned().empty()) {
      connection.participant = {
          .kind = Participant::Kind::kNamed,
          .id = CompileWord("target_spawned", message.target_spawned(), place,
                            words_)};
    } else if (!message.target().empty()) {
      const std::optional<Participant> object =
          FindObject("target", message.target(), place);
      if (!object.has_value()) return;
      if (object->kind == Participant::Kind::kObject) {
        connection.target = object->object;
      } else {
        connection.participant = object;
      }
    }
  }

  // Who has a part in an event; nullopt after reporting that nobody has it.
  std::optional<Participant> CompileParticipant(
      std::string_view field, const std::string& name, const std::string& event,
      const MessageChecker& place) const {
    if (name == "sender") {
      return Participant{.kind = Participant::Kind::kSender};
    }
    if (name == "target") {
      return Participant{.kind = Participant::Kind::kTarget};
    }
    std::vector<std::string> known = {"sender", "target"};
    for (const EventArgumentDescription& argument :
         events_.ArgumentsOf(event)) {
      if (!argument.type.has_value() || !IsObject(*argument.type)) continue;
      if (argument.name == name) {
        return Participant{.kind = Participant::Kind::kArgument,
                           .id = IdOf(name)};
      }
      known.push_back(argument.name);
    }
    place.Problem(
        field, fmt::format("'{}' has no part in the event '{}'{}", name, event,
                           place.SuggestionFor(name, known)));
    return std::nullopt;
  }

  void CompileCondition(const v1::Connection& message,
                        const MessageChecker& place,
                        EventConnection& connection) {
    if (message.if_().empty()) return;
    if (!RequireKnown("if", message.event(), place)) return;
    const std::vector<EventArgumentDescription> arguments =
        events_.ArgumentsOf(message.event());
    absl::StatusOr<EventExpression> condition = EventExpression::Parse(
        message.if_(),
        {.arguments = arguments,
         .components = world_.components,
         .types = types_,
         .find_object =
             [&](const std::string& name) { return ObjectNamed(name); },
         .name_of = [&](Id id) { return NameOf(id); }});
    if (!condition.ok()) {
      place.Problem("if", std::string(condition.status().message()));
      return;
    }
    if (condition->type() != ExpressionType::kBool) {
      place.Problem("if", "this is no condition: it isn't true or false");
      return;
    }
    words_.insert(condition->words().begin(), condition->words().end());
    connection.condition =
        std::make_shared<const EventExpression>(*std::move(condition));
  }

  std::string NameOf(Id id) const {
    for (const std::string& word : words_) {
      if (IdOf(word) == id) return word;
    }
    return "";
  }

  // Whether an event is declared; reports that it has to be.
  bool RequireKnown(std::string_view field, const std::string& event,
                    const MessageChecker& place) const {
    if (events_.IsKnown(event)) return true;
    place.Problem(field, fmt::format("nobody declares the event '{}': what its "
                                     "arguments are, isn't known",
                                     event));
    return false;
  }

  // What the connection passes, checked against what both events are said to
  // have.
  EventConnection::Mapping CompileMapping(const v1::Connection& connection,
                                          int index,
                                          const MessageChecker& place) {
    const v1::ArgumentMapping& pass = connection.pass(index);
    const MessageChecker at = place.In(pass, "pass", index);
    const bool is_same = pass.to().empty();
    const std::string& to = is_same ? pass.from() : pass.to();
    EventConnection::Mapping mapping{
        .output = CompileWord("from", pass.from(), at, words_),
        .input = is_same ? IdOf(to) : CompileWord("to", to, at, words_)};
    const EventArgumentDescription* output = nullptr;
    const EventArgumentDescription* input = nullptr;
    if (events_.IsKnown(connection.event())) {
      output =
          events_.ReferArgument("from", connection.event(), pass.from(), at);
    }
    if (events_.IsKnown(connection.send())) {
      input = events_.ReferArgument(is_same ? "from" : "to", connection.send(),
                                    to, at);
    }
    if (output == nullptr || input == nullptr || !output->type.has_value() ||
        !input->type.has_value()) {
      return mapping;
    }
    if (!DoesFor(*output->type, *input->type)) {
      at.Problem(
          "from",
          fmt::format("'{}' of '{}' is of the type {}, '{}' of '{}' of the "
                      "type {}",
                      pass.from(), connection.event(),
                      EventValueTypeName(*output->type), to, connection.send(),
                      EventValueTypeName(*input->type)));
    } else if (*output->type != *input->type) {
      mapping.becomes = *input->type;
    }
    return mapping;
  }

  void CompileConstant(const v1::Connection& message, int index,
                       const MessageChecker& place,
                       EventConnection& connection) {
    const v1::ArgumentValue& constant = message.with(index);
    const MessageChecker at = place.In(constant, "with", index);
    if (!RequireKnown("argument", message.send(), at)) return;
    const EventArgumentDescription* const argument = events_.ReferArgument(
        "argument", message.send(), constant.argument(), at);
    if (argument == nullptr) return;
    if (!argument->type.has_value()) {
      at.Problem("argument", fmt::format("of which type '{}' is, nobody "
                                         "declares",
                                         constant.argument()));
      return;
    }
    const std::optional<FieldValue> value =
        CompileConstantValue(*argument->type, constant.to(), at);
    if (!value.has_value()) return;
    connection.constants.push_back({IdOf(constant.argument()), *value});
  }

  // nullopt after reporting that the text is none.
  std::optional<FieldValue> CompileConstantValue(ScalarType type,
                                                 const std::string& text,
                                                 const MessageChecker& at) {
    if (IsObject(type)) {
      const std::optional<uint32_t> object =
          FindPermanentObject("to", text, at, world_);
      if (!object.has_value()) return std::nullopt;
      return type == ScalarType::kObject
                 ? FieldValue::OfObject(ObjectId{*object + uint64_t{1}})
                 : FieldValue::OfHandle({.index = *object, .generation = 1});
    }
    const absl::StatusOr<v1::Value> value =
        ParseValueText(WrittenAs(type), text);
    if (!value.ok()) {
      at.Problem("to", std::string(value.status().message()));
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

  void WarnOfRings() const {
    std::set<int> told;  // one for several types is told once
    for (const EventRing& ring : FindEventRings(connections_)) {
      const int last = indexes_[ring.connections.back()];
      if (!told.insert(last).second) continue;
      std::vector<std::string_view> names;
      for (const size_t connection : ring.connections) {
        names.push_back(pack_.connections(indexes_[connection]).event());
      }
      names.push_back(names.front());
      Place(last).Warning("send",
                          fmt::format("the event sends itself, without delay, "
                                      "condition or end: {}",
                                      fmt::join(names, " -> ")));
    }
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  EventCatalogue& events_;
  std::set<std::string>& words_;
  WorldDefinition& world_;
  std::vector<std::string_view> types_;
  std::vector<EventConnection> connections_;
  std::vector<int> indexes_;  // of each, in the manifest
};

}  // namespace

void CompileConnections(const v1::Pack& pack, const MessageChecker& checker,
                        EventCatalogue& events, std::set<std::string>& words,
                        WorldDefinition& world) {
  ConnectionCompiler(pack, checker, events, words, world).Compile();
}

}  // namespace reprise::sim
