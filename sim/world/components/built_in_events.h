// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of the world itself: who sends them to whom, when, and with which
// arguments. The ids by which they are sent are taken from this table, so there
// is none that it doesn't describe.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_BUILT_IN_EVENTS_H_
#define REPRISE_SIM_WORLD_COMPONENTS_BUILT_IN_EVENTS_H_

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/field.h"
#include "sim/base/id.h"

namespace reprise::sim {

struct BuiltInArgument {
  std::string_view name;
  ScalarType type = ScalarType::kId;
  std::string_view unit = {};  // an SI symbol; empty for a pure number
  bool is_optional = false;    // there are such events without it
};

// Two objects, a point and a normal: nothing that the world says is longer.
using BuiltInArguments = std::array<BuiltInArgument, 8>;

struct BuiltInEvent {
  std::string_view name;
  std::string_view sender;
  std::string_view receiver;
  std::string_view when;
  BuiltInArguments arguments = {};  // those with a name

  constexpr std::span<const BuiltInArgument> described_arguments() const {
    size_t count = 0;
    while (count < arguments.size() && !arguments[count].name.empty()) ++count;
    return {arguments.data(), count};
  }
};

// Senders and receivers. What a pack sends comes from its connections, timers,
// commands and objectives, and from behaviours.
inline constexpr std::string_view kByPack = "the pack";
inline constexpr std::string_view kByWorld = "the world";
inline constexpr std::string_view kByItself = "the object";
inline constexpr std::string_view kToItself = "the object";
inline constexpr std::string_view kToInterested = "all with interest";
// Nothing can react to it, but an objective.
inline constexpr std::string_view kToAccount = "the account of the run";

inline constexpr BuiltInArguments kTouchArguments = {
    {{"object", ScalarType::kObject},
     {"impulse", ScalarType::kDouble, "N s"},
     {"x", ScalarType::kDouble, "m"},
     {"y", ScalarType::kDouble, "m"},
     {"z", ScalarType::kDouble, "m"},
     {"normal_x", ScalarType::kDouble},
     {"normal_y", ScalarType::kDouble},
     {"normal_z", ScalarType::kDouble}}};

// In ascending order of names.
inline constexpr auto kBuiltInEvents = std::to_array<BuiltInEvent>({
    {.name = "blast",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "an explosion reached its body, at its closest point",
     .arguments = {{{"object", ScalarType::kObject},
                    {"impulse", ScalarType::kDouble, "N s"},
                    {"x", ScalarType::kDouble, "m"},
                    {"y", ScalarType::kDouble, "m"},
                    {"z", ScalarType::kDouble, "m"}}}},
    {.name = "body_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body had values that physics can't simulate (above 10,000 "
             "m/s or rad/s along an axis, or not finite) and was stopped; or "
             "it came or woke beyond the bounds, and came to their edge"},
    {.name = "chunk_activated",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk came, and its objects come",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_budget_exceeded",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk is wanted, and no place is free",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_cancelled",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk was to come, and is no longer wanted",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_deactivated",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk went, and its objects go",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_kept",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk was about to go, and is wanted again",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_leaving",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk is no longer wanted, and goes after its delay",
     .arguments = {{{"chunk"}}}},
    {.name = "chunk_scheduled",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a chunk is wanted, and comes after its delay",
     .arguments = {{{"chunk"}}}},
    {.name = "contact_began",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body touches that of object; the normal points to itself",
     .arguments = kTouchArguments},
    {.name = "contact_ended",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body no longer touches that of object",
     .arguments = {{{"object", ScalarType::kObject}}}},
    {.name = "contact_stayed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its body has touched that of object for another period",
     .arguments = kTouchArguments},
    {.name = "contacts_refused",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "more pairs of bodies were near each other than can be looked at; "
             "these went through each other",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "damage",
     .sender = kByPack,
     .receiver = "a destructible object",
     .when = "it is to lose so much health; all where the amount is left out",
     .arguments = {{{"amount", ScalarType::kDouble, "", true}}}},
    {.name = "destroy",
     .sender = kByPack,
     .receiver = "any object",
     .when = "it is to go when the tick ends"},
    {.name = "door_asked",
     .sender = kByPack,
     .receiver = "an air lock",
     .when = "somebody wants a door of it to open",
     .arguments = {{{"door"}}}},
    {.name = "door_closed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a door of an air lock is closed",
     .arguments = {{{"door"}}}},
    {.name = "door_closing",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a door of an air lock begins to close",
     .arguments = {{{"door"}}}},
    {.name = "door_opened",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a door of an air lock is open",
     .arguments = {{{"door"}}}},
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
    {.name = "explode",
     .sender = kByPack,
     .receiver = "an explosive object",
     .when = "it is to explode: at this point, or where it is",
     .arguments = {{{"x", ScalarType::kDouble, "m", true},
                    {"y", ScalarType::kDouble, "m", true},
                    {"z", ScalarType::kDouble, "m", true}}}},
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
    {.name = "joint_broken",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "an overload broke a joint that held it",
     .arguments = {{{"joint"}}}},
    {.name = "joint_motor",
     .sender = kByPack,
     .receiver = "an object with motors",
     .when =
         "motors of joints that hold it are to run so: of this joint, or of "
         "all; target in rad/s, m/s, rad or m",
     .arguments = {{{"joint", ScalarType::kId, "", true},
                    {"target", ScalarType::kDouble, "", true},
                    {"impulse_max", ScalarType::kDouble, "N s", true}}}},
    {.name = "jumped",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a roller or character jumped"},
    {.name = "landed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a character came to stand on object",
     .arguments = {{{"object", ScalarType::kObject}}}},
    {.name = "left_ground",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a character no longer stands on object",
     .arguments = {{{"object", ScalarType::kObject}}}},
    {.name = "object_destroyed",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "an object of this type went",
     .arguments = {{{"type"}}}},
    {.name = "object_spawned",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "an object of this type came",
     .arguments = {{{"type"}}}},
    {.name = "objective_active",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "the tick after an objective opened",
     .arguments = {{{"objective"}}}},
    {.name = "objective_complete",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "the tick after an objective was completed",
     .arguments = {{{"objective"}}}},
    {.name = "objective_failed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "the tick after an objective failed",
     .arguments = {{{"objective"}}}},
    {.name = "path_ended",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a path follower came to an end of its path",
     .arguments = {{{"path"}}}},
    {.name = "property_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a value out of its bounds was not written to this property",
     .arguments = {{{"property"}}}},
    {.name = "ragdoll",
     .sender = kByPack,
     .receiver = "an object with a ragdoll",
     .when = "it is to go limp"},
    {.name = "ragdoll_off",
     .sender = kByPack,
     .receiver = "an object with a ragdoll",
     .when = "it is to stand up again"},
    {.name = "read_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a behaviour wanted a value of this tick that is not there yet",
     .arguments = {{{"reference", ScalarType::kHandle}}}},
    {.name = "region_entered",
     .sender = "the visitor",
     .receiver = kToInterested,
     .when = "an object came into a region",
     .arguments = {{{"region"}, {"visitor", ScalarType::kObject}}}},
    {.name = "region_left",
     .sender = "the visitor",
     .receiver = kToInterested,
     .when = "an object left a region",
     .arguments = {{{"region"}, {"visitor", ScalarType::kObject}}}},
    {.name = "region_stayed",
     .sender = "the visitor",
     .receiver = kToInterested,
     .when = "an object has been in a region for another period",
     .arguments = {{{"region"}, {"visitor", ScalarType::kObject}}}},
    {.name = "region_visits_dropped",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "more objects were in regions than are counted; these were not",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "sleep",
     .sender = kByPack,
     .receiver = "any object",
     .when = "it is to fall asleep: nothing of it goes on, and its body goes"},
    {.name = "spawn",
     .sender = kByPack,
     .receiver = "a spawner",
     .when = "it is to make an object at once"},
    {.name = "spawn_incomplete",
     .sender = kByWorld,
     .receiver = kToAccount,
     .when = "an object came, but there was no room for a timer or interest"},
    {.name = "spawn_refused",
     .sender = "the object that wanted it, or the world",
     .receiver = "that object, or the account of the run",
     .when = "there was no room for an object of this type, or of a chunk",
     .arguments = {{{"type"}, {"chunk", ScalarType::kId, "", true}}}},
    {.name = "stage_changed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a destructible object broke further; the last is 'destroyed'",
     .arguments = {{{"stage"}, {"health", ScalarType::kDouble}}}},
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
    {.name = "trigger_entered",
     .sender = "the trigger",
     .receiver = "the trigger",
     .when = "something came into it",
     .arguments = {{{"visitor", ScalarType::kObject}}}},
    {.name = "trigger_left",
     .sender = "the trigger",
     .receiver = "the trigger",
     .when = "something left it, or is gone",
     .arguments = {{{"visitor", ScalarType::kObject}}}},
    {.name = "wake",
     .sender = kByPack,
     .receiver = "any object",
     .when = "it is to wake up, where it is"},
});

// What else the world has names for: arguments of events whose types a pack or
// a behaviour chooses (commands, text, timers, answers to rays), who sent an
// event in the account of the run, the game's clock, the end of what breaks.
inline constexpr auto kWorldWords =
    std::to_array<std::string_view>({"destroyed", "fraction", "game", "player",
                                     "request", "sender", "text", "timer"});

// The id of an event of the table; for any other it doesn't compile.
consteval Id EventIdOf(std::string_view name) {
  for (const BuiltInEvent& event : kBuiltInEvents) {
    if (event.name == name) return IdOf(name);
  }
  throw "kBuiltInEvents has no such event";
}

// The id of an argument of the table, or of another word.
consteval Id WordIdOf(std::string_view name) {
  for (const BuiltInEvent& event : kBuiltInEvents) {
    for (const BuiltInArgument& argument : event.described_arguments()) {
      if (argument.name == name) return IdOf(name);
    }
  }
  for (const std::string_view word : kWorldWords) {
    if (word == name) return IdOf(name);
  }
  throw "neither kBuiltInEvents nor kWorldWords has such a word";
}

// All of these names, for a pack's table of them.
std::vector<std::string_view> WorldNames();

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_BUILT_IN_EVENTS_H_
