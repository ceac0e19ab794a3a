// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves how a description is read: what a word selects, and how each kind of
// thing is said, for people and for programs.

#include "tools/reprise/reports/described_game.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

DescribedGame MakeGame() {
  DescribedGame game;
  game.inputs = {
      .player_count = 2,
      .commands_per_tick_max = 1,
      .actions = {
          {.name = "ring",
           .id = sim::IdOf("ring"),
           .kind = sim::Action::Kind::kCommand,
           .device_index = 0,
           .arguments = {{.name = "shift", .minimum = 1, .maximum = 2}}},
          {.name = "jump",
           .id = sim::IdOf("jump"),
           .kind = sim::Action::Kind::kButton,
           .device_index = 3,
           .arguments = {}}}};
  game.description.types = {{.name = "brick",
                             .extends = "toy",
                             .components = {"tag"},
                             .behaviours = {"spawn"},
                             .archetypes = {"red_brick"},
                             .objects_max = 60}};
  game.description.components = {
      {.name = "tag",
       .help = "says where it comes from",
       .properties = {
           {.name = "speed",
            .type = sim::PropertyType::kDouble,
            .unit = "m/s",
            .default_value = {sim::FieldValue::OfDouble(1.5)},
            .minimum = 0.0,
            .maximum = 10.0,
            .choices = {},
            .help = "how fast it goes"},
           {.name = "colour",
            .type = sim::PropertyType::kEnum,
            .unit = "",
            .default_value = {sim::FieldValue::OfId(sim::IdOf("red"))},
            .minimum = std::nullopt,
            .maximum = std::nullopt,
            .choices = {"red", "green"},
            .help = ""},
           {.name = "notes",
            .type = sim::PropertyType::kText,
            .unit = "",
            .list_max = 4,
            .default_value = {},
            .minimum = std::nullopt,
            .maximum = std::nullopt,
            .choices = {},
            .help = ""}}}};
  game.description.behaviours = {
      {.name = "hover",
       .help = "stays above the ground",
       .parameters = {{.name = "height",
                       .type = sim::PropertyType::kDouble,
                       .unit = "m",
                       .default_value = {sim::FieldValue::OfDouble(2.0)},
                       .minimum = 0.0,
                       .maximum = std::nullopt,
                       .choices = {},
                       .help = "above the ground"}}}};
  game.description.events = {
      {.name = "ring",
       .sender = "a player",
       .receiver = "all with interest",
       .when = "a player gives the command",
       .arguments = {
           {.name = "impulse", .type = sim::ScalarType::kDouble, .unit = "N s"},
           {.name = "shift",
            .type = std::nullopt,
            .unit = "",
            .is_optional = true}}}};
  game.description.legends = {{.room = "world",
                               .table = "objects",
                               .field = "status",
                               .entries = {{.value = 2, .name = "dormant"}}},
                              {.room = "input",
                               .table = "devices",
                               .field = "buttons",
                               .is_mask = true,
                               .entries = {{.value = 3, .name = "jump"}}}};
  game.names = {.object_name = [](sim::ObjectId) { return "none"; },
                .id_name = [](sim::Id) { return "red"; },
                .handle_name = [](sim::Handle) { return "none"; }};
  return game;
}

TEST(SelectNamedTest, NameOfSeveralKindsSelectsEach) {
  const DescribedGame ring = SelectNamed(MakeGame(), "ring");
  EXPECT_THAT(ring.inputs.actions, SizeIs(1));
  EXPECT_THAT(ring.description.events, SizeIs(1));
  EXPECT_THAT(ring.description.types, IsEmpty());
  EXPECT_FALSE(ring.empty());
}

TEST(SelectNamedTest, ComponentComesWithAllItsProperties) {
  const DescribedGame tag = SelectNamed(MakeGame(), "tag");
  ASSERT_THAT(tag.description.components, SizeIs(1));
  EXPECT_THAT(tag.description.components[0].properties, SizeIs(3));
}

TEST(SelectNamedTest, PropertyComesAloneByEitherName) {
  for (const char* const word : {"colour", "tag.colour"}) {
    const DescribedGame colour = SelectNamed(MakeGame(), word);
    ASSERT_THAT(colour.description.components, SizeIs(1)) << word;
    ASSERT_THAT(colour.description.components[0].properties, SizeIs(1));
    EXPECT_EQ(colour.description.components[0].properties[0].name, "colour");
  }
}

TEST(SelectNamedTest, BehaviourAndItsParametersAreFoundByTheirNames) {
  for (const char* const word : {"hover", "height", "hover.height"}) {
    const DescribedGame hover = SelectNamed(MakeGame(), word);
    ASSERT_THAT(hover.description.behaviours, SizeIs(1)) << word;
    EXPECT_THAT(hover.description.behaviours[0].parameters, SizeIs(1));
    EXPECT_FALSE(hover.empty());
  }
}

TEST(DescribedGameToJsonTest, BehavioursHaveTheirParameters) {
  const Json json = DescribedGameToJson(SelectNamed(MakeGame(), "hover"));
  ASSERT_EQ(json["behaviours"].size(), 1u);
  EXPECT_EQ(json["behaviours"][0]["parameters"][0]["default"][0], 2.0);
}

TEST(SelectNamedTest, LegendsAreFoundByAnyEndOfTheirPlace) {
  for (const char* const word :
       {"status", "objects.status", "world.objects.status"}) {
    EXPECT_THAT(SelectNamed(MakeGame(), word).description.legends, SizeIs(1))
        << word;
  }
  EXPECT_TRUE(SelectNamed(MakeGame(), "tatus").empty());
}

TEST(SelectNamedTest, ArchetypeSelectsItsType) {
  EXPECT_THAT(SelectNamed(MakeGame(), "red_brick").description.types,
              SizeIs(1));
}

TEST(SelectNamedTest, WhatSelectsSomethingIsAmongTheNames) {
  const DescribedGame game = MakeGame();
  for (const std::string& name : NamesIn(game)) {
    EXPECT_FALSE(SelectNamed(game, name).empty()) << name;
  }
  EXPECT_THAT(NamesIn(game), Contains("tag.colour"));
}

TEST(FormatDescribedGameTest, EachKindIsSaidInItsWay) {
  EXPECT_EQ(FormatDescribedGame(MakeGame()), R"(actions
  ring                    command: shift integer 1 to 2
  jump                    button 3
types
  brick                   at most 60; extends toy; components tag; behaviours
                          spawn; archetypes red_brick
components
  tag                     says where it comes from
    speed                 number [m/s] 0 to 10; at first 1.5; how fast it goes
    colour                choice of red, green; at first red
    notes                 list of up to 4 of text; at first empty
behaviours
  hover                   stays above the ground
    height                number [m] from 0; at first 2; above the ground
events
  ring                    a player -> all with interest
                          a player gives the command
                          with impulse (number [N s]), shift (as given, or none)
legends
  world.objects.status    2 dormant
  input.devices.buttons   bit 3 jump
)");
}

TEST(FormatDescribedGameTest, ActionsSayWhatTheyTake) {
  DescribedGame game;
  game.inputs.actions = {{.name = "say",
                          .id = sim::IdOf("say"),
                          .kind = sim::Action::Kind::kText,
                          .maximum = 20},
                         {.name = "look",
                          .id = sim::IdOf("look"),
                          .kind = sim::Action::Kind::kMouseMotion},
                         {.name = "build",
                          .id = sim::IdOf("build"),
                          .kind = sim::Action::Kind::kCommand,
                          .arguments = {{.name = "at",
                                         .type = sim::PropertyType::kVector2,
                                         .number_minimum = -5.0,
                                         .number_maximum = 5.0,
                                         .capacity = 3},
                                        {.name = "mood",
                                         .type = sim::PropertyType::kEnum,
                                         .choices = {"calm", "angry"}},
                                        {.name = "note",
                                         .type = sim::PropertyType::kText,
                                         .bytes_max = 9}}}};
  EXPECT_EQ(FormatDescribedGame(game), R"(actions
  say                     text of up to 20 bytes a tick
  look                    mouse_motion
  build                   command: at vector2 -5 to 5, list of up to 3; mood
                          choice of calm, angry; note text of up to 9 bytes
)");
}

TEST(FormatDescribedGameTest, KindsOfWhichThereAreNoneAreLeftOut) {
  EXPECT_THAT(FormatDescribedGame(SelectNamed(MakeGame(), "status")),
              StartsWith("legends\n"));
}

TEST(FormatDescribedGameTest, HowRunsAreDecidedIsSaid) {
  const DescribedGame game = {
      .description = {.outcome_rules = {{.is_won = false,
                                         .when = "the objective x has failed",
                                         .reason = "x"}}},
      .inputs = {},
      .names = {}};
  EXPECT_EQ(FormatDescribedGame(game),
            "outcomes\n  lost                    the objective x has failed\n");
  const Json json = DescribedGameToJson(game);
  EXPECT_EQ(json["outcome_rules"][0]["outcome"], "lost");
  EXPECT_EQ(json["outcome_rules"][0]["reason"], "x");
}

TEST(DescribedGameToJsonTest, ValuesHaveTheirTypes) {
  const Json json = DescribedGameToJson(MakeGame());
  EXPECT_EQ(json["player_count"], 2);
  EXPECT_EQ(json["actions"][0]["arguments"][0]["maximum"], "2");
  const Json& properties = json["components"][0]["properties"];
  EXPECT_EQ(properties[0]["default"], Json::array({1.5}));
  EXPECT_EQ(properties[0]["maximum"], 10.0);
  EXPECT_EQ(properties[1]["minimum"], nullptr);
  EXPECT_EQ(properties[1]["default"], Json::array({"red"}));
  EXPECT_EQ(json["events"][0]["arguments"][0]["type"], "number");
  EXPECT_EQ(json["events"][0]["arguments"][1]["type"], nullptr);
  EXPECT_EQ(json["legends"][1]["entries"][0]["value"], "3");
}

}  // namespace
}  // namespace reprise::tools
