// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in commanders is reported once, with its line and
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
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The problems of a type whose commander has `text`.
std::vector<std::string> ProblemsOf(std::string_view text) {
  return Problems(Manifest(
      {"components { name: 'well' properties { name: 'worth' type: "
       "TYPE_NUMBER } }\n"
       "types { name: 'soldier' }\ntypes { name: 'archer' extends: 'soldier' "
       "}\ntypes { name: 'well' components { component: 'well' } }\n"
       "types { name: 'chief' objects_max: 10 commander {\n",
       text, "\n} }\n"}));
}

TEST(CommanderCompilerTest, WhatIsInOrderCompiles) {
  EXPECT_THAT(ProblemsOf("units: 'soldier' tasks { name: 'wait' }"), IsEmpty());
  EXPECT_THAT(
      ProblemsOf(
          "units: 'soldier' units: 'well' every_s: 0.5 inertia: 0.2 "
          "units_max: 100 tasks { name: 'hold' of: 'well' if: "
          "'goal.well.worth > 0' priority: 'goal.well.worth - "
          "self.command.busy' units_min: 2 units_max: 4 fits: 'self.type == "
          "\"archer\" and distance < 20 and sender.command.is_active == 1' "
          "considerations { of: 'distance' maximum: 20 inverted: true } "
          "considerations { of: 'self.orders.score' } rest_s: 5 }"),
      IsEmpty());
}

TEST(CommanderCompilerTest, MistakesHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    EXPECT_THAT(ProblemsOf(text), ElementsAre(AllOf(StartsWith("pack.txtpb:"),
                                                    HasSubstr(problem))))
        << text;
  };
  const auto expect_of_task = [&](const std::string& text,
                                  std::string_view problem) {
    expect("units: 'soldier' tasks { name: 'go' " + text + " }", problem);
  };
  expect("tasks { name: 'go' }", "commander.units: there are 0 types");
  expect("units: 'soldir' tasks { name: 'go' }",
         "commander.units: there is no type 'soldir'");
  expect("units: 'soldier'", "commander.tasks: there are 0, not 1 to 32");
  expect("units: 'soldier' tasks { }", "tasks[0].name");
  expect("units: 'soldier' tasks { name: 'go' } tasks { name: 'go' }",
         "tasks[1].name: there are two tasks 'go'");
  expect("units: 'soldier' tasks { name: 'go' } every_s: -1",
         "commander.every_s: -1 is not");
  expect("units: 'soldier' tasks { name: 'go' } inertia: 101",
         "commander.inertia: 101 is not");
  expect("units: 'soldier' tasks { name: 'go' } units_max: 257",
         "commander.units_max: 257 is not");
  expect_of_task("of: 'wel'", "tasks[0].of: there is no type 'wel'");
  expect_of_task("if: 'goal.well.worth'", "tasks[0].if: this is no condition");
  expect_of_task("if: 'distance > 3'", "tasks[0].if: ");
  expect_of_task("priority: 'goal.type == \"well\"'",
                 "tasks[0].priority: this is no number");
  expect_of_task("fits: 'distance'", "tasks[0].fits: this is no condition");
  expect_of_task("units_min: 257", "tasks[0].units_min: 257 is not");
  expect_of_task("units_min: 3 units_max: 2",
                 "tasks[0].units_max: 2 is below units_min, 3");
  expect_of_task("rest_s: 86401", "tasks[0].rest_s: 86401 is not");
  expect_of_task("considerations { }", "considerations[0].of: required");
  expect_of_task("considerations { of: 'distance' maximum: 0 }",
                 "considerations[0].maximum: 0 is not above");
  EXPECT_THAT(
      Problems(Manifest({"orders_budget { evaluations_per_tick: 2000000 }"})),
      ElementsAre(HasSubstr("evaluations_per_tick: 2000000 is not")));
}

TEST(CommanderCompilerTest, ScoresHaveABound) {
  EXPECT_THAT(
      Problems(Manifest({"types { name: 'soldier' } types { name: 'chief' "
                         "commander { units: 'soldier' units_max: 256 tasks { "
                         "name: 'go' of: 'soldier' } } }"})),
      ElementsAre(HasSubstr("more than 4194304 scores in all")));
}

}  // namespace
}  // namespace reprise::sim
