// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that comparison reports exactly what differs, by the smallest changes
// made to one of two equal states.

#include "sim/state/state_comparison.h"

#include <cmath>
#include <string>

#include "gtest/gtest.h"
#include "sim/state/testing_rows.h"

namespace reprise::sim {
namespace {

constexpr size_t kAll = 1000;

NameResolver Names() {
  return {.object_name =
              [](ObjectId object) {
                return "mover_" + std::to_string(object.serial);
              },
          .id_name = [](Id id) { return std::to_string(id.value); },
          .handle_name =
              [](Handle handle) { return std::to_string(handle.index); }};
}

std::string OnlyDifference(const State& expected, const State& actual) {
  const auto differences = CompareStates(expected, actual, kAll);
  EXPECT_EQ(differences.size(), 1u);
  return differences.empty()
             ? ""
             : FormatDifference(differences[0], expected, Names());
}

TEST(StateComparisonTest, EqualStatesHaveNoDifference) {
  EXPECT_TRUE(CompareStates(MakeMovers(300), MakeMovers(300), kAll).empty());
}

TEST(StateComparisonTest, OneUlpInOneFieldIsReportedAsThat) {
  const State expected = MakeMovers(300);
  State actual = expected;
  double& speed = actual.mutable_table(kMoverTable).Mutable<Mover>(200).speed;
  speed = std::nextafter(speed, 1e9);
  EXPECT_EQ(OnlyDifference(expected, actual),
            "game.movers mover_401 speed: 100 | 100.00000000000001 (1 ulp) "
            "[m/s]");
}

TEST(StateComparisonTest, ElementOfAnArrayIsNamed) {
  const State expected = MakeMovers(2);
  State actual = expected;
  actual.mutable_table(kMoverTable).Mutable<Mover>(1).axes[3] = -7;
  EXPECT_EQ(OnlyDifference(expected, actual),
            "game.movers mover_3 axes[3]: 0 | -7");
}

TEST(StateComparisonTest, MissingRowIsReportedAndTheRestStaysAligned) {
  const State expected = MakeMovers(150);
  State actual = expected;
  Table& movers = actual.mutable_table(kMoverTable);
  for (uint32_t row = 20; row + 1 < movers.row_count(); ++row) {
    movers.Mutable<Mover>(row) = movers.Get<Mover>(row + 1);
  }
  movers.Resize(149);
  EXPECT_EQ(OnlyDifference(expected, actual),
            "game.movers mover_41: present | missing");
}

TEST(StateComparisonTest, LimitBoundsTheReport) {
  const State expected = MakeMovers(10);
  State actual = expected;
  actual.mutable_table(kMoverTable).Resize(0);
  EXPECT_EQ(CompareStates(expected, actual, 3).size(), 3u);
}

TEST(StateComparisonTest, AcrossAndFromZeroNothingIsToldInUlps) {
  EXPECT_TRUE(CountsInUlps(1.0, 2.0));
  EXPECT_TRUE(CountsInUlps(-1.0, -2.0));
  EXPECT_FALSE(CountsInUlps(-1.0, 1.0));
  EXPECT_FALSE(CountsInUlps(0.0, 1.0));
  EXPECT_FALSE(CountsInUlps(1.0, -0.0));
  const State expected = MakeMovers(10);
  State actual = expected;
  actual.mutable_table(kMoverTable).Mutable<Mover>(3).speed = -1;
  EXPECT_EQ(OnlyDifference(expected, actual),
            "game.movers mover_7 speed: 1.5 | -1 [m/s]");
}

TEST(FieldValueTest, ZerosAreOneStepApart) {
  EXPECT_EQ(UlpDistance(FieldValue::OfDouble(-0.0), FieldValue::OfDouble(0.0)),
            1u);
  EXPECT_EQ(UlpDistance(FieldValue::OfDouble(1.0), FieldValue::OfDouble(1.0)),
            0u);
}

TEST(FieldValueTest, NanIsRefusedAndNothingIsWritten) {
  State state = MakeMovers(1);
  const Digest before = state.ComputeRootDigest();
  const FieldAddress speed{
      .table = kMoverTable, .row = 0, .scalar = {.field = 1}};
  EXPECT_EQ(
      WriteScalar(state, speed, FieldValue::OfDouble(std::nan(""))).code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(state.ComputeRootDigest(), before);
}

TEST(FieldValueTest, ValueOfAnotherTypeIsRefused) {
  State state = MakeMovers(1);
  const FieldAddress speed{
      .table = kMoverTable, .row = 0, .scalar = {.field = 1}};
  EXPECT_EQ(WriteScalar(state, speed, FieldValue::OfInt64(3)).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(FieldValueTest, AddressOutsideTheStateIsRefused) {
  State state = MakeMovers(1);
  const FieldValue value = FieldValue::OfDouble(1.0);
  EXPECT_EQ(WriteScalar(state, {.table = {9}}, value).code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(WriteScalar(state, {.table = kMoverTable, .row = 1}, value).code(),
            absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace reprise::sim
