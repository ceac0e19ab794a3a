// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of navigation, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kNavigationEvents = std::to_array<EventDeclaration>({
    {.name = "area_changed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "an area of a mesh weighs something else; 0: it is closed",
     .arguments = {{{"mesh"}, {"area"}, {"weight", ScalarType::kInt64}}}},
    {.name = "cell_changed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a cell of a grid weighs something else; 0: it is a wall",
     .arguments = {{{"grid"},
                    {"column", ScalarType::kInt64},
                    {"row", ScalarType::kInt64},
                    {"weight", ScalarType::kInt64}}}},
    {.name = "cell_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a change of a cell, an area, a link or a flow field's goal that "
             "it was asked for can't be",
     .arguments = {{{"reason"}}}},
    {.name = "change_area",
     .sender = kByPack,
     .receiver = "any object",
     .when = "an area of a mesh is to weigh this, 0: to be closed",
     .arguments = {{{"mesh"}, {"area"}, {"weight", ScalarType::kInt64}}}},
    {.name = "change_cell",
     .sender = kByPack,
     .receiver = "any object",
     .when = "a cell is to weigh this, 0: to be a wall: that of x and z, or "
             "where the object is",
     .arguments = {{{"grid"},
                    {"weight", ScalarType::kInt64},
                    {"x", ScalarType::kDouble, "m", true},
                    {"z", ScalarType::kDouble, "m", true}}}},
    {.name = "change_link",
     .sender = kByPack,
     .receiver = "any object",
     .when = "a link of a mesh is to be so many times as dear as in the pack, "
             "0: to be closed",
     .arguments = {{{"mesh"}, {"link"}, {"weight", ScalarType::kInt64}}}},
    {.name = "flow_field_late",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a flow field has followed as many changes as it can in a step; "
             "it follows this one and later ones from the next step on",
     .arguments = {{{"field"}}}},
    {.name = "link_changed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "a link of a mesh is so many times as dear as in the pack; 0: it "
             "is closed",
     .arguments = {{{"mesh"}, {"link"}, {"weight", ScalarType::kInt64}}}},
    {.name = "move_flow_goal",
     .sender = kByPack,
     .receiver = "any object",
     .when = "a flow field is to lead to x and z, or to where the object is",
     .arguments = {{{"field"},
                    {"x", ScalarType::kDouble, "m", true},
                    {"z", ScalarType::kDouble, "m", true}}}},
    {.name = "navigate",
     .sender = kByPack,
     .receiver = "a navigator",
     .when = "it is to go to a place, to an object, or to the nearest goal of "
             "a set; on a flow field just to go",
     .arguments = {{{"x", ScalarType::kDouble, "m", true},
                    {"y", ScalarType::kDouble, "m", true},
                    {"z", ScalarType::kDouble, "m", true},
                    {"object", ScalarType::kObject, "", true},
                    {.name = "goals", .is_optional = true}}}},
    {.name = "navigate_stop",
     .sender = kByPack,
     .receiver = "a navigator",
     .when = "it is to stay where it is"},
    {.name = "path_arrived",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a navigator is where it wanted to be, and stays there"},
    {.name = "path_blocked",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a character that goes has come less far in a second than a tenth "
             "of its speed, and is at x and z; it goes on trying",
     .arguments = {{{"x", ScalarType::kDouble, "m"},
                    {"z", ScalarType::kDouble, "m"}}}},
    {.name = "path_budget_passed",
     .sender = kByWorld,
     .receiver = kToInterested,
     .when = "searches have used up what they may expand in a tick; so many go "
             "on in the next",
     .arguments = {{{"count", ScalarType::kInt64}}}},
    {.name = "path_failed",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a navigator has found no path, and stays where it is",
     .arguments = {{{"reason"}}}},
    {.name = "path_found",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a navigator has a path; its cost is in thousandths of cells, on "
             "a graph or mesh of metres",
     .arguments = {{{"cost", ScalarType::kInt64},
                    {"points", ScalarType::kInt64}}}},
    {.name = "path_stale",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "a cell, area or link on a navigator's path has changed; while it "
             "is active it asks anew"},
});

inline constexpr Id kAreaChanged = EventIdIn(kNavigationEvents, "area_changed");
inline constexpr Id kChangeArea = EventIdIn(kNavigationEvents, "change_area");
inline constexpr Id kCellChanged = EventIdIn(kNavigationEvents, "cell_changed");
inline constexpr Id kCellRefused = EventIdIn(kNavigationEvents, "cell_refused");
inline constexpr Id kChangeCell = EventIdIn(kNavigationEvents, "change_cell");
inline constexpr Id kChangeLink = EventIdIn(kNavigationEvents, "change_link");
inline constexpr Id kLinkChanged = EventIdIn(kNavigationEvents, "link_changed");
inline constexpr Id kMoveFlowGoal =
    EventIdIn(kNavigationEvents, "move_flow_goal");
inline constexpr Id kNavigate = EventIdIn(kNavigationEvents, "navigate");
inline constexpr Id kNavigateStop =
    EventIdIn(kNavigationEvents, "navigate_stop");
inline constexpr Id kPathArrived = EventIdIn(kNavigationEvents, "path_arrived");
inline constexpr Id kFlowFieldLate =
    EventIdIn(kNavigationEvents, "flow_field_late");
inline constexpr Id kPathBlocked = EventIdIn(kNavigationEvents, "path_blocked");
inline constexpr Id kPathBudgetPassed =
    EventIdIn(kNavigationEvents, "path_budget_passed");
inline constexpr Id kPathFailed = EventIdIn(kNavigationEvents, "path_failed");
inline constexpr Id kPathFound = EventIdIn(kNavigationEvents, "path_found");
inline constexpr Id kPathStale = EventIdIn(kNavigationEvents, "path_stale");

inline constexpr Id kAreaWord = WordIdIn(kNavigationEvents, "area");
inline constexpr Id kLinkWord = WordIdIn(kNavigationEvents, "link");
inline constexpr Id kMeshWord = WordIdIn(kNavigationEvents, "mesh");
inline constexpr Id kGridWord = WordIdIn(kNavigationEvents, "grid");
inline constexpr Id kFieldWord = WordIdIn(kNavigationEvents, "field");
inline constexpr Id kColumnWord = WordIdIn(kNavigationEvents, "column");
inline constexpr Id kRowWord = WordIdIn(kNavigationEvents, "row");
inline constexpr Id kWeightWord = WordIdIn(kNavigationEvents, "weight");
inline constexpr Id kGoalsWord = WordIdIn(kNavigationEvents, "goals");
inline constexpr Id kReasonWord = WordIdIn(kNavigationEvents, "reason");
inline constexpr Id kCountWord = WordIdIn(kNavigationEvents, "count");
inline constexpr Id kCostWord = WordIdIn(kNavigationEvents, "cost");
inline constexpr Id kPointsWord = WordIdIn(kNavigationEvents, "points");
inline constexpr Id kXWord = WordIdIn(kNavigationEvents, "x");
inline constexpr Id kYWord = WordIdIn(kNavigationEvents, "y");
inline constexpr Id kZWord = WordIdIn(kNavigationEvents, "z");
inline constexpr Id kObjectWord = WordIdIn(kNavigationEvents, "object");

// Of answers to behaviours (path_requests.h): whether there is a path.
inline constexpr std::string_view kFoundName = "found";
inline constexpr Id kFoundWord = IdOf(kFoundName);

// Reasons.
inline constexpr std::string_view kGoalBlocked = "goal_blocked";
inline constexpr std::string_view kGoalOutside = "goal_outside";
inline constexpr std::string_view kNoSuchArea = "no_such_area";
inline constexpr std::string_view kNoSuchCell = "no_such_cell";
inline constexpr std::string_view kNoSuchGoals = "no_such_goals";
inline constexpr std::string_view kNoSuchLink = "no_such_link";
inline constexpr std::string_view kNoSuchWeight = "no_such_weight";
inline constexpr std::string_view kStartOutside = "start_outside";
inline constexpr std::string_view kSuperseded = "superseded";
inline constexpr std::string_view kTargetGone = "target_gone";
inline constexpr std::string_view kTooFar = "too_far";
inline constexpr std::string_view kTooMany = "too_many";
inline constexpr std::string_view kUnreachable = "unreachable";

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_NAVIGATION_NAVIGATION_EVENTS_H_
