// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/navigation/solid_triangles.h"

#include <span>
#include <utility>
#include <variant>

#include "sim/base/math.h"
#include "sim/physics/shapes/triangle_surface.h"

namespace reprise::sim {
namespace {

constexpr int kRings = kRoundSides / 2;  // of a ball, from pole to pole

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// Adds triangles of a frame to those of the world.
class TriangleWriter {
 public:
  TriangleWriter(const Transform& place, std::vector<Triangle>& triangles)
      : place_(place), triangles_(triangles) {}

  void Add(Vector3 a, Vector3 b, Vector3 c) const {
    triangles_.push_back({ApplyToPoint(place_, a), ApplyToPoint(place_, b),
                          ApplyToPoint(place_, c)});
  }

  void AddQuad(Vector3 a, Vector3 b, Vector3 c, Vector3 d) const {
    Add(a, b, c);
    Add(a, c, d);
  }

  // The way round that is seen against the clock from above.
  void AddFacingUp(Vector3 a, Vector3 b, Vector3 c) const {
    const Vector3 normal = ApplyToDirection(place_, Cross(b - a, c - a));
    if (normal.y < 0.0) std::swap(b, c);
    Add(a, b, c);
  }

 private:
  Transform place_;
  std::vector<Triangle>& triangles_;
};

// A line of these points, turned around y. They descend.
struct Ring {
  double radius_m = 0.0;
  double y_m = 0.0;
};

void AddTurned(std::span<const Ring> rings, const TriangleWriter& writer) {
  const auto corner = [](const Ring& ring, int side) {
    const double angle = 2.0 * kPi * (side % kRoundSides) / kRoundSides;
    return Vector3{ring.radius_m * Cos(angle), ring.y_m,
                   ring.radius_m * Sin(angle)};
  };
  for (size_t i = 0; i + 1 < rings.size(); ++i) {
    const Ring& upper = rings[i];
    const Ring& lower = rings[i + 1];
    for (int side = 0; side < kRoundSides; ++side) {
      if (upper.radius_m > 0.0) {
        writer.Add(corner(upper, side), corner(upper, side + 1),
                   corner(lower, side));
      }
      if (lower.radius_m > 0.0) {
        writer.Add(corner(upper, side + 1), corner(lower, side + 1),
                   corner(lower, side));
      }
    }
  }
}

// Two halves of a ball, so far apart.
void AddCapsule(double radius_m, double height_m,
                const TriangleWriter& writer) {
  std::vector<Ring> rings;
  for (int ring = 0; ring <= kRings; ++ring) {
    const double angle = kPi * ring / kRings;
    const bool is_pole = ring == 0 || ring == kRings;
    const double out_m = is_pole ? 0.0 : radius_m * Sin(angle);
    const double up_m = radius_m * Cos(angle);
    const bool is_upper = 2 * ring <= kRings;
    const bool is_lower = 2 * ring >= kRings;
    if (is_upper) rings.push_back({out_m, up_m + height_m / 2.0});
    if (is_lower && (height_m > 0.0 || !is_upper)) {
      rings.push_back({out_m, up_m - height_m / 2.0});
    }
  }
  AddTurned(rings, writer);
}

void AddBox(Vector3 half, const TriangleWriter& writer) {
  const auto corner = [&](double x, double y, double z) {
    return Vector3{x * half.x, y * half.y, z * half.z};
  };
  for (const double s : {-1.0, 1.0}) {
    // Each face's first edge and second turn to the outside.
    writer.AddQuad(corner(s, -1, -s), corner(s, 1, -s), corner(s, 1, s),
                   corner(s, -1, s));
    writer.AddQuad(corner(-s, s, -1), corner(-s, s, 1), corner(s, s, 1),
                   corner(s, s, -1));
    writer.AddQuad(corner(-1, -s, s), corner(1, -s, s), corner(1, s, s),
                   corner(-1, s, s));
  }
}

void AddSolid(const Solid& solid, const TriangleWriter& writer) {
  std::visit(
      Overloaded{
          [&](const SpherePrimitive& sphere) {
            AddCapsule(sphere.radius_m, 0.0, writer);
          },
          [&](const BoxPrimitive& box) { AddBox(box.half_extents_m, writer); },
          [&](const CapsulePrimitive& capsule) {
            AddCapsule(capsule.radius_m, capsule.height_m, writer);
          },
          [&](const CylinderPrimitive& cylinder) {
            const double half = cylinder.height_m / 2.0;
            AddTurned(std::vector<Ring>{{0.0, half},
                                        {cylinder.radius_m, half},
                                        {cylinder.radius_m, -half},
                                        {0.0, -half}},
                      writer);
          },
          [&](const ConePrimitive& cone) {
            AddTurned(std::vector<Ring>{{0.0, 0.75 * cone.height_m},
                                        {cone.radius_m, -0.25 * cone.height_m},
                                        {0.0, -0.25 * cone.height_m}},
                      writer);
          },
          [&](const HullPrimitive& hull) {
            for (const TriangleCorners& face : hull.faces) {
              writer.Add(hull.vertices[face[0]], hull.vertices[face[1]],
                         hull.vertices[face[2]]);
            }
          },
      },
      solid);
}

// A square around the point of the plane that is closest to the middle of the
// bounds.
void AddPlane(const PlaneShape& plane, const Transform& place,
              const Aabb& bounds, std::vector<Triangle>& triangles) {
  const Vector3 up = ApplyToDirection(place, plane.normal);
  const Vector3 on = ApplyToPoint(place, plane.offset_m * plane.normal);
  const Vector3 middle = Center(bounds);
  const Vector3 centre = middle - Dot(middle - on, up) * up;
  const Vector3 least = Abs(up.x) < 0.5 ? Vector3{1, 0, 0} : Vector3{0, 0, 1};
  const Vector3 right = Normalized(Cross(up, least));
  const Vector3 ahead = Cross(up, right);
  // No farther from the middle than the corners are, either way.
  const double reach_m = 2.0 * Length(HalfExtents(bounds)) + 1.0;
  const TriangleWriter writer({.position = centre}, triangles);
  writer.AddQuad(
      -reach_m * right - reach_m * ahead, reach_m * right - reach_m * ahead,
      reach_m * right + reach_m * ahead, -reach_m * right + reach_m * ahead);
}

uint64_t SolidTriangleCount(const Solid& solid) {
  if (const auto* const hull = std::get_if<HullPrimitive>(&solid)) {
    return hull->faces.size();
  }
  if (std::holds_alternative<BoxPrimitive>(solid)) return 12;
  return uint64_t{2} * kRoundSides * (kRings + 1);
}

}  // namespace

uint64_t ShapeTriangleCount(const ShapeDefinition& shape) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr) return IsSurface(shape) ? PrimitiveCount(shape) : 2;
  uint64_t count = 0;
  for (const Primitive& primitive : solid->primitives) {
    count += SolidTriangleCount(primitive.solid);
  }
  return count;
}

void AddShapeParts(const ShapeDefinition& shape, const Transform& place,
                   const Aabb& bounds, std::vector<ShapePart>& parts) {
  if (const auto* const solid = std::get_if<SolidShape>(&shape)) {
    for (const Primitive& primitive : solid->primitives) {
      ShapePart& part = parts.emplace_back(ShapePart{.is_solid = true});
      const Transform at =
          place * Transform{primitive.position, primitive.rotation};
      AddSolid(primitive.solid, TriangleWriter(at, part.triangles));
    }
    return;
  }
  ShapePart& part = parts.emplace_back();
  const TriangleWriter writer(place, part.triangles);
  if (const auto* const plane = std::get_if<PlaneShape>(&shape)) {
    AddPlane(*plane, place, bounds, part.triangles);
  } else if (const auto* const mesh = std::get_if<MeshShape>(&shape)) {
    for (const TriangleCorners& corners : mesh->triangles) {
      writer.AddFacingUp(mesh->vertices[corners[0]], mesh->vertices[corners[1]],
                         mesh->vertices[corners[2]]);
    }
  } else if (const auto* const field = std::get_if<HeightFieldShape>(&shape)) {
    const auto point = [&](uint32_t corner) {
      return HeightFieldPoint(*field, corner % field->columns,
                              corner / field->columns);
    };
    for (uint32_t i = 0; i < PrimitiveCount(shape); ++i) {
      const TriangleCorners corners = HeightFieldCorners(*field, i);
      writer.AddFacingUp(point(corners[0]), point(corners[1]),
                         point(corners[2]));
    }
  }
}

}  // namespace reprise::sim
