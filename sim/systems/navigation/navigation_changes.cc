// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events that navigation handles: where navigators are to go, and cells,
// areas and goals that change.

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/systems/navigation/navigation_events.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

// An argument that is a number; a command of a player says it in whole ones.
std::optional<double> NumberOf(const WorldEvent& event, Id name) {
  const EventArgument* const argument = event.arguments.Find(name);
  if (argument == nullptr) return std::nullopt;
  if (argument->value.type == ScalarType::kDouble) {
    return argument->value.AsDouble();
  }
  if (argument->value.type == ScalarType::kInt64) {
    return static_cast<double>(static_cast<int64_t>(argument->value.bits));
  }
  return std::nullopt;
}

}  // namespace

bool Navigators::OnEvent(uint32_t row, const WorldEvent& event) {
  if (event.type == kChangeCell) {
    ChangeCell(row, event);
  } else if (event.type == kChangeArea) {
    ChangeArea(row, event);
  } else if (event.type == kChangeLink) {
    ChangeLink(row, event);
  } else if (event.type == kMoveFlowGoal) {
    MoveFlowGoal(row, event);
  } else if (UseOf(row) == nullptr) {
    return false;
  } else if (event.type == kNavigate) {
    Navigate(row, event);
  } else {
    MutableRowAt(row).is_active = 0;
  }
  return true;
}

void Navigators::Navigate(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> goals = event.arguments.GetId(kGoalsWord);
  if (goals.ok()) {
    GoToNearest(row, *goals);
    return;
  }
  NavigatorRow& navigator = MutableRowAt(row);
  const std::array<std::pair<Id, double*>, 3> coordinates = {
      {{kXWord, &navigator.goal.x},
       {kYWord, &navigator.goal.y},
       {kZWord, &navigator.goal.z}}};
  for (const auto& [name, coordinate] : coordinates) {
    const std::optional<double> value = NumberOf(event, name);
    if (!value.has_value()) continue;
    *coordinate = std::clamp(*value, -kNavigationCoordinateMaxM,
                             kNavigationCoordinateMaxM);
    navigator.target = kNullHandle;
    ForgetNearest(navigator);
  }
  const EventArgument* const target = event.arguments.Find(kObjectWord);
  if (target != nullptr && target->value.type == ScalarType::kObject) {
    const uint32_t target_row =
        parts().objects.RowOf(state(), ObjectId{target->value.bits});
    if (target_row != kNoRow) {
      navigator.target = ObjectAt(target_row).handle;
      ForgetNearest(navigator);
    }
  }
  navigator.is_active = 1;
}

void Navigators::GoToNearest(uint32_t row, Id goals) {
  NavigatorRow& navigator = MutableRowAt(row);
  const std::optional<uint64_t> nearest =
      IsSeeker(row) ? FindNearest(row, goals) : std::nullopt;
  if (!nearest.has_value()) {
    Fail(kNoSuchGoals, navigator);
    return;
  }
  DropPath(navigator);
  navigator.search = 0;
  navigator.target = kNullHandle;
  navigator.goal_node = *nearest;
  // It is asked for by the next step; until then any of them stands for all.
  const GoalSetDefinition& set = definition_.goal_sets[SetOfNearest(*nearest)];
  navigator.goal = PlaceOfGoal(*UseOf(row), set.goals.front());
  navigator.is_active = 1;
}

void Navigators::GoTo(uint32_t row, Vector3 goal) {
  NavigatorRow& navigator = MutableRowAt(row);
  constexpr double kMax = kNavigationCoordinateMaxM;
  navigator.goal = {std::clamp(goal.x, -kMax, kMax),
                    std::clamp(goal.y, -kMax, kMax),
                    std::clamp(goal.z, -kMax, kMax)};
  navigator.target = kNullHandle;
  ForgetNearest(navigator);
  navigator.is_active = 1;
}

void Navigators::GoAfter(uint32_t row, Handle target) {
  NavigatorRow& navigator = MutableRowAt(row);
  navigator.target = target;
  ForgetNearest(navigator);
  navigator.is_active = 1;
}

void Navigators::Stay(uint32_t row) { MutableRowAt(row).is_active = 0; }

void Navigators::ChangeCell(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> name = event.arguments.GetId(kGridWord);
  const std::optional<uint32_t> space =
      name.ok() ? FindGrid(*name) : std::nullopt;
  if (!space.has_value()) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  Vector3 place = sim::PlaceOf(parts(), state(), row).position;
  place.x = NumberOf(event, kXWord).value_or(place.x);
  place.z = NumberOf(event, kZWord).value_or(place.z);
  const uint32_t cell = spaces_.CellAt(*space, place);
  if (cell == kNoNode) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  const uint32_t columns = spaces_.grid(*space).shape().columns;
  ChangeWeight(
      row, event, *space, cell, spaces_.grid(*space).weight(cell),
      {.type = kCellChanged,
       .arguments = {{kGridWord, FieldValue::OfId(*name)},
                     {kColumnWord, FieldValue::OfInt64(cell % columns)},
                     {kRowWord, FieldValue::OfInt64(cell / columns)}}});
}

void Navigators::ChangeArea(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> name = event.arguments.GetId(kMeshWord);
  const absl::StatusOr<Id> area_name = event.arguments.GetId(kAreaWord);
  const std::optional<uint32_t> space =
      name.ok() ? FindSpace(*name) : std::nullopt;
  if (!area_name.ok() || !space.has_value() || !spaces_.is_mesh(*space)) {
    RefuseCell(row, kNoSuchArea);
    return;
  }
  const auto& areas = definition_.spaces[*space].mesh->areas;
  const auto found =
      std::ranges::find(areas, *area_name, &MeshAreaDefinition::name);
  if (found == areas.end()) {
    RefuseCell(row, kNoSuchArea);
    return;
  }
  const auto area = static_cast<uint32_t>(found - areas.begin());
  ChangeWeight(row, event, *space, area, spaces_.area_weights(*space)[area],
               {.type = kAreaChanged,
                .arguments = {{kMeshWord, FieldValue::OfId(*name)},
                              {kAreaWord, FieldValue::OfId(*area_name)}}});
}

void Navigators::ChangeLink(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> name = event.arguments.GetId(kMeshWord);
  const absl::StatusOr<Id> link_name = event.arguments.GetId(kLinkWord);
  const std::optional<uint32_t> space =
      name.ok() ? FindSpace(*name) : std::nullopt;
  if (!link_name.ok() || !space.has_value() || !spaces_.is_mesh(*space)) {
    RefuseCell(row, kNoSuchLink);
    return;
  }
  const MeshDefinition& mesh = *definition_.spaces[*space].mesh;
  const auto found = std::ranges::find(mesh.links, *link_name);
  if (found == mesh.links.end()) {
    RefuseCell(row, kNoSuchLink);
    return;
  }
  const auto link = static_cast<uint32_t>(found - mesh.links.begin());
  ChangeWeight(row, event, *space,
               static_cast<uint32_t>(mesh.areas.size()) + link,
               spaces_.link_weights(*space)[link],
               {.type = kLinkChanged,
                .arguments = {{kMeshWord, FieldValue::OfId(*name)},
                              {kLinkWord, FieldValue::OfId(*link_name)}}});
}

void Navigators::ChangeWeight(uint32_t row, const WorldEvent& event,
                              uint32_t space, uint32_t cell, uint16_t before,
                              WorldEvent told) {
  const double weight = NumberOf(event, kWeightWord).value_or(-1.0);
  if (!(weight >= 0.0 && weight <= kCellWeightMax) || weight != Floor(weight) ||
      !spaces_.CanBe(space, static_cast<uint64_t>(weight))) {
    RefuseCell(row, kNoSuchWeight);
    return;
  }
  const auto after = static_cast<uint16_t>(weight);
  if (before == after) return;
  if (!spaces_.ChangeCell(space, cell, after, mutable_table(kCells))) {
    RefuseCell(row, kTooMany);
    return;
  }
  const absl::Status status =
      told.arguments.Set(kWeightWord, FieldValue::OfInt64(after));
  CHECK(status.ok(), "{}", status.ToString());
  parts().router->Post(told);
  NoteChange(space, cell,
             before != kWallWeight && (after == kWallWeight || after > before));
}

void Navigators::MoveFlowGoal(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> name = event.arguments.GetId(kFieldWord);
  const std::optional<uint32_t> field =
      name.ok() ? FindRow(table(kFlowGoals), std::array{name->value})
                : std::nullopt;
  if (!field.has_value()) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  Vector3 place = sim::PlaceOf(parts(), state(), row).position;
  place.x = NumberOf(event, kXWord).value_or(place.x);
  place.z = NumberOf(event, kZWord).value_or(place.z);
  const uint32_t cell =
      spaces_.CellAt(definition_.flow_fields[*field].space, place);
  if (cell == kNoNode) {
    RefuseCell(row, kNoSuchCell);
    return;
  }
  if (cell == FlowGoalOf(*field)) return;
  mutable_table(kFlowGoals).Mutable<FlowGoalRow>(*field).cell = cell;
  NoteFieldChange(*field);
}

void Navigators::RefuseCell(uint32_t row, std::string_view reason) {
  TellObject(parts(), kCellRefused, ObjectAt(row).object,
             {{kReasonWord, FieldValue::OfId(IdOf(reason))}});
}

bool Navigators::IsStale(const NavigatorRow& navigator, uint32_t space,
                         uint32_t cell, bool is_dearer) const {
  uint64_t from = kNowhere;
  const uint32_t start = FirstPoint(navigator.path);
  const uint64_t first = navigator.next == 0 ? 0 : navigator.next - 1;
  for (uint64_t i = first; i < navigator.points; ++i) {
    const uint64_t node = NodeOfPoint(space, start + i);
    // The way on from a point of a mesh is in the area of the point.
    const bool is_ahead = i >= navigator.next || spaces_.is_mesh(space);
    if (is_ahead && is_dearer && spaces_.IsIn(space, node, cell)) return true;
    // Who is on a link already comes to its end.
    const bool is_under_way = i == navigator.next && spaces_.is_mesh(space);
    if (from != kNowhere && !is_under_way &&
        (!spaces_.HasStep(space, from, node) ||
         (is_dearer && spaces_.IsOver(space, from, node, cell)))) {
      return true;
    }
    from = node;
  }
  return false;
}

void Navigators::NoteChange(uint32_t space, uint32_t cell, bool is_dearer) {
  for (uint32_t field = 0; field < fields_.size(); ++field) {
    if (definition_.flow_fields[field].space == space) NoteFieldChange(field);
  }
  if (const auto under_way = searches_.UnderWay(); under_way.has_value()) {
    const uint32_t row = parts().objects.RowOf(state(), under_way->object);
    if (row != kNoRow && IsSeeker(row) && UseOf(row)->space == space) {
      searches_.Restart();
    }
  }
  if (!component_.has_value()) return;
  for (uint32_t type = 0; type < uses_.size(); ++type) {
    if (uses_[type] == nullptr || uses_[type]->space != space) continue;
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      const NavigatorRow& known = RowAt(row);
      if (known.path == 0 || !IsStale(known, space, cell, is_dearer)) continue;
      NavigatorRow& navigator = MutableRowAt(row);
      DropPath(navigator);
      TellObject(parts(), kPathStale, navigator.object, {});
    }
  }
  if (has_dropped_paths_) SweepPaths();
}

}  // namespace reprise::sim
