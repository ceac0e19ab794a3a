// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/event_compiler.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/device_actions.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/world/time/game_clock.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kLessThanHalfATick =
    "less than half a tick: it would be 0";

// Whether a time that isn't 0 rounds to that. One that is too long is reported.
bool IsLessThanHalfATick(double seconds, Tick ticks) {
  return ticks == 0 && seconds > 0.0 && seconds < 1.0;
}

// The seconds from one firing to the next, in ticks.
Tick CompileTimerPeriod(const v1::Timer& timer, TickRate rate,
                        const MessageChecker& place) {
  if (timer.firings() == 0) {
    return CompilePeriod("period_s", timer.period_s(), rate, place);
  }
  const Tick period = CompileSeconds("period_s", timer.period_s(), rate, place);
  if (IsLessThanHalfATick(timer.period_s(), period)) {
    // No pack ran that says how often it fires besides.
    place.Problem("period_s", std::string(kLessThanHalfATick));
  } else if (timer.period_s() == 0.0) {
    place.Problem("firings", "without a period it fires once");
  }
  return period;
}

uint32_t LimitOf(std::string_view field, uint32_t value, uint32_t maximum,
                 uint32_t otherwise, const MessageChecker& checker) {
  if (value == 0) return otherwise;
  return checker.Count(field, value, 1, maximum);
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

Tick CompilePeriod(std::string_view field, double seconds, TickRate rate,
                   const MessageChecker& checker) {
  const Tick ticks = CompileSeconds(field, seconds, rate, checker);
  if (IsLessThanHalfATick(seconds, ticks)) {
    checker.LeadsNowhere(field, std::string(kLessThanHalfATick));
  }
  return ticks;
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

void CompileInterests(const v1::Type& type, const MessageChecker& checker,
                      EventCatalogue& events, TypeDefinition& compiled) {
  std::set<std::string_view> own;
  for (int i = 0; i < type.interests_size(); ++i) {
    const v1::Interest& interest = type.interests(i);
    const MessageChecker place = checker.In(interest, "interests", i);
    if (!own.insert(interest.event()).second) {
      place.LeadsNowhere("event",
                         fmt::format("there are two interests in '{}': the "
                                     "last one alone would count",
                                     interest.event()));
    }
    compiled.interests.push_back(
        {.event =
             events.Refer(EventRole::kHears, "event", interest.event(), place),
         .priority = interest.priority()});
  }
  // As of timers: which is first is nothing.
  std::ranges::stable_sort(compiled.interests, {}, &InterestDefinition::event);
}

TimerStart CompileTimer(const v1::Timer& timer, const MessageChecker& place,
                        TickRate rate, EventCatalogue& events,
                        std::set<std::string>& words) {
  TimerStart start{
      .name = CompileWord("name", timer.name(), place, words),
      .delay = CompileSeconds("delay_s", timer.delay_s(), rate, place),
      .period = CompileTimerPeriod(timer, rate, place),
      .firings = timer.firings(),
      .event = events.Refer(EventRole::kSends, "event", timer.event(), place),
      .priority = timer.priority()};
  events.GiveArgument("event", timer.event(), "timer", ScalarType::kId, place);
  start.delay = std::max(start.delay, Tick{1});
  // A timer gives its events nothing else.
  events.WarnOfMissing("event", timer.event(), {"timer"}, place);
  return start;
}

void CompileTimers(const v1::Type& type, const MessageChecker& checker,
                   TickRate rate, EventCatalogue& events,
                   std::set<std::string>& words, TypeDefinition& compiled) {
  std::set<std::string_view> own;
  for (int i = 0; i < type.timers_size(); ++i) {
    const v1::Timer& timer = type.timers(i);
    const MessageChecker place = checker.In(timer, "timers", i);
    if (!own.insert(timer.name()).second) {
      place.LeadsNowhere("name",
                         fmt::format("there are two timers '{}': the first one "
                                     "would never fire",
                                     timer.name()));
    }
    const TimerStart start = CompileTimer(timer, place, rate, events, words);
    const auto inherited =
        std::ranges::find(compiled.timers, start.name, &TimerStart::name);
    if (inherited != compiled.timers.end()) {
      *inherited = start;
    } else {
      compiled.timers.push_back(start);
    }
  }
  // In which order a type says them is nothing. A total order: of two with one
  // name, the last is kept.
  std::ranges::stable_sort(compiled.timers, {}, &TimerStart::name);
}

}  // namespace reprise::sim
