// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what can't be in a connection is reported at its place, and that
// events which send themselves are warned of.

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::PrintToString;

constexpr std::string_view kPack = R"(
events { name: "hit" arguments { name: "amount" type: TYPE_NUMBER } arguments { name: "by" type: TYPE_REFERENCE } arguments { name: "where" type: TYPE_NAME optional: true } }
events { name: "hurt" arguments { name: "much" type: TYPE_NUMBER } arguments { name: "times" type: TYPE_INTEGER optional: true } }
components { name: "health"
  properties { name: "points" type: TYPE_INTEGER }
  properties { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "angry" }
  properties { name: "place" type: TYPE_VECTOR2 }
  properties { name: "marks" type: TYPE_INTEGER list_max: 2 } }
chunk_plan { chunks { name: "cellar" } }
types { name: "guard" components { component: "health" } timers { name: "t" event: "hit" delay_s: 1 } interests { event: "hurt" } }
types { name: "captain" extends: "guard" }
objects { name: "ada" type: "guard" }
objects { name: "rat" type: "guard" chunk: "cellar" }
)";

std::vector<std::string> ProblemsOf(std::string_view connection) {
  return Problems(Manifest(
      {kPack, fmt::format("connections {{ name: \"c\" event: \"hit\" send: "
                          "\"hurt\" {} }}",
                          connection)}));
}

void ExpectProblem(std::string_view connection, std::string_view text) {
  const std::vector<std::string> problems = ProblemsOf(connection);
  EXPECT_THAT(problems, ElementsAre(HasSubstr(std::string(text))))
      << connection << PrintToString(problems);
}

TEST(ConnectionCompilerTest, WhateverIsThereCanBeSaid) {
  for (const char* const connection :
       {"source: \"ada\" target: \"rat\"", "source: \"rat\" target: \"ada\"",
        "source_type: \"guard\" target_type: \"captain\"",
        "source_spawned: \"boss\" target_spawned: \"boss\"",
        "target_participant: \"sender\"", "target_participant: \"target\"",
        "target_participant: \"by\"",
        "if: \"amount > 3 and by == 'ada' and where != 'here'\"",
        "if: \"by.type == 'captain' or sender.health.mood == 'angry'\"",
        "if: \"target.health.place.y < ada.health.points\"",
        "if: \"'rat'.health.points < max(amount, 2)\"",
        "with { argument: \"much\" to: \"2.5\" }",
        "with { argument: \"times\" to: \"-4\" }",
        "pass { from: \"amount\" to: \"much\" }"}) {
    EXPECT_THAT(ProblemsOf(connection), IsEmpty()) << connection;
  }
}

TEST(ConnectionCompilerTest, UnknownSourcesAndTargetsAreReported) {
  ExpectProblem("source: \"adda\"",
                "connections[0].source: there is no object 'adda'; did you "
                "mean 'ada'?");
  ExpectProblem("target: \"ratt\"",
                "connections[0].target: there is no object 'ratt'; did you "
                "mean 'rat'?");
  ExpectProblem("source_type: \"gard\"",
                "connections[0].source_type: there is no type 'gard'; did you "
                "mean 'guard'?");
  ExpectProblem("target_type: \"captian\"",
                "connections[0].target_type: there is no type 'captian'");
  ExpectProblem("target_participant: \"buy\"",
                "connections[0].target_participant: 'buy' has no part in the "
                "event 'hit'; did you mean 'by'?");
  ExpectProblem("target_participant: \"amount\"",
                "'amount' has no part in the event 'hit'");
  ExpectProblem("source_spawned: \"Boss\"",
                "connections[0].source_spawned: 'Boss' is not a name");
}

TEST(ConnectionCompilerTest, OneSourceAndOneTargetAreEnough) {
  ExpectProblem("source: \"ada\" source_type: \"guard\"",
                "connections[0].source_type: 'source' stands there, too");
  ExpectProblem("target_type: \"guard\" target_spawned: \"boss\"",
                "connections[0].target_spawned: 'target_type' stands there, "
                "too");
}

TEST(ConnectionCompilerTest, WrongConditionsAreReportedWithTheirColumn) {
  const auto expect = [](std::string_view condition, std::string_view text) {
    ExpectProblem(fmt::format("if: \"{}\"", condition),
                  fmt::format("connections[0].if: {}", text));
  };
  expect("amont > 3", "column 1: there is no");
  expect("amount > ", "column");
  expect("amount + 1", "this is no condition: it isn't true or false");
  expect("amount.health.points > 1", "column 1: 'amount' is no object");
  expect("bye.health.points > 1",
         "column 1: there is no argument or object 'bye'; did you mean 'by'?");
  expect("by.helth.points > 1",
         "column 4: the pack has no component 'helth'; did you mean 'health'?");
  expect("by.health.pints > 1",
         "column 4: the component 'health' has no property 'pints'; did you "
         "mean 'points'?");
  expect("by.health > 1", "column 4: what of by?");
  expect("by.health.place > 1", "column 11: 'health.place' has parts: .x, .y");
  expect("by.health.place.z > 1",
         "column 17: 'health.place' has parts: .x, .y");
  expect("by.health.points.x > 1", "column 18: 'health.points' has no parts");
  expect("by.health.marks > 1", "column 11: 'health.marks' is a list");
  expect("by.health.mood == 'angy'", "column");
  expect("by.type == 'gard'", "column");
  expect("by > 3", "column");
}

TEST(ConnectionCompilerTest, WhatQueriesAloneCanAskSaysSo) {
  for (const char* const condition :
       {"tick > 3", "outcome == 'won'", "exists('ada')", "exists(ada)",
        "event('hit')", "event(hit)", "count(amount > 1) > 2"}) {
    ExpectProblem(fmt::format("if: \"{}\"", condition),
                  ": it is of queries alone");
  }
}

TEST(ConnectionCompilerTest, WrongConstantsAreReported) {
  ExpectProblem("with { argument: \"mush\" to: \"2\" }",
                "connections[0].with[0].argument: the event 'hurt' has no "
                "argument 'mush'; did you mean 'much'?");
  ExpectProblem("with { argument: \"much\" to: \"nan\" }",
                "connections[0].with[0].to: 'much': 'nan' is not a number");
  ExpectProblem("with { argument: \"much\" to: \"a lot\" }",
                "connections[0].with[0].to: 'much': 'a lot' is not ");
  ExpectProblem(
      "with { argument: \"much\" to: \"2\" } pass { from: \"amount\" to: "
      "\"much\" }",
      "connections[0].with[0].argument: 'much' is given twice");
  ExpectProblem(
      "pass { from: \"amount\" to: \"much\" } pass { from: \"amount\" to: "
      "\"much\" }",
      "connections[0].pass[1].to: 'much' is given twice");
  ExpectProblem(
      "with { argument: \"much\" to: \"2\" } with { argument: \"much\" to: "
      "\"3\" }",
      "connections[0].with[1].argument: 'much' is given twice");
}

TEST(ConnectionCompilerTest, WhatNobodyDeclaresHasNoConditions) {
  const std::vector<std::string> problems = Problems(Manifest(
      {"connections { name: \"c\" event: \"a\" send: \"b\" if: \"x > 1\" with "
       "{ argument: \"y\" to: \"2\" } }"}));
  EXPECT_THAT(
      problems,
      ElementsAre(HasSubstr("connections[0].if: nobody declares the event 'a'"),
                  HasSubstr("connections[0].with[0].argument: nobody declares "
                            "the event 'b'")));
}

std::vector<std::string> RingsOf(std::string_view connections) {
  std::vector<std::string> rings = Warnings(Manifest({kPack, connections}));
  std::erase_if(rings, [](const std::string& warning) {
    return warning.find("sends itself") == warning.npos;
  });
  return rings;
}

TEST(ConnectionCompilerTest, EventsThatSendThemselvesAreWarnedOf) {
  EXPECT_THAT(
      RingsOf("connections { name: \"c\" event: \"hit\" send: \"hit\" }"),
      ElementsAre(HasSubstr("connections[0].send: the event sends itself, "
                            "without delay, condition or end: hit -> hit")));
  EXPECT_THAT(
      RingsOf("connections { name: \"c\" event: \"hit\" send: \"hurt\" }\n"
              "connections { name: \"d\" event: \"hurt\" send: \"hit\" source: "
              "\"ada\" }"),
      ElementsAre(HasSubstr("-> ")));
  EXPECT_THAT(RingsOf("connections { name: \"c\" event: \"hit\" send: \"hit\" "
                      "source_type: \"guard\" }"),
              ElementsAre(HasSubstr("hit -> hit")));
}

TEST(ConnectionCompilerTest, EffectsThatSendTheEventAgainAreWarnedOf) {
  EXPECT_THAT(
      RingsOf("connections { name: \"c\" event: \"hit\" then { send { event: "
              "\"hit\" object: \"ada\" } } }"),
      ElementsAre(
          HasSubstr("connections[0].then[0].send.event: the event sends "
                    "itself, without delay, condition or end: hit -> hit")));
  EXPECT_THAT(
      RingsOf("connections { name: \"c\" event: \"hit\" send: \"hurt\" }\n"
              "connections { name: \"d\" event: \"hurt\" then { send { event: "
              "\"hit\" object: \"ada\" } } }"),
      ElementsAre(HasSubstr(" -> ")));
}

TEST(ConnectionCompilerTest, WhatEndsOrWaitsIsNoRing) {
  for (const char* const connections :
       {"connections { name: \"c\" event: \"hit\" then { send { event: \"hit\" "
        "object: \"ada\" delay_s: 1 } } }",
        "connections { name: \"c\" event: \"hit\" if: \"amount > 1\" then { "
        "send { event: \"hit\" object: \"ada\" } } }",
        "connections { name: \"c\" event: \"hit\" then { send { event: \"hit\" "
        "object: \"ada\" } } then { destroy { object: \"ada\" } } }",
        "connections { name: \"c\" event: \"hit\" send: \"hit\" delay_s: 1 }",
        "connections { name: \"c\" event: \"hit\" send: \"hit\" if: \"amount > "
        "1\" }",
        "connections { name: \"c\" event: \"hit\" send: \"hurt\" source: "
        "\"ada\" } connections { name: \"d\" event: \"hurt\" send: \"hit\" "
        "source_spawned: \"boss\" }"}) {
    EXPECT_THAT(RingsOf(connections), IsEmpty()) << connections;
  }
}

}  // namespace
}  // namespace reprise::sim
