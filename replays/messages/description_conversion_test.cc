// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a message says all that a simulation says of its game: of a small
// simulation everything, and of a pack each type of property and argument.

#include "replays/messages/description_conversion.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// The message of that name in a repeated field.
template <typename Messages>
auto Named(const Messages& messages, std::string_view name) {
  const auto found = std::ranges::find_if(
      messages, [&](const auto& message) { return message.name() == name; });
  EXPECT_NE(found, messages.end()) << name;
  return *found;
}

v1::GameDescription DescribePack(const std::string& manifest) {
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(sim::kPackManifestPath),
                       "name: \"test\"\n" + manifest)
                  .ok());
  const auto world = sim::CreateWorld(pack, /*seed=*/1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? DescriptionOf(**world) : v1::GameDescription();
}

v1::PropertyDescription DescribeProperty(const std::string& property) {
  const v1::ComponentDescription tag =
      Named(DescribePack("components { name: \"tag\" properties { " + property +
                         " } }\n")
                .components(),
            "tag");
  return tag.properties(0);
}

TEST(DescriptionConversionTest, InfoAndInputsAreSaid) {
  const v1::GameDescription tiny = DescriptionOf(*MakeTiny());
  EXPECT_EQ(tiny.pack(), "tiny");
  EXPECT_THAT(tiny.pack_digest(), SizeIs(64));
  EXPECT_EQ(tiny.tick_rate(), 60u);
  EXPECT_EQ(tiny.players().count(), 1u);
  EXPECT_EQ(Named(tiny.players().actions(), "steer").axis(), 0u);
  const v1::Action teleport = Named(tiny.players().actions(), "teleport");
  ASSERT_THAT(teleport.command().arguments(), SizeIs(1));
  EXPECT_EQ(teleport.command().arguments(0).maximum(), 1000);
}

TEST(DescriptionConversionTest, PlayersAreSaidAsThePackDeclaresThem) {
  const std::string players = R"(
    count: 2
    commands_per_tick_max: 3
    actions { name: "jump" button: 5 }
    actions { name: "steer" axis: 1 }
    actions { name: "run" key: KEY_A }
    actions { name: "fire" mouse_button: 2 }
    actions { name: "aim" pointer {} }
    actions { name: "look" mouse_motion {} }
    actions { name: "zoom" wheel {} }
    actions { name: "tap" touch { touches_max: 2 } }
    actions { name: "tilt" motion_sensor {} }
    actions { name: "say" text { bytes_max: 20 } }
    actions {
      name: "build"
      command {
        arguments { name: "level" minimum: -1 maximum: 4 type: TYPE_INTEGER }
        arguments { name: "at" type: TYPE_VECTOR2 number_minimum: -5 number_maximum: 5 }
        arguments { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "angry" }
        arguments { name: "note" type: TYPE_TEXT bytes_max: 9 }
        arguments { name: "who" type: TYPE_REFERENCE list_max: 1 }
      }
    }
  )";
  v1::Players declared;
  ASSERT_TRUE(
      google::protobuf::TextFormat::ParseFromString(players, &declared));

  const v1::Players said =
      DescribePack("players {" + players + "}\n").players();

  EXPECT_EQ(said.DebugString(), declared.DebugString());
}

TEST(DescriptionConversionTest, TypesEventsAndLegendsAreSaid) {
  const v1::GameDescription tiny = DescriptionOf(*MakeTiny());
  ASSERT_THAT(tiny.types(), SizeIs(1));
  EXPECT_EQ(tiny.types(0).objects_max(), 2u);
  const v1::EventDescription goal = Named(tiny.events(), "goal_reached");
  EXPECT_EQ(goal.sender(), "the runner");
  ASSERT_THAT(goal.arguments(), SizeIs(1));
  EXPECT_EQ(goal.arguments(0).type(),
            v1::EventArgumentDescription::TYPE_INTEGER);
  ASSERT_THAT(tiny.legends(), SizeIs(1));
  EXPECT_EQ(tiny.legends(0).table(), "game");
  EXPECT_EQ(tiny.legends(0).entries(1).name(), "won");
}

TEST(DescriptionConversionTest, NumbersHaveBoundsAndUnits) {
  const v1::PropertyDescription speed = DescribeProperty(
      "name: \"speed\" type: TYPE_NUMBER unit: \"m/s\" maximum: 5 "
      "default { number: 1.5 } help: \"how fast\"");
  EXPECT_EQ(speed.type(), v1::Property::TYPE_NUMBER);
  EXPECT_EQ(speed.unit(), "m/s");
  EXPECT_EQ(speed.help(), "how fast");
  EXPECT_FALSE(speed.has_minimum());
  EXPECT_EQ(speed.maximum(), 5.0);
  ASSERT_THAT(speed.default_scalars(), SizeIs(1));
  EXPECT_EQ(speed.default_scalars(0).double_value(), 1.5);
}

TEST(DescriptionConversionTest, HowRunsAreDecidedIsSaid) {
  const v1::GameDescription game = DescribePack(R"(
objectives {
  name: "quest"
  condition { elapsed_s: 1 }
  deadline_s: 5
  decides: DECISION_WON
  failure_decides: DECISION_LOST
}
)");
  ASSERT_THAT(game.outcome_rules(), SizeIs(2));
  const v1::OutcomeRule& failed = game.outcome_rules(0);
  EXPECT_EQ(failed.when(), "the objective quest has failed");
  EXPECT_EQ(failed.outcome(), v1::RunEnd::OUTCOME_LOST);
  EXPECT_EQ(failed.reason(), "quest");
  EXPECT_EQ(game.outcome_rules(1).when(), "the objective quest is complete");
  EXPECT_EQ(game.outcome_rules(1).outcome(), v1::RunEnd::OUTCOME_WON);
}

TEST(DescriptionConversionTest, WhatPlayersSeeAndWhoPlaysForThemIsSaid) {
  const v1::GameDescription game = DescribePack(R"(
players { count: 1 sees { type: "crate" place_only: true } hears: "ring" }
events { name: "ring" }
types { name: "crate" }
bots { name: "any" help: "Plays." native: "random" every_ticks: 6 reserve: true }
)");
  EXPECT_EQ(game.simulation(), "world");
  EXPECT_EQ(game.players().sees(0).type(), "crate");
  EXPECT_TRUE(game.players().sees(0).place_only());
  EXPECT_THAT(game.players().hears(), ElementsAre("ring"));
  ASSERT_THAT(game.bots(), SizeIs(1));
  EXPECT_EQ(game.bots(0).help(), "Plays.");
  EXPECT_TRUE(game.bots(0).is_reserve());
  EXPECT_EQ(game.bots(0).every_ticks(), 6u);
}

TEST(DescriptionConversionTest, NamesTakeThePlaceOfIds) {
  const v1::PropertyDescription mood = DescribeProperty(
      "name: \"mood\" type: TYPE_CHOICE choices: \"calm\" choices: \"angry\" "
      "default { text: \"angry\" }");
  EXPECT_THAT(mood.choices(), ElementsAre("calm", "angry"));
  EXPECT_EQ(mood.default_scalars(0).name_value(), "angry");
  const v1::PropertyDescription friend_of =
      DescribeProperty("name: \"friend\" type: TYPE_REFERENCE");
  EXPECT_EQ(friend_of.type(), v1::Property::TYPE_REFERENCE);
  EXPECT_EQ(friend_of.default_scalars(0).name_value(), "none");
}

TEST(DescriptionConversionTest, ListsHaveTheValuesTheyBeginWith) {
  const v1::PropertyDescription route = DescribeProperty(
      "name: \"route\" type: TYPE_INTEGER list_max: 8 "
      "default { list { values { integer: 3 } values { integer: -4 } } }");
  EXPECT_EQ(route.list_max(), 8u);
  ASSERT_THAT(route.default_scalars(), SizeIs(2));
  EXPECT_EQ(route.default_scalars(1).int_value(), -4);
}

TEST(DescriptionConversionTest, ArgumentsOfOtherEventsHaveNoTypeOfTheirOwn) {
  const v1::EventDescription bell =
      Named(DescribePack("connections { name: \"c\" event: \"game_on\" "
                         "send: \"bell\" pass { from: \"loud\" } }\n")
                .events(),
            "bell");
  ASSERT_THAT(bell.arguments(), SizeIs(1));
  EXPECT_EQ(bell.arguments(0).type(),
            v1::EventArgumentDescription::TYPE_UNSPECIFIED);
  EXPECT_TRUE(bell.arguments(0).is_optional());
}

}  // namespace
}  // namespace reprise::replays
