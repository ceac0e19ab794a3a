// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the curve passes through its points with the tangents stated, and
// that walking by distance is even and as long as a fine chain of chords says.

#include "sim/geometry/motion/catmull_rom.h"

#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

using Ends = CatmullRomSpline::Ends;

std::vector<Vector3> DrawPoints(RandomStream& random, size_t count) {
  std::vector<Vector3> points;
  for (size_t i = 0; i < count; ++i) points.push_back(DrawVector(random, 10.0));
  return points;
}

TEST(CatmullRomTest, KnownValues) {
  const auto uneven = [](double t) {
    return CatmullRom(0.0, 1.0, 3.0, 4.0, t);
  };
  EXPECT_EQ(uneven(0.0), 1.0);
  EXPECT_EQ(uneven(0.25), 1.453125);
  EXPECT_EQ(uneven(0.5), 2.0);
  EXPECT_EQ(uneven(0.75), 2.546875);
  EXPECT_EQ(uneven(1.0), 3.0);
  const auto step = [](double t) { return CatmullRom(0.0, 0.0, 1.0, 1.0, t); };
  EXPECT_EQ(step(0.0), 0.0);
  EXPECT_EQ(step(0.25), 0.203125);
  EXPECT_EQ(step(0.5), 0.5);
  EXPECT_EQ(step(0.75), 0.796875);
  EXPECT_EQ(step(1.0), 1.0);
}

TEST(CatmullRomTest, EvenPointsOnALineGiveTheLine) {
  for (const double t : {0.0, 0.125, 0.3, 0.5, 0.9, 1.0}) {
    EXPECT_NEAR(CatmullRom(-1.0, 1.0, 3.0, 5.0, t), 1.0 + 2.0 * t, 1e-15);
    EXPECT_NEAR(CatmullRomTangent(-1.0, 1.0, 3.0, 5.0, t), 2.0, 1e-14);
  }
}

TEST(CatmullRomTest, TangentsAreHalfOfTheNeighboursDifference) {
  EXPECT_EQ(CatmullRomTangent(0.0, 1.0, 3.0, 4.0, 0.0), 1.5);
  EXPECT_EQ(CatmullRomTangent(0.0, 1.0, 3.0, 4.0, 1.0), 1.5);
}

TEST(CatmullRomTest, TangentsAgreeWithDifferences) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Vector3> p = DrawPoints(random, 4);
    const double t = DrawBetween(random, 0.01, 0.99);
    const auto at = [&](double place) {
      return CatmullRom(p[0], p[1], p[2], p[3], place);
    };
    const Vector3 difference = (at(t + 1e-5) - at(t - 1e-5)) / 2e-5;
    ExpectNear(CatmullRomTangent(p[0], p[1], p[2], p[3], t), difference, 1e-7);
  }
}

TEST(CatmullRomSplineTest, AnOpenCurvePassesFromTheSecondPointToTheLastButOne) {
  RandomStream random = Draws(2);
  const std::vector<Vector3> points = DrawPoints(random, 7);
  const CatmullRomSpline spline(points, Ends::kOpen);
  ASSERT_EQ(spline.stretch_count(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(spline.At(i, 0.0).position, points[i + 1]);
    EXPECT_EQ(spline.At(i, 1.0).position, points[i + 2]);
    ExpectNear(spline.At(i, 0.0).direction,
               Normalized(points[i + 2] - points[i]));
  }
}

TEST(CatmullRomSplineTest, AClosedCurvePassesAllPointsAndComesBack) {
  RandomStream random = Draws(3);
  const std::vector<Vector3> points = DrawPoints(random, 5);
  const CatmullRomSpline spline(points, Ends::kClosed);
  ASSERT_EQ(spline.stretch_count(), 5u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(spline.At(i, 0.0).position, points[i]);
    EXPECT_EQ(spline.At(i, 1.0).position, points[(i + 1) % 5]);
  }
  const double length = spline.length();
  ExpectNear(spline.AtDistance(length + 1.0).position,
             spline.AtDistance(1.0).position, 1e-9);
  ExpectNear(spline.AtDistance(-1.0).position,
             spline.AtDistance(length - 1.0).position, 1e-9);
}

TEST(CatmullRomSplineTest, DirectionsDoNotJumpAtPoints) {
  RandomStream random = Draws(4);
  const CatmullRomSpline spline(DrawPoints(random, 6), Ends::kClosed);
  for (size_t i = 0; i < spline.stretch_count(); ++i) {
    ExpectNear(spline.At(i, 1.0).direction,
               spline.At((i + 1) % spline.stretch_count(), 0.0).direction);
  }
}

TEST(CatmullRomSplineTest, TheLengthIsThatOfAFineChain) {
  RandomStream random = Draws(5);
  for (const Ends ends : {Ends::kOpen, Ends::kClosed}) {
    const CatmullRomSpline spline(DrawPoints(random, 6), ends);
    double chain = 0.0;
    for (size_t i = 0; i < spline.stretch_count(); ++i) {
      for (int step = 0; step < 20'000; ++step) {
        chain += Length(spline.At(i, (step + 1) / 20'000.0).position -
                        spline.At(i, step / 20'000.0).position);
      }
    }
    EXPECT_NEAR(spline.length(), chain, 1e-7 * chain);
  }
}

TEST(CatmullRomSplineTest, EqualDistancesAreEquallyFarAlongTheCurve) {
  RandomStream random = Draws(6);
  const CatmullRomSpline spline(DrawPoints(random, 8), Ends::kOpen);
  constexpr int kSteps = 20'000;
  const double step = spline.length() / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const Vector3 a = spline.AtDistance(i * step).position;
    const Vector3 b = spline.AtDistance((i + 1) * step).position;
    // A chord is shorter than its arc, by a part that falls with its square.
    ASSERT_LE(Length(b - a), step * (1.0 + 1e-8));
    ASSERT_GE(Length(b - a), step * (1.0 - 1e-4)) << i;
  }
}

TEST(CatmullRomSplineTest, AStraightLineIsWalkedExactly) {
  const CatmullRomSpline spline({{-1.0, 0.0, 0.0},
                                 {0.0, 0.0, 0.0},
                                 {1.0, 0.0, 0.0},
                                 {3.0, 0.0, 0.0},
                                 {4.0, 0.0, 0.0}},
                                Ends::kOpen);
  EXPECT_NEAR(spline.length(), 3.0, 1e-12);
  for (const double distance : {0.0, 0.1, 1.0, 1.7, 2.9, 3.0}) {
    ExpectNear(spline.AtDistance(distance).position, {distance, 0.0, 0.0});
    ExpectNear(spline.AtDistance(distance).direction, {1.0, 0.0, 0.0});
  }
}

TEST(CatmullRomSplineTest, AnOpenCurveEndsAtItsEnds) {
  RandomStream random = Draws(7);
  const std::vector<Vector3> points = DrawPoints(random, 5);
  const CatmullRomSpline spline(points, Ends::kOpen);
  EXPECT_EQ(spline.AtDistance(-1.0).position, points[1]);
  EXPECT_EQ(spline.AtDistance(spline.length() + 1.0).position, points[3]);
}

TEST(CatmullRomSplineTest, PointsInOnePlaceStandStill) {
  const Vector3 at = {1.0, 2.0, 3.0};
  const CatmullRomSpline spline({at, at, at, at}, Ends::kClosed);
  EXPECT_EQ(spline.length(), 0.0);
  EXPECT_EQ(spline.AtDistance(5.0).position, at);
  EXPECT_EQ(spline.AtDistance(5.0).direction, Vector3{});
}

TEST(CatmullRomSplineTest, DoubledPointsAreWalkedThrough) {
  const Vector3 a = {0.0, 0.0, 0.0}, b = {1.0, 0.0, 0.0}, c = {1.0, 2.0, 0.0};
  const CatmullRomSpline spline({a, a, b, b, c, c}, Ends::kOpen);
  double last = 0.0;
  for (int i = 0; i <= 100; ++i) {
    const SplinePoint point = spline.AtDistance(spline.length() * i / 100.0);
    const double progress = static_cast<double>(point.stretch) + point.t;
    ASSERT_TRUE(IsFinite(point.position.x));
    ASSERT_GE(progress, last);
    last = progress;
  }
}

TEST(CatmullRomSplineTest, TooFewOrInfinitePointsAreRefused) {
  std::vector<Vector3> points(3);
  EXPECT_EQ(CatmullRomSpline::Validate(points).code(),
            absl::StatusCode::kInvalidArgument);
  points.resize(4);
  EXPECT_TRUE(CatmullRomSpline::Validate(points).ok());
  points[2].y = std::numeric_limits<double>::infinity();
  EXPECT_EQ(CatmullRomSpline::Validate(points).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(CatmullRomSplineDeathTest, ThreePointsMakeNoCurve) {
  EXPECT_DEATH(CatmullRomSpline(std::vector<Vector3>(3), Ends::kOpen),
               "3 points");
}

}  // namespace
}  // namespace reprise::sim
