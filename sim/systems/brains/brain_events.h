// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of brains, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_EVENTS_H_

#include <array>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kBrainEvents = std::to_array<EventDeclaration>({
    {.name = "brain_bounded",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "its brain has come to a bound at a node: of nodes, transitions "
             "or a plan's expansions; or there is no plan for any goal, or "
             "plans of all have used up what they may expand in a tick",
     .arguments = {{{"reason"}, {"node"}}}},
    {.name = "brain_changed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a machine of its brain is in another state",
     .arguments = {{{"machine"}, {"from"}, {"to"}}}},
    {.name = "brain_planned",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "it has a plan for a goal",
     .arguments = {{{"goal"},
                    {"steps", ScalarType::kInt64},
                    {"cost", ScalarType::kInt64},
                    {"expansions", ScalarType::kInt64}}}},
});

inline constexpr Id kBrainBounded = EventIdIn(kBrainEvents, "brain_bounded");
inline constexpr Id kBrainChanged = EventIdIn(kBrainEvents, "brain_changed");
inline constexpr Id kBrainPlanned = EventIdIn(kBrainEvents, "brain_planned");

inline constexpr Id kReasonWord = WordIdIn(kBrainEvents, "reason");
inline constexpr Id kNodeWord = WordIdIn(kBrainEvents, "node");
inline constexpr Id kMachineWord = WordIdIn(kBrainEvents, "machine");
inline constexpr Id kFromWord = WordIdIn(kBrainEvents, "from");
inline constexpr Id kToWord = WordIdIn(kBrainEvents, "to");
inline constexpr Id kGoalWord = WordIdIn(kBrainEvents, "goal");
inline constexpr Id kStepsWord = WordIdIn(kBrainEvents, "steps");
inline constexpr Id kCostWord = WordIdIn(kBrainEvents, "cost");
inline constexpr Id kExpansionsWord = WordIdIn(kBrainEvents, "expansions");

// Reasons.
inline constexpr std::string_view kNodesReason = "nodes";
inline constexpr std::string_view kTransitionsReason = "transitions";
inline constexpr std::string_view kExpansionsReason = "expansions";
inline constexpr std::string_view kNoPlanReason = "no_plan";
inline constexpr std::string_view kPlansReason = "plans";

// What effects of an update are effects of; it is never sent.
inline constexpr std::string_view kBrainUpdateName = "brain_update";

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_EVENTS_H_
