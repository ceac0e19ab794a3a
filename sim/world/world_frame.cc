// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_frame.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fmt/format.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/physics_rows.h"
#include "sim/world/object_rows.h"
#include "sim/world/world_rows.h"

namespace reprise::sim {
namespace {

// Says how each solid is drawn: its kind and size.
struct SolidDrawing {
  FrameShape operator()(const SpherePrimitive& sphere) const {
    return {.kind = FrameShape::Kind::kSphere,
            .size = {sphere.radius_m, 0.0, 0.0}};
  }
  FrameShape operator()(const BoxPrimitive& box) const {
    return {.kind = FrameShape::Kind::kBox, .size = box.half_extents_m};
  }
  FrameShape operator()(const CapsulePrimitive& capsule) const {
    return {.kind = FrameShape::Kind::kCapsule,
            .size = {capsule.radius_m, capsule.height_m / 2.0, 0.0}};
  }
  FrameShape operator()(const CylinderPrimitive& cylinder) const {
    return {.kind = FrameShape::Kind::kCylinder,
            .size = {cylinder.radius_m, cylinder.height_m / 2.0, 0.0}};
  }
};

std::vector<FrameShape> DrawShape(const ShapeDefinition& shape) {
  if (const auto* plane = std::get_if<PlaneShape>(&shape)) {
    return {{.kind = FrameShape::Kind::kPlane,
             .position = plane->offset_m * plane->normal,
             .size = plane->normal}};
  }
  std::vector<FrameShape> drawn;
  for (const Primitive& primitive : std::get<SolidShape>(shape).primitives) {
    drawn.push_back(std::visit(SolidDrawing{}, primitive.solid));
    drawn.back().position = primitive.position;
    drawn.back().rotation = primitive.rotation;
  }
  return drawn;
}

}  // namespace

Frame MakeWorldFrame(const WorldDefinition& definition,
                     const WorldTables& tables, const Objects& objects,
                     const State& state) {
  const Table& rows = state.table(tables.objects.objects);
  const Table& places = state.table(tables.objects.places);
  const Table& bodies = state.table(tables.physics.bodies);
  Frame frame{.tick = state.table(tables.run).Get<RunRow>(0).tick,
              .objects = {}};
  frame.objects.reserve(rows.row_count());
  // All three tables are in the order of objects.
  uint32_t place = 0;
  uint32_t body = 0;
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    const auto& object = rows.Get<ObjectRow>(row);
    if (IsAway(object.status)) {
      ++place;
      continue;
    }
    const TypeDefinition& type = definition.types[objects.TypeOf(row)];
    FrameObject drawn{.object = object.object,
                      .name = std::string(definition.names.NameOf(object.name)),
                      .type = type.name};
    if (drawn.name.empty()) {
      drawn.name = fmt::format("{}#{}", type.name, object.object.serial);
    }
    if (body < bodies.row_count() &&
        bodies.Get<BodyRow>(body).object == object.object) {
      const auto& body_row = bodies.Get<BodyRow>(body++);
      drawn.position = body_row.position;
      drawn.rotation = ToQuaternion(body_row.basis);
      drawn.shapes = DrawShape(
          definition.physics
              .shapes[definition.physics.kinds[*type.body_kind].shape]);
    } else {
      const auto& place_row = places.Get<PlaceRow>(place++);
      drawn.position = place_row.position;
      drawn.rotation = place_row.rotation;
    }
    frame.objects.push_back(std::move(drawn));
  }
  return frame;
}

}  // namespace reprise::sim
