// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_frame.h"

#include <utility>
#include <variant>
#include <vector>

#include "sim/geometry/matrix3.h"
#include "sim/physics/physics_rows.h"

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

Frame MakeWorldFrame(const WorldDefinition& definition, const Table& bodies,
                     Tick tick) {
  Frame frame{.tick = tick, .objects = {}};
  frame.objects.reserve(definition.objects.size());
  uint32_t body = 0;
  for (const ObjectDefinition& object : definition.objects) {
    FrameObject drawn{.object = object.object,
                      .name = object.name,
                      .type = object.type,
                      .position = object.position,
                      .rotation = object.rotation,
                      .shapes = {}};
    // Both are in the order of objects.
    while (body < bodies.row_count() &&
           bodies.Get<BodyRow>(body).object < object.object) {
      ++body;
    }
    if (body < bodies.row_count() &&
        bodies.Get<BodyRow>(body).object == object.object) {
      const auto& row = bodies.Get<BodyRow>(body);
      drawn.position = row.position;
      drawn.rotation = ToQuaternion(row.basis);
      drawn.shapes = DrawShape(
          definition.physics.shapes[definition.physics.kinds[row.kind].shape]);
    }
    frame.objects.push_back(std::move(drawn));
  }
  return frame;
}

}  // namespace reprise::sim
