// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in layers is reported once, with its line and
// field, by manifests with one mistake each.

#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view kLayers =
    "layers { name: \"day\" } layers { name: \"night\" disabled: true }\n";

TEST(LayerCompilerTest, LayersWithoutMistakesCompile) {
  EXPECT_THAT(Problems(Manifest({kLayers})), IsEmpty());
}

TEST(LayerCompilerTest, MistakesOfLayersHaveTheirPlace) {
  EXPECT_THAT(Problems(Manifest({kLayers, "layers { name: \"day\" }\n"})),
              ElementsAre("pack.txtpb:3:10: layers[2].name: there are two "
                          "layers 'day'"));
  EXPECT_THAT(Problems(Manifest({kLayers, "layers { name: \"Day\" }\n"})),
              ElementsAre(StartsWith("pack.txtpb:3:10: layers[2].name: 'Day' "
                                     "is not a name")));
}

TEST(LayerCompilerTest, PackWithoutLayersHasNoTableOfThem) {
  const auto with = WorldOf(Manifest({kLayers}));
  EXPECT_TRUE(with->state().Find("layers", "layers").has_value());
  const auto without = WorldOf(Manifest({}));
  EXPECT_FALSE(without->state().Find("layers", "layers").has_value());
}

}  // namespace
}  // namespace reprise::sim
