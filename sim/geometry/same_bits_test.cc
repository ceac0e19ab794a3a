// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that geometry gives the same bits in every build: the digest of some
// ten thousand results is one number for all compilers, options and CPUs.

#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/digest.h"
#include "sim/geometry/collisions/casts.h"
#include "sim/geometry/motion/catmull_rom.h"
#include "sim/geometry/closest_points.h"
#include "sim/geometry/collisions/collisions2.h"
#include "sim/geometry/directions.h"
#include "sim/geometry/motion/integrators.h"
#include "sim/geometry/interpolation.h"
#include "sim/geometry/matrix4.h"
#include "sim/geometry/collisions/sweeps.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

// Collects results.
class Results {
 public:
  void Add(double value) { values_.push_back(value); }
  void Add(Vector2 v) {
    Add(v.x);
    Add(v.y);
  }
  void Add(Vector3 v) {
    Add(v.x);
    Add(v.y);
    Add(v.z);
  }
  void Add(Quaternion q) {
    Add(Vector3{q.x, q.y, q.z});
    Add(q.w);
  }
  template <typename AnyHit>
  void Add(const std::optional<AnyHit>& hit) {
    if (!hit.has_value()) return Add(-1.0);
    Add(hit->t);
    Add(hit->point);
    Add(hit->normal);
  }
  void Add(const std::optional<Separation>& separation) {
    if (separation.has_value()) Add(separation->motion());
  }

  size_t size() const { return values_.size(); }
  Digest digest() const { return DigestOf(std::as_bytes(std::span(values_))); }

 private:
  std::vector<double> values_;
};

void AddCastsAndSweeps(RandomStream& random, Results& results) {
  const Segment segment = DrawSegment(random, 3.0);
  const Vector3 motion = segment.end - segment.start;
  const Sphere sphere = DrawSphere(random);
  const OrientedBox box = DrawOrientedBox(random);
  const Capsule capsule = DrawCapsule(random);
  const Triangle triangle = DrawTriangle(random);
  results.Add(Cast(segment, sphere));
  results.Add(Cast(segment, box));
  results.Add(Cast(segment, capsule));
  results.Add(Cast(segment, triangle));
  results.Add(Sweep(sphere, motion, box));
  results.Add(Sweep(sphere, motion, capsule));
  results.Add(Sweep(sphere, motion, triangle));
  results.Add(Sweep(BoundsOf(sphere), motion, BoundsOf(box), {}));
  results.Add(ClosestPoint(triangle, segment.start));
}

void AddRotations(RandomStream& random, Results& results) {
  const Transform a = DrawTransform(random);
  const Transform b = DrawTransform(random);
  results.Add(Slerp(a.rotation, b.rotation, NextUnit(random)));
  results.Add(RotationBetween(a.position, b.position));
  results.Add(AngleBetween(a.position, b.position));
  results.Add(ApplyToPoint(Inverse(a) * b, a.position));
  results.Add(Inverse(ToMatrix4(a)).value().rows[0].w);
}

void AddPlane(RandomStream& random, Results& results) {
  const ConvexPolygon2 polygon = {DrawConvex(random)};
  const ConvexPolygon2 other = {DrawConvex(random)};
  const Circle circle = {DrawVector2(random, 3.0), 0.5};
  const Vector2 motion = DrawVector2(random, 3.0);
  results.Add(FindSeparation(polygon, other));
  results.Add(FindSeparation(circle, polygon));
  results.Add(Sweep(circle, motion, polygon));
  results.Add(
      MoveAndSlide(circle, motion, Walls{.polygons = {&polygon, 1}}).center);
}

void AddCurveAndOrbit(RandomStream& random, Results& results) {
  std::vector<Vector3> points;
  for (int i = 0; i < 6; ++i) points.push_back(DrawVector(random, 5.0));
  const CatmullRomSpline spline(points, CatmullRomSpline::Ends::kClosed);
  for (int i = 0; i < 20; ++i) {
    results.Add(spline.AtDistance(i * 1.7).position);
  }
  MovingPoint<Vector3> planet = {points[0], points[1]};
  for (int i = 0; i < 100; ++i) {
    planet = StepRungeKutta4(
        planet, 0.01, [](Vector3 p, Vector3) { return Normalized(p) * -9.81; });
  }
  results.Add(planet.position);
}

TEST(SameBitsTest, OneDigestForEveryBuild) {
  RandomStream random = Draws(1);
  Results results;
  for (int i = 0; i < 300; ++i) {
    AddCastsAndSweeps(random, results);
    AddRotations(random, results);
    AddPlane(random, results);
  }
  for (int i = 0; i < 10; ++i) AddCurveAndOrbit(random, results);
  EXPECT_GT(results.size(), 10'000u);
  EXPECT_EQ(FormatDigest(results.digest()), "79c8555a4e809afb");
}

}  // namespace
}  // namespace reprise::sim
