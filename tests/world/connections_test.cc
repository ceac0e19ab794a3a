// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves in whole worlds whose events connections follow, under which
// conditions, whom they reach and with which arguments: from the text of a pack
// to the account of the run.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "gtest/gtest.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// Guards and their captain beat a drum each at a tick of its own; a cat does so
// in vain.
constexpr std::string_view kPack = R"(
events { name: "beat" }
events { name: "heard" arguments { name: "loud" type: TYPE_NUMBER } arguments { name: "of" type: TYPE_REFERENCE optional: true } arguments { name: "tune" type: TYPE_NAME optional: true } }
players { actions { name: "call" command {
  arguments { name: "volume" minimum: 0 maximum: 9 }
  arguments { name: "whom" type: TYPE_REFERENCE } } } commands_per_tick_max: 2 }
components { name: "health"
  properties { name: "points" type: TYPE_INTEGER default { integer: 50 } }
  properties { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "angry" }
  properties { name: "home" type: TYPE_VECTOR2 }
  properties { name: "chief" type: TYPE_REFERENCE } }
types { name: "guard" components { component: "health" } timers { name: "t" event: "beat" delay_s: 0.1 } }
types { name: "captain" extends: "guard" timers { name: "t" event: "beat" delay_s: 0.2 } }
types { name: "cat" timers { name: "t" event: "beat" delay_s: 0.3 } }
types { name: "drum" }
chunk_plan { chunks { name: "cellar" active_at_start: true always_wanted: true } chunks { name: "attic" } }
objects { name: "ada" type: "guard" set { property: "health.points" to: "5" } set { property: "health.home" to: "3 -4" } set { property: "health.chief" to: "eve" } }
objects { name: "bob" type: "guard" set { property: "health.mood" to: "angry" } }
objects { name: "eve" type: "captain" }
objects { name: "cat" type: "cat" }
objects { name: "drum" type: "drum" }
objects { name: "rat" type: "guard" chunk: "cellar" }
objects { name: "bat" type: "guard" chunk: "attic" }
)";

// Who gets `heard` in which tick, a line each, in half a second in which player
// 0 calls eve at tick 20 and nobody at tick 25.
std::string StoryOf(std::string_view connection) {
  const auto world = WorldOf(Manifest(
      {kPack, fmt::format("connections {{ name: \"c\" send: \"heard\" {} }}\n",
                          connection)}));
  std::string story;
  for (int tick = 0; world != nullptr && tick < 30; ++tick) {
    std::vector<InputFrame> frames;
    if (tick == 20 || tick == 25) {
      const bool is_first = tick == 20;
      frames.push_back(
          {.player = 0,
           .commands = {{.name = IdOf("call"),
                         .arguments = {is_first ? 7 : 2,
                                       is_first ? "eve" : "nobody"}}}});
    }
    world->Step(frames, nullptr);
    for (const Event& event : EventsOf(*world, "heard")) {
      story += fmt::format(
          "{} {}", event.tick,
          event.object == kNoObject ? "all" : world->ObjectName(event.object));
      std::set<std::string> arguments;
      for (const EventArgument& argument : event.arguments) {
        if (argument.name == IdOf("sender")) continue;
        arguments.insert(
            fmt::format(" {}={}", world->IdName(argument.name),
                        FormatFieldValue(argument.value, NamesOf(*world))));
      }
      story += fmt::format("{}\n", fmt::join(arguments, ""));
    }
  }
  return story;
}

constexpr std::string_view kLoud = " with { argument: \"loud\" to: \"0.5\" } ";

std::string TargetsOf(std::string_view event, std::string_view rest) {
  std::string story =
      StoryOf(fmt::format("event: \"{}\" {} {}", event, rest, kLoud));
  for (size_t at; (at = story.find(" loud=0.5")) != story.npos;) {
    story.erase(at, std::string_view(" loud=0.5").size());
  }
  return story;
}

TEST(ConnectionsTest, ATypeIsWhoeverIsOfItOrExtendsIt) {
  EXPECT_EQ(TargetsOf("beat", "source_type: \"guard\" target: \"drum\""),
            "6 drum\n6 drum\n6 drum\n12 drum\n");
  EXPECT_EQ(TargetsOf("beat", "source_type: \"captain\" target: \"drum\""),
            "12 drum\n");
  EXPECT_EQ(TargetsOf("beat", "target: \"drum\""),
            "6 drum\n6 drum\n6 drum\n12 drum\n18 drum\n");
}

// Each puts a digit behind those that were there. Their own names would have
// them the other way round, and so would the manifest. Among those of one kind
// the hashes of their names decide.
TEST(ConnectionsTest, AnybodysComeFirstThenThoseOfTypeNameAndObject) {
  const auto digit = [](std::string_view name, std::string_view source,
                        int number) {
    return fmt::format(
        "connections {{ name: \"{}\" {} event: \"beat\" then {{ set {{ "
        "object: \"bob\" property: \"health.points\" to: "
        "\"bob.health.points * 10 + {}\" }} }} }}\n",
        name, source, number);
  };
  const auto world = WorldOf(Manifest(
      {kPack,
       "types { name: \"major\" timers { name: \"t\" event: \"beat\" delay_s: "
       "0.2 } }\nobjects { name: \"zoe\" type: \"major\" }\n",
       digit("a2", "source: \"zoe\"", 8), digit("a1", "source: \"zoe\"", 7),
       digit("b2", "source_spawned: \"zoe\"", 6),
       digit("b1", "source_spawned: \"zoe\"", 5),
       digit("c2", "source_type: \"major\"", 4),
       digit("c1", "source_type: \"major\"", 3),
       digit("d2", "if: \"sender.type == 'major'\"", 2),
       digit("d1", "if: \"sender.type == 'major'\"", 1)}));
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 20);
  // Behind the 50 that he begins with.
  EXPECT_EQ(ValueOf(*world, "components", "health", "bob", "points"),
            FieldValue::OfInt64(5021435678));
}

TEST(ConnectionsTest, AllOfATypeAreReachedTypesByNameThenObjectsByNumber) {
  EXPECT_EQ(TargetsOf("call", "target_type: \"guard\""),
            "20 eve\n20 ada\n20 bob\n20 rat\n25 eve\n25 ada\n25 bob\n25 rat\n");
}

TEST(ConnectionsTest, ObjectsOfChunksAreFoundWhileTheyAreThere) {
  EXPECT_EQ(TargetsOf("call", "target: \"rat\""), "20 rat\n25 rat\n");
  EXPECT_EQ(TargetsOf("call", "target: \"bat\""), "");
  EXPECT_EQ(TargetsOf("beat", "source: \"rat\" target: \"drum\""), "6 drum\n");
}

TEST(ConnectionsTest, WhoTakesPartInTheEventIsReached) {
  EXPECT_EQ(TargetsOf("beat", "source: \"bob\" target_participant: \"sender\""),
            "6 bob\n");
  EXPECT_EQ(TargetsOf("beat", "source: \"ada\" target_participant: \"target\""),
            "6 ada\n");
  // The name that nobody has is nobody: nothing is sent.
  EXPECT_EQ(TargetsOf("call", "target_participant: \"whom\""), "20 eve\n");
  // A command has neither a sender nor a target.
  EXPECT_EQ(TargetsOf("call", "target_participant: \"sender\""), "");
}

TEST(ConnectionsTest, ConditionsAskArgumentsAndWhoTakesPart) {
  const auto calls = [](std::string_view condition) {
    return TargetsOf("call",
                     fmt::format("target: \"drum\" if: \"{}\"", condition));
  };
  constexpr std::string_view kFirst = "20 drum\n";
  constexpr std::string_view kSecond = "25 drum\n";
  constexpr std::string_view kBoth = "20 drum\n25 drum\n";
  EXPECT_EQ(calls("volume > 5 and player == 0"), kFirst);
  EXPECT_EQ(calls("volume * 2 <= 4"), kSecond);
  EXPECT_EQ(calls("whom == 'eve'"), kFirst);
  EXPECT_EQ(calls("whom.type == 'captain'"), kFirst);
  EXPECT_EQ(calls("whom.health.points == 50"), kFirst);
  EXPECT_EQ(calls("ada.health.points == 5 and ada.health.home.y == -4"), kBoth);
  EXPECT_EQ(calls("bob.health.mood == 'angry'"), kBoth);
  EXPECT_EQ(calls("ada.health.chief == 'eve'"), kBoth);
  EXPECT_EQ(calls("rat.type == 'guard'"), kBoth);
  EXPECT_EQ(calls("ada.health.points < min(volume, 6)"), kFirst);
}

// What isn't there is unknown, and neither it nor its opposite holds.
TEST(ConnectionsTest, UnknownConditionsDoNotHold) {
  const auto calls = [](std::string_view condition) {
    return TargetsOf("call",
                     fmt::format("target: \"drum\" if: \"{}\"", condition));
  };
  EXPECT_EQ(calls("sender == 'ada'"), "");
  EXPECT_EQ(calls("sender != 'ada'"), "");
  EXPECT_EQ(calls("whom != 'ada'"), "20 drum\n");
  EXPECT_EQ(calls("bat.health.points > 0"), "");
  EXPECT_EQ(calls("drum.health.points > 0"), "");
  EXPECT_EQ(calls("1 / (volume - 7) < 0"), "25 drum\n");
}

TEST(ConnectionsTest, ConstantsAndArgumentsArePassed) {
  EXPECT_EQ(StoryOf("event: \"call\" target: \"drum\" pass { from: \"volume\" "
                    "to: \"loud\" } pass { from: \"whom\" to: \"of\" } with { "
                    "argument: \"tune\" to: \"march\" }"),
            "20 drum loud=7 of=eve tune=march\n"
            "25 drum loud=2 of=none tune=march\n");
  EXPECT_EQ(StoryOf("event: \"call\" if: \"volume == 7\" target: \"drum\" "
                    "with { argument: \"loud\" to: \"-2\" } with { argument: "
                    "\"of\" to: \"bob\" }"),
            "20 drum loud=-2 of=bob\n");
}

// A battery of connections goes on the same from a snapshot.
TEST(ConnectionsTest, ARestoredWorldFollowsThemAllTheSame) {
  const std::string manifest = Manifest({kPack, R"(
connections { name: "a" event: "beat" source_type: "guard" target_type: "drum" send: "heard" delay_s: 0.15 with { argument: "loud" to: "1" } }
connections { name: "b" event: "heard" if: "sender.health.points < 10" target_participant: "sender" send: "destroy" delay_s: 0.1 }
)"});
  const auto world = WorldOf(manifest);
  StepTimes(*world, 10);
  const auto other = WorldOf(manifest);
  ASSERT_TRUE(other->Restore(world->state()).ok());
  for (int tick = 0; tick < 20; ++tick) {
    StepTimes(*world, 1);
    StepTimes(*other, 1);
    ASSERT_EQ(world->state().ComputeRootDigest(),
              other->state().ComputeRootDigest());
  }
  EXPECT_FALSE(ValueOf(*world, "components", "health", "ada", "points"));
  EXPECT_TRUE(ValueOf(*world, "components", "health", "bob", "points"));
}

}  // namespace
}  // namespace reprise::sim
