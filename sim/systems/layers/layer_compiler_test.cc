// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in layers is reported once, with its line and
// field, by manifests with one mistake each.

#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
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

// One that isn't there was refused only when it was switched in the game.
TEST(LayerCompilerTest, ConstantsOfEventsNameLayersOfThePack) {
  const auto manifest = [](const std::string& layer) {
    return Manifest(
        {kLayers,
         "types { name: \"lamp\" }\n"
         "objects { name: \"lamp\" type: \"lamp\" }\n"
         "connections { name: \"dusk\" event: \"wake\" target: \"lamp\" "
         "send: \"layer_on\" with { argument: \"layer\" to: \"" +
             layer + "\" } }"});
  };
  EXPECT_THAT(Warnings(manifest("night")), IsEmpty());
  EXPECT_THAT(Problems(manifest("nigth")), IsEmpty());
  EXPECT_THAT(Warnings(manifest("nigth")),
              ElementsAre(AllOf(HasSubstr("connections[0].with[0].to: there is "
                                          "no layer 'nigth'"),
                                HasSubstr("did you mean 'night'?"))));
  // Whoever checks a pack is its author.
  PackReport report({.is_author = true});
  EXPECT_EQ(CompilePack(PackOf(manifest("nigth")), 1, report), nullptr);
  EXPECT_EQ(report.problems().size(), 1u);
}

}  // namespace
}  // namespace reprise::sim
