// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that layers change when they are applied and not before, and that only
// what changes is written and reported.

#include "sim/systems/layers/layers.h"

#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

constexpr Id kNight = IdOf("night");
constexpr Id kDay = IdOf("day");

std::vector<LayerDefinition> DayAndNight() {
  return {{.name = kNight, .is_enabled = false}, {.name = kDay}};
}

Table MakeRows() {
  Table rows(RowSchema::Of<LayerRow>());
  InitializeLayers(DayAndNight(), rows);
  return rows;
}

TEST(LayersTest, BeginAsDefined) {
  const Table rows = MakeRows();
  EXPECT_TRUE(IsLayerEnabled(rows, kDay));
  EXPECT_FALSE(IsLayerEnabled(rows, kNight));
}

TEST(LayersTest, NoLayerIsAlwaysEnabled) {
  EXPECT_TRUE(IsLayerEnabled(MakeRows(), kNoId));
}

TEST(LayersTest, ChangeWhenTheyAreAppliedAndNotBefore) {
  Table rows = MakeRows();
  ASSERT_TRUE(SetLayer(kNight, true, rows).ok());
  EXPECT_FALSE(IsLayerEnabled(rows, kNight));
  EXPECT_EQ(ApplyLayers(rows), std::vector{kNight});
  EXPECT_TRUE(IsLayerEnabled(rows, kNight));
  EXPECT_TRUE(ApplyLayers(rows).empty());
}

TEST(LayersTest, TheLastRequestCounts) {
  Table rows = MakeRows();
  const Digest before = rows.ComputeDigest();
  ASSERT_TRUE(SetLayer(kNight, true, rows).ok());
  ASSERT_TRUE(SetLayer(kNight, false, rows).ok());
  EXPECT_TRUE(ApplyLayers(rows).empty());
  EXPECT_EQ(rows.ComputeDigest(), before);
}

TEST(LayersTest, AskingForWhatIsWritesNothing) {
  Table rows = MakeRows();
  const uint64_t stamp = rows.PageStamp(0);
  ASSERT_TRUE(SetLayer(kDay, true, rows).ok());
  EXPECT_TRUE(ApplyLayers(rows).empty());
  EXPECT_EQ(rows.PageStamp(0), stamp);
}

TEST(LayersTest, UnknownLayerIsNotFound) {
  Table rows = MakeRows();
  EXPECT_EQ(SetLayer(IdOf("dusk"), true, rows).code(),
            absl::StatusCode::kNotFound);
}

TEST(LayersTest, RowsOfAnotherPackAreRefused) {
  Table rows = MakeRows();
  EXPECT_TRUE(CheckLayerRows(DayAndNight(), rows).ok());
  EXPECT_EQ(CheckLayerRows({}, rows).code(), absl::StatusCode::kDataLoss);
  rows.Mutable<LayerRow>(1).is_enabled = 2;
  EXPECT_EQ(CheckLayerRows(DayAndNight(), rows).code(),
            absl::StatusCode::kDataLoss);
}

TEST(LayersTest, ValidationNamesTheMistake) {
  NameTable names;
  for (const char* name : {"day", "night"}) ASSERT_TRUE(names.Add(name).ok());
  EXPECT_TRUE(ValidateLayers(DayAndNight(), names).ok());
  const std::vector<LayerDefinition> twice = {{.name = kDay}, {.name = kDay}};
  EXPECT_EQ(ValidateLayers(twice, names),
            absl::InvalidArgumentError("layer \"day\": defined twice"));
  const std::vector<LayerDefinition> day = {{.name = kDay}};
  EXPECT_TRUE(ValidateLayerName(kNoId, "lamp", day, names).ok());
  EXPECT_TRUE(ValidateLayerName(kDay, "lamp", day, names).ok());
  EXPECT_EQ(ValidateLayerName(kNight, "lamp", day, names),
            absl::InvalidArgumentError("lamp: no layer \"night\""));
}

}  // namespace
}  // namespace reprise::sim
