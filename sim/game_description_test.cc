// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that legends turn numbers of the state into names: of enumerations,
// also negative ones, and of the bits of masks; and how names are listed.

#include "sim/game_description.h"

#include <array>

#include "gtest/gtest.h"

namespace reprise::sim {
namespace {

constexpr auto kDirections =
    std::to_array<ValueName>({{-1, "back"}, {0, "nowhere"}, {1, "forward"}});

Legend Buttons() {
  Legend legend = MakeLegend("input", "devices", "buttons", {});
  legend.is_mask = true;
  legend.entries = {{.value = 0, .name = "jump"},
                    {.value = 2, .name = "fire"},
                    {.value = 63, .name = "pause"}};
  return legend;
}

FieldValue MaskOf(uint64_t bits) { return {ScalarType::kUint64, bits}; }

TEST(LegendTest, ValuesHaveTheirNames) {
  const Legend legend = MakeLegend("world", "carts", "direction", kDirections);
  EXPECT_EQ(legend.NameOf(FieldValue::OfInt64(1)), "forward");
  EXPECT_EQ(legend.NameOf(FieldValue::OfInt64(0)), "nowhere");
}

TEST(LegendTest, NegativeValuesAreKnownInEveryWidth) {
  const Legend legend = MakeLegend("world", "carts", "direction", kDirections);
  EXPECT_EQ(legend.NameOf(FieldValue::OfInt64(-1)), "back");
  EXPECT_EQ(legend.NameOf({ScalarType::kInt16, 0xFFFF}), "back");
  EXPECT_EQ(legend.NameOf({ScalarType::kInt32, 0xFFFFFFFF}), "back");
}

TEST(LegendTest, OtherValuesHaveNone) {
  const Legend legend = MakeLegend("world", "carts", "direction", kDirections);
  EXPECT_EQ(legend.NameOf(FieldValue::OfInt64(2)), "");
  EXPECT_EQ(legend.NameOf({ScalarType::kUint32, 0xFFFFFFFF}), "");
}

TEST(LegendTest, MasksNameTheBitsThatAreSet) {
  EXPECT_EQ(Buttons().NameOf(MaskOf(5)), "jump, fire");
  EXPECT_EQ(Buttons().NameOf(MaskOf(uint64_t{1} << 63)), "pause");
  EXPECT_EQ(Buttons().NameOf(MaskOf(0)), "");
  EXPECT_EQ(Buttons().NameOf(MaskOf(2)), "");
}

TEST(ListNamesTest, ManyNamesAreCounted) {
  EXPECT_EQ(ListNames({}), "");
  EXPECT_EQ(ListNames({"b", "a"}), "a, b");
  EXPECT_EQ(ListNames({"a", "b", "c", "d", "e", "f", "g", "h"}),
            "a, b, c, d, e, f and 2 more");
}

TEST(GameDescriptionTest, LegendsAreFoundByTheirField) {
  GameDescription description;
  description.legends = {Buttons()};
  EXPECT_EQ(description.FindLegend("input", "devices", "buttons"),
            description.legends.data());
  EXPECT_EQ(description.FindLegend("input", "devices", "axes"), nullptr);
  EXPECT_EQ(description.FindLegend("output", "devices", "buttons"), nullptr);
}

}  // namespace
}  // namespace reprise::sim
