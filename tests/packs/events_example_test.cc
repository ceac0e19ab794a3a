// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what docs/packs.md shows of events compiles and does what the
// page says.

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// The blocks of the page behind a heading, up to the next one.
std::vector<std::string> ExamplesBehind(std::string_view heading) {
  std::ifstream page("docs/packs.md");
  std::vector<std::string> examples;
  bool is_behind = false;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) is_behind = line == heading;
    if (!is_behind) continue;
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      if (is_inside) examples.emplace_back();
    } else if (is_inside) {
      examples.back() += line + "\n";
    }
  }
  return examples;
}

// What the examples are about: a thief who falls through a coin into a pit.
constexpr std::string_view kLevel = R"(
components { name: "purse" properties { name: "coins" type: TYPE_INTEGER } }
components { name: "health" properties { name: "points" type: TYPE_INTEGER default { integer: 9 } } }
types {
  name: "thief"
  body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.2 } } }
  destructible { health: 50 impulse_min_ns: 10 }
  components { component: "purse" }
  components { component: "health" }
}
types { name: "coin" body { motion: MOTION_TRIGGER shapes { sphere { radius: 0.5 } } } }
types { name: "sparkle" }
objects { name: "thief" type: "thief" position { y: 4 } }
objects { name: "coin" type: "coin" position { y: 2 } }
regions { name: "pit" volume { sphere { centre { y: -3 } radius: 1 } } }
)";

TEST(EventsExampleTest, ThePageDoesWhatItSays) {
  const std::vector<std::string> examples =
      ExamplesBehind("## Events of your own, and what follows");
  ASSERT_EQ(examples.size(), 3u);
  const auto world =
      WorldOf(Manifest({kLevel, examples[0], examples[1], examples[2]}));
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 90);
  const auto coins = ValueOf(*world, "components", "purse", "thief", "coins");
  ASSERT_TRUE(coins.has_value());
  EXPECT_EQ(coins->bits, 1u);
  const auto health =
      ValueOf(*world, "components", "destructible", "thief", "health");
  ASSERT_TRUE(health.has_value());
  EXPECT_EQ(health->AsDouble(), 30.0);
  EXPECT_FALSE(ValueOf(*world, "world", "objects", "coin", "bucket"));
}

}  // namespace
}  // namespace reprise::sim
