// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_parts.h"

#include <array>

#include "sim/base/check.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/body_forces.h"
#include "sim/world/world_rows.h"

namespace reprise::sim {
namespace {

bool HasBody(const WorldParts& parts, uint32_t row) {
  return parts.definition.types[parts.objects.TypeOf(row)]
      .body_kind.has_value();
}

ObjectId ObjectAt(const WorldParts& parts, const State& state, uint32_t row) {
  return state.table(parts.tables.objects.objects).Get<ObjectRow>(row).object;
}

}  // namespace

Tick WorldParts::tick() const {
  return state.table(tables.run).Get<RunRow>(0).tick;
}

Transform PlaceOf(const WorldParts& parts, const State& state, uint32_t row) {
  const ObjectId object = ObjectAt(parts, state, row);
  if (HasBody(parts, row)) {
    const std::optional<uint32_t> body =
        FindBody(state, parts.tables.physics, object);
    CHECK(body.has_value(), "object {} has lost its body", object.serial);
    const auto& body_row =
        state.table(parts.tables.physics.bodies).Get<BodyRow>(*body);
    return {.position = body_row.position,
            .rotation = ToQuaternion(body_row.basis)};
  }
  const Table& places = state.table(parts.tables.objects.places);
  const uint32_t place = places.LowerBound(std::array{object.serial});
  const auto& place_row = places.Get<PlaceRow>(place);
  return {.position = place_row.position, .rotation = place_row.rotation};
}

void SetPlace(const WorldParts& parts, uint32_t row, const Transform& place) {
  const ObjectId object = ObjectAt(parts, parts.state, row);
  if (HasBody(parts, row)) return;
  Table& places = parts.state.mutable_table(parts.tables.objects.places);
  const uint32_t index = places.LowerBound(std::array{object.serial});
  const auto& old = places.Get<PlaceRow>(index);
  if (old.position == place.position && old.rotation == place.rotation) return;
  places.Mutable<PlaceRow>(index) = {object, place.position, place.rotation};
}

}  // namespace reprise::sim
