// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/collisions/collisions2.h"

#include <array>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/collisions/casts.h"
#include "sim/geometry/containment.h"
#include "sim/geometry/collisions/impacts.h"
#include "sim/geometry/interpolation.h"

namespace reprise::sim {
namespace {

constexpr Vector2 kUp = {0.0, 1.0};
constexpr Vector2 kRight = {1.0, 0.0};

// What rounding makes of the shadow of a corner on an axis, with room.
constexpr double kRounding = 1e-14;

// A motion goes into a wall when at least this part of it does; the rest is
// what rounding leaves of a motion that has been turned along the wall.
constexpr double kStillness = 1e-12;

// A convex shape's corners, and the axes across its sides.
struct Outline {
  std::span<const Vector2> corners;
  bool is_box;  // its axes are known, also where its sides have no length
};

struct Shadow {
  double low;
  double high;
};

Shadow ShadowOf(const Outline& outline, Vector2 axis) {
  Shadow shadow = {Dot(outline.corners[0], axis),
                   Dot(outline.corners[0], axis)};
  for (const Vector2 corner : outline.corners) {
    const double place = Dot(corner, axis);
    if (place < shadow.low) shadow.low = place;
    if (place > shadow.high) shadow.high = place;
  }
  return shadow;
}

double LargerOf(double a, double b) { return a > b ? a : b; }

// Looks along one axis, both ways. Returns whether the shapes are apart there;
// otherwise keeps the shorter way out.
bool AreApart(const Outline& a, const Outline& b, Vector2 axis,
              Separation& shortest) {
  const Shadow of_a = ShadowOf(a, axis);
  const Shadow of_b = ShadowOf(b, axis);
  const double forwards = of_b.high - of_a.low;
  const double backwards = of_a.high - of_b.low;
  const double slack =
      a.is_box && b.is_box
          ? 0.0
          : kRounding * LargerOf(LargerOf(Abs(of_a.low), Abs(of_a.high)),
                                 LargerOf(Abs(of_b.low), Abs(of_b.high)));
  if (forwards < -slack || backwards < -slack) return true;
  if (forwards < shortest.depth) {
    shortest = {.normal = axis, .depth = LargerOf(forwards, 0.0)};
  }
  if (backwards < shortest.depth) {
    shortest = {.normal = -axis, .depth = LargerOf(backwards, 0.0)};
  }
  return false;
}

bool AreApartAcrossSides(const Outline& a, const Outline& b,
                         const Outline& sides, Separation& shortest) {
  if (sides.is_box) {
    return AreApart(a, b, kUp, shortest) || AreApart(a, b, kRight, shortest);
  }
  const size_t count = sides.corners.size();
  for (size_t i = 0; i < count; ++i) {
    const Vector2 side = sides.corners[(i + 1) % count] - sides.corners[i];
    if (AreApart(a, b, Normalized(Perpendicular(side)), shortest)) return true;
  }
  return false;
}

std::optional<Separation> SeparationOfConvex(const Outline& a,
                                             const Outline& b) {
  Separation shortest = {.depth = kNoLimit};
  if (AreApartAcrossSides(a, b, a, shortest)) return std::nullopt;
  if (AreApartAcrossSides(a, b, b, shortest)) return std::nullopt;
  return shortest;
}

// A circle's way out from a point of a surface that it overlaps.
std::optional<Separation> SeparationFromPoint(const Circle& circle,
                                              Vector2 point, Vector2 fallback) {
  const Vector2 apart = circle.center - point;
  const double squared = LengthSquared(apart);
  if (squared > circle.radius * circle.radius) return std::nullopt;
  if (apart == Vector2{}) {
    return Separation{.normal = fallback, .depth = circle.radius};
  }
  return Separation{.normal = Normalized(apart),
                    .depth = LargerOf(circle.radius - Sqrt(squared), 0.0)};
}

// The sides of a polygon, each with the direction out of it.
class Sides {
 public:
  explicit Sides(std::span<const Vector2> corners) : corners_(corners) {
    double area = 0.0;
    for (size_t i = 1; i + 1 < corners.size(); ++i) {
      area += Cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
    }
    counter_clockwise_ = area > 0.0;
  }

  size_t size() const { return corners_.size(); }
  Segment2 operator[](size_t i) const {
    return {corners_[i], corners_[(i + 1) % corners_.size()]};
  }
  Vector2 OutwardsOf(size_t i) const {
    const auto [start, end] = (*this)[i];
    const Vector2 left = Normalized(Perpendicular(end - start));
    return counter_clockwise_ ? -left : left;
  }

 private:
  std::span<const Vector2> corners_;
  bool counter_clockwise_;
};

// A circle's centre on its way to what it can't enter: shapes grown by its
// radius.
struct Passage {
  Vector2 start;
  Vector2 motion;
  double radius;
  std::optional<Hit2> first;

  void Keep(double t, Vector2 normal) {
    if (t > 1.0 || (first.has_value() && first->t <= t)) return;
    const Vector2 center = start + motion * t;
    first = Hit2{t, center - normal * radius, normal};
  }

  // The side from `a` to `b`, moved by the radius along `outwards`.
  void CastAtSide(Vector2 a, Vector2 b, Vector2 outwards) {
    const double speed = Dot(motion, outwards);
    const double distance = Dot(start - a, outwards) - radius;
    // A start that touches may be a little behind, by rounding.
    const double slack = kRounding * (Abs(start.x) + Abs(start.y) + Abs(a.x) +
                                      Abs(a.y) + radius);
    if (speed >= 0.0 || distance < -slack) return;
    // By the sides on which the ends are passed, which neighbours share.
    const Vector2 shift = outwards * radius;
    const double side_a = Cross(motion, a + shift - start);
    const double side_b = Cross(motion, b + shift - start);
    if ((side_a > 0.0 && side_b > 0.0) || (side_a < 0.0 && side_b < 0.0))
      return;
    Keep(LargerOf(distance, 0.0) / -speed, outwards);
  }

  void CastAtCorner(Vector2 corner, double corner_radius) {
    const std::optional<Hit> hit =
        Cast(Ray{{start.x, start.y, 0.0}, {motion.x, motion.y, 0.0}},
             Sphere{{corner.x, corner.y, 0.0}, corner_radius}, 1.0);
    if (hit.has_value()) Keep(hit->t, Vector2{hit->normal.x, hit->normal.y});
  }
};

Hit2 HitAtStart(const Circle& circle, const Separation& separation) {
  return {.t = 0.0,
          .point = circle.center -
                   separation.normal * (circle.radius - separation.depth),
          .normal = separation.normal};
}

std::optional<Hit2> SweepAtCorners(const Circle& circle, Vector2 motion,
                                   std::span<const Vector2> corners) {
  Passage passage = {circle.center, motion, circle.radius, {}};
  const Sides sides(corners);
  for (size_t i = 0; i < sides.size(); ++i) {
    const auto [start, end] = sides[i];
    passage.CastAtSide(start, end, sides.OutwardsOf(i));
    passage.CastAtCorner(start, circle.radius);
  }
  return passage.first;
}

template <typename Visit>
void ForEachWall(const Walls& walls, Visit&& visit) {
  for (const Box2& box : walls.boxes) visit(box);
  for (const Segment2& segment : walls.segments) visit(segment);
  for (const ConvexPolygon2& polygon : walls.polygons) visit(polygon);
}

}  // namespace

Vector2 ClosestPoint(const Segment2& segment, Vector2 point) {
  const Vector2 along = segment.end - segment.start;
  const double squared = LengthSquared(along);
  if (squared == 0.0) return segment.start;
  const double t = Clamp(Dot(point - segment.start, along) / squared, 0.0, 1.0);
  return t == 1.0 ? segment.end : segment.start + along * t;
}

std::optional<Separation> FindSeparation(const Circle& a, const Circle& b) {
  return SeparationFromPoint(Circle{a.center, a.radius + b.radius}, b.center,
                             kUp);
}

std::optional<Separation> FindSeparation(const Circle& circle,
                                         const Box2& box) {
  const Vector2 center = circle.center;
  if (!Contains(box, center)) {
    const Vector2 closest = {Clamp(center.x, box.minimum.x, box.maximum.x),
                             Clamp(center.y, box.minimum.y, box.maximum.y)};
    return SeparationFromPoint(circle, closest, kUp);
  }
  const std::array<Separation, 4> ways = {
      Separation{kUp, box.maximum.y - center.y},
      Separation{-kUp, center.y - box.minimum.y},
      Separation{kRight, box.maximum.x - center.x},
      Separation{-kRight, center.x - box.minimum.x}};
  Separation shortest = ways[0];
  for (const Separation& way : ways) {
    if (way.depth < shortest.depth) shortest = way;
  }
  shortest.depth += circle.radius;
  return shortest;
}

std::optional<Separation> FindSeparation(const Circle& circle,
                                         const Segment2& segment) {
  const Vector2 left = Normalized(Perpendicular(segment.end - segment.start));
  return SeparationFromPoint(circle, ClosestPoint(segment, circle.center),
                             left == Vector2{} ? kUp : left);
}

std::optional<Separation> FindSeparation(const Circle& circle,
                                         const ConvexPolygon2& polygon) {
  const Sides sides(polygon.corners);
  const Vector2 center = circle.center;
  if (ConvexContains(polygon.corners, center)) {
    Separation shortest = {.depth = kNoLimit};
    for (size_t i = 0; i < sides.size(); ++i) {
      const Vector2 outwards = sides.OutwardsOf(i);
      const double to_side = Dot(sides[i].start - center, outwards);
      const double depth = LargerOf(to_side, 0.0) + circle.radius;
      if (depth < shortest.depth) shortest = {outwards, depth};
    }
    return shortest;
  }
  Vector2 closest = polygon.corners[0];
  for (size_t i = 0; i < sides.size(); ++i) {
    const Vector2 on_side = ClosestPoint(sides[i], center);
    if (LengthSquared(on_side - center) < LengthSquared(closest - center)) {
      closest = on_side;
    }
  }
  return SeparationFromPoint(circle, closest, kUp);
}

std::optional<Separation> FindSeparation(const Box2& a, const Box2& b) {
  const std::array<Vector2, 4> corners_a = CornersOf(a);
  const std::array<Vector2, 4> corners_b = CornersOf(b);
  return SeparationOfConvex({corners_a, true}, {corners_b, true});
}

std::optional<Separation> FindSeparation(const Box2& box,
                                         const ConvexPolygon2& polygon) {
  const std::array<Vector2, 4> corners = CornersOf(box);
  CHECK(polygon.corners.size() >= 3, "{} corners", polygon.corners.size());
  return SeparationOfConvex({corners, true}, {polygon.corners, false});
}

std::optional<Separation> FindSeparation(const ConvexPolygon2& a,
                                         const ConvexPolygon2& b) {
  CHECK(a.corners.size() >= 3, "{} corners", a.corners.size());
  CHECK(b.corners.size() >= 3, "{} corners", b.corners.size());
  return SeparationOfConvex({a.corners, false}, {b.corners, false});
}

std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const Circle& other, Vector2 other_motion) {
  const std::optional<Separation> separation = FindSeparation(circle, other);
  if (separation.has_value()) return HitAtStart(circle, *separation);
  Passage passage = {circle.center, motion - other_motion, circle.radius, {}};
  passage.CastAtCorner(other.center, circle.radius + other.radius);
  if (passage.first.has_value()) {
    passage.first->point =
        passage.first->point + other_motion * passage.first->t;
  }
  return passage.first;
}

std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const Segment2& segment) {
  const std::optional<Separation> separation = FindSeparation(circle, segment);
  if (separation.has_value()) return HitAtStart(circle, *separation);
  const auto& [start, end] = segment;
  const Vector2 left = Normalized(Perpendicular(end - start));
  Passage passage = {circle.center, motion, circle.radius, {}};
  passage.CastAtSide(start, end, left);
  passage.CastAtSide(start, end, -left);
  passage.CastAtCorner(start, circle.radius);
  passage.CastAtCorner(end, circle.radius);
  return passage.first;
}

std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const Box2& box) {
  const std::optional<Separation> separation = FindSeparation(circle, box);
  if (separation.has_value()) return HitAtStart(circle, *separation);
  Passage passage = {circle.center, motion, circle.radius, {}};
  const auto [low, right_low, high, left_high] = CornersOf(box);
  passage.CastAtSide(low, right_low, -kUp);
  passage.CastAtSide(right_low, high, kRight);
  passage.CastAtSide(high, left_high, kUp);
  passage.CastAtSide(left_high, low, -kRight);
  for (const Vector2 corner : {low, right_low, high, left_high}) {
    passage.CastAtCorner(corner, circle.radius);
  }
  return passage.first;
}

std::optional<Hit2> Sweep(const Circle& circle, Vector2 motion,
                          const ConvexPolygon2& polygon) {
  const std::optional<Separation> separation = FindSeparation(circle, polygon);
  if (separation.has_value()) return HitAtStart(circle, *separation);
  return SweepAtCorners(circle, motion, polygon.corners);
}

SlideResult MoveAndSlide(const Circle& circle, Vector2 motion,
                         const Walls& walls, uint32_t hits_max) {
  CHECK(circle.radius > 0.0, "{}", circle.radius);
  Circle moved = circle;
  ForEachWall(walls, [&](const auto& wall) {
    const std::optional<Separation> separation = FindSeparation(moved, wall);
    if (separation.has_value()) {
      moved.center = moved.center + separation->motion();
    }
  });
  SlideResult result;
  Vector2 left = motion;
  while (left != Vector2{}) {
    std::optional<Hit2> first;
    ForEachWall(walls, [&](const auto& wall) {
      const std::optional<Hit2> hit = Sweep(moved, left, wall);
      if (!hit.has_value() || (first.has_value() && first->t <= hit->t)) return;
      if (Dot(left, hit->normal) < -kStillness * Length(left)) first = hit;
    });
    if (!first.has_value()) {
      moved.center = moved.center + left;
      break;
    }
    moved.center = moved.center + left * first->t;
    if (result.hit_count == hits_max) break;
    ++result.hit_count;
    result.normal = first->normal;
    left = Slid(left * (1.0 - first->t), first->normal);
  }
  result.center = moved.center;
  return result;
}

}  // namespace reprise::sim
