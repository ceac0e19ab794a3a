// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/testing/shape_scene.h"

#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/random.h"
#include "sim/physics/definition/convex_hull.h"
#include "sim/physics/definition/solid_mass.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kCells = 16;  // along a side of the bowl
constexpr double kCellM = 0.75;

// Up to 3 m at the rim's middle, with dents so that no two triangles are alike.
double BowlHeight(uint32_t column, uint32_t row) {
  const double x = kCellM * (column - 0.5 * kCells);
  const double z = kCellM * (row - 0.5 * kCells);
  const uint32_t dent = (7 * column + 13 * row) % 5;
  return 0.08 * (x * x + z * z) + 0.03 * dent;
}

ShapeDefinition MakeGround(Ground ground) {
  switch (ground) {
    case Ground::kPlane:
      return PlaneShape{};
    case Ground::kMesh:
      return MakeBowlMesh();
    case Ground::kHeightField:
      return MakeBowlField();
  }
  CHECK(false);
  return PlaneShape{};
}

Primitive At(Vector3 position, Solid solid) {
  return {.solid = std::move(solid), .position = position, .rotation = {}};
}

constexpr uint32_t kShapes = 8;
constexpr uint32_t kBullet = 7;

// Shape `index` of the eight.
SolidShape ShapeOf(uint32_t index) {
  switch (index) {
    case 0:
      return {{At({}, ConePrimitive{.radius_m = 0.3, .height_m = 0.7})}};
    case 1:
      return {{At({}, MakeRock())}};
    case 2:
      return {{At({}, SpherePrimitive{0.3})}};
    case 3:
      return {{At({}, BoxPrimitive{{0.3, 0.2, 0.25}})}};
    case 4:
      return {{At({}, CapsulePrimitive{.radius_m = 0.2, .height_m = 0.4})}};
    case 5:
      return {{At({}, CylinderPrimitive{.radius_m = 0.25, .height_m = 0.5})}};
    case 6:
      return {{At({0.3, 0.0, 0.0}, MakeRock()),
               At({-0.3, 0.0, 0.0},
                  ConePrimitive{.radius_m = 0.25, .height_m = 0.6})}};
    default:
      return {{At({}, SpherePrimitive{0.06})}};
  }
}

double Draw(RandomStream& random, double low, double high) {
  return low + (high - low) * NextUnit(random);
}

}  // namespace

MeshShape MakeBowlMesh() {
  MeshShape mesh;
  for (uint32_t row = 0; row <= kCells; ++row) {
    for (uint32_t column = 0; column <= kCells; ++column) {
      mesh.vertices.push_back({kCellM * (column - 0.5 * kCells),
                               BowlHeight(column, row),
                               kCellM * (row - 0.5 * kCells)});
    }
  }
  for (uint32_t row = 0; row < kCells; ++row) {
    for (uint32_t column = 0; column < kCells; ++column) {
      const uint32_t corner = row * (kCells + 1) + column;
      mesh.triangles.push_back({corner, corner + kCells + 1, corner + 1});
      mesh.triangles.push_back(
          {corner + 1, corner + kCells + 1, corner + kCells + 2});
    }
  }
  return mesh;
}

HeightFieldShape MakeBowlField() {
  HeightFieldShape field;
  field.columns = kCells + 1;
  field.rows = kCells + 1;
  field.cell_size_m = kCellM;
  for (uint32_t row = 0; row <= kCells; ++row) {
    for (uint32_t column = 0; column <= kCells; ++column) {
      field.heights_m.push_back(BowlHeight(column, row));
    }
  }
  return field;
}

HullPrimitive MakeRock() {
  const std::vector<Vector3> points = {
      {0.35, 0.02, 0.0},   {-0.33, 0.0, 0.05},  {0.0, 0.3, 0.04},
      {0.03, -0.28, 0.0},  {0.0, 0.05, 0.36},   {0.04, 0.0, -0.34},
      {0.2, 0.2, 0.19},    {-0.2, 0.17, -0.2},  {0.19, -0.2, -0.2},
      {-0.2, -0.19, 0.21}, {0.22, -0.18, 0.18}, {-0.19, 0.2, 0.18}};
  absl::StatusOr<HullPrimitive> rock = MakeHull(points);
  CHECK(rock.ok());
  const Vector3 centre = CentreOf(*rock);
  for (Vector3& vertex : rock->vertices) vertex = vertex - centre;
  return *std::move(rock);
}

PhysicsDefinition MakeShapeScene(Ground ground, uint32_t rounds) {
  PhysicsDefinition definition;
  definition.shapes.push_back(MakeGround(ground));
  definition.kinds.push_back({.motion = Motion::kFixed});
  definition.kinds.back().friction = 0.7;
  definition.bodies.push_back({.object = {1}});

  RandomStream random = MakeRandomStream(1, IdOf("shapes"));
  for (uint32_t i = 0; i < rounds * kShapes; ++i) {
    const uint32_t shape = i % kShapes;
    BodyKind kind;
    kind.shape = static_cast<uint32_t>(definition.shapes.size());
    definition.shapes.push_back(ShapeOf(shape));
    kind.mass_kg = 1000.0 * VolumeOf(definition.shapes.back());
    kind.friction = 0.6;
    kind.rolling_friction = 0.02;
    kind.restitution = 0.2;
    kind.friction_rule = static_cast<CombinationRule>(i % 4);
    kind.restitution_rule = static_cast<CombinationRule>(i / 2 % 4);
    kind.rolling_friction_rule = static_cast<CombinationRule>(i / 3 % 4);
    kind.linear_damping = 0.05;
    kind.angular_damping = 0.2;
    if (i % 3 == 0) {
      kind.layers = 2;
      kind.collides_with = 1;
    }

    BodyPlacement body;
    body.object = {i + 2};
    body.kind = static_cast<uint32_t>(definition.kinds.size());
    body.position.x = Draw(random, -1.5, 1.5);
    body.position.y = 1.2 + 0.3 * i;
    body.position.z = Draw(random, -1.5, 1.5);
    body.rotation = FromAxisAngle({0.3, 0.5, 0.8}, Draw(random, 0.0, 3.0));
    if (shape == kBullet) {
      kind.is_continuous = true;
      body.linear_velocity_m_s = {5.0, -400.0, -3.0};
    }
    definition.kinds.push_back(kind);
    definition.bodies.push_back(body);
  }
  return definition;
}

}  // namespace reprise::sim
