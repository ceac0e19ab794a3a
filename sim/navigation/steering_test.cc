// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that steering gives the velocities that its closed forms do, by cases
// that are reckoned by hand, and that what pursues meets what it pursues.

#include "sim/navigation/steering.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

void ExpectNear(Vector3 actual, Vector3 expected, double tolerance = 1e-12) {
  EXPECT_LE(Length(actual - expected), tolerance)
      << actual.x << " " << actual.y << " " << actual.z;
}

TEST(SteeringTest, SeekAndFleeAreOpposite) {
  ExpectNear(Seek({1, 0, 1}, {4, 0, 5}, 10.0), {6, 0, 8});
  ExpectNear(Flee({1, 0, 1}, {4, 0, 5}, 10.0), {-6, 0, -8});
  ExpectNear(Seek({1, 2, 3}, {1, 2, 3}, 10.0), {});
  ExpectNear(Flee({1, 2, 3}, {1, 2, 3}, 10.0), {});
}

TEST(SteeringTest, ArriveSlowsDownInProportion) {
  ExpectNear(Arrive({}, {8, 0, 0}, 4.0, 2.0), {4, 0, 0});
  ExpectNear(Arrive({}, {2, 0, 0}, 4.0, 2.0), {4, 0, 0});
  ExpectNear(Arrive({}, {0.5, 0, 0}, 4.0, 2.0), {1, 0, 0});
  ExpectNear(Arrive({}, {}, 4.0, 2.0), {});
}

// With the velocity v(d) = d s / r the distance falls as exp(-t s / r).
TEST(SteeringTest, ArrivalIsAnExponential) {
  constexpr double kStep = 1e-4;
  Vector3 place = {2, 0, 0};
  for (int i = 0; i < 10'000; ++i) {
    place = place + kStep * Arrive(place, {}, 4.0, 2.0);
  }
  EXPECT_NEAR(place.x, 2.0 * Exp(-2.0), 1e-4);
}

TEST(SteeringTest, PursuitMeetsItsQuarry) {
  // 3-4-5: it goes 3 along z while the hunter goes 5.
  ExpectNear(Pursue({}, {{4, 0, 0}, {0, 0, 3}}, 5.0, 10.0), {4, 0, 3});
  ExpectNear(Evade({}, {{4, 0, 0}, {0, 0, 3}}, 5.0, 10.0), {-4, 0, -3});
  // Later than the horizon, and never.
  ExpectNear(Pursue({}, {{4, 0, 0}, {0, 0, 3}}, 5.0, 0.9), {5, 0, 0});
  ExpectNear(Pursue({}, {{4, 0, 0}, {6, 0, 0}}, 5.0, 10.0), {5, 0, 0});
  // As fast as the hunter, towards it and away.
  ExpectNear(Pursue({}, {{4, 0, 0}, {-5, 0, 0}}, 5.0, 10.0), {5, 0, 0});
  ExpectNear(Pursue({}, {{4, 0, 0}, {5, 0, 0}}, 5.0, 10.0), {5, 0, 0});
}

TEST(SteeringTest, PursuitOfRandomQuarriesLeadsToThem) {
  RandomStream stream = MakeRandomStream(19, IdOf("quarries"));
  for (int i = 0; i < 1000; ++i) {
    std::array<double, 6> draws;
    for (double& draw : draws) draw = 20.0 * NextUnit(stream) - 10.0;
    const Quarry quarry = {{draws[0], draws[1], draws[2]},
                           {draws[3], draws[4], draws[5]}};
    constexpr double kSpeed = 20.0;  // faster than any of them
    const Vector3 velocity = Pursue({}, quarry, kSpeed, 1e9);
    EXPECT_NEAR(Length(velocity), kSpeed, 1e-9);
    // Both are at one place when the relative way is made: the velocities'
    // difference is along it.
    const Vector3 closing = velocity - quarry.velocity_m_s;
    EXPECT_LE(Length(Cross(Normalized(closing), Normalized(quarry.place))),
              1e-9);
    EXPECT_GT(Dot(closing, quarry.place), 0.0);
  }
}

TEST(SteeringTest, WanderStraysOnACircleAhead) {
  const Wandering wandering = {
      .distance_m = 3.0, .radius_m = 4.0, .stray_rad = kPi / 2.0};
  // At the middle of chance nothing changes.
  const WanderStep ahead = Wander({0, 0, 1}, 0.0, 0.5, 7.0, wandering);
  ExpectNear(ahead.velocity_m_s, {0, 0, 7});
  EXPECT_EQ(ahead.angle_rad, 0.0);
  // A quarter of a turn: 3 ahead, 4 aside, so 5 away.
  const WanderStep left = Wander({0, 0, 1}, kPi / 2.0, 0.5, 5.0, wandering);
  ExpectNear(left.velocity_m_s, {4, 0, 3});
  const WanderStep least = Wander({0, 0, 1}, 0.0, 0.0, 5.0, wandering);
  ExpectNear(least.velocity_m_s, {-4, 0, 3});
  EXPECT_NEAR(least.angle_rad, -kPi / 2.0, 1e-15);
}

TEST(SteeringTest, SeparationFallsWithDistance) {
  ExpectNear(Separate({}, std::vector<Vector3>{{1, 0, 0}}, 4.0, 2.0),
             {-1.5, 0, 0});
  ExpectNear(Separate({}, std::vector<Vector3>{{4, 0, 0}, {0, 0, 9}}, 4.0, 2.0),
             {});
  // From both sides alike, and from the very same place.
  ExpectNear(
      Separate({}, std::vector<Vector3>{{1, 0, 0}, {-1, 0, 0}, {0, 0, 0}}, 4.0,
               2.0),
      {});
  const std::vector<Vector3> crowd(10, Vector3{0, 0, 1});
  ExpectNear(Separate({}, crowd, 4.0, 2.0), {0, 0, -2});
}

TEST(SteeringTest, ObstaclesAreAvoidedBySideTheyLeaveFree) {
  // Touches at x = 10 - 2.5 for a way a little aside of the centre: the reach
  // is 2.5, the offset 1.5, so 2 before the centre: after 8 s at 1 m/s.
  const std::vector<RoundObstacle> one = {{{10, 0, 1.5}, 2.0}};
  ExpectNear(AvoidObstacles({}, {1, 0, 0}, 0.5, one, 16.0, 4.0), {0, 0, -2});
  ExpectNear(AvoidObstacles({}, {1, 0, 0}, 0.5, one, 8.0, 4.0), {});
  // Behind, beside, and for who stands.
  ExpectNear(AvoidObstacles({}, {-1, 0, 0}, 0.5, one, 16.0, 4.0), {});
  ExpectNear(AvoidObstacles({0, 0, -2}, {1, 0, 0}, 0.5, one, 16.0, 4.0), {});
  ExpectNear(AvoidObstacles({}, {}, 0.5, one, 16.0, 4.0), {});
  // The first one counts; inside of one it is there already.
  const std::vector<RoundObstacle> two = {{{10, 0, 1.5}, 2.0},
                                          {{2, 0, -1}, 1.0}};
  ExpectNear(AvoidObstacles({1, 0, 0}, {1, 0, 0}, 0.5, two, 16.0, 4.0),
             {0, 0, 4});
}

TEST(SteeringTest, StraightAtAnObstacleThereIsASide) {
  const std::vector<RoundObstacle> ahead = {{{4, 0, 0}, 1.0}};
  ExpectNear(AvoidObstacles({}, {1, 0, 0}, 1.0, ahead, 4.0, 2.0), {0, 0, 1});
  const std::vector<RoundObstacle> above = {{{0, 4, 0}, 1.0}};
  ExpectNear(AvoidObstacles({}, {0, 1, 0}, 1.0, above, 4.0, 2.0), {1, 0, 0});
}

TEST(SteeringTest, ChangeIsLimited) {
  ExpectNear(LimitedChange({1, 0, 0}, {1, 0, 5}, 2.0), {1, 0, 2});
  ExpectNear(LimitedChange({1, 0, 0}, {1, 0, 1}, 2.0), {1, 0, 1});
  // However long the change is.
  ExpectNear(LimitedChange({0, 0, 0}, {0, -1e200, 0}, 2.0), {0, -2, 0});
  EXPECT_EQ(LimitedChange({1e308, 0, 0}, {-1e308, 0, 0}, 1e6),
            (Vector3{1e308, 0, 0}));
}

TEST(SteeringTest, PathIsFollowedAtEvenSpeed) {
  const std::vector<Vector3> points = {{3, 0, 0}, {3, 0, 4}, {3, 0, 10}};
  const PathStep round_corner = FollowPoints({}, points, 0, 5.0, 0.5);
  ExpectNear(round_corner.place, {3, 0, 2});
  EXPECT_EQ(round_corner.next, 1u);
  // Within reach of the last point it is there, and stays where it is.
  const PathStep arrived = FollowPoints({3, 0, 9}, points, 2, 0.75, 0.5);
  ExpectNear(arrived.place, {3, 0, 9.75});
  EXPECT_EQ(arrived.next, 3u);
  EXPECT_EQ(FollowPoints({3, 0, 9.6}, points, 2, 1.0, 0.5).place,
            (Vector3{3, 0, 9.6}));
  EXPECT_EQ(FollowPoints({}, points, 0, 100.0, 0.0).next, 3u);
  EXPECT_EQ(FollowPoints({1, 1, 1}, {}, 0, 1.0, 0.0).place, (Vector3{1, 1, 1}));
}

// Over a dome, y = 3 - (x^2 + z^2) / 16: from one foot through its top to the
// other. The arc of a parabola y = c - x^2 / 16 from 0 to x is
// x / 2 * q + 4 * asinh(x / 8), q = sqrt(1 + x^2 / 64).
TEST(SteeringTest, GroundIsFollowedAtEvenSpeed) {
  const auto dome = [](Vector3 at) -> std::optional<double> {
    return 3.0 - (at.x * at.x + at.z * at.z) / 16.0;
  };
  const auto no_link = [](uint32_t) { return false; };
  const double kHalfArc =
      3.0 * Sqrt(1.0 + 36.0 / 64.0) + 4.0 * Log(0.75 + Sqrt(1.0 + 0.75 * 0.75));
  for (const int rate : {30, 60, 240}) {
    const double step = 3.0 / rate;
    const std::vector<Vector3> points = {{0, 3, 0}, {6, 0.75, 0}};
    Vector3 place = {-6, 0.75, 0};
    uint32_t next = 0;
    int steps = 0;
    while (next < 2) {
      const PathStep gone = FollowGround(
          place, 2, [&](uint32_t k) { return points[k]; }, no_link, dome, next,
          step, 0.0);
      // Within a step the dome bends by step / 8 at most.
      EXPECT_LE(Length(gone.place - place), step * (1.0 + step / 8.0));
      EXPECT_EQ(gone.place.y, *dome(gone.place));
      place = gone.place;
      next = gone.next;
      ASSERT_LT(++steps, 10'000);
    }
    // The last step may be a short one; chords are shorter than arcs.
    EXPECT_NEAR(steps * step, 2.0 * kHalfArc, step + 1e-3 * kHalfArc) << rate;
  }
}

TEST(SteeringTest, LinksAreGoneStraightAndGroundIsSteppedDownTo) {
  const auto flat = [](Vector3) { return std::optional(0.0); };
  const auto up = [](uint32_t k) { return k == 1; };
  const std::vector<Vector3> points = {{3, 0, 0}, {3, 4, 0}, {3, 4, 9}};
  const auto go = [&](Vector3 place, uint32_t next, double step) {
    return FollowGround(
        place, 3, [&](uint32_t k) { return points[k]; }, up, flat, next, step,
        0.0);
  };
  const PathStep climbing = go({0, 0, 0}, 0, 5.0);
  ExpectNear(climbing.place, {3, 2, 0});
  EXPECT_EQ(climbing.next, 1u);
  EXPECT_EQ(go({3, 2, 0}, 1, 2.0).place, (Vector3{3, 4, 0}));
  // Four metres above the ground it comes down as fast as it goes.
  const PathStep falling = go({3, 4, 0}, 2, 1.0);
  EXPECT_EQ(falling.place.y, 3.0);
  EXPECT_LE(Length(falling.place - Vector3{3, 4, 0}), 1.5);
  // Where there is no ground, along the line.
  const auto nothing = [](Vector3) { return std::optional<double>(); };
  ExpectNear(FollowGround(
                 {0, 0, 0}, 1,
                 [](uint32_t) {
                   return Vector3{3, 4, 0};
                 },
                 [](uint32_t) { return false; }, nothing, 0, 2.5, 0.0)
                 .place,
             {1.5, 2, 0});
}

}  // namespace
}  // namespace reprise::sim
