// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Overlaps in a plane and the shortest way out of them; moving circles, and the
// walls that stop them. What a 2D game needs instead of rigid bodies.

#ifndef REPRISE_SIM_GEOMETRY_COLLISIONS2_H_
#define REPRISE_SIM_GEOMETRY_COLLISIONS2_H_

#include <cstdint>
#include <optional>
#include <span>

#include "sim/geometry/collisions/shapes2.h"
#include "sim/geometry/vector2.h"

namespace reprise::sim {

// The shortest motion of the first shape after which both only touch:
// normal * depth. Depth is 0 where they only touch already.
struct Separation {
  Vector2 normal;  // length 1, away from the second shape
  double depth = 0.0;

  Vector2 motion() const { return normal * depth; }
};

Vector2 ClosestPoint(const Segment2& segment, Vector2 point);

// Nullopt unless the shapes overlap or touch. Where several ways are as short:
// up before down before right before left for boxes, the first side for
// polygons; up for circles with one centre, and for a centre on a segment its
// left side. REQUIRES: polygons are valid.
std::optional<Separation> FindSeparation(const Circle& a, const Circle& b);
std::optional<Separation> FindSeparation(const Circle& circle, const Box2& box);
std::optional<Separation> FindSeparation(const Circle& circle,
                                         const Segment2& segment);
std::optional<Separation> FindSeparation(const Circle& circle,
                                         const ConvexPolygon2& polygon);
std::optional<Separation> FindSeparation(const Box2& a, const Box2& b);
std::optional<Separation> FindSeparation(const Box2& box,
                                         const ConvexPolygon2& polygon);
std::optional<Separation> FindSeparation(const ConvexPolygon2& a,
                                         const ConvexPolygon2& b);

// As sim/geometry/sweeps.h, in a plane: t in [0, 1], and 0 for what overlaps at
// the start, with the normal of its separation.
struct Hit2 {
  double t = 0.0;
  Vector2 point;   // where the surfaces touch
  Vector2 normal;  // length 1, from what was hit to the circle
};

std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const Circle& other, Vector2 other_motion);
std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const Segment2& segment);
std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const Box2& box);
std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const ConvexPolygon2& polygon);

// What stands in the way, borrowed for a call.
struct Walls {
  std::span<const Box2> boxes;
  std::span<const Segment2> segments;
  std::span<const ConvexPolygon2> polygons;
};

struct SlideResult {
  Vector2 center;
  Vector2 normal;          // of the last wall hit; zero when none was
  uint32_t hit_count = 0;  // walls that turned the motion
};

// Moves a circle as far as walls let it and along them for the rest, turned at
// most `hits_max` times; what is left after that is lost. Walls that it
// overlaps at the start push it out first, in their order, once each. The
// circle never crosses a wall, however far it goes, up to 1e9 of its radius.
// REQUIRES: circle.radius > 0.
SlideResult MoveAndSlide(const Circle& circle, Vector2 motion,
                         const Walls& walls, uint32_t hits_max = 4);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_COLLISIONS2_H_
