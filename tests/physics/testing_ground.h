// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Hills, and things of all shapes that fall onto them.

#ifndef REPRISE_TESTS_PHYSICS_TESTING_GROUND_H_
#define REPRISE_TESTS_PHYSICS_TESTING_GROUND_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {

inline constexpr uint32_t kHillsSide = 41;  // heights, a metre apart

inline double HeightOf(double column, double row) {
  const double x = column - 20.0;
  const double z = row - 20.0;
  return 0.02 * (x * x + z * z) + 0.3 * Sin(2.0 * column) * Cos(1.7 * row);
}

// A bowl with bumps.
inline HeightFieldShape MakeHills() {
  HeightFieldShape field;
  field.columns = kHillsSide;
  field.rows = kHillsSide;
  for (uint32_t row = 0; row < kHillsSide; ++row) {
    for (uint32_t column = 0; column < kHillsSide; ++column) {
      field.heights_m.push_back(HeightOf(column, row));
    }
  }
  return field;
}

// The height of the ground at a place, of the triangle there.
inline double GroundAt(double x, double z) {
  const double along_x = x + 20.0;
  const double along_z = z + 20.0;
  const double column = Floor(along_x);
  const double row = Floor(along_z);
  const double u = along_x - column;
  const double v = along_z - row;
  const double right = HeightOf(column + 1.0, row);
  const double far = HeightOf(column, row + 1.0);
  if (u + v <= 1.0) {
    const double corner = HeightOf(column, row);
    return corner + u * (right - corner) + v * (far - corner);
  }
  const double corner = HeightOf(column + 1.0, row + 1.0);
  return corner + (1.0 - u) * (far - corner) + (1.0 - v) * (right - corner);
}

inline double AboveGround(const BodyRow& body) {
  return body.position.y - GroundAt(body.position.x, body.position.z);
}

struct Thing {
  std::string name;
  Solid solid;
};

inline std::vector<Thing> Things() {
  std::vector<Vector3> corners;
  for (const double x : {-0.3, 0.3}) {
    for (const double z : {-0.2, 0.2}) {
      corners.push_back({x, 0.15, z});
      corners.push_back({0.8 * x, -0.15, 0.8 * z});
    }
  }
  return {{"box", BoxPrimitive{{0.15, 0.1, 0.2}}},
          {"small box", BoxPrimitive{{0.02, 0.02, 0.02}}},
          {"large box", BoxPrimitive{{2.0, 1.5, 2.0}}},
          {"plate", BoxPrimitive{{1.0, 0.02, 1.0}}},
          {"needle", BoxPrimitive{{0.02, 1.0, 0.02}}},
          {"ball", SpherePrimitive{0.1}},
          {"small ball", SpherePrimitive{0.01}},
          {"large ball", SpherePrimitive{2.0}},
          {"capsule", CapsulePrimitive{0.1, 0.8}},
          {"cylinder", CylinderPrimitive{0.2, 0.5}},
          {"cone", ConePrimitive{0.2, 0.5}},
          {"hull", *MakeHull(corners)}};
}

// Steps a world, and another one that is made anew of its state before each
// tick.
inline void ExpectEachTickCanBeginInAnotherWorld(
    const PhysicsDefinition& definition, uint32_t ticks,
    const std::string& name) {
  TestingWorld plain(definition);
  TestingWorld restored(definition);
  for (uint32_t i = 0; i < ticks; ++i) {
    plain.Step();
    PhysicsWorld fresh(restored.definition(), restored.tables());
    ASSERT_EQ(fresh.Load(restored.state()), absl::OkStatus());
    fresh.Step(restored.state());
    ASSERT_EQ(plain.digest(), restored.digest()) << name << ' ' << i;
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_PHYSICS_TESTING_GROUND_H_
