// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in regions is reported once, with its line and
// field, by manifests with one mistake each.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Without mistakes. What a test adds begins at line 4.
constexpr std::string_view kRegions = R"(layers { name: "day" }
regions { name: "hall" volume { sphere { radius: 2 } } margin: 1 layer: "day" stay_period_s: 1 }
)";

// The problems of the regions with `text` behind them.
std::vector<std::string> ProblemsWith(std::string_view text) {
  return Problems(Manifest({kRegions, text}));
}

TEST(RegionCompilerTest, RegionsWithoutMistakesCompile) {
  EXPECT_THAT(ProblemsWith(""), IsEmpty());
}

TEST(RegionCompilerTest, MistakesOfRegionsHaveTheirPlace) {
  struct Case {
    std::string_view region;
    std::string_view problem;
  };
  for (const auto& [region, problem] : {
           Case{"name: \"hall\" volume { sphere { radius: 1 } }",
                "name: there are two regions 'hall'"},
           Case{"name: \"r\"", "volume: a region needs one"},
           Case{"name: \"r\" volume { }",
                "volume.sphere: one of sphere, box, prism is needed"},
           Case{"name: \"r\" volume { sphere { radius: 0 } }",
                "volume.sphere.radius: 0"},
           Case{"name: \"r\" volume { sphere { radius: nan } }",
                "volume.sphere.radius: nan"},
           Case{"name: \"r\" volume { sphere { radius: 1 centre { y: inf } } }",
                "volume.sphere.centre.y: inf"},
           Case{"name: \"r\" volume { box { half_extents { x: 1 y: -1 z: 1 } } "
                "}",
                "volume.box.half_extents.y: -1"},
           Case{"name: \"r\" volume { prism { bottom: 1 top: 1 corners { } "
                "corners { x: 1 } corners { y: 1 } } }",
                "volume.prism.top: 1 is not above the bottom, 1"},
           Case{"name: \"r\" volume { prism { top: 1 corners { } corners { x: "
                "1 } } }",
                "volume.prism.corners: "},
           Case{"name: \"r\" volume { prism { top: 1 corners { } corners { y: "
                "nan } corners { x: 1 } } }",
                "volume.prism.corners[1].y: nan is not within"},
           Case{"name: \"r\" volume { sphere { radius: 1 } } margin: -1",
                "margin: -1"},
           Case{"name: \"r\" volume { sphere { radius: 1 } } layer: \"dusk\"",
                "layer: there is no layer 'dusk'"},
           Case{"name: \"r\" volume { sphere { radius: 1 } } stay_period_s: "
                "-1",
                "stay_period_s: "},
       }) {
    EXPECT_THAT(
        ProblemsWith("regions {\n" + std::string(region) + "\n}\n"),
        ElementsAre(::testing::AllOf(
            ::testing::ContainsRegex("^pack.txtpb:[45]:"),
            ::testing::HasSubstr(": regions[1]." + std::string(problem)))))
        << region;
  }
}

TEST(RegionCompilerTest, PackWithoutRegionsHasNoTableOfThem) {
  const auto with = WorldOf(Manifest({kRegions}));
  EXPECT_TRUE(with->state().Find("regions", "region_visits").has_value());
  const auto without = WorldOf(Manifest({}));
  EXPECT_FALSE(without->state().Find("regions", "region_visits").has_value());
}

}  // namespace
}  // namespace reprise::sim
