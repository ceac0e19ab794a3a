// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a struct's description can't lack a member, by descriptions with
// mistakes, and that scalars are named as reports show them.

#include "sim/base/field.h"

#include <array>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "sim/state/row_schema.h"
#include "sim/state/testing_rows.h"

namespace reprise::sim {
namespace {

struct Complete {
  uint64_t a = 0;
  double b = 0.0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(Complete, a, ""),
                      REPRISE_FIELD(Complete, b, "m")};
  }
};

struct LastMemberMissing {
  uint64_t a = 0;
  double b = 0.0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(LastMemberMissing, a, "")};
  }
};

struct MiddleMemberMissing {
  uint64_t a = 0;
  double b = 0.0;
  uint64_t c = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(MiddleMemberMissing, a, ""),
                      REPRISE_FIELD(MiddleMemberMissing, c, "")};
  }
};

struct MemberTwice {
  uint64_t a = 0;
  uint64_t b = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(MemberTwice, a, ""),
                      REPRISE_FIELD(MemberTwice, a, "")};
  }
};

struct OutOfOrder {
  uint64_t a = 0;
  uint64_t b = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(OutOfOrder, b, ""),
                      REPRISE_FIELD(OutOfOrder, a, "")};
  }
};

struct Padded {
  uint32_t a = 0;
  double b = 0.0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(Padded, a, ""),
                      REPRISE_FIELD(Padded, b, "")};
  }
};

TEST(FieldTest, DescriptionOfEveryMemberIsAccepted) {
  EXPECT_TRUE(DescribesEveryByte<Complete>());
}

TEST(FieldTest, MissingMemberIsCaught) {
  EXPECT_FALSE(DescribesEveryByte<LastMemberMissing>());
  EXPECT_FALSE(DescribesEveryByte<MiddleMemberMissing>());
}

TEST(FieldTest, MemberNamedTwiceIsCaught) {
  EXPECT_FALSE(DescribesEveryByte<MemberTwice>());
}

TEST(FieldTest, MembersOutOfOrderAreCaught) {
  EXPECT_FALSE(DescribesEveryByte<OutOfOrder>());
}

TEST(FieldTest, PaddingIsCaught) { EXPECT_FALSE(DescribesEveryByte<Padded>()); }

TEST(RowSchemaTest, ScalarsOfArraysAreNamedByIndex) {
  const RowSchema& schema = *RowSchema::Of<Mover>();
  EXPECT_EQ(schema.fields()[2].ScalarName(3), "axes[3]");
  EXPECT_EQ(schema.fields()[1].ScalarName(0), "speed");
}

TEST(RowSchemaTest, ScalarsOfVectorsAndMatricesAreNamedByAxis) {
  const Field vector{"velocity",           "m/s", ScalarType::kDouble,
                     FieldShape::kVector3, 3,     0};
  const Field matrix{"basis", "", ScalarType::kDouble, FieldShape::kMatrix3,
                     9,       0};
  EXPECT_EQ(vector.ScalarName(1), "velocity.y");
  EXPECT_EQ(matrix.ScalarName(5), "basis.yz");
}

TEST(RowSchemaTest, ScalarIsFoundByItsName) {
  const RowSchema& schema = *RowSchema::Of<Mover>();
  EXPECT_EQ(schema.Find("axes[2]"), (ScalarPath{.field = 2, .index = 2}));
  EXPECT_EQ(schema.Find("axes[4]"), std::nullopt);
  EXPECT_EQ(schema.Find("height"), std::nullopt);
}

TEST(RowSchemaTest, FingerprintChangesWithAFieldsUnit) {
  const std::vector<Field> fields = FieldsOf(Mover::Describe());
  std::vector<Field> other = fields;
  other[1].unit = "km/h";
  EXPECT_NE(RowSchema("movers", 1, fields).fingerprint(),
            RowSchema("movers", 1, other).fingerprint());
}

}  // namespace
}  // namespace reprise::sim
