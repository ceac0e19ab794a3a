// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/regions/object_points.h"

#include <algorithm>

#include "sim/base/math.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/world/components/object_rows.h"

namespace reprise::sim {
namespace {

// A snapshot's place may be none at all.
void AddPoint(ObjectId object, Vector3 point,
              std::vector<ObjectPoint>& points) {
  if (!IsFinite(point.x) || !IsFinite(point.y) || !IsFinite(point.z)) return;
  points.push_back({object, point});
}

bool IsActive(const Table& objects, uint32_t row) {
  return objects.Get<ObjectRow>(row).status == ObjectStatus::kActive;
}

bool IsScenery(const PhysicsDefinition& physics, const BodyRow& body) {
  return physics.kinds[body.kind].motion == Motion::kFixed;
}

}  // namespace

std::vector<ObjectPoint> PointsOfVisitors(const WorldParts& parts) {
  const Table& objects = parts.state.table(parts.tables.objects.objects);
  const Table& places = parts.state.table(parts.tables.objects.places);
  const Table& bodies = parts.state.table(parts.tables.physics.bodies);
  std::vector<ObjectPoint> points;
  points.reserve(objects.row_count());
  // All three tables are in the order of objects.
  uint32_t place = 0;
  uint32_t body = 0;
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const ObjectId object = objects.Get<ObjectRow>(row).object;
    while (body < bodies.row_count() &&
           bodies.Get<BodyRow>(body).object < object) {
      ++body;
    }
    while (place < places.row_count() &&
           places.Get<PlaceRow>(place).object < object) {
      ++place;
    }
    if (!IsActive(objects, row)) continue;
    if (body < bodies.row_count() &&
        bodies.Get<BodyRow>(body).object == object) {
      const auto& body_row = bodies.Get<BodyRow>(body);
      if (IsScenery(parts.definition.physics, body_row)) continue;
      AddPoint(object, body_row.position, points);
    } else if (place < places.row_count() &&
               places.Get<PlaceRow>(place).object == object) {
      AddPoint(object, places.Get<PlaceRow>(place).position, points);
    }
  }
  return points;
}

std::vector<ObjectPoint> PointsOfTypes(const WorldParts& parts,
                                       std::span<const uint32_t> types) {
  const Table& objects = parts.state.table(parts.tables.objects.objects);
  std::vector<ObjectPoint> points;
  for (const uint32_t type : types) {
    for (const uint32_t row : parts.objects.RowsOfType(type)) {
      if (!IsActive(objects, row)) continue;
      AddPoint(objects.Get<ObjectRow>(row).object,
               PlaceOf(parts, parts.state, row).position, points);
    }
  }
  // A total order: no object is twice in it.
  std::ranges::sort(points, {}, &ObjectPoint::object);
  return points;
}

}  // namespace reprise::sim
