// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that paths go through their points, are walked at even speed, join
// smoothly, and go round or stop at their ends.

#include "sim/systems/paths/paths.h"

#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

PathDefinition Winding() {
  return {.name = IdOf("patrol"),
          .points = {{0, 0, 0}, {4, 1, 0}, {5, 2, 3}, {1, 0, 6}, {-3, 4, 5}}};
}

PathDefinition Loop() {
  PathDefinition loop = Winding();
  loop.is_closed = true;
  return loop;
}

// The length of the path as that of many short chords.
double SumOfChords(const Path& path, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const double from = path.length_m() * i / count;
    const double to = path.length_m() * (i + 1) / count;
    sum += Length(path.At(to).point - path.At(from).point);
  }
  return sum;
}

TEST(PathTest, StraightPathIsMeasuredInMetres) {
  const Path path({.points = {{1, 0, 0}, {1, 0, 3}, {1, 0, 9}}});
  EXPECT_NEAR(path.length_m(), 9.0, 1e-12);
  EXPECT_NEAR(path.DistanceOfPoint(1), 3.0, 1e-12);
  for (const double distance : {0.0, 1.25, 3.0, 5.5, 9.0}) {
    EXPECT_NEAR(path.At(distance).point.z, distance, 1e-9);
    EXPECT_NEAR(path.At(distance).tangent.z, 1.0, 1e-12);
  }
}

TEST(PathTest, GoesThroughItsPoints) {
  for (const PathDefinition& definition : {Winding(), Loop()}) {
    const Path path(definition);
    for (size_t i = 0; i < definition.points.size(); ++i) {
      const Vector3 point = path.At(path.DistanceOfPoint(i)).point;
      EXPECT_LT(Length(point - definition.points[i]), 1e-9) << "point " << i;
    }
  }
}

TEST(PathTest, EqualDistancesAreEqualSteps) {
  for (const PathDefinition& definition : {Winding(), Loop()}) {
    const Path path(definition);
    // Chords of 1/5000 of the length fall short of their arcs by the square of
    // the curvature, some parts in 10^7.
    const double step = path.length_m() / 5000;
    for (int i = 0; i < 5000; ++i) {
      const double chord =
          Length(path.At((i + 1) * step).point - path.At(i * step).point);
      ASSERT_NEAR(chord / step, 1.0, 1e-5) << "step " << i;
    }
    EXPECT_NEAR(SumOfChords(path, 20'000) / path.length_m(), 1.0, 1e-6);
  }
}

TEST(PathTest, TangentIsTheDirectionOfTravel) {
  const Path path(Loop());
  constexpr double kStep = 1e-5;
  for (double distance = 0.0; distance < path.length_m(); distance += 0.1) {
    const Vector3 moved =
        path.At(distance + kStep).point - path.At(distance - kStep).point;
    const PathPlace place = path.At(distance);
    EXPECT_NEAR(Length(place.tangent), 1.0, 1e-12);
    EXPECT_LT(Length(place.tangent - moved / (2 * kStep)), 1e-4);
  }
}

TEST(PathTest, DirectionIsContinuousAtThePoints) {
  const Path path(Loop());
  for (size_t i = 0; i <= 5; ++i) {
    const double distance = path.DistanceOfPoint(i);
    const Vector3 before = path.At(distance - 1e-9).tangent;
    const Vector3 after = path.At(distance + 1e-9).tangent;
    EXPECT_LT(Length(after - before), 1e-6) << "point " << i;
  }
}

TEST(PathTest, OpenPathStopsAtItsEnds) {
  const Path path(Winding());
  EXPECT_EQ(path.At(-3.0).point, path.At(0.0).point);
  EXPECT_EQ(path.At(path.length_m() + 3.0).point,
            path.At(path.length_m()).point);
}

TEST(PathTest, ClosedPathGoesRoundBothWays) {
  const Path path(Loop());
  for (const double distance : {0.5, 7.0, 20.0}) {
    const Vector3 point = path.At(distance).point;
    const double rounds = 3 * path.length_m();
    EXPECT_LT(Length(path.At(distance + rounds).point - point), 1e-9);
    EXPECT_LT(Length(path.At(distance - rounds).point - point), 1e-9);
  }
  EXPECT_LT(Length(path.At(1e15).point), 100.0);
  EXPECT_LT(Length(path.At(-1e-30).point - path.At(0.0).point), 1e-9);
}

TEST(PathTest, CircleOfManyPointsIsAlmostACircle) {
  PathDefinition circle = {.is_closed = true};
  for (int i = 0; i < 32; ++i) {
    const double angle_rad = 2.0 * kPi * i / 32;
    circle.points.push_back({Cos(angle_rad), 0.0, Sin(angle_rad)});
  }
  const Path path(circle);
  EXPECT_NEAR(path.length_m(), 2.0 * kPi, 1e-3);
  for (double distance = 0.0; distance < path.length_m(); distance += 0.01) {
    EXPECT_NEAR(Length(path.At(distance).point), 1.0, 1e-4);
  }
}

TEST(PathTest, TurningBackHasADirectionEverywhere) {
  const Path path({.points = {{0, 0, 0}, {0, 0, 5}, {0, 0, 0}}});
  for (int i = 0; i <= 100; ++i) {
    const PathPlace place = path.At(path.length_m() * i / 100);
    EXPECT_NEAR(Length(place.tangent), 1.0, 1e-12) << i;
  }
}

TEST(ValidatePathsTest, NamesThePathAndItsMistake) {
  NameTable names;
  ASSERT_TRUE(names.Add("patrol").ok());
  const auto refusal = [&](std::vector<Vector3> points, bool is_closed) {
    const PathDefinition path = {IdOf("patrol"), std::move(points), is_closed};
    return ValidatePaths(std::vector{path}, names);
  };
  EXPECT_TRUE(refusal({{0, 0, 0}, {1, 0, 0}}, false).ok());
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}}, true),
            absl::InvalidArgumentError(
                "path \"patrol\": it has 2 points, not 3 to 4096"));
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, false),
            absl::InvalidArgumentError(
                "path \"patrol\": points 1 and 2 are closer than 1e-06 m"));
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, true).code(),
            absl::StatusCode::kInvalidArgument);
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -1e10}) {
    EXPECT_EQ(refusal({{0, 0, 0}, {0, odd, 0}}, false).code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace reprise::sim
