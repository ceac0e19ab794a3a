// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a pack's word to those who search it compiles to, and that each
// mistake in it is told at its place.

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr char kGame[] = R"(
players {
  actions { name: "jump" button: 0 }
  actions { name: "steer" axis: 0 }
}
events { name: "fell" }
)";

PackArchive Pack(const std::string& fuzzing) {
  return PackOf(Manifest({kGame, "fuzzing { " + fuzzing + " }"}));
}

std::vector<std::string> ProblemsOf(const std::string& fuzzing) {
  PackReport report({.is_author = true});
  CompilePack(Pack(fuzzing), 1, report);
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

TEST(FuzzingCompilerTest, DescriptionHasAllThatAPackSays) {
  const auto world = CreateWorld(
      Pack("always { name: \"a\" that: \"tick >= 0\" } "
           "sometimes { name: \"s\" that: \"tick > 9\" } "
           "reachable: \"fell\" unreachable: \"fell\" "
           "maximize { name: \"up\" that: \"tick\" } "
           "minimize { name: \"down\" that: \"tick\" } "
           "set { name: \"cells\" of: \"tick\" of: \"outcome\" step: 0.5 } "
           "never_use: \"steer\" weights { action: \"jump\" weight: 9 } "
           "sequences { name: \"hops\" actions: \"jump\" actions: \"jump\" } "
           "stuck_ticks: 60 world_radius_m: 50"),
      1);
  ASSERT_TRUE(world.ok()) << world.status();
  const FuzzingDescription expected = {
      .always = {{.name = "a", .text = "tick >= 0"}},
      .sometimes = {{.name = "s", .text = "tick > 9"}},
      .reachable = {"fell"},
      .unreachable = {"fell"},
      .maximize = {{.name = "up", .text = "tick"}},
      .minimize = {{.name = "down", .text = "tick"}},
      .sets = {{.name = "cells",
                .expressions = {"tick", "outcome"},
                .step = 0.5}},
      .never_used = {"steer"},
      .weights = {{.action = "jump", .weight = 9}},
      .sequences = {{.name = "hops",
                     .actions = {"jump", "jump"},
                     .hold_ticks = 1}},
      .stuck_ticks = 60,
      .world_radius_m = 50};
  EXPECT_EQ((*world)->description().fuzzing, expected);
}

TEST(FuzzingCompilerTest, EachMistakeHasItsPlace) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"always { name: \"a\" }", "fuzzing.always[0].that: it is empty"},
      {"always { name: \"a\" that: \"x\" } set { name: \"a\" of: \"y\" }",
       "fuzzing.set[0].name: 'a' stands there twice"},
      {"set { name: \"a\" }", "fuzzing.set[0].of: it is empty"},
      {"set { name: \"a\" of: \"x\" step: -1 }", "fuzzing.set[0].step"},
      {"never_use: \"jmp\"",
       "fuzzing.never_use: there is no action 'jmp'; did you mean 'jump'?"},
      {"weights { action: \"jump\" }",
       "fuzzing.weights[0].weight: 0 is not in 1..1000"},
      {"sequences { name: \"s\" actions: \"steer\" }",
       "fuzzing.sequences[0].actions: 'steer' is no button and no key"},
      {"unreachable: \"fel\"", "fuzzing.unreachable"},
      {"stuck_ticks: 2000000", "fuzzing.stuck_ticks"},
      {"world_radius_m: -5", "fuzzing.world_radius_m"}};
  for (const auto& [fuzzing, problem] : cases) {
    EXPECT_THAT(ProblemsOf(fuzzing), Contains(HasSubstr(problem))) << fuzzing;
  }
}

}  // namespace
}  // namespace reprise::sim
