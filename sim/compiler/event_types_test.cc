// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a pack can name no event and no argument that nobody declares,
// that packs from before events were declared still compile, and what is said
// of events that nobody sends or hears of.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/field_value.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/testing_packs.h"
#include "sim/game_description.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kRung = R"(
events { name: "rung" description: "the bell rings" arguments { name: "loud" type: TYPE_NUMBER unit: "dB" } }
)";
constexpr std::string_view kBell = R"(
types { name: "bell" timers { name: "day" event: "rung" delay_s: 1 } }
objects { name: "bell" type: "bell" }
)";
constexpr std::string_view kWire = R"(
connections { name: "wire" event: "rung" target: "bell" send: "destroy" }
)";

// The one problem of a pack with this part, which declares `rung`.
std::string ProblemOf(std::string_view part) {
  const std::vector<std::string> problems =
      Problems(Manifest({kRung, kBell, kWire, part}));
  EXPECT_EQ(problems.size(), 1u) << part << ::testing::PrintToString(problems);
  return problems.empty() ? "" : problems[0];
}

TEST(EventTypesTest, WhatSomebodyDeclaresCanBeNamed) {
  const std::string manifest = Manifest({kRung, kBell, kWire, R"(
players { actions { name: "ring" command { arguments { name: "hard" minimum: 1 maximum: 3 } } } actions { name: "chat" text {} } commands_per_tick_max: 1 }
connections { name: "a" event: "ring" send: "rung" pass { from: "hard" to: "loud" } }
connections { name: "b" event: "chat" send: "rung" }
connections { name: "c" event: "region_entered" send: "wake" }
connections { name: "d" event: "rung" send: "ring" pass { from: "timer" to: "hard" } }
)"});
  // Of a timer the name: no whole number.
  EXPECT_THAT(Problems(manifest),
              ElementsAre(AllOf(
                  HasSubstr("connections[4].pass[0].from: "),
                  HasSubstr("'timer' of 'rung' is of the type name, 'hard' of "
                            "'ring' of the type integer"))));
}

TEST(EventTypesTest, MistypedNamesAreReportedWhereverTheyStand) {
  const auto expect = [](std::string_view part, std::string_view place) {
    EXPECT_THAT(
        ProblemOf(part),
        AllOf(HasSubstr(fmt::format("{}: there is no event 'runk'", place)),
              HasSubstr("did you mean 'rung'?")))
        << part;
  };
  expect("connections { name: \"c\" event: \"runk\" send: \"rung\" }",
         "connections[1].event");
  expect("connections { name: \"c\" event: \"rung\" send: \"runk\" }",
         "connections[1].send");
  expect("types { name: \"t\" timers { name: \"n\" event: \"runk\" } }",
         "types[1].timers[0].event");
  expect("types { name: \"t\" interests { event: \"runk\" } }",
         "types[1].interests[0].event");
  expect("objectives { name: \"o\" condition { event { event: \"runk\" } } }",
         "objectives[0].condition.event.event");
  expect(
      "objectives { name: \"o\" condition { elapsed_s: 1 } "
      "failures { event { event: \"runk\" } } }",
      "objectives[0].failures[0].event.event");
  expect(
      "objectives { name: \"o\" condition { elapsed_s: 1 } "
      "penalty_event: \"runk\" }",
      "objectives[0].penalty_event");
}

TEST(EventTypesTest, MistypedArgumentsAreReportedOnBothSides) {
  const auto problem = [](std::string_view pass) {
    return ProblemOf(fmt::format(
        "connections {{ name: \"c\" event: \"rung\" send: \"damage\" pass {{ "
        "{} }} }}",
        pass));
  };
  EXPECT_THAT(
      problem("from: \"lout\" to: \"amount\""),
      HasSubstr("connections[1].pass[0].from: the event 'rung' has no argument "
                "'lout'; did you mean 'loud'?"));
  EXPECT_THAT(problem("from: \"loud\" to: \"amont\""),
              HasSubstr("connections[1].pass[0].to: the event 'damage' has no "
                        "argument 'amont'; did you mean 'amount'?"));
  EXPECT_THAT(problem("from: \"timer\" to: \"amount\""),
              HasSubstr("connections[1].pass[0].from: 'timer' of 'rung' is "
                        "of the type name, 'amount' of 'damage' of the type "
                        "number"));
}

TEST(EventTypesTest, APackWithoutDeclaredEventsStillCompiles) {
  const std::string manifest = Manifest({kBell, kWire});
  EXPECT_THAT(Problems(manifest), IsEmpty());
  EXPECT_THAT(Warnings(manifest),
              ElementsAre(HasSubstr("types[0].timers[0].event: there is no "
                                    "event 'rung'"),
                          HasSubstr("connections[0].event: there is no event "
                                    "'rung'")));
  // Whoever checks a pack is its author.
  PackReport report({.is_author = true});
  EXPECT_EQ(CompilePack(PackOf(manifest), 1, report), nullptr);
  EXPECT_EQ(report.problems().size(), 2u);
  EXPECT_THAT(report.warnings(), IsEmpty());
}

// What declarations require, connections and effects have to give.
TEST(EventTypesTest, MissingArgumentsAreWarnedOf) {
  const auto warnings = [](std::string_view part) {
    return Warnings(Manifest({kRung, kBell, kWire, part}));
  };
  const auto missing = HasSubstr(
      "'rung' is sent without its argument 'loud', which isn't declared as "
      "optional");
  EXPECT_THAT(
      warnings("connections { name: \"c\" event: \"wake\" send: \"rung\" }"),
      ElementsAre(AllOf(HasSubstr("connections[1].send: "), missing)));
  EXPECT_THAT(
      warnings("connections { name: \"c\" event: \"wake\" then { send { event: "
               "\"rung\" object: \"bell\" } } }"),
      ElementsAre(
          AllOf(HasSubstr("connections[1].then[0].send.event: "), missing)));
  EXPECT_THAT(
      warnings(
          "connections { name: \"c\" event: \"wake\" send: \"rung\" with { "
          "argument: \"loud\" to: \"1\" } then { send { event: \"rung\" "
          "object: \"bell\" with { argument: \"loud\" to: \"2\" } } } }"),
      IsEmpty());
  // Passed on under its own name; a timer's own argument is nobody else's.
  EXPECT_THAT(
      warnings("connections { name: \"c\" event: \"rung\" send: \"rung\" "
               "delay_s: 1 pass { from: \"loud\" } }"),
      IsEmpty());
}

TEST(EventTypesTest, OptionalArgumentsMayBeMissing) {
  EXPECT_THAT(
      Warnings(Manifest(
          {"events { name: \"rung\" arguments { name: \"loud\" type: "
           "TYPE_NUMBER optional: true } }",
           kBell, kWire,
           "connections { name: \"c\" event: \"wake\" send: \"rung\" }"})),
      IsEmpty());
}

// The program requires `layer`; the pack's own argument comes on top.
TEST(EventTypesTest, APackAddsToWhatTheProgramRequires) {
  EXPECT_THAT(
      Warnings(Manifest(
          {kRung, kBell, kWire, "layers { name: \"night\" }",
           "events { name: \"layer_on\" arguments { name: \"by\" type: "
           "TYPE_NAME } }",
           "connections { name: \"c\" event: \"rung\" send: \"layer_on\" }"})),
      ElementsAre(HasSubstr("without its argument 'by'"),
                  HasSubstr("without its argument 'layer'")));
}

// Of two of one type the first one never did anything; of a type and one that
// it extends, that is what extending is for.
TEST(EventTypesTest, TwoTimersAndTwoInterestsOfOneNameAreReported) {
  constexpr std::string_view kTwoTimers =
      "types { name: \"t\" timers { name: \"a\" event: \"sleep\" delay_s: 1 }\n"
      "timers { name: \"a\" event: \"destroy\" delay_s: 2 } }\n";
  constexpr std::string_view kTwoInterests =
      "types { name: \"u\" interests { event: \"wake\" }\n"
      "interests { event: \"wake\" priority: 2 } }\n";
  constexpr std::string_view kExtending =
      "types { name: \"v\" timers { name: \"a\" event: \"sleep\" delay_s: 1 } "
      "interests { event: \"wake\" } }\n"
      "types { name: \"w\" extends: \"v\" timers { name: \"a\" event: "
      "\"sleep\" "
      "delay_s: 2 } interests { event: \"wake\" priority: 3 } }\n";
  PackReport report({.is_author = true});
  EXPECT_EQ(
      CompilePack(PackOf(Manifest({kTwoTimers, kTwoInterests})), 1, report),
      nullptr);
  ASSERT_EQ(report.problems().size(), 2u) << report.ToStatus();
  EXPECT_EQ(FormatProblem(report.problems()[0]),
            "pack.txtpb:3:10: types[0].timers[1].name: there are two timers "
            "'a': the first one would never fire");
  EXPECT_EQ(FormatProblem(report.problems()[1]),
            "pack.txtpb:5:13: types[1].interests[1].event: there are two "
            "interests in 'wake': the last one alone would count");
  // In replays there may be such packs.
  EXPECT_THAT(Problems(Manifest({kTwoTimers, kTwoInterests})), IsEmpty());
  PackReport extending({.is_author = true});
  EXPECT_NE(CompilePack(PackOf(Manifest({kExtending})), 1, extending), nullptr)
      << extending.ToStatus();
}

TEST(EventTypesTest, WrongDeclarationsAreReported) {
  const auto expect = [](std::string_view event, std::string_view text) {
    EXPECT_THAT(ProblemOf(fmt::format("events {{ {} }}", event)),
                HasSubstr(text))
        << event;
  };
  expect("name: \"rung\"", "events[1].name: there are two event types 'rung'");
  expect("name: \"Rung\"", "events[1].name: 'Rung' is not a name");
  expect("name: \"e\" arguments { name: \"a\" }",
         "events[1].arguments[0].type: required");
  expect("name: \"e\" arguments { name: \"a\" type: TYPE_VECTOR3 }",
         "events[1].arguments[0].type: an argument holds one number: declare "
         "a_x, a_y and so on, as numbers");
  expect(
      "name: \"e\" arguments { name: \"a\" type: TYPE_NAME } "
      "arguments { name: \"a\" type: TYPE_NAME }",
      "events[1].arguments[1].name: the event has two arguments 'a'");
  expect("name: \"e\" arguments { name: \"A\" type: TYPE_NAME }",
         "events[1].arguments[0].name: 'A' is not a name");
  expect("name: \"damage\" arguments { name: \"amount\" type: TYPE_NAME }",
         "events[1].arguments[0].type: 'damage' has the argument 'amount' "
         "already, of the type number");
  std::string nine;
  for (int i = 0; i < 9; ++i) {
    nine += fmt::format("arguments {{ name: \"a{}\" type: TYPE_NUMBER }} ", i);
  }
  expect("name: \"e\" " + nine,
         "events[1].arguments: events of 'e' have 9 arguments; at most 8 are "
         "possible");
}

TEST(EventTypesTest, AnEventOfTheProgramCanHaveMoreArguments) {
  EXPECT_THAT(Problems(Manifest({kRung, kBell, kWire, R"(
events { name: "damage" arguments { name: "by" type: TYPE_NUMBER optional: true } }
connections { name: "c" event: "rung" send: "damage" pass { from: "loud" to: "by" } }
)"})),
              IsEmpty());
}

TEST(EventTypesTest, EventsThatNobodySendsOrHearsAreWarnedOf) {
  EXPECT_THAT(Warnings(Manifest({kRung, kBell, kWire})), IsEmpty());
  EXPECT_THAT(Warnings(Manifest({kRung, kBell})),
              ElementsAre(HasSubstr("events[0].name: nobody hears of 'rung'")));
  EXPECT_THAT(
      Warnings(Manifest(
          {kRung, "types { name: \"t\" interests { event: \"rung\" } }"})),
      ElementsAre(HasSubstr("events[0].name: nobody sends 'rung'")));
  EXPECT_THAT(Warnings(Manifest({kRung})),
              ElementsAre(HasSubstr(
                  "events[0].name: nobody sends or hears of 'rung'")));
}

TEST(EventTypesTest, DeclaredEventsAreDescribed) {
  const auto world = WorldOf(Manifest({kRung, kBell, kWire}));
  const std::vector<EventDescription>& events = world->description().events;
  const auto rung = std::ranges::find(events, "rung", &EventDescription::name);
  ASSERT_NE(rung, events.end());
  EXPECT_EQ(rung->when, "the bell rings");
  EXPECT_THAT(rung->arguments,
              ElementsAre(EventArgumentDescription{
                  .name = "loud", .type = ScalarType::kDouble, .unit = "dB"}));
}

}  // namespace
}  // namespace reprise::sim
