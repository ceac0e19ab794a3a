// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves velocities after impacts, that momentum is kept, and that spheres
// bounce at the time at which they touch: once, and never stick.

#include "sim/geometry/collisions/impacts.h"

#include <array>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/intersections.h"
#include "sim/geometry/testing_geometry.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kX = {1.0, 0.0, 0.0};
constexpr Vector3 kY = {0.0, 1.0, 0.0};

// The head-on case: a at 10 m/s, b still, 5 m away, both of radius 1.
std::array<MovingSphere, 2> HeadOn() {
  return {MovingSphere{{{}, 1.0}, 10.0 * kX},
          MovingSphere{{{5.0, 0.0, 0.0}, 1.0}, {}}};
}

TEST(ImpactsTest, ContactPointIsPartedAsTheRadii) {
  EXPECT_EQ(ContactPoint(Sphere{{}, 1.0}, Sphere{{4.0, 0.0, 0.0}, 3.0}), kX);
  EXPECT_EQ(ContactPoint(Sphere{kY, 0.0}, Sphere{kX, 0.0}), kY);
}

TEST(ImpactsTest, BouncedKeepsWhatRestitutionSays) {
  const Vector3 velocity = {3.0, -4.0, 0.0};
  EXPECT_EQ(Bounced(velocity, kY, 1.0), (Vector3{3.0, 4.0, 0.0}));
  EXPECT_EQ(Bounced(velocity, kY, 0.5), (Vector3{3.0, 2.0, 0.0}));
  EXPECT_EQ(Slid(velocity, kY), (Vector3{3.0, 0.0, 0.0}));
  EXPECT_EQ(Bounced(Vector2{3.0, -4.0}, {0.0, 1.0}, 1.0), (Vector2{3.0, 4.0}));
}

TEST(ImpactsTest, WhatLeavesIsNotTurnedBack) {
  const Vector3 leaving = {3.0, 4.0, 0.0};
  EXPECT_EQ(Bounced(leaving, kY, 1.0), leaving);
  EXPECT_EQ(Slid(leaving, kY), leaving);
  const ImpactVelocities after =
      VelocitiesAfterImpact(-1.0 * kX, 1.0, 2.0 * kX, 1.0, -kX, 1.0);
  EXPECT_EQ(after.a, -1.0 * kX);
  EXPECT_EQ(after.b, 2.0 * kX);
}

TEST(ImpactsTest, EqualMassesExchangeVelocities) {
  const ImpactVelocities elastic =
      VelocitiesAfterImpact(10.0 * kX, 1.0, {}, 1.0, -kX, 1.0);
  EXPECT_EQ(elastic.a, Vector3{});
  EXPECT_EQ(elastic.b, 10.0 * kX);
  const ImpactVelocities half =
      VelocitiesAfterImpact(10.0 * kX, 1.0, {}, 1.0, -kX, 0.5);
  EXPECT_EQ(half.a, 2.5 * kX);
  EXPECT_EQ(half.b, 7.5 * kX);
}

TEST(ImpactsTest, OvertakingKeepsBothGoing) {
  const ImpactVelocities after =
      VelocitiesAfterImpact(10.0 * kX, 1.0, 5.0 * kX, 1.0, -kX, 1.0);
  EXPECT_EQ(after.a, 5.0 * kX);
  EXPECT_EQ(after.b, 10.0 * kX);
}

TEST(ImpactsTest, WhatNothingMovesIsAWall) {
  const ImpactVelocities after =
      VelocitiesAfterImpact({3.0, -4.0, 0.0}, 2.0, {}, 0.0, kY, 1.0);
  EXPECT_EQ(after.a, (Vector3{3.0, 4.0, 0.0}));
  EXPECT_EQ(after.b, Vector3{});
  EXPECT_EQ(VelocitiesAfterImpact(-kY, 0.0, kY, 0.0, kY, 1.0).a, -kY);
}

TEST(ImpactsTest, MomentumIsKeptAndRestitutionHolds) {
  RandomStream random = Draws(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 a = DrawVector(random, 10.0);
    const Vector3 b = DrawVector(random, 10.0);
    const double mass_a = DrawBetween(random, 0.1, 10.0);
    const double mass_b = DrawBetween(random, 0.1, 10.0);
    const Vector3 normal = Normalized(DrawVector(random, 1.0));
    const double restitution = DrawBetween(random, 0.0, 1.5);
    const ImpactVelocities after = VelocitiesAfterImpact(
        a, 1.0 / mass_a, b, 1.0 / mass_b, normal, restitution);
    ExpectNear(after.a * mass_a + after.b * mass_b, a * mass_a + b * mass_b,
               1e-11);
    const double before = Dot(a - b, normal);
    if (before >= 0.0) continue;
    EXPECT_NEAR(Dot(after.a - after.b, normal), -restitution * before, 1e-11);
  }
}

TEST(ImpactsTest, AnImpactHappensAtItsTime) {
  std::array<MovingSphere, 2> spheres = HeadOn();
  EXPECT_EQ(AdvanceBouncing(spheres, 1.0, 1.0, 8), 1u);
  ExpectNear(spheres[0].sphere.center, {3.0, 0.0, 0.0});
  ExpectNear(spheres[1].sphere.center, {12.0, 0.0, 0.0});
  ExpectNear(spheres[1].velocity, 10.0 * kX);
}

TEST(ImpactsTest, ABounceOffAWallGoesBackForTheRestOfTheTime) {
  std::array<MovingSphere, 2> spheres = HeadOn();
  spheres[1].inverse_mass = 0.0;
  AdvanceBouncing(spheres, 1.0, 1.0, 8);
  ExpectNear(spheres[0].sphere.center, {-4.0, 0.0, 0.0});
  ExpectNear(spheres[0].velocity, -10.0 * kX);
}

TEST(ImpactsTest, AnImpactGoesThroughARowOfSpheres) {
  std::vector<MovingSphere> row;
  row.push_back({{{}, 0.5}, 10.0 * kX});
  for (int i = 0; i < 4; ++i) {
    row.push_back({{{2.0 + i * 1.0, 0.0, 0.0}, 0.5}, {}});
  }
  EXPECT_EQ(AdvanceBouncing(row, 1.0, 1.0, 16), 4u);
  for (int i = 0; i < 4; ++i) ExpectNear(row[i].velocity, {}, 1e-12);
  ExpectNear(row[4].velocity, 10.0 * kX);
}

TEST(ImpactsTest, AfterTheLastImpactAllowedTimeGoesOn) {
  std::array<MovingSphere, 2> spheres = HeadOn();
  EXPECT_EQ(AdvanceBouncing(spheres, 1.0, 1.0, 0), 0u);
  ExpectNear(spheres[0].sphere.center, {10.0, 0.0, 0.0});
}

TEST(ImpactsTest, SlowSpheresThatOverlapDoNotStick) {
  std::array<MovingSphere, 2> spheres = {
      MovingSphere{{{}, 1.0}, 0.01 * kX},
      MovingSphere{{{1.9, 0.0, 0.0}, 1.0}, -0.01 * kX}};
  EXPECT_EQ(AdvanceBouncing(spheres, 1.0 / 60, 1.0, 8), 1u);
  int ticks = 0;
  for (; Overlaps(spheres[0].sphere, spheres[1].sphere); ++ticks) {
    EXPECT_EQ(spheres[0].velocity, -0.01 * kX);
    EXPECT_EQ(AdvanceBouncing(spheres, 1.0 / 60, 1.0, 8), 0u);
    ASSERT_LT(ticks, 1000);
  }
  EXPECT_GT(ticks, 100);
}

TEST(ImpactsTest, WithoutRestitutionSpheresGoOnTogether) {
  std::array<MovingSphere, 2> spheres = HeadOn();
  spheres[1].velocity = {0.0, 1.0, 0.0};
  uint32_t impacts = 0;
  for (int tick = 0; tick < 60; ++tick) {
    impacts += AdvanceBouncing(spheres, 1.0 / 60, 0.0, 8);
  }
  EXPECT_GE(impacts, 1u);
  EXPECT_LT(impacts, 10u);
  EXPECT_GE(Length(spheres[1].sphere.center - spheres[0].sphere.center),
            2.0 - 1e-9);
}

TEST(ImpactsTest, CrowdedSpheresNeverOverlapAndKeepTheirEnergy) {
  RandomStream random = Draws(2);
  std::vector<MovingSphere> spheres;
  for (int i = 0; i < 27; ++i) {
    const int row = i / 3 % 3;
    const int layer = i / 9;
    const Vector3 cell = {i % 3 * 1.0, row * 1.0, layer * 1.0};
    spheres.push_back({{cell, 0.4}, DrawVector(random, 20.0)});
  }
  const auto energy = [&] {
    double sum = 0.0;
    for (const MovingSphere& s : spheres) sum += LengthSquared(s.velocity);
    return sum;
  };
  const double before = energy();
  uint32_t impacts = 0;
  for (int tick = 0; tick < 30; ++tick) {
    impacts += AdvanceBouncing(spheres, 1.0 / 60, 1.0, 100);
    for (size_t i = 0; i < spheres.size(); ++i) {
      for (size_t j = i + 1; j < spheres.size(); ++j) {
        ASSERT_GE(Length(spheres[i].sphere.center - spheres[j].sphere.center),
                  0.8 - 1e-9);
      }
    }
  }
  EXPECT_GT(impacts, 10u);
  EXPECT_NEAR(energy(), before, before * 1e-12);
}

}  // namespace
}  // namespace reprise::sim
