// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/regions/world_regions.h"

#include "sim/systems/regions/object_points.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"

namespace reprise::sim {
namespace {

// Null when the object is gone.
Handle HandleOf(const WorldParts& parts, ObjectId object) {
  const uint32_t row = parts.objects.RowOf(parts.state, object);
  if (row == kNoRow) return {};
  return parts.state.table(parts.tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

}  // namespace

void UpdateRegions(const WorldParts& parts) {
  if (parts.definition.level.regions.empty()) return;
  const LevelRules& rules = *parts.definition.level_rules;
  const LevelTables& tables = parts.tables.level;
  const RegionUpdate update = rules.regions.Update(
      PointsOfObjects(parts), parts.game_tick, parts.state.table(tables.layers),
      parts.state.mutable_table(tables.region_visits));
  for (const RegionEvent& event : update.events) {
    parts.router->Post(
        {.type = event.type,
         .sender = HandleOf(parts, event.object),
         .arguments = {{kRegion, FieldValue::OfId(event.region)},
                       {kVisitor, FieldValue::OfObject(event.object)}}});
  }
  if (update.dropped_visit_count > 0) {
    const auto count = static_cast<int64_t>(update.dropped_visit_count);
    parts.router->Post({.type = kRegionVisitsDropped,
                        .arguments = {{kCount, FieldValue::OfInt64(count)}}});
  }
  rules.air_locks.Follow(update.events,
                         parts.state.mutable_table(tables.air_locks));
}

}  // namespace reprise::sim
