// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that effects which can't be are reported at their place.

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::PrintToString;

constexpr std::string_view kPack = R"(
events { name: "hit" arguments { name: "amount" type: TYPE_NUMBER } arguments { name: "by" type: TYPE_REFERENCE } }
components { name: "health"
  properties { name: "points" type: TYPE_INTEGER }
  properties { name: "is_open" type: TYPE_BOOLEAN }
  properties { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "angry" }
  properties { name: "place" type: TYPE_VECTOR2 }
  properties { name: "turn" type: TYPE_ROTATION }
  properties { name: "friend" type: TYPE_REFERENCE }
  properties { name: "marks" type: TYPE_INTEGER list_max: 2 } }
types { name: "guard" components { component: "health" } timers { name: "t" event: "hit" delay_s: 1 } }
objects { name: "ada" type: "guard" }
)";

void ExpectProblem(std::string_view effect, std::string_view field,
                   std::string_view text) {
  const std::vector<std::string> problems = Problems(Manifest(
      {kPack, fmt::format("connections {{ name: \"c\" event: \"hit\" then {{ "
                          "{} }} }}",
                          effect)}));
  EXPECT_THAT(problems,
              ElementsAre(AllOf(
                  HasSubstr(fmt::format("connections[0].then[0]{}: ", field)),
                  HasSubstr(std::string(text)))))
      << effect << PrintToString(problems);
}

TEST(EffectCompilerTest, WrongPropertiesAreReported) {
  const auto expect = [](std::string_view property, std::string_view text) {
    ExpectProblem(fmt::format("set {{ object: \"by\" property: \"{}\" to: "
                              "\"1\" }}",
                              property),
                  ".set.property", text);
  };
  expect("points", "'points' is not component.property");
  expect("helth.points", "no component 'helth'; did you mean 'health'?");
  expect("health.pints", "no property 'pints'; did you mean 'points'?");
  expect("health.points.x", "'health.points' has no parts");
  expect("health.place", "which number of 'health.place'?");
  expect("health.place.z", "'health.place' has no part 'z'");
  expect("health.marks", "is a list: an effect can't write it");
  expect("health.turn", "is a rotation: an effect can't write it");
}

TEST(EffectCompilerTest, ValuesOfAnotherTypeAreReported) {
  const auto expect = [](std::string_view property, std::string_view to,
                         std::string_view text) {
    ExpectProblem(fmt::format("set {{ object: \"by\" property: \"health.{}\" "
                              "to: \"{}\" }}",
                              property, to),
                  ".set.to", text);
  };
  expect("points", "amount > 1",
         "'health.points' wants a number, not a "
         "condition");
  expect("is_open", "1", "wants a condition, not a number");
  expect("mood", "1", "wants a text, not a number");
  expect("mood", "'angy'",
         "'angy' is not among the choices of 'health.mood'; did you mean "
         "'angry'? There are calm and angry");
  expect("points", "amont", "column 1: there is no");
  expect("friend", "bye",
         "'bye' has no part in the event 'hit', and no object "
         "of the pack is called so");
}

TEST(EffectCompilerTest, OnlyNumbersGrow) {
  ExpectProblem(
      "add { object: \"by\" property: \"health.is_open\" amount: \"1\" }",
      ".add.property", "'health.is_open' is no number");
  ExpectProblem(
      "add { object: \"by\" property: \"health.friend\" amount: \"1\" }",
      ".add.property", "a reference is no number");
  ExpectProblem(
      "add { object: \"by\" property: \"health.points\" amount: \"true\" }",
      ".add.amount", "wants a number, not a condition");
}

TEST(EffectCompilerTest, WhoIsMeantHasToBeSomebody) {
  ExpectProblem("destroy { object: \"adda\" }", ".destroy.object",
                "'adda' has no part in the event 'hit', and no object of the "
                "pack is called so; did you mean 'ada'? There are sender, "
                "target, by and ada");
  ExpectProblem("destroy { }", ".destroy.object", "required");
  ExpectProblem("destroy { object: \"amount\" }", ".destroy.object",
                "'amount' has no part in the event 'hit'");
}

TEST(EffectCompilerTest, WhatIsNamedHasToBeThere) {
  ExpectProblem("spawn { archetype: \"gard\" object: \"by\" }",
                ".spawn.archetype",
                "there is no type or archetype 'gard'; did you mean 'guard'?");
  ExpectProblem("spawn { archetype: \"guard\" object: \"by\" name: \"X\" }",
                ".spawn.name", "'X' is not a name");
  ExpectProblem("send { event: \"hitt\" object: \"by\" }", ".send.event",
                "there is no event 'hitt'; did you mean 'hit'?");
  ExpectProblem(
      "send { event: \"hit\" object: \"by\" with { argument: \"amont\" to: "
      "\"1\" } }",
      ".send.with[0].argument", "no argument 'amont'; did you mean 'amount'?");
  ExpectProblem(
      "start_timer { object: \"by\" timer { name: \"t\" event: \"hitt\" } }",
      ".start_timer.timer.event", "there is no event 'hitt'");
  ExpectProblem("stop_timer { object: \"by\" timer: \"T\" }",
                ".stop_timer.timer", "'T' is not a name");
}

TEST(EffectCompilerTest, ArgumentsThatAreGivenTwiceAreReported) {
  PackReport report({.is_author = true});
  CompilePack(PackOf(Manifest({kPack, R"(
connections { name: "c" event: "hit" then { send { event: "damage" object: "ada"
with { argument: "amount" to: "1" }
with { argument: "amount" to: "2" } } } }
)"})),
              1, report);
  ASSERT_EQ(report.problems().size(), 1u) << report.ToStatus();
  EXPECT_THAT(FormatProblem(report.problems()[0]),
              HasSubstr("connections[0].then[0].send.with[1].argument: "
                        "'amount' is given twice"));
}

TEST(EffectCompilerTest, AnOutcomeSaysHowAndWhy) {
  ExpectProblem("outcome { reason: \"so\" }", ".outcome.decision", "required");
  ExpectProblem("outcome { decision: DECISION_WON }", ".outcome.reason",
                "required where no object decides");
}

TEST(EffectCompilerTest, NothingToDoIsReported) {
  ExpectProblem("", ".set", "one of set, add, send, spawn, destroy");
  EXPECT_THAT(
      Problems(Manifest({kPack, "connections { name: \"c\" event: \"hit\" }"})),
      ElementsAre(HasSubstr("connections[0].send: '' is not a name")));
}

}  // namespace
}  // namespace reprise::sim
