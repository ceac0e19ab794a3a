// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/event_compiler.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/device_actions.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/game_description.h"
#include "sim/world/events/event_connections.h"
#include "sim/world/time/game_clock.h"

namespace reprise::sim {
namespace {

// The object of the pack with this name; none where it is empty or unknown.
ObjectId FindObject(std::string_view field, const std::string& name,
                    const MessageChecker& checker,
                    const WorldDefinition& world) {
  if (name.empty()) return kNoObject;
  const std::optional<uint32_t> index =
      FindPermanentObject(field, name, checker, world);
  return index.has_value() ? ObjectId{*index + uint64_t{1}} : kNoObject;
}

uint32_t LimitOf(std::string_view field, uint32_t value, uint32_t maximum,
                 uint32_t otherwise, const MessageChecker& checker) {
  if (value == 0) return otherwise;
  return checker.Count(field, value, 1, maximum);
}

// Whether a value of one type can become one of the other: a whole number does
// for a number, and an object is one however it is called.
bool DoesFor(ScalarType from, ScalarType to) {
  const auto is_object = [](ScalarType type) {
    return type == ScalarType::kObject || type == ScalarType::kHandle;
  };
  return from == to ||
         (from == ScalarType::kInt64 && to == ScalarType::kDouble) ||
         (is_object(from) && is_object(to));
}

// What `connection` passes, checked against what both events are said to have.
EventConnection::Mapping CompileMapping(const v1::Connection& connection,
                                        int index, const MessageChecker& place,
                                        const EventCatalogue& events,
                                        std::set<std::string>& words) {
  const v1::ArgumentMapping& pass = connection.pass(index);
  const MessageChecker at = place.In(pass, "pass", index);
  const std::string& to = pass.to().empty() ? pass.from() : pass.to();
  EventConnection::Mapping mapping{
      .output = CompileWord("from", pass.from(), at, words),
      .input = pass.to().empty() ? IdOf(to) : CompileWord("to", to, at, words)};
  const EventArgumentDescription* output = nullptr;
  const EventArgumentDescription* input = nullptr;
  if (events.IsKnown(connection.event())) {
    output = events.ReferArgument("from", connection.event(), pass.from(), at);
  }
  if (events.IsKnown(connection.send())) {
    input = events.ReferArgument(pass.to().empty() ? "from" : "to",
                                 connection.send(), to, at);
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

}  // namespace

Tick CompileSeconds(std::string_view field, double seconds, TickRate rate,
                    const MessageChecker& checker) {
  const absl::StatusOr<Tick> ticks = TicksFromSeconds(seconds, rate);
  if (!ticks.ok()) {
    checker.Problem(field, std::string(ticks.status().message()));
    return 0;
  }
  return *ticks;
}

void CompileClock(const v1::Pack& pack, const MessageChecker& checker,
                  WorldDefinition& world) {
  const v1::GameClock& clock = pack.clock();
  const MessageChecker place = checker.In(clock, "clock");
  if (clock.has_rate()) {
    const absl::StatusOr<TimeRate> rate =
        ReducedTimeRate({.numerator = clock.rate().numerator(),
                         .denominator = clock.rate().denominator()},
                        0, kGameStepsPerTickMax);
    if (rate.ok()) {
      world.clock.rate = *rate;
    } else {
      place.Problem("rate", std::string(rate.status().message()));
    }
  }
  world.clock.is_paused = clock.paused();
  world.clock.pause_button = OptionalButton(
      "action_pause", clock.action_pause(), place, world.info.inputs);
  world.clock.step_button = OptionalButton("action_step", clock.action_step(),
                                           place, world.info.inputs);
}

void CompileEventLimits(const v1::Limits& limits, const MessageChecker& checker,
                        EventLimits& compiled) {
  // As many as anybody can wait for in one tick.
  constexpr uint32_t kEventsPerTickMax = 1 << 24;
  constexpr uint32_t kEventDepthMax = 256;
  compiled.queue_capacity =
      LimitOf("queued_events_max", limits.queued_events_max(),
              kEventQueueCapacityMax, compiled.queue_capacity, checker);
  compiled.events_per_tick_max =
      LimitOf("events_per_tick_max", limits.events_per_tick_max(),
              kEventsPerTickMax, compiled.events_per_tick_max, checker);
  compiled.depth_max = LimitOf("event_depth_max", limits.event_depth_max(),
                               kEventDepthMax, compiled.depth_max, checker);
}

void CompileConnections(const v1::Pack& pack, const MessageChecker& checker,
                        EventCatalogue& events, std::set<std::string>& words,
                        WorldDefinition& world) {
  std::vector<EventConnection> connections;
  std::set<std::string> names;
  for (int i = 0; i < pack.connections_size(); ++i) {
    const v1::Connection& message = pack.connections(i);
    const MessageChecker place = checker.In(message, "connections", i);
    EventConnection connection{
        .source = FindObject("source", message.source(), place, world),
        .type =
            events.Refer(EventRole::kHears, "event", message.event(), place),
        .name = CompileWord("name", message.name(), place, words),
        .target = FindObject("target", message.target(), place, world),
        .posted_type =
            events.Refer(EventRole::kSends, "send", message.send(), place),
        .delay = CompileSeconds("delay_s", message.delay_s(),
                                world.info.tick_rate, place),
        .priority = message.priority()};
    if (!names.insert(message.name()).second) {
      place.Problem("name", fmt::format("there are two connections '{}'",
                                        message.name()));
    }
    for (int k = 0; k < message.pass_size(); ++k) {
      connection.mappings.push_back(
          CompileMapping(message, k, place, events, words));
    }
    const absl::Status status =
        ValidateEventConnections(std::span(&connection, 1));
    if (!status.ok()) place.Problem("pass", std::string(status.message()));
    connections.push_back(std::move(connection));
  }
  const absl::Status status = ValidateEventConnections(connections);
  if (!status.ok()) {
    checker.Problem("connections", std::string(status.message()));
    return;
  }
  world.connections = EventConnections(std::move(connections));
}

void CompileInterests(const v1::Type& type, const MessageChecker& checker,
                      EventCatalogue& events, TypeDefinition& compiled) {
  for (int i = 0; i < type.interests_size(); ++i) {
    const v1::Interest& interest = type.interests(i);
    const MessageChecker place = checker.In(interest, "interests", i);
    compiled.interests.push_back(
        {.event =
             events.Refer(EventRole::kHears, "event", interest.event(), place),
         .priority = interest.priority()});
  }
  // As of timers: which is first is nothing.
  std::ranges::stable_sort(compiled.interests, {}, &InterestDefinition::event);
}

void CompileTimers(const v1::Type& type, const MessageChecker& checker,
                   TickRate rate, EventCatalogue& events,
                   std::set<std::string>& words, TypeDefinition& compiled) {
  for (int i = 0; i < type.timers_size(); ++i) {
    const v1::Timer& timer = type.timers(i);
    const MessageChecker place = checker.In(timer, "timers", i);
    TimerStart start{
        .name = CompileWord("name", timer.name(), place, words),
        .delay = CompileSeconds("delay_s", timer.delay_s(), rate, place),
        .period = CompileSeconds("period_s", timer.period_s(), rate, place),
        .firings = timer.firings(),
        .event = events.Refer(EventRole::kSends, "event", timer.event(), place),
        .priority = timer.priority()};
    events.AddArgument(timer.event(), "timer", ScalarType::kId);
    start.delay = std::max(start.delay, Tick{1});
    if (start.firings != 0 && start.period == 0) {
      place.Problem("firings", "without a period it fires once");
    }
    const auto inherited =
        std::ranges::find(compiled.timers, start.name, &TimerStart::name);
    if (inherited != compiled.timers.end()) {
      *inherited = start;
    } else {
      compiled.timers.push_back(start);
    }
  }
  // In which order a type says them is nothing. A total order, where the pack
  // is accepted: names are unique.
  std::ranges::stable_sort(compiled.timers, {}, &TimerStart::name);
}

}  // namespace reprise::sim
