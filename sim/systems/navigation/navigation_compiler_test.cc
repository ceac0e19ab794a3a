// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in navigation is reported once, with its line and
// field, by manifests with one mistake each.

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The problems of a pack whose navigation, from line 2 on, has `text`.
std::vector<std::string> ProblemsOf(std::string_view text) {
  return Problems(Manifest({"navigation {\n", text, "\n}\n"}));
}

// The same of a navigator on a grid of four neighbours and a graph.
std::vector<std::string> ProblemsOfNavigator(std::string_view text) {
  return Problems(Manifest(
      {"navigation { grids { name: 'floor' rows: '...' } graphs { name: 'net' "
       "points { name: 'a' } } flow_fields { name: 'home' grid: 'floor' goal { "
       "x: 0.5 z: 0.5 } } }\n"
       "types { name: 'walker' navigator {\n",
       text, "\n} }\n"}));
}

TEST(NavigationCompilerTest, WhatIsInOrderCompiles) {
  EXPECT_THAT(ProblemsOf("grids { name: 'a' rows: '.' }"), IsEmpty());
  EXPECT_THAT(ProblemsOf("grids { name: 'a' rows: '.5#' rows: '#.5' symbols { "
                         "symbol: '5' weight: 5 } cell_size: 2 least_weight: 1 "
                         "neighbours: NEIGHBOURS_HEXAGONAL }"),
              IsEmpty());
  EXPECT_THAT(
      ProblemsOf("grids { name: 'a' columns: 4096 row_count: 4096 areas "
                 "{ column: 4000 row: 4095 columns: 96 rows: 1 symbol: "
                 "'#' } }"),
      IsEmpty());
  EXPECT_THAT(
      ProblemsOf("graphs { name: 'a' points { name: 'p' } points { name: 'q' "
                 "position { x: 1 } } ways { from: 'p' to: 'q' } }"),
      IsEmpty());
  EXPECT_THAT(ProblemsOfNavigator("space: 'floor' speed: 1"), IsEmpty());
  EXPECT_THAT(ProblemsOfNavigator("space: 'net' speed: 1"), IsEmpty());
  EXPECT_THAT(ProblemsOfNavigator("flow_field: 'home' speed: 1"), IsEmpty());
}

TEST(NavigationCompilerTest, MistakesOfGridsHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    EXPECT_THAT(
        ProblemsOf(fmt::format("grids {{ name: 'a' {} }}", text)),
        ElementsAre(AllOf(StartsWith("pack.txtpb:3:"), HasSubstr(problem))));
  };
  expect("", "navigation.grids[0].rows: needs either rows, or columns");
  expect("rows: '.' columns: 1", "grids[0].rows: needs either rows");
  expect("rows: '..' rows: '.'",
         "grids[0].rows: row 1 has 1 cells, and the first has 2");
  expect("rows: ''", "grids[0].rows: 1 of 0 cells");
  expect("rows: '.x'", "rows: 'x' in row 0, column 1 is no symbol");
  expect("columns: 4097 row_count: 1", "grids[0].columns: 4097 is not");
  expect("columns: 1", "grids[0].row_count: 0 is not");
  expect("rows: '.' cell_size: -1", "grids[0].cell_size: -1 is not");
  expect("rows: '.' cell_size: nan", "grids[0].cell_size: nan is not");
  expect("rows: '.' origin { x: 1e7 }", "grids[0].origin");
  expect("rows: '.' symbols { symbol: 'ab' }", "symbols[0].symbol");
  expect("rows: '.' symbols { symbol: 'a' weight: 1001 }",
         "symbols[0].weight: 1001 is not");
  expect("rows: '.' symbols { symbol: 'a' } symbols { symbol: 'a' }",
         "symbols[1].symbol: there are two 'a'");
  expect("rows: '.' areas { columns: 2 rows: 1 symbol: '#' }",
         "areas[0].columns: 2 is not");
  expect("rows: '.' areas { row: 1 columns: 1 rows: 1 symbol: '#' }",
         "areas[0].row: 1 is not");
  expect("rows: '.' areas { columns: 1 rows: 1 symbol: '?' }",
         "areas[0].symbol: '?' is no symbol");
  expect("rows: '.' least_weight: 2", "grids[0].least_weight: 2 is not");
}

TEST(NavigationCompilerTest, NegativeWeightsAreNoWeights) {
  EXPECT_THAT(
      ProblemsOf("grids { name: 'a' rows: '.' symbols { symbol: 'a' weight: "
                 "-1 } }"),
      ElementsAre(StartsWith("pack.txtpb:3:")));
}

TEST(NavigationCompilerTest, CellsInAllAreBounded) {
  EXPECT_THAT(ProblemsOf("grids { name: 'a' columns: 4096 row_count: 4096 }\n"
                         "grids { name: 'b' rows: '.' }"),
              ElementsAre(StartsWith("pack.txtpb:4:")));
}

TEST(NavigationCompilerTest, WorkThatAPackCanAskForIsBounded) {
  std::string areas;
  for (int i = 0; i < 5; ++i) {
    areas += "areas { columns: 4096 rows: 4096 symbol: '#' }\n";
  }
  EXPECT_THAT(ProblemsOf(fmt::format("grids {{ name: 'a' columns: 4096 "
                                     "row_count: 4096\n{} }}",
                                     areas)),
              ElementsAre(HasSubstr("grids[0].areas[4].rows: more than")));
  std::string points;
  for (int i = 0; i < 300; ++i) {
    points += fmt::format("points {{ name: 'p{}' }} ", i);
  }
  EXPECT_THAT(
      ProblemsOf(fmt::format("graphs {{ name: 'a' sight_range: 1 {} }}\n"
                             "graphs {{ name: 'b' sight_range: 1 {} }}",
                             points, points)),
      ElementsAre(HasSubstr("graphs[1].sight_range: more than 512")));
}

TEST(NavigationCompilerTest, CellsOfFlowFieldsAreBounded) {
  constexpr std::string_view kGrid =
      "grids { name: 'a' columns: 1024 row_count: 1024 }\n";
  constexpr std::string_view kTwo =
      "flow_fields { name: 'f' grid: 'a' }\n"
      "flow_fields { name: 'g' grid: 'a' }\n";
  EXPECT_THAT(ProblemsOf(fmt::format("{}{}", kGrid, kTwo)), IsEmpty());
  EXPECT_THAT(
      ProblemsOf(fmt::format("{}{}flow_fields {{ name: 'h' grid: 'a' }}", kGrid,
                             kTwo)),
      ElementsAre(AllOf(StartsWith("pack.txtpb:6:"),
                        HasSubstr("flow_fields[2].grid: with it there are more "
                                  "than 2097152 cells"))));
}

TEST(NavigationCompilerTest, MistakesOfGraphsHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    EXPECT_THAT(
        ProblemsOf(fmt::format("graphs {{ name: 'a' {} }}", text)),
        ElementsAre(AllOf(StartsWith("pack.txtpb:3:"), HasSubstr(problem))));
  };
  constexpr std::string_view kPoints =
      "points { name: 'p' } points { name: 'q' position { x: 1 } } ";
  expect("", "graphs[0].points: 0 is not");
  expect("points { name: 'p' } points { name: 'p' }",
         "points[1].name: there are two points 'p'");
  expect("points { name: 'p' position { x: inf } }", "points[0].position");
  expect(fmt::format("{} ways {{ from: 'p' to: 'r' }}", kPoints),
         "ways[0].to: there is no point 'r'");
  expect(fmt::format("{} ways {{ from: 'p' to: 'p' }}", kPoints),
         "ways[0].to: is the point that it comes from");
  for (const std::string_view weight : {"-1", "0.5", "1e9", "nan"}) {
    expect(fmt::format("{} ways {{ from: 'p' to: 'q' weight: {} }}", kPoints,
                       weight),
           "ways[0].weight: ");
  }
  expect(fmt::format("{} sight_range: -1", kPoints), "graphs[0].sight_range");
  expect(fmt::format("{} sight_radius: 101", kPoints),
         "graphs[0].sight_radius");
}

TEST(NavigationCompilerTest, NamesAreUniqueAmongGridsAndGraphs) {
  EXPECT_THAT(ProblemsOf("grids { name: 'a' rows: '.' }\n"
                         "graphs { name: 'a' points { name: 'p' } }"),
              ElementsAre(StartsWith("pack.txtpb:4:")));
}

TEST(NavigationCompilerTest, MistakesOfFlowFieldsHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    EXPECT_THAT(
        ProblemsOf(fmt::format("grids {{ name: 'a' rows: '.#' }} flow_fields "
                               "{{ name: 'f' {} }}",
                               text)),
        ElementsAre(AllOf(StartsWith("pack.txtpb:3:"), HasSubstr(problem))));
  };
  expect("grid: 'b'", "flow_fields[0].grid: there is no grid 'b'");
  expect("grid: 'a' goal { x: 1.5 z: 0.5 }",
         "flow_fields[0].goal: is in a wall");
  expect("grid: 'a' goal { x: -1 }",
         "flow_fields[0].goal: is outside of the grid");
}

TEST(NavigationCompilerTest, MistakesOfGoalSetsHaveTheirPlace) {
  const auto problems = [](std::string_view text) {
    return ProblemsOf(
        fmt::format("grids {{ name: 'a' rows: '.#.' }} graphs {{ name: 'net' "
                    "points {{ name: 'p' }} points {{ name: 'q' position {{ x: "
                    "9 }} }} }} goal_sets {{ name: 's' {} }}",
                    text));
  };
  const auto expect = [&](std::string_view text, std::string_view problem) {
    EXPECT_THAT(problems(text), ElementsAre(AllOf(StartsWith("pack.txtpb:3:"),
                                                  HasSubstr(problem))));
  };
  constexpr std::string_view kFirst = "goals { position { x: 0.5 z: 0.5 } } ";
  EXPECT_THAT(problems(fmt::format("space: 'a' {}", kFirst)), IsEmpty());
  EXPECT_THAT(problems("space: 'net' goals { position { x: 8 } } goals { }"),
              IsEmpty());
  expect(fmt::format("space: 'b' {}", kFirst),
         "goal_sets[0].space: there is no grid, graph or mesh 'b'");
  expect("space: 'a'", "goal_sets[0].goals: 0 of them, and it has to be 1");
  std::string many = "space: 'a' ";
  for (int i = 0; i < 65; ++i) many += kFirst;
  expect(many, "goal_sets[0].goals: 65 of them");
  expect("space: 'a' goals { position { x: -1 } }",
         "goal_sets[0].goals[0].position: is no place of 'a'");
  expect("space: 'a' goals { position { x: 1.5 z: 0.5 } }",
         "goal_sets[0].goals[0].position: is in a wall");
  expect("space: 'a' goals { position { x: 1e7 } }",
         "goal_sets[0].goals[0].position.x: 10000000 is not");
  expect("space: 'a' goals { position { x: nan } }",
         "goal_sets[0].goals[0].position.x: nan is not");
  expect(fmt::format("space: 'a' {} goals {{ position {{ x: 2.5 z: 0.5 }} }} "
                     "goals {{ position {{ x: 0.9 z: 0.1 }} }}",
                     kFirst),
         "goal_sets[0].goals[2].position: is the same cell as goals[0]");
  expect("space: 'net' goals { position { x: 8 } } goals { position { x: 7 } }",
         "goal_sets[0].goals[1].position: is the same point as goals[0]");
  expect(fmt::format("space: 'a' {} }} goal_sets {{ name: 's' space: 'a' {}",
                     kFirst, kFirst),
         "goal_sets[1].name");
}

// Wherever its name stands in data: an author is told so, and whoever runs such
// a pack is warned.
TEST(NavigationCompilerTest, NavigateToASetThatIsNotThereIsReported) {
  const auto problems = [](std::string_view text) {
    PackReport report({.is_author = true});
    CompilePack(
        PackOf(Manifest(
            {"navigation { grids { name: 'a' rows: '...' } goal_sets { name: "
             "'huts' space: 'a' goals { position { x: 0.5 z: 0.5 } } } }\n"
             "types { name: 'walker' navigator { space: 'a' speed: 1 } }\n"
             "objects { name: 'anna' type: 'walker' position { x: 1.5 z: 0.5 } "
             "}\n",
             text})),
        1, report);
    std::vector<std::string> lines;
    for (const PackProblem& problem : report.problems()) {
      lines.push_back(FormatProblem(problem));
    }
    return lines;
  };
  const auto expect = [&](std::string_view before, std::string_view after,
                          std::string_view place) {
    const auto pack_of = [&](std::string_view set) {
      return fmt::format(
          "{} event: 'navigate' with {{ argument: 'goals' to: "
          "'{}' }} {}",
          before, set, after);
    };
    EXPECT_THAT(problems(pack_of("huts")), IsEmpty());
    EXPECT_THAT(
        problems(pack_of("hut")),
        ElementsAre(AllOf(
            StartsWith("pack.txtpb:5:"), HasSubstr(place),
            HasSubstr(
                "there is no set of goals 'hut'; did you mean 'huts'?"))));
  };
  expect(
      "connections { name: 'c' event: 'path_failed' then { send { object: "
      "'anna'",
      "} } }", "connections[0].then[0].send.with[0].to");
  expect("brains { name: 'b' root { enter { send { object: 'self'",
         "} } wait { } } }", "brains[0].root.enter[0].send.with[0].to");
  constexpr std::string_view kSent =
      "connections { name: 'c' event: 'path_failed' target: 'anna' send: "
      "'navigate' with { argument: 'goals' to: 'hut' } }";
  EXPECT_THAT(problems(kSent),
              ElementsAre(AllOf(HasSubstr("connections[0].with[0].to"),
                                HasSubstr("there is no set of goals 'hut'"))));
  EXPECT_THAT(
      Warnings(Manifest({"navigation { grids { name: 'a' rows: '...' } }\n"
                         "types { name: 'walker' navigator { space: 'a' speed: "
                         "1 } }\nobjects { name: 'anna' type: 'walker' }\n",
                         kSent})),
      Contains(HasSubstr("there is no set of goals 'hut'")));
}

TEST(NavigationCompilerTest, MistakesOfNavigatorsHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    EXPECT_THAT(
        ProblemsOfNavigator(text),
        ElementsAre(AllOf(StartsWith("pack.txtpb:"), HasSubstr(problem))));
  };
  expect("speed: 1", "navigator.space: needs either");
  expect("space: 'floor' flow_field: 'home' speed: 1", "space: needs either");
  expect("space: 'flor' speed: 1", "there is no grid, graph or mesh 'flor'");
  expect("flow_field: 'hom' speed: 1", "there is no flow field 'hom'");
  expect("space: 'floor'", "navigator.speed: 0 is not");
  expect("space: 'floor' speed: 1 arrive_radius: -1", "arrive_radius: -1");
  expect("space: 'floor' speed: 1 heuristic: HEURISTIC_HEXAGONAL",
         "heuristic: guesses too much");
  expect("space: 'net' speed: 1 heuristic: HEURISTIC_MANHATTAN",
         "heuristic: on a graph");
}

TEST(NavigationCompilerTest, PhysicsMovesNoNavigator) {
  EXPECT_THAT(
      Problems(Manifest({"navigation { grids { name: 'a' rows: '.' } }\n",
                         "types { name: 't' navigator { space: 'a' speed: 1 } "
                         "body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { "
                         "sphere { radius: 1 } } } }\n"})),
      ElementsAre(HasSubstr("types[0].navigator: needs a kinematic body")));
}

TEST(NavigationCompilerTest, BudgetsHaveBounds) {
  EXPECT_THAT(ProblemsOf("expansions_per_tick: 10000001"),
              ElementsAre(StartsWith("pack.txtpb:3:")));
  // What a search has come to has to fit into a keyframe.
  EXPECT_THAT(ProblemsOf("expansions_per_search: 524289"),
              ElementsAre(AllOf(StartsWith("pack.txtpb:3:"),
                                HasSubstr("expansions_per_search"))));
  EXPECT_THAT(ProblemsOf("expansions_per_search: 524288"), IsEmpty());
}

}  // namespace
}  // namespace reprise::sim
