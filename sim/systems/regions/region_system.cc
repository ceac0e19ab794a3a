// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/regions/region_system.h"

#include <string>
#include <utility>

#include "sim/debug_frame.h"
#include "sim/geometry/outlines.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/systems/layers/layers.h"
#include "sim/systems/regions/object_points.h"
#include "sim/systems/regions/region_events.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/events/event_router.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kVisitTable = 0;

}  // namespace

const SystemDeclaration& RegionDefinitions::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "volumes that notice who comes in, stays and leaves",
      .tables = {RowSchema::Of<RegionVisitRow>()},
      .steps = {{.name = "regions",
                 .point = StepPoint::kContacts,
                 .after = {"destructibles"},
                 .writes = {"events"}}},
      .events = kRegionEvents};
  return declaration;
}

std::unique_ptr<System> RegionDefinitions::Create(
    const SystemPlace& place) const {
  return std::make_unique<RegionVisits>(*this, place);
}

std::span<const RegionDefinition> RegionsOf(const RegionDefinitions* system) {
  if (system == nullptr) return {};
  return system->regions;
}

void RegionVisits::Connect(const Systems& systems) {
  layers_ = systems.Find<Layers>();
}

absl::Status RegionVisits::CheckRows(const State& snapshot) const {
  return definition_.rules->CheckRows(snapshot.table(index(kVisitTable)));
}

void RegionVisits::Run([[maybe_unused]] uint32_t step) {
  RegionUpdate update = definition_.rules->Update(
      PointsOfVisitors(parts()), parts().game_tick, LayerRowsOf(layers_),
      mutable_table(kVisitTable));
  events_ = std::move(update.events);
  for (const RegionEvent& event : events_) {
    parts().router->Post(
        {.type = event.type,
         .sender = HandleOf(event.object),
         .arguments = {{kRegion, FieldValue::OfId(event.region)},
                       {kVisitor, FieldValue::OfObject(event.object)}}});
  }
  if (update.dropped_visit_count > 0) {
    const auto count = static_cast<int64_t>(update.dropped_visit_count);
    parts().router->Post({.type = kRegionVisitsDropped,
                          .arguments = {{kCount, FieldValue::OfInt64(count)}}});
  }
}

void RegionVisits::AddToDebugFrame(DebugFrame& frame) const {
  for (const RegionDefinition& region : definition_.regions) {
    DebugGuide guide = {
        .kind = DebugGuide::Kind::kRegion,
        .name = std::string(parts().definition.names.NameOf(region.name)),
        .is_active = IsLayerEnabled(LayerRowsOf(layers_), region.layer),
        .lines = {}};
    for (const auto& [start, end] : VolumeOutline(region.volume)) {
      guide.lines.push_back({.start_object = kNoObject,
                             .start = start,
                             .end_object = kNoObject,
                             .end = end});
    }
    frame.guides.push_back(std::move(guide));
  }
}

Handle RegionVisits::HandleOf(ObjectId object) const {
  const uint32_t row = parts().objects.RowOf(state(), object);
  if (row == kNoRow) return {};
  return state()
      .table(parts().tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

}  // namespace reprise::sim
