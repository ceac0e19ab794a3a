// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the algebra of plane vectors on cases that are exact in doubles, and
// that fields of state name their two scalars.

#include "sim/geometry/vector2.h"

#include <array>
#include <type_traits>

#include "gtest/gtest.h"
#include "sim/base/field.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {
namespace {

static_assert(std::is_trivially_copyable_v<Vector2>);
static_assert(sizeof(Vector2) == 2 * sizeof(double));

struct PuckRow {
  uint64_t puck;
  Vector2 position;

  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PuckRow, puck, ""),
                      REPRISE_FIELD(PuckRow, position, "m")};
  }
};
static_assert(DescribesEveryByte<PuckRow>());

TEST(Vector2Test, AddsSubtractsAndScalesByComponent) {
  const Vector2 a = {5.0, 2.0};
  const Vector2 b = {3.0, 5.0};
  EXPECT_EQ(a + b, (Vector2{8.0, 7.0}));
  EXPECT_EQ(b - a, (Vector2{-2.0, 3.0}));
  EXPECT_EQ(-a, (Vector2{-5.0, -2.0}));
  EXPECT_EQ(2.0 * a, (Vector2{10.0, 4.0}));
  EXPECT_EQ(a / 2.0, (Vector2{2.5, 1.0}));
}

TEST(Vector2Test, CrossSaysWhichWayToTurn) {
  const Vector2 x = {1.0, 0.0};
  EXPECT_EQ(Cross(x, Vector2{0.0, 1.0}), 1.0);
  EXPECT_EQ(Cross(x, Vector2{0.0, -1.0}), -1.0);
  EXPECT_EQ(Cross(x, Vector2{-3.0, 0.0}), 0.0);
  EXPECT_EQ(Perpendicular(x), (Vector2{0.0, 1.0}));
}

TEST(Vector2Test, LengthOfAPythagoreanTripleIsExact) {
  EXPECT_EQ(Length(Vector2{3.0, -4.0}), 5.0);
  EXPECT_EQ(LengthSquared(Vector2{3.0, -4.0}), 25.0);
}

TEST(Vector2Test, NormalizedWorksWhereSquaresOverflowOrVanish) {
  for (const double size : {0x1p-1074, 0x1p-600, 0x1p600, 0x1p1023}) {
    EXPECT_EQ(Normalized(Vector2{0.0, -size}), (Vector2{0.0, -1.0}));
  }
  EXPECT_EQ(Normalized(Vector2{}), Vector2{});
}

TEST(Vector2Test, StateNamesItsScalars) {
  const auto description = PuckRow::Describe();
  const RowSchema schema("pucks", 1, FieldsOf(description));
  EXPECT_EQ(schema.fields()[1].ScalarName(0), "position.x");
  EXPECT_EQ(schema.fields()[1].ScalarName(1), "position.y");
}

}  // namespace
}  // namespace reprise::sim
