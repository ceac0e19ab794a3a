// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/event_catalogue.h"

#include <algorithm>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "sim/base/check.h"
#include "sim/base/pack_name.h"
#include "sim/base/property_type.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/property_types.h"
#include "sim/input/action_argument.h"
#include "sim/world/command_events.h"
#include "sim/world/components/built_in_events.h"
#include "sim/world/components/event_declaration.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {
namespace {

// Whether the world tells by it of what went wrong: nobody may forge it.
bool IsOfMistakes(std::string_view event) {
  return event == "script_failed" || event == "object_failed";
}

// The type of the one value that an argument holds; nullopt after reporting
// that an event can't hold it.
std::optional<ScalarType> CompileArgumentType(
    const v1::EventTypeArgument& message, const MessageChecker& checker) {
  const std::optional<PropertyType> type = PropertyTypeOf(message.type());
  if (!type.has_value()) {
    checker.Problem("type", "required");
    return std::nullopt;
  }
  if (ScalarsOf(*type) != 1) {
    checker.Problem("type",
                    fmt::format("an argument holds one number: declare {0}_x, "
                                "{0}_y and so on, as numbers",
                                message.name()));
    return std::nullopt;
  }
  return ScalarTypeOf(*type);
}

// Whether those who hear of it hear of what a player does by it.
bool IsEvent(const Action& action) {
  return !action.is_for_authors && (action.kind == Action::Kind::kText ||
                                    action.kind == Action::Kind::kCommand);
}

bool IsUnit(std::string_view unit) {
  return unit.size() <= kPackNameBytesMax &&
         unit.find('\n') == std::string_view::npos;
}

}  // namespace

EventCatalogue::EventCatalogue(const v1::Pack& pack, const InputGrammar& inputs,
                               const MessageChecker& checker,
                               std::set<std::string>& words)
    : pack_(pack), checker_(checker), words_(words) {
  AddProgram();
  AddCommands(inputs);
  std::set<std::string> names;
  for (int i = 0; i < pack.events_size(); ++i) {
    const v1::EventType& message = pack.events(i);
    const MessageChecker place = checker.In(message, "events", i);
    CompileWord("name", message.name(), place, words);
    if (!names.insert(message.name()).second) {
      place.Problem("name", fmt::format("there are two event types '{}'",
                                        message.name()));
      continue;
    }
    AddDeclared(message, place);
  }
  CheckCommands(inputs);
}

void EventCatalogue::AddProgram() {
  const auto add_table = [this](std::span<const EventDeclaration> events) {
    for (const EventDeclaration& event : events) {
      KnownEvent& known = events_[std::string(event.name)];
      known.is_sent = known.is_heard = true;
      if (event.sender == kByPack) known.is_for_packs = true;
      std::vector<EventArgumentDescription> arguments;
      for (const ArgumentDeclaration& argument : event.described_arguments()) {
        arguments.push_back({.name = std::string(argument.name),
                             .type = argument.type,
                             .unit = std::string(argument.unit),
                             .is_optional = argument.is_optional});
        AddDescribed(event.name, arguments.back());
      }
      Require(arguments, known);
    }
  };
  add_table(kBuiltInEvents);
  for (auto& [name, event] : events_) event.is_of_others = true;
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    add_table(system->events);
  }
  for (const EventDescription& event : RegisteredEvents()) {
    KnownEvent& known = events_[event.name];
    known.is_sent = known.is_heard = true;
    known.is_of_others = known.is_for_packs = true;
    for (const EventArgumentDescription& argument : event.arguments) {
      AddDescribed(event.name, argument);
    }
    Require(event.arguments, known);
  }
}

void EventCatalogue::AddCommands(const InputGrammar& inputs) {
  for (const Action& action : inputs.actions) {
    if (!IsEvent(action)) continue;
    // One that is called as an event of the world doesn't make that the pack's.
    const bool is_new = !IsKnown(action.name);
    KnownEvent& known = events_[action.name];
    if (is_new) known.is_for_packs = true;
    known.is_sent = known.is_of_others = true;
    AddArgument(action.name, "player", ScalarType::kInt64);
    if (action.kind == Action::Kind::kText) {
      AddArgument(action.name, "text", ScalarType::kId);
    }
    for (const ActionArgument& argument : action.arguments) {
      ScalarType type = argument.capacity > 0 ? ScalarType::kInt64
                                              : ScalarTypeOf(argument.type);
      // Of a list its length comes first.
      for (const std::string& name : EventNamesOf(argument)) {
        AddArgument(action.name, name, type);
        type = ScalarTypeOf(argument.type);
      }
    }
  }
}

void EventCatalogue::CheckCommands(const InputGrammar& inputs) const {
  const v1::Players& players = pack_.players();
  const MessageChecker place = checker_.In(players, "players");
  for (const Action& action : inputs.actions) {
    if (!IsEvent(action) || !IsKnown(action.name)) continue;
    if (IsForPacks(action.name)) continue;
    for (int i = 0; i < players.actions_size(); ++i) {
      if (players.actions(i).name() != action.name) continue;
      RefuseOfWorld("name", action.name,
                    place.In(players.actions(i), "actions", i));
    }
  }
}

// Recordings have packs that send such events: they go on playing.
void EventCatalogue::RefuseOfWorld(std::string_view field,
                                   std::string_view event,
                                   const MessageChecker& checker) {
  checker.LeadsNowhere(field,
                       fmt::format("'{}' is sent by the world alone", event));
}

void EventCatalogue::AddDeclared(const v1::EventType& message,
                                 const MessageChecker& place) {
  EventDescription description{.name = message.name(),
                               .sender = std::string(kByPack),
                               .receiver = "whoever hears of it",
                               .when = message.description(),
                               .arguments = {}};
  KnownEvent& known = events_[message.name()];
  // Also where a system has one of that name: then it is the pack's, too.
  if (!IsOfMistakes(message.name())) known.is_for_packs = true;
  known.is_of_others = true;  // WarnOfUnused is about these
  std::set<std::string> names;
  for (int i = 0; i < message.arguments_size(); ++i) {
    const v1::EventTypeArgument& argument = message.arguments(i);
    const MessageChecker at = place.In(argument, "arguments", i);
    CompileWord("name", argument.name(), at, words_);
    const std::optional<ScalarType> type = CompileArgumentType(argument, at);
    if (!IsUnit(argument.unit())) {
      at.Problem("unit", fmt::format("at most {} bytes of text in one line",
                                     kPackNameBytesMax));
    }
    if (!names.insert(argument.name()).second) {
      at.Problem("name", fmt::format("the event has two arguments '{}'",
                                     argument.name()));
      continue;
    }
    const auto other = known.arguments.find(argument.name());
    if (other != known.arguments.end() && other->second.type.has_value() &&
        type.has_value() && *other->second.type != *type) {
      at.Problem("type",
                 fmt::format("'{}' has the argument '{}' already, of the "
                             "type {}",
                             message.name(), argument.name(),
                             EventValueTypeName(*other->second.type)));
      continue;
    }
    description.arguments.push_back({.name = argument.name(),
                                     .type = type,
                                     .unit = argument.unit(),
                                     .is_optional = argument.optional()});
    AddDescribed(message.name(), description.arguments.back());
  }
  // What a pack declares comes on top of what the program does.
  if (!known.required.has_value()) known.required.emplace();
  for (const EventArgumentDescription& argument : description.arguments) {
    if (!argument.is_optional) known.required->insert(argument.name);
  }
  if (known.arguments.size() > kEventArgumentsMax) {
    place.Problem("arguments",
                  fmt::format("events of '{}' have {} arguments; at most {} "
                              "are possible",
                              message.name(), known.arguments.size(),
                              kEventArgumentsMax));
  }
  declared_.push_back(std::move(description));
}

void EventCatalogue::Require(
    std::span<const EventArgumentDescription> arguments, KnownEvent& known) {
  std::set<std::string> required;
  for (const EventArgumentDescription& argument : arguments) {
    if (argument.is_optional) continue;
    if (known.required.has_value() &&
        !known.required->contains(argument.name)) {
      continue;
    }
    required.insert(argument.name);
  }
  known.required = std::move(required);
}

void EventCatalogue::AddDescribed(std::string_view event,
                                  const EventArgumentDescription& argument) {
  KnownEvent& known = events_.try_emplace(std::string(event)).first->second;
  known.arguments.try_emplace(argument.name, argument);
}

void EventCatalogue::AddArgument(std::string_view event,
                                 std::string_view argument,
                                 std::optional<ScalarType> type) {
  if (!IsKnown(event)) return;  // reported
  words_.emplace(argument);
  AddDescribed(event,
               {.name = std::string(argument), .type = type, .unit = ""});
}

void EventCatalogue::GiveArgument(std::string_view field,
                                  std::string_view event,
                                  std::string_view argument, ScalarType type,
                                  const MessageChecker& checker) {
  AddArgument(event, argument, type);
  const auto known = events_.find(event);
  if (known == events_.end()) return;  // reported
  const std::optional<ScalarType> declared =
      known->second.arguments.find(argument)->second.type;
  if (!declared.has_value() || *declared == type) return;
  checker.Problem(
      field, fmt::format("it gives '{}' the argument '{}' of the type {}, but "
                         "the event is declared to have one of the type {}",
                         event, argument, EventValueTypeName(type),
                         EventValueTypeName(*declared)));
}

bool EventCatalogue::IsForPacks(std::string_view event) const {
  const auto found = events_.find(event);
  CHECK(found != events_.end(), "{}", event);
  return found->second.is_for_packs;
}

std::vector<std::string> EventCatalogue::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, event] : events_) names.push_back(name);
  return names;
}

Id EventCatalogue::Refer(EventRole role, std::string_view field,
                         const std::string& name,
                         const MessageChecker& checker) {
  const Id id = CompileWord(field, name, checker, words_);
  const auto found = events_.find(name);
  if (found == events_.end()) {
    if (!IsPackName(name)) return id;  // reported
    ReportLetThrough(field,
                     fmt::format("there is no event '{}'{}", name,
                                 checker.SuggestionFor(name, Names())),
                     checker);
    return id;
  }
  KnownEvent& event = found->second;
  const bool is_sending = role == EventRole::kSends;
  if (is_sending && !event.is_for_packs) RefuseOfWorld(field, name, checker);
  (is_sending ? event.is_sent : event.is_heard) = true;
  std::optional<Naming>& first = is_sending ? event.sent_at : event.heard_at;
  if (!first.has_value()) {
    first.emplace(Naming{.field = std::string(field), .place = checker});
  }
  return id;
}

std::vector<EventArgumentDescription> EventCatalogue::ArgumentsOf(
    std::string_view event) const {
  std::vector<EventArgumentDescription> arguments;
  const auto found = events_.find(event);
  if (found == events_.end()) return arguments;
  for (const auto& [name, argument] : found->second.arguments) {
    arguments.push_back(argument);
  }
  return arguments;
}

std::vector<std::string> EventCatalogue::RequiredArgumentsOf(
    std::string_view event) const {
  const auto found = events_.find(event);
  if (found == events_.end() || !found->second.required.has_value()) return {};
  return {found->second.required->begin(), found->second.required->end()};
}

void EventCatalogue::WarnOfMissing(std::string_view field,
                                   const std::string& event,
                                   const std::set<std::string>& given,
                                   const MessageChecker& checker) const {
  const auto found = events_.find(event);
  // What the world alone sends, nobody has to give.
  if (found == events_.end() || !found->second.is_for_packs) return;
  for (const std::string& argument : RequiredArgumentsOf(event)) {
    if (given.contains(argument)) continue;
    checker.Warning(field,
                    fmt::format("'{}' is sent without its argument '{}', which "
                                "isn't declared as optional",
                                event, argument));
  }
}

void EventCatalogue::SetNamed(std::string_view event, std::string_view argument,
                              std::string_view kind) {
  const auto found = events_.find(event);
  CHECK(found != events_.end(), "{}", event);
  found->second.named.insert_or_assign(std::string(argument),
                                       std::string(kind));
}

std::string EventCatalogue::NamedBy(std::string_view event,
                                    std::string_view argument) const {
  const auto found = events_.find(event);
  if (found == events_.end()) return "";
  const auto named = found->second.named.find(argument);
  return named == found->second.named.end() ? "" : named->second;
}

const EventArgumentDescription* EventCatalogue::ReferArgument(
    std::string_view field, std::string_view event, const std::string& argument,
    const MessageChecker& checker) const {
  const KnownEvent& known = events_.find(event)->second;
  const auto found = known.arguments.find(argument);
  if (found != known.arguments.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [name, each] : known.arguments) names.push_back(name);
  ReportLetThrough(
      field,
      fmt::format("the event '{}' has no argument '{}'{}", event, argument,
                  checker.SuggestionFor(argument, names)),
      checker);
  return nullptr;
}

void EventCatalogue::WarnOfUnused(bool others_send, bool others_hear) const {
  for (int i = 0; i < pack_.events_size(); ++i) {
    const v1::EventType& message = pack_.events(i);
    const auto found = events_.find(message.name());
    if (found == events_.end()) continue;
    const bool is_sent = found->second.is_sent || others_send;
    const bool is_heard = found->second.is_heard || others_hear;
    if (is_sent && is_heard) continue;
    checker_.In(message, "events", i)
        .Warning("name", fmt::format("nobody {} '{}'",
                                     is_sent    ? "hears of"
                                     : is_heard ? "sends"
                                                : "sends or hears of",
                                     message.name()));
  }
}

void EventCatalogue::WarnOfAbsentSystems(const std::set<std::string_view>& used,
                                         bool others_hear) const {
  // Of each event, those that send it and those that understand it.
  std::map<std::string_view, std::set<std::string_view>> senders;
  std::map<std::string_view, std::set<std::string_view>> receivers;
  for (const SystemDeclaration* system : RegisteredSystemDeclarations()) {
    for (const EventDeclaration& event : system->events) {
      (event.sender == kByPack ? receivers : senders)[event.name].insert(
          system->name);
    }
  }
  const auto warn = [&](std::string_view event, std::string_view what,
                        const std::set<std::string_view>& systems,
                        const Naming& at) {
    if (std::ranges::any_of(systems, [&](std::string_view system) {
          return used.contains(system);
        })) {
      return;
    }
    at.place.Warning(at.field,
                     fmt::format("nobody {} '{}': the pack has nothing of the "
                                 "system{} {}",
                                 what, event, systems.size() == 1 ? "" : "s",
                                 fmt::join(systems, ", ")));
  };
  for (const auto& [name, event] : events_) {
    if (event.is_of_others) continue;
    const auto sent = senders.find(name);
    const auto understood = receivers.find(name);
    if (event.heard_at.has_value() && !event.sent_at.has_value() &&
        sent != senders.end()) {
      warn(name, "sends", sent->second, *event.heard_at);
    }
    if (event.sent_at.has_value() && !event.heard_at.has_value() &&
        !others_hear && understood != receivers.end()) {
      warn(name, "hears of", understood->second, *event.sent_at);
    }
  }
}

void EventCatalogue::ReportLetThrough(std::string_view field, std::string text,
                                      const MessageChecker& checker) const {
  if (pack_.events_size() > 0) {
    checker.Problem(field, std::move(text));
  } else {
    checker.LeadsNowhere(field, std::move(text));
  }
}

}  // namespace reprise::sim
