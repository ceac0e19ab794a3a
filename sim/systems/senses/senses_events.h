// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of senses, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_SENSES_SENSES_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_SENSES_SENSES_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kSensesEvents = std::to_array<EventDeclaration>({
    {.name = "forgot",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "it no longer remembers whom it had seen, or that one is gone",
     .arguments = {{{"object", ScalarType::kObject}}}},
    {.name = "heard_noise",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "it hears a noise, that somebody makes, at a place",
     .arguments = {{{"object", ScalarType::kObject},
                    {"x", ScalarType::kDouble, "m"},
                    {"y", ScalarType::kDouble, "m"},
                    {"z", ScalarType::kDouble, "m"},
                    {"distance", ScalarType::kDouble, "m"},
                    {"sound", ScalarType::kId, "", true}}}},
    {.name = "lost_sight_of",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "it doesn't see somebody any more",
     .arguments = {{{"object", ScalarType::kObject}}}},
    {.name = "make_noise",
     .sender = kByPack,
     .receiver = "any object",
     .when = "it is heard up to its loudness, where it is or at x, y and z; "
             "whatever its sound is called",
     .arguments = {{{"loudness", ScalarType::kDouble, "m"},
                    {"x", ScalarType::kDouble, "m", true},
                    {"y", ScalarType::kDouble, "m", true},
                    {"z", ScalarType::kDouble, "m", true},
                    {"sound", ScalarType::kId, "", true}}}},
    {.name = "noise_budget_passed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "1,048,576 pairs of a noise and a listener, or the lines of sight "
             "between them, are used up; nobody more hears anything in this "
             "tick"},
    {.name = "saw",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "it sees somebody, and didn't before",
     .arguments = {{{"object", ScalarType::kObject},
                    {"distance", ScalarType::kDouble, "m"}}}},
    {.name = "sight_budget_passed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "lines of sight of a tick are used up; so many objects look in "
             "the next",
     .arguments = {{{"count", ScalarType::kInt64}}}},
});

inline constexpr Id kForgot = EventIdIn(kSensesEvents, "forgot");
inline constexpr Id kHeard = EventIdIn(kSensesEvents, "heard_noise");
inline constexpr Id kLostSightOf = EventIdIn(kSensesEvents, "lost_sight_of");
inline constexpr Id kMakeNoise = EventIdIn(kSensesEvents, "make_noise");
inline constexpr Id kNoiseBudgetPassed =
    EventIdIn(kSensesEvents, "noise_budget_passed");
inline constexpr Id kSaw = EventIdIn(kSensesEvents, "saw");
inline constexpr Id kSightBudgetPassed =
    EventIdIn(kSensesEvents, "sight_budget_passed");

inline constexpr Id kObjectWord = WordIdIn(kSensesEvents, "object");
inline constexpr Id kXWord = WordIdIn(kSensesEvents, "x");
inline constexpr Id kYWord = WordIdIn(kSensesEvents, "y");
inline constexpr Id kZWord = WordIdIn(kSensesEvents, "z");
inline constexpr Id kDistanceWord = WordIdIn(kSensesEvents, "distance");
inline constexpr Id kLoudnessWord = WordIdIn(kSensesEvents, "loudness");
inline constexpr Id kSoundWord = WordIdIn(kSensesEvents, "sound");
inline constexpr Id kCountWord = WordIdIn(kSensesEvents, "count");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SENSES_SENSES_EVENTS_H_
