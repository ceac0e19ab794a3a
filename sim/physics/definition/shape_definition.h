// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What bodies are shaped like: convex solids, alone or as compounds, planes,
// surfaces of triangles and height fields. Plain data that never changes during
// a run.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_SHAPE_DEFINITION_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_SHAPE_DEFINITION_H_

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Convex solids around the origin; capsules, cylinders and cones stand along y.
struct SpherePrimitive {
  double radius_m = 0.5;
};
struct BoxPrimitive {
  Vector3 half_extents_m = {0.5, 0.5, 0.5};
};
struct CapsulePrimitive {
  double radius_m = 0.5;
  double height_m = 1.0;  // between the centres of the two caps
};
struct CylinderPrimitive {
  double radius_m = 0.5;
  double height_m = 1.0;
};
// The origin is the centre of mass: the base is a quarter of the height below,
// the tip three quarters above.
struct ConePrimitive {
  double radius_m = 0.5;  // of the base
  double height_m = 1.0;
};

// Three corners as indexes of vertices.
using TriangleCorners = std::array<uint32_t, 3>;

// A convex solid by its corners and its surface; MakeHull makes it of points.
struct HullPrimitive {
  std::vector<Vector3> vertices;       // m
  std::vector<TriangleCorners> faces;  // against the clock as seen from outside
};

using Solid = std::variant<SpherePrimitive, BoxPrimitive, CapsulePrimitive,
                           CylinderPrimitive, ConePrimitive, HullPrimitive>;

// Two can touch when each one's layers meet the other's mask.
struct CollisionFilter {
  uint32_t layers = 1;
  uint32_t collides_with = ~uint32_t{0};

  friend bool operator==(const CollisionFilter&,
                         const CollisionFilter&) = default;
};

constexpr bool CanMeet(const CollisionFilter& a, const CollisionFilter& b) {
  return (a.layers & b.collides_with) != 0 && (b.layers & a.collides_with) != 0;
}

struct Primitive {
  Solid solid;
  Vector3 position;     // in the body's frame, m
  Quaternion rotation;  // of length 1
  // Of a primitive that is on another level than its body; unset: the body's.
  std::optional<CollisionFilter> filter = std::nullopt;
};

// One or more primitives as one rigid piece. The origin of the body's frame is
// its centre of mass, wherever the primitives lie.
struct SolidShape {
  std::vector<Primitive> primitives;
};

// Everything below a plane, without end. For fixed bodies only.
struct PlaneShape {
  Vector3 normal = {0.0, 1.0, 0.0};  // up and out, of length 1
  double offset_m = 0.0;             // of the plane from the body's origin
};

// A surface that is touched from both sides; triangle i is primitive i. Not for
// dynamic bodies and triggers.
struct MeshShape {
  std::vector<Vector3> vertices;  // in the body's frame, m
  std::vector<TriangleCorners> triangles;
  // What the triangles enclose is inside, and they are touched from outside
  // alone: against the clock as seen from there.
  bool is_closed = false;
};

// Ground as a grid of heights, each cell of it two triangles: cell i, counted
// along x first, is the primitives 2 i and 2 i + 1. All that is below, without
// end, is inside. For fixed bodies only.
struct HeightFieldShape {
  uint32_t columns = 2;  // heights along x
  uint32_t rows = 2;     // heights along z
  double cell_size_m = 1.0;
  std::vector<double> heights_m;  // columns x rows, along x first
  Vector3 position;               // of the grid's middle in the body's frame
};

using ShapeDefinition =
    std::variant<SolidShape, PlaneShape, MeshShape, HeightFieldShape>;

// Bounds of what a pack may ask for.
inline constexpr uint32_t kPrimitivesMax = 256;    // of a solid shape
inline constexpr uint32_t kHullPointsMax = 4096;   // that a hull is made of
inline constexpr uint32_t kHullVerticesMax = 256;  // that it has
inline constexpr uint32_t kMeshVerticesMax = 1u << 16;
inline constexpr uint32_t kMeshTrianglesMax = 1u << 16;
inline constexpr uint32_t kHeightFieldSideMax = 1025;
inline constexpr double kSizeMinM = 1e-3;
inline constexpr double kSizeMaxM = 1e4;

// Twice the area of a triangle that is thinner than this squared, m^2, is no
// triangle: its normal would be rounding.
inline constexpr double kTriangleSizeMinM = 1e-6;

// The number of primitives of a shape; a plane is one.
uint32_t PrimitiveCount(const ShapeDefinition& shape);

// Whether a shape is made of triangles.
bool IsSurface(const ShapeDefinition& shape);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_SHAPE_DEFINITION_H_
