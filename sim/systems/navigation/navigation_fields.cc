// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What flow fields and grids are at this moment, for whoever asks.

#include <algorithm>
#include <array>

#include "sim/systems/navigation/navigation_events.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

std::optional<uint32_t> Navigators::FindField(Id name) const {
  return FindRow(table(kFlowGoals), std::array{name.value});
}

std::optional<uint32_t> Navigators::FindSpace(Id name) const {
  const auto found = std::ranges::lower_bound(definition_.spaces, name, {},
                                              &SpaceDefinition::name);
  if (found == definition_.spaces.end() || found->name != name) {
    return std::nullopt;
  }
  return static_cast<uint32_t>(found - definition_.spaces.begin());
}

std::optional<uint32_t> Navigators::FindGrid(Id name) const {
  const std::optional<uint32_t> space = FindSpace(name);
  return space.has_value() && spaces_.is_grid(*space) ? space : std::nullopt;
}

std::optional<Vector3> Navigators::NextOnField(uint32_t field, Vector3 place) {
  const uint32_t space = definition_.flow_fields[field].space;
  const uint32_t cell = spaces_.CellAt(space, place);
  if (cell == kNoNode) return std::nullopt;
  const FlowField& current = CurrentField(field);
  const uint32_t next = cell == current.goal() ? cell : current.Next(cell);
  if (next == kNoNode) return std::nullopt;
  return spaces_.CentreOf(space, next, place.y);
}

std::optional<uint64_t> Navigators::CostOnField(uint32_t field, Vector3 place) {
  const uint32_t cell =
      spaces_.CellAt(definition_.flow_fields[field].space, place);
  if (cell == kNoNode) return std::nullopt;
  const uint64_t cost = CurrentField(field).Cost(cell);
  if (cost == kNoCost) return std::nullopt;
  return cost;
}

Vector3 Navigators::GoalOfField(uint32_t field) const {
  const uint32_t space = definition_.flow_fields[field].space;
  return spaces_.CentreOf(space, FlowGoalOf(field),
                          definition_.spaces[space].layout.origin.y);
}

std::optional<uint16_t> Navigators::WeightAt(uint32_t space,
                                             Vector3 place) const {
  const uint32_t cell = spaces_.CellAt(space, place);
  if (cell == kNoNode) return std::nullopt;
  return spaces_.grid(space).weight(cell);
}

uint32_t Navigators::FlowGoalOf(uint32_t field) const {
  return static_cast<uint32_t>(table(kFlowGoals).Get<FlowGoalRow>(field).cell);
}

void Navigators::NoteFieldChange(uint32_t field) {
  KnownField& known = fields_[field];
  known.is_current = false;
  known.has_changed = true;
  if (known.is_told_late || known.followed_changes < flow_changes_per_step_) {
    return;
  }
  known.is_told_late = true;
  parts().router->Post(
      {.type = kFlowFieldLate,
       .arguments = {{kFieldWord,
                      FieldValue::OfId(definition_.flow_fields[field].name)}}});
}

void Navigators::ForgetFieldChanges() {
  for (KnownField& known : fields_) {
    known.has_changed = false;
    known.is_told_late = false;
    known.followed_changes = 0;
  }
}

const FlowField& Navigators::CurrentField(uint32_t field) {
  KnownField& known = fields_[field];
  if (known.is_current) return known.field;
  if (known.has_changed) {
    // It has been computed in this step: the bound is above 0.
    if (known.followed_changes == flow_changes_per_step_) return known.field;
    ++known.followed_changes;
    known.has_changed = false;
  }
  known.field.Compute(spaces_.grid(definition_.flow_fields[field].space),
                      FlowGoalOf(field));
  known.is_current = true;
  return known.field;
}

}  // namespace reprise::sim
