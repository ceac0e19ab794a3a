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
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/testing_packs.h"
#include "sim/game_description.h"
#include "sim/state/field_value.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kRung = R"(
events { name: "rung" description: "the bell rings" arguments { name: "loud" type: TYPE_NUMBER unit: "dB" optional: true } }
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

// What declarations require, whoever sends the event has to give.
TEST(EventTypesTest, MissingArgumentsAreWarnedOf) {
  constexpr std::string_view kTolled = R"(
events { name: "tolled" arguments { name: "loud" type: TYPE_NUMBER } }
types { name: "ear" interests { event: "tolled" } }
objects { name: "ear" type: "ear" }
)";
  const auto warnings = [&](std::string_view part) {
    return Warnings(Manifest(
        {kTolled, part,
         "\nconnections { name: \"right\" event: \"wake\" send: \"tolled\" "
         "with { argument: \"loud\" to: \"1\" } }"}));
  };
  const auto missing = HasSubstr(
      "'tolled' is sent without its argument 'loud', which isn't declared as "
      "optional");
  EXPECT_THAT(
      warnings("connections { name: \"c\" event: \"wake\" send: \"tolled\" }"),
      ElementsAre(AllOf(HasSubstr("connections[0].send: "), missing)));
  EXPECT_THAT(
      warnings("connections { name: \"c\" event: \"wake\" then { send { event: "
               "\"tolled\" object: \"ear\" } } }"),
      ElementsAre(
          AllOf(HasSubstr("connections[0].then[0].send.event: "), missing)));
  EXPECT_THAT(
      warnings(
          "connections { name: \"c\" event: \"wake\" send: \"tolled\" with { "
          "argument: \"loud\" to: \"1\" } then { send { event: \"tolled\" "
          "object: \"ear\" with { argument: \"loud\" to: \"2\" } } } }"),
      IsEmpty());
  // Passed on under its own name.
  EXPECT_THAT(
      warnings("connections { name: \"c\" event: \"tolled\" send: \"tolled\" "
               "delay_s: 1 pass { from: \"loud\" } }"),
      IsEmpty());
  // Timers give their name alone.
  EXPECT_THAT(
      warnings(
          "types { name: \"t\" timers { name: \"n\" event: \"tolled\" } }"),
      ElementsAre(AllOf(HasSubstr("types[1].timers[0].event: "), missing)));
  EXPECT_THAT(
      warnings("connections { name: \"c\" event: \"wake\" then { start_timer { "
               "object: \"ear\" timer { name: \"n\" event: \"tolled\" } } } }"),
      ElementsAre(
          AllOf(HasSubstr("connections[0].then[0].start_timer.timer.event: "),
                missing)));
}

// The problems that the author of a pack sees.
std::vector<std::string> AuthorProblems(const std::string& manifest) {
  PackReport report({.is_author = true});
  CompilePack(PackOf(manifest), 1, report);
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

// Nobody makes up what the world tells of: not by data either.
TEST(EventTypesTest, WhatTheWorldAloneSendsNothingElseSends) {
  constexpr std::string_view kRoom =
      "types { name: \"a\" }\nobjects { name: \"a\" type: \"a\" }\n";
  const auto expect = [&](std::string_view part, std::string_view place) {
    const std::string manifest = Manifest({kRoom, part});
    EXPECT_THAT(AuthorProblems(manifest), ElementsAre(HasSubstr(place)))
        << part;
    // Recordings may have such packs.
    EXPECT_THAT(Problems(manifest), IsEmpty()) << part;
  };
  expect("connections { name: \"c\" event: \"wake\" send: \"script_failed\" }",
         "connections[0].send: 'script_failed' is sent by the world alone");
  expect(
      "connections { name: \"c\" event: \"wake\" then { send { event: "
      "\"object_destroyed\" object: \"a\" } } }",
      "connections[0].then[0].send.event: 'object_destroyed' is sent by the "
      "world alone");
  expect(
      "types { name: \"t\" timers { name: \"n\" event: \"game_won\" delay_s: 1 "
      "} }",
      "types[1].timers[0].event: 'game_won' is sent by the world alone");
  expect(
      "connections { name: \"c\" event: \"wake\" then { start_timer { object: "
      "\"a\" timer { name: \"n\" event: \"game_lost\" delay_s: 1 } } } }",
      "then[0].start_timer.timer.event: 'game_lost' is sent by the world "
      "alone");
  expect(
      "brains { name: \"mind\" root { enter { send { event: \"path_found\" "
      "object: \"self\" } } } } types { name: \"t\" brain: \"mind\" }",
      "brains[0].root.enter[0].send.event: 'path_found' is sent by the world "
      "alone");
  expect(
      "players { commands_per_tick_max: 1 actions { name: \"b\" button: 0 } "
      "actions { name: \"objective_complete\" command { } } }",
      "players.actions[1].name: 'objective_complete' is sent by the world "
      "alone");
  expect("players { actions { name: \"region_entered\" text { } } }",
         "players.actions[0].name: 'region_entered' is sent by the world "
         "alone");
}

// Requests are for packs to send, and an event that a pack declares is its own,
// as scripts have it, too.
TEST(EventTypesTest, RequestsAndEventsOfThePackCanBeSent) {
  EXPECT_THAT(AuthorProblems(Manifest({R"(
events { name: "landed" }
types { name: "a" interests { event: "landed" } timers { name: "t" event: "landed" delay_s: 1 } }
objects { name: "a" type: "a" }
players { commands_per_tick_max: 1 actions { name: "landed" command { } } actions { name: "destroy" command { } } }
connections { name: "c" event: "landed" target: "a" send: "destroy" }
connections { name: "d" event: "destroy" send: "landed" }
)"})),
              IsEmpty());
}

TEST(EventTypesTest, TimesThatRoundToNoneAreReported) {
  const auto expect = [](std::string_view part, std::string_view place) {
    EXPECT_THAT(
        AuthorProblems(Manifest({"tick_rate: 4\n", kRung, kWire, part})),
        ElementsAre(HasSubstr(
            fmt::format("{}: less than half a tick: it would be 0", place))))
        << part;
  };
  const std::string_view bell =
      "types {{ name: \"bell\" timers {{ name: \"n\" event: \"rung\" {} }} }} "
      "objects {{ name: \"bell\" type: \"bell\" }}";
  expect(fmt::format(fmt::runtime(bell), "period_s: 0.1"),
         "types[0].timers[0].period_s");
  // It says one thing, not what follows from it.
  expect(fmt::format(fmt::runtime(bell), "period_s: 0.1 firings: 3"),
         "types[0].timers[0].period_s");
  const std::string room = fmt::format(fmt::runtime(bell), "");
  expect(room +
             " regions { name: \"r\" volume { sphere { radius: 1 } } "
             "stay_period_s: 0.1 }",
         "regions[0].stay_period_s");
  expect(room +
             " types { name: \"ball\" body { motion: MOTION_DYNAMIC "
             "mass_kg: 1 shapes { sphere { radius: 1 } } } contact_events { "
             "stay_period_s: 0.1 } }",
         "types[1].contact_events.stay_period_s");
  expect(room +
             " brains { name: \"mind\" root { choose { every_s: 0.1 options "
             "{ node { wait { } } considerations { of: \"1\" maximum: 10 } } "
             "} } } types { name: \"t\" brain: \"mind\" }",
         "brains[0].root.choose.every_s");
  EXPECT_THAT(AuthorProblems(Manifest(
                  {"tick_rate: 4\n", kRung, kWire,
                   fmt::format(fmt::runtime(bell), "period_s: 0.125")})),
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
              ElementsAre(EventArgumentDescription{.name = "loud",
                                                   .type = ScalarType::kDouble,
                                                   .unit = "dB",
                                                   .is_optional = true}));
}

}  // namespace
}  // namespace reprise::sim
