// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_frame.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/quaternion.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/shapes/triangle_surface.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/objects/object_names.h"

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
  FrameShape operator()(const ConePrimitive& cone) const {
    return {.kind = FrameShape::Kind::kCone,
            .size = {cone.radius_m, cone.height_m / 2.0, 0.0}};
  }
  FrameShape operator()(const HullPrimitive&) const {
    return {.kind = FrameShape::Kind::kHull};
  }
};

bool IsHull(const Primitive& primitive) {
  return std::holds_alternative<HullPrimitive>(primitive.solid);
}

// How many meshes a shape refers to.
uint32_t MeshCount(const ShapeDefinition& shape) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return IsSurface(shape) ? 1 : 0;
  return static_cast<uint32_t>(
      std::ranges::count_if(solid->primitives, IsHull));
}

// The first mesh of each shape.
std::vector<uint32_t> FirstMeshes(const PhysicsDefinition& physics) {
  std::vector<uint32_t> first;
  uint32_t count = 0;
  for (const ShapeDefinition& shape : physics.shapes) {
    first.push_back(count);
    count += MeshCount(shape);
  }
  return first;
}

FrameMesh MeshOf(const HeightFieldShape& field) {
  FrameMesh mesh;
  for (uint32_t row = 0; row < field.rows; ++row) {
    for (uint32_t column = 0; column < field.columns; ++column) {
      mesh.vertices.push_back(HeightFieldPoint(field, column, row));
    }
  }
  const uint32_t count = 2 * (field.columns - 1) * (field.rows - 1);
  for (uint32_t i = 0; i < count; ++i) {
    mesh.triangles.push_back(HeightFieldCorners(field, i));
  }
  return mesh;
}

// `first_mesh` is that of the shape.
std::vector<FrameShape> DrawShape(const ShapeDefinition& shape,
                                  uint32_t first_mesh) {
  if (const auto* plane = std::get_if<PlaneShape>(&shape)) {
    return {{.kind = FrameShape::Kind::kPlane,
             .position = plane->offset_m * plane->normal,
             .size = plane->normal}};
  }
  if (IsSurface(shape)) {
    return {{.kind = FrameShape::Kind::kMesh, .mesh = first_mesh}};
  }
  std::vector<FrameShape> drawn;
  uint32_t mesh = first_mesh;
  for (const Primitive& primitive : std::get<SolidShape>(shape).primitives) {
    drawn.push_back(std::visit(SolidDrawing{}, primitive.solid));
    drawn.back().position = primitive.position;
    drawn.back().rotation = primitive.rotation;
    if (IsHull(primitive)) drawn.back().mesh = mesh++;
  }
  return drawn;
}

}  // namespace

std::vector<FrameMesh> MakeFrameMeshes(const PhysicsDefinition& physics) {
  std::vector<FrameMesh> meshes;
  for (const ShapeDefinition& shape : physics.shapes) {
    if (const auto* const mesh = std::get_if<MeshShape>(&shape)) {
      meshes.push_back(
          {.vertices = mesh->vertices, .triangles = mesh->triangles});
    } else if (const auto* const field =
                   std::get_if<HeightFieldShape>(&shape)) {
      meshes.push_back(MeshOf(*field));
    } else if (const auto* const solid = std::get_if<SolidShape>(&shape)) {
      for (const Primitive& primitive : solid->primitives) {
        if (!IsHull(primitive)) continue;
        const auto& hull = std::get<HullPrimitive>(primitive.solid);
        meshes.push_back({.vertices = hull.vertices, .triangles = hull.faces});
      }
    }
  }
  return meshes;
}

Frame MakeWorldFrame(const WorldDefinition& definition,
                     const WorldTables& tables, const Objects& objects,
                     const State& state) {
  const Table& rows = state.table(tables.objects.objects);
  const Table& places = state.table(tables.objects.places);
  const Table& bodies = state.table(tables.physics.bodies);
  Frame frame{.tick = state.table(tables.run).Get<RunRow>(0).tick,
              .objects = {}};
  frame.objects.reserve(rows.row_count());
  const std::vector<uint32_t> first_meshes = FirstMeshes(definition.physics);
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
                      .name = NameOfObject(definition, objects, state, row),
                      .type = type.name};
    if (body < bodies.row_count() &&
        bodies.Get<BodyRow>(body).object == object.object) {
      const auto& body_row = bodies.Get<BodyRow>(body++);
      drawn.position = body_row.position;
      drawn.rotation = ToQuaternion(body_row.basis);
      const uint32_t shape = definition.physics.kinds[body_row.kind].shape;
      drawn.shapes =
          DrawShape(definition.physics.shapes[shape], first_meshes[shape]);
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
