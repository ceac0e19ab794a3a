// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/closest_points.h"

#include <array>
#include <cstddef>
#include <optional>

#include "sim/geometry/interpolation.h"

namespace reprise::sim {
namespace {

// The t of the nearest point on the line of `origin` and `direction`.
double TimeOnLine(Vector3 origin, Vector3 direction, Vector3 point) {
  const double length_squared = Dot(direction, direction);
  if (length_squared == 0.0) return 0.0;
  return Dot(point - origin, direction) / length_squared;
}

ClosestPair PairAt(const Segment& a, double t_a, const Segment& b, double t_b) {
  return {.t_a = t_a,
          .t_b = t_b,
          .point_a = PointAt(a, t_a),
          .point_b = PointAt(b, t_b)};
}

// The t of the first line at its nearest to the second one; nullopt for
// parallel lines, by the angle that rounding can tell from none.
std::optional<double> CrossingTime(const Segment& a, const Segment& b) {
  const Vector3 along_a = a.end - a.start;
  const Vector3 along_b = b.end - b.start;
  const double aa = Dot(along_a, along_a);
  const double bb = Dot(along_b, along_b);
  const double ab = Dot(along_a, along_b);
  const double area_squared = aa * bb - ab * ab;
  if (!(area_squared > 1e-14 * (aa * bb))) return std::nullopt;
  const Vector3 between = a.start - b.start;
  return (ab * Dot(along_b, between) - bb * Dot(along_a, between)) /
         area_squared;
}

// One coordinate of a moving point and the slab of a box, in plain numbers.
struct SlabPassage {
  double start;
  double speed;
  double low;
  double high;

  // How far outside the slab the point is at `t`; below 0 under it.
  double Outside(double t) const {
    const double position = start + speed * t;
    if (position < low) return position - low;
    return position > high ? position - high : 0.0;
  }
};

}  // namespace

double ClosestTime(const Segment& segment, Vector3 point) {
  return Clamp(TimeOnLine(segment.start, segment.end - segment.start, point),
               0.0, 1.0);
}

double ClosestTime(const Ray& ray, Vector3 point) {
  const double t = TimeOnLine(ray.origin, ray.direction, point);
  return t > 0.0 ? t : 0.0;
}

double ClosestTime(const Segment& segment, const Aabb& box) {
  const Vector3 along = segment.end - segment.start;
  const std::array<SlabPassage, 3> slabs = {
      SlabPassage{segment.start.x, along.x, box.minimum.x, box.maximum.x},
      SlabPassage{segment.start.y, along.y, box.minimum.y, box.maximum.y},
      SlabPassage{segment.start.z, along.z, box.minimum.z, box.maximum.z}};
  // The square of the distance is convex and, between two times at which the
  // point enters or leaves a slab, a parabola.
  std::array<double, 8> times = {};
  size_t count = 0;
  const auto insert = [&](double t) {
    size_t place = count++;
    for (; place > 0 && times[place - 1] > t; --place) {
      times[place] = times[place - 1];
    }
    times[place] = t;
  };
  insert(0.0);
  insert(1.0);
  for (const SlabPassage& slab : slabs) {
    if (slab.speed == 0.0) continue;
    insert(Clamp((slab.low - slab.start) / slab.speed, 0.0, 1.0));
    insert(Clamp((slab.high - slab.start) / slab.speed, 0.0, 1.0));
  }
  double best_time = 0.0;
  double best_squared = -1.0;
  const auto consider = [&](double t) {
    double squared = 0.0;
    for (const SlabPassage& slab : slabs) {
      squared += slab.Outside(t) * slab.Outside(t);
    }
    if (best_squared < 0.0 || squared < best_squared) {
      best_squared = squared;
      best_time = t;
    }
  };
  for (size_t i = 0; i + 1 < count; ++i) {
    consider(times[i]);
    // The parabola of the axes that are outside in this interval.
    const double middle = 0.5 * (times[i] + times[i + 1]);
    double slope = 0.0;
    double curvature = 0.0;
    for (const SlabPassage& slab : slabs) {
      const double outside = slab.Outside(middle);
      if (outside == 0.0) continue;
      slope += outside * slab.speed;
      curvature += slab.speed * slab.speed;
    }
    if (curvature == 0.0) continue;
    consider(Clamp(middle - slope / curvature, times[i], times[i + 1]));
  }
  consider(1.0);
  return best_time;
}

Vector3 ClosestPoint(const Segment& segment, Vector3 point) {
  return PointAt(segment, ClosestTime(segment, point));
}

Vector3 ClosestPoint(const Ray& ray, Vector3 point) {
  return PointAt(ray, ClosestTime(ray, point));
}

Vector3 ClosestPoint(const Aabb& box, Vector3 point) {
  return Minimum(Maximum(point, box.minimum), box.maximum);
}

Vector3 ClosestPoint(const OrientedBox& box, Vector3 point) {
  const Vector3 local = Rotate(Conjugate(box.rotation), point - box.center);
  const Vector3 closest =
      ClosestPoint(Aabb{-box.half_extents, box.half_extents}, local);
  // A point inside comes back as it was, not as two rotations leave it.
  if (closest == local) return point;
  return box.center + Rotate(box.rotation, closest);
}

Vector3 ClosestPoint(const Triangle& triangle, Vector3 point) {
  const auto& [a, b, c] = triangle;
  const Vector3 ab = b - a, ac = c - a;
  const Vector3 normal = Cross(ab, ac);
  const double area_squared = Dot(normal, normal);
  if (area_squared > 0.0) {
    // Above the inside, all three of the parts are positive.
    const Vector3 to_point = point - a;
    const double part_b = Dot(Cross(to_point, ac), normal) / area_squared;
    const double part_c = Dot(Cross(ab, to_point), normal) / area_squared;
    if (part_b >= 0.0 && part_c >= 0.0 && part_b + part_c <= 1.0) {
      return a + ab * part_b + ac * part_c;
    }
  }
  Vector3 best = a;
  double best_squared = -1.0;
  for (const Segment& side : {Segment{a, b}, Segment{b, c}, Segment{c, a}}) {
    const Vector3 on_side = ClosestPoint(side, point);
    const Vector3 apart = on_side - point;
    const double squared = Dot(apart, apart);
    if (best_squared < 0.0 || squared < best_squared) {
      best_squared = squared;
      best = on_side;
    }
  }
  return best;
}

ClosestPair ClosestPoints(const Segment& a, const Segment& b) {
  // The nearest points are an end and what is nearest to it, or, between the
  // ends of both, where the lines cross.
  std::array<ClosestPair, 5> pairs = {
      PairAt(a, 0.0, b, ClosestTime(b, a.start)),
      PairAt(a, 1.0, b, ClosestTime(b, a.end)),
      PairAt(a, ClosestTime(a, b.start), b, 0.0),
      PairAt(a, ClosestTime(a, b.end), b, 1.0)};
  size_t count = 4;
  const std::optional<double> crossing = CrossingTime(a, b);
  if (crossing.has_value()) {
    const double t_a = Clamp(*crossing, 0.0, 1.0);
    pairs[count++] = PairAt(a, t_a, b, ClosestTime(b, PointAt(a, t_a)));
  }
  size_t best = 0;
  double best_squared = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const Vector3 apart = pairs[i].point_b - pairs[i].point_a;
    const double squared = Dot(apart, apart);
    if (i == 0 || squared < best_squared ||
        (squared == best_squared && pairs[i].t_a < pairs[best].t_a)) {
      best = i;
      best_squared = squared;
    }
  }
  return pairs[best];
}

ClosestPair ClosestPointsOfLines(const Segment& a, const Segment& b) {
  double t_a = CrossingTime(a, b).value_or(0.0);
  if (a.start != a.end && b.start == b.end) {
    t_a = TimeOnLine(a.start, a.end - a.start, b.start);
  }
  const double t_b = TimeOnLine(b.start, b.end - b.start, PointAt(a, t_a));
  return PairAt(a, t_a, b, t_b);
}

}  // namespace reprise::sim
