// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of the world itself, whatever systems there are, and the words
// that all of them share.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_BUILT_IN_EVENTS_H_
#define REPRISE_SIM_WORLD_COMPONENTS_BUILT_IN_EVENTS_H_

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kBuiltInEvents = std::to_array<EventDeclaration>({
    {.name = "attach_refused",
     .sender = "who wanted it",
     .receiver = "the same object",
     .when = "this object didn't get the parent that it was to have",
     .arguments = {{{"reference", ScalarType::kHandle}, {"reason"}}}},
    {.name = "body_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body had values that physics can't simulate (above 10,000 "
             "m/s or rad/s along an axis, or not finite) and was stopped; or "
             "it came or woke beyond the bounds, and came to their edge"},
    {.name = "contacts_refused",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "more pairs of bodies were near each other than can be looked at; "
             "these went through each other",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "destroy",
     .sender = kByPack,
     .receiver = "any object",
     .when = "it is to go when the tick ends"},
    {.name = "event_cascade_bounded",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "more events were due in a tick than limits.events_per_tick_max",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "event_depth_bounded",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "events caused each other deeper than limits.event_depth_max",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "event_dropped",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "an event of this type came to nobody; the reason is the name of "
             "the bound that was passed",
     .arguments = {{{"type"}, {"reason"}}}},
    {.name = "event_queue_full",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "more events waited than limits.queued_events_max",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "event_target_stale",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "events went to objects that were gone",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "events_dropped",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "nobody listened for so long that so many events were forgotten",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "game_lost",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "the game is lost: by who came into a hazard, or an objective",
     .arguments = {{{"visitor", ScalarType::kObject, "", true},
                    {"objective", ScalarType::kId, "", true}}}},
    {.name = "game_won",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "the game is won: by who came into a goal, or an objective",
     .arguments = {{{"visitor", ScalarType::kObject, "", true},
                    {"objective", ScalarType::kId, "", true}}}},
    {.name = "object_destroyed",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "an object of this type went",
     .arguments = {{{"type"}}}},
    {.name = "object_failed",
     .sender = kByItself,
     .receiver = "its parents; of an object without one, all with interest",
     .when = "its behaviour couldn't go on, and it became inert",
     .arguments = {{{"reason"}}}},
    {.name = "object_spawned",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "an object of this type came",
     .arguments = {{{"type"}}}},
    {.name = "property_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a value out of its bounds was not written to this property",
     .arguments = {{{"property"}}}},
    {.name = "read_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a behaviour wanted a value of this tick that is not there yet",
     .arguments = {{{"reference", ScalarType::kHandle}}}},
    {.name = "sleep",
     .sender = kByPack,
     .receiver = "any object",
     .when = "it is to fall asleep: nothing of it goes on, and its body goes"},
    {.name = "spawn_incomplete",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "an object came, but there was no room for a timer or interest"},
    {.name = "spawn_refused",
     .sender = "the object that wanted it, or the world",
     .receiver = "that object, or the account of the run",
     .when = "no object of this type or archetype, or of a chunk, could come: "
             "there was no room, or what was asked for can't be",
     .arguments = {{{"type"},
                    {"chunk", ScalarType::kId, "", true},
                    {"reason", ScalarType::kId, "", true}}}},
    {.name = "stale_reference",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a behaviour used a reference to an object that is gone"},
    {.name = "start",
     .sender = kByPack,
     .receiver = "a spawner or path follower",
     .when = "it is to go on by itself"},
    {.name = "stop",
     .sender = kByPack,
     .receiver = "a spawner or path follower",
     .when = "it is to wait"},
    {.name = "wake",
     .sender = kByPack,
     .receiver = "any object",
     .when = "it is to wake up, where it is"},
});

// What else there are names for: arguments that events of several systems have,
// or whose types a pack or a behaviour chooses (commands, text, timers, answers
// to rays), who sent an event in the account of the run, the game's clock, and
// reasons.
inline constexpr auto kWorldWords =
    std::to_array<std::string_view>({"count",
                                     "fraction",
                                     "game",
                                     "impulse",
                                     "is_gone",
                                     "is_ring",
                                     "no_archetype",
                                     "no_bucket",
                                     "no_place",
                                     "no_such_value",
                                     "not_kinematic",
                                     "object",
                                     "player",
                                     "ray",
                                     "request",
                                     "sender",
                                     "text",
                                     "timeline",
                                     "timer",
                                     "too_late",
                                     "type_is_full",
                                     "visitor",
                                     "world_is_full",
                                     "x",
                                     "y",
                                     "z"});

// The id of an event of the table; for any other it doesn't compile.
consteval Id EventIdOf(std::string_view name) {
  return EventIdIn(kBuiltInEvents, name);
}

// The id of an argument of the table, or of another word.
consteval Id WordIdOf(std::string_view name) {
  for (const std::string_view word : kWorldWords) {
    if (word == name) return IdOf(name);
  }
  return WordIdIn(kBuiltInEvents, name);
}

// All of these names, for a pack's table of them.
std::vector<std::string_view> WorldNames();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_BUILT_IN_EVENTS_H_
