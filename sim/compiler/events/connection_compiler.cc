// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/events/connection_compiler.h"

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
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/events/effect_compiler.h"
#include "sim/compiler/events/event_references.h"
#include "sim/compiler/events/event_rings.h"
#include "sim/expression/value.h"
#include "sim/game_description.h"
#include "sim/state/field_value.h"
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

class ConnectionCompiler {
 public:
  ConnectionCompiler(const v1::Pack& pack, const MessageChecker& checker,
                     EventCatalogue& events, std::set<std::string>& words,
                     WorldDefinition& world)
      : pack_(pack),
        checker_(checker),
        events_(events),
        words_(words),
        world_(world),
        references_(events, words, world),
        effects_(references_, events, words, world) {}

  void Compile() {
    // Where they stand is nothing to those that pass it on.
    for (const v1::Connection& connection : pack_.connections()) {
      for (const v1::Effect& effect : connection.then()) {
        if (!effect.has_start_timer()) continue;
        events_.AddArgument(effect.start_timer().timer().event(), "timer",
                            ScalarType::kId);
      }
    }
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
        .posted_type = message.send().empty() && message.then_size() > 0
                           ? kNoId
                           : events_.Refer(EventRole::kSends, "send",
                                           message.send(), place),
        .delay = CompileSeconds("delay_s", message.delay_s(),
                                world_.info.tick_rate, place),
        .priority = message.priority()};
    CompileTarget(message, place, connection);
    CompileCondition(message, place, connection);
    for (int k = 0; k < message.pass_size(); ++k) {
      connection.mappings.push_back(CompileMapping(message, k, place));
    }
    connection.constants =
        references_.CompileConstants(message.with(), message.send(), place);
    WarnOfMissing(message, place);
    for (int k = 0; k < message.then_size(); ++k) {
      const v1::Effect& effect = message.then(k);
      std::optional<EventEffect> compiled = effects_.Compile(
          effect, message.event(), place.In(effect, "then", k));
      if (compiled.has_value()) {
        connection.effects.push_back(*std::move(compiled));
      }
    }
    if (connection.posted_type == kNoId &&
        static_cast<int>(connection.effects.size()) < message.then_size()) {
      return;  // reported
    }
    const std::vector<Id> source_types =
        CompileSource(message, place, connection);
    if (!CheckGiven(message, place)) return;
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
      return references_.TypesOf("source_type", message.source_type(), place);
    }
    if (!message.source_spawned().empty()) {
      connection.source_name = CompileWord(
          "source_spawned", message.source_spawned(), place, words_);
    } else if (!message.source().empty()) {
      const std::optional<Participant> object =
          references_.FindObject("source", message.source(), place);
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
          references_.TypesOf("target_type", message.target_type(), place);
    } else if (!message.target_participant().empty()) {
      connection.participant = references_.FindParticipant(
          "target_participant", message.target_participant(), message.event(),
          place);
    } else if (!message.target_spawned().empty()) {
      connection.participant = {
          .kind = Participant::Kind::kNamed,
          .id = CompileWord("target_spawned", message.target_spawned(), place,
                            words_)};
    } else if (!message.target().empty()) {
      const std::optional<Participant> object =
          references_.FindObject("target", message.target(), place);
      if (!object.has_value()) return;
      if (object->kind == Participant::Kind::kObject) {
        connection.target = object->object;
      } else {
        connection.participant = object;
      }
    }
  }

  void CompileCondition(const v1::Connection& message,
                        const MessageChecker& place,
                        EventConnection& connection) {
    if (message.if_().empty()) return;
    std::shared_ptr<const EventExpression> condition =
        references_.CompileExpression("if", message.if_(), message.event(),
                                      place);
    if (condition == nullptr) return;
    if (condition->type() != ExpressionType::kBool) {
      place.Problem("if", "this is no condition: it isn't true or false");
      return;
    }
    connection.condition = std::move(condition);
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
      events_.ReportLetThrough(
          "from",
          fmt::format("'{}' of '{}' is of the type {}, '{}' of '{}' of the "
                      "type {}",
                      pass.from(), connection.event(),
                      EventValueTypeName(*output->type), to, connection.send(),
                      EventValueTypeName(*input->type)),
          at);
    } else if (*output->type != *input->type) {
      mapping.becomes = *input->type;
    }
    return mapping;
  }

  // Whether each argument is given once, and no more than an event has; reports
  // the first that isn't where it stands.
  static bool CheckGiven(const v1::Connection& message,
                         const MessageChecker& place) {
    std::set<std::string> given;
    const auto add = [&](std::string_view field, const std::string& argument,
                         const MessageChecker& at) {
      if (!given.insert(argument).second) {
        at.Problem(field, fmt::format("'{}' is given twice", argument));
        return false;
      }
      if (given.size() <= kEventArgumentsMax) return true;
      at.Problem(field, fmt::format("more than {} arguments up to here",
                                    kEventArgumentsMax));
      return false;
    };
    for (int i = 0; i < message.pass_size(); ++i) {
      const v1::ArgumentMapping& pass = message.pass(i);
      const bool is_same = pass.to().empty();
      if (!add(is_same ? "from" : "to", is_same ? pass.from() : pass.to(),
               place.In(pass, "pass", i))) {
        return false;
      }
    }
    for (int i = 0; i < message.with_size(); ++i) {
      const v1::ArgumentValue& with = message.with(i);
      if (!add("argument", with.argument(), place.In(with, "with", i))) {
        return false;
      }
    }
    return true;
  }

  void WarnOfMissing(const v1::Connection& message,
                     const MessageChecker& place) const {
    std::set<std::string> given;
    for (const v1::ArgumentMapping& pass : message.pass()) {
      given.insert(pass.to().empty() ? pass.from() : pass.to());
    }
    for (const v1::ArgumentValue& constant : message.with()) {
      given.insert(constant.argument());
    }
    events_.WarnOfMissing("send", message.send(), given, place);
  }

  void WarnOfRings() const {
    std::set<int> told;  // one for several types is told once
    for (const EventRing& ring : FindEventRings(connections_)) {
      const int last = indexes_[ring.connections.back()];
      // Effects that were reported are missing, and the others elsewhere.
      if (connections_[ring.connections.back()].effects.size() !=
          static_cast<size_t>(pack_.connections(last).then_size())) {
        continue;
      }
      if (!told.insert(last).second) continue;
      std::vector<std::string_view> names;
      for (const size_t connection : ring.connections) {
        names.push_back(pack_.connections(indexes_[connection]).event());
      }
      names.push_back(names.front());
      PlaceOf(ring, last)
          .Warning(ring.effect.has_value() ? "event" : "send",
                   fmt::format("the event sends itself, without delay, "
                               "condition or end: {}",
                               fmt::join(names, " -> ")));
    }
  }

  // Where the last of a ring's connections, `index`, sends the first event.
  MessageChecker PlaceOf(const EventRing& ring, int index) const {
    if (!ring.effect.has_value()) return Place(index);
    const auto effect = static_cast<int>(*ring.effect);
    const v1::Effect& message = pack_.connections(index).then(effect);
    return Place(index).In(message, "then", effect).In(message.send(), "send");
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  EventCatalogue& events_;
  std::set<std::string>& words_;
  WorldDefinition& world_;
  EventReferences references_;
  EffectCompiler effects_;
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
