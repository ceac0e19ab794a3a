// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Shapes of games that lie in a plane, as plain structs. All are closed, so
// what touches overlaps, and all but polygons may be degenerate.

#ifndef REPRISE_SIM_GEOMETRY_COLLISIONS_SHAPES2_H_
#define REPRISE_SIM_GEOMETRY_COLLISIONS_SHAPES2_H_

#include <array>
#include <vector>

#include "sim/geometry/vector2.h"

namespace reprise::sim {

struct Circle {
  Vector2 center;
  double radius = 0.0;
};

struct Segment2 {
  Vector2 start;
  Vector2 end;
};

// With sides along the axes; minimum <= maximum in both.
struct Box2 {
  Vector2 minimum;
  Vector2 maximum;
};

// At least 3 corners in order, either way round.
// Valid when ValidateConvex (sim/geometry/containment.h) says so.
struct ConvexPolygon2 {
  std::vector<Vector2> corners;
};

constexpr std::array<Vector2, 4> CornersOf(const Box2& box) {
  return {box.minimum, Vector2{box.maximum.x, box.minimum.y}, box.maximum,
          Vector2{box.minimum.x, box.maximum.y}};
}

constexpr bool Contains(const Box2& box, Vector2 point) {
  return box.minimum.x <= point.x && point.x <= box.maximum.x &&
         box.minimum.y <= point.y && point.y <= box.maximum.y;
}

constexpr bool Contains(const Circle& circle, Vector2 point) {
  return LengthSquared(point - circle.center) <= circle.radius * circle.radius;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_COLLISIONS_SHAPES2_H_
