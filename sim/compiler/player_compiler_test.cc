// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what actions of each kind compile to, and that what they can't be
// bound to, and commands that no event can carry, are refused with their place.

#include "sim/compiler/player_compiler.h"

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string Players(const std::string& actions) {
  return Manifest({fmt::format("players {{ {} }}\n", actions)});
}

std::string Command(const std::string& arguments) {
  return Players(
      fmt::format("actions {{ name: \"go\" command {{ {} }} }}", arguments));
}

// Pairs of an action, or of the arguments of a command, and the one problem of
// it.
using Cases = std::vector<std::pair<std::string, std::string>>;

TEST(PlayerCompilerTest, ActionsOfEachKindAreBound) {
  const auto world = WorldOf(Players(
      "actions { name: \"a\" button: 63 } actions { name: \"b\" axis: 7 } "
      "actions { name: \"c\" key: KEY_SPACE } actions { name: \"d\" key: 231 } "
      "actions { name: \"e\" mouse_button: 31 } actions { name: \"f\" pointer "
      "{} } actions { name: \"g\" mouse_motion {} } actions { name: \"h\" "
      "wheel {} } actions { name: \"i\" touch {} } actions { name: \"j\" touch "
      "{ touches_max: 16 } } actions { name: \"k\" motion_sensor {} } actions "
      "{ name: \"l\" text {} } actions { name: \"m\" text { bytes_max: 256 } "
      "}"));
  using Kind = Action::Kind;
  std::vector<std::tuple<Kind, uint32_t, uint32_t>> actions;
  for (const Action& action : world->info().inputs.actions) {
    actions.emplace_back(action.kind, action.device_index, action.maximum);
  }
  EXPECT_THAT(
      actions,
      ElementsAre(
          std::tuple(Kind::kButton, 63, 0), std::tuple(Kind::kAxis, 7, 0),
          std::tuple(Kind::kKey, 44, 0), std::tuple(Kind::kKey, 231, 0),
          std::tuple(Kind::kMouseButton, 31, 0),
          std::tuple(Kind::kPointer, 0, 0),
          std::tuple(Kind::kMouseMotion, 0, 0), std::tuple(Kind::kWheel, 0, 0),
          std::tuple(Kind::kTouch, 0, 10), std::tuple(Kind::kTouch, 0, 16),
          std::tuple(Kind::kMotionSensor, 0, 0), std::tuple(Kind::kText, 0, 64),
          std::tuple(Kind::kText, 0, 256)));
}

TEST(PlayerCompilerTest, WhatIsOutOfRangeIsRefused) {
  for (const auto& [binding, problem] :
       Cases{{"button: 64", ".button: 64 is not in 0..63"},
             {"axis: 8", ".axis: 8 is not in 0..7"},
             {"key: 3", ".key: 3 is not in 4..231"},
             {"key: 232", ".key: 232 is not in 4..231"},
             {"key: KEY_UNSPECIFIED", ".key: 0 is not in 4..231"},
             {"mouse_button: 32", ".mouse_button: 32 is not in 0..31"},
             {"touch { touches_max: 17 }", ".touches_max: 17 is not in 1..16"},
             {"text { bytes_max: 257 }", ".bytes_max: 257 is not in 1..256"},
             {"", ".name: the action is bound to nothing"}}) {
    EXPECT_THAT(
        Problems(Players(fmt::format("actions {{ name: \"a\" {} }}", binding))),
        ElementsAre(HasSubstr("players.actions[0]")));
    EXPECT_THAT(
        Problems(Players(fmt::format("actions {{ name: \"a\" {} }}", binding))),
        ElementsAre(HasSubstr(problem)));
  }
}

// A bot for each of them would take all memory before that is told.
TEST(PlayerCompilerTest, TooManyPlayersAreRefusedWhateverIsForEach) {
  EXPECT_THAT(Problems(Manifest({"players { count: 4000000000 }\n",
                                 "bots { name: \"b\" file: \"b.lua\" }\n"})),
              Contains(HasSubstr("players.count: 4000000000 is not in 1..64")));
}

TEST(PlayerCompilerTest, ArgumentIsAWholeNumberUnlessItSaysAnotherType) {
  const auto world = WorldOf(Command(
      "arguments { name: \"a\" minimum: -2 maximum: 3 } arguments { name: "
      "\"b\" type: TYPE_NUMBER number_minimum: -0.5 number_maximum: 0.5 } "
      "arguments { name: \"c\" type: TYPE_CHOICE choices: \"x\" choices: \"y\" "
      "} arguments { name: \"d\" type: TYPE_TEXT }"));
  const std::vector<ActionArgument>& arguments =
      world->info().inputs.actions[0].arguments;
  EXPECT_EQ(arguments[0].type, PropertyType::kInt);
  EXPECT_EQ(arguments[0].minimum, -2);
  EXPECT_EQ(arguments[0].maximum, 3);
  EXPECT_EQ(arguments[1].number_minimum, -0.5);
  EXPECT_EQ(arguments[1].number_maximum, 0.5);
  EXPECT_THAT(arguments[2].choices, ElementsAre("x", "y"));
  EXPECT_EQ(arguments[3].bytes_max, 64u);
}

TEST(PlayerCompilerTest, WhatAnArgumentCannotBeIsRefused) {
  for (const auto& [argument, problem] : Cases{
           {"minimum: 1", ".maximum: 0 is below the minimum, 1"},
           {"type: TYPE_NUMBER number_minimum: 1", ".number_maximum: 0 is not"},
           {"type: TYPE_NUMBER maximum: 1",
            ".maximum: an argument of the type number has none"},
           {"type: TYPE_NUMBER number_maximum: inf", ".number_maximum: inf is"},
           {"type: TYPE_ROTATION number_maximum: 1e10", ".number_maximum: 1"},
           {"number_maximum: 1",
            ".number_maximum: an argument of the type integer has none"},
           {"type: TYPE_CHOICE", ".choices: required for a TYPE_CHOICE"},
           {"type: TYPE_CHOICE choices: \"a\" choices: \"a\"",
            ".choices: 'a' stands there twice"},
           {"type: TYPE_NAME choices: \"a\"",
            ".choices: an argument of the type name has none"},
           {"type: TYPE_TEXT bytes_max: 257", ".bytes_max: 257 is not in"},
           {"type: TYPE_NAME bytes_max: 7",
            ".bytes_max: an argument of the type name has none"},
           {"type: 99", ".type: there is no such type"}}) {
    EXPECT_THAT(Problems(Command(
                    fmt::format("arguments {{ name: \"a\" {} }}", argument))),
                ElementsAre(HasSubstr(problem)));
  }
}

TEST(PlayerCompilerTest, WhatNoEventCarriesIsRefused) {
  const std::string vector =
      "arguments { name: \"at\" type: TYPE_VECTOR3 number_maximum: 1 } ";
  const std::string turn =
      "arguments { name: \"turn\" type: TYPE_ROTATION number_maximum: 1 } ";
  EXPECT_THAT(Problems(Command(vector + turn)), ElementsAre());
  for (const auto& [arguments, problem] : Cases{
           {vector + turn + "arguments { name: \"one\" }",
            "arguments[2].type: it takes 1 arguments of the command's event, "
            "which has room for 0 more of 7"},
           {turn + "arguments { name: \"a\" type: TYPE_TEXT list_max: 3 }",
            "arguments[1].type: it takes 4 arguments"},
           {"arguments { name: \"a\" list_max: 4000000000 }",
            "arguments[0].type: it takes 9 arguments"},
           {vector + "arguments { name: \"at_x\" }",
            "arguments[1].name: the command's event has two arguments 'at_x'"},
           {"arguments { name: \"player\" }",
            "arguments[0].name: the command's event has two arguments "
            "'player'"},
           {vector + vector,
            "arguments[1].name: the command has two arguments 'at'"}}) {
    EXPECT_THAT(Problems(Command(arguments)), ElementsAre(HasSubstr(problem)));
  }
}

TEST(PlayerCompilerTest, KeyIsAButtonAndAnAxisIsNone) {
  const std::string actions =
      "players { actions { name: \"k\" key: KEY_A } actions { name: \"x\" "
      "axis: 0 } actions { name: \"p\" pointer {} } }\n";
  EXPECT_THAT(Problems(Manifest({actions, "clock { action_pause: \"k\" }\n"})),
              ElementsAre());
  for (const char* const name : {"x", "p", "none"}) {
    EXPECT_THAT(
        Problems(Manifest({actions, fmt::format("clock {{ action_pause: "
                                                "\"{}\" }}\n",
                                                name)})),
        ElementsAre(HasSubstr("clock.action_pause: there is no button "
                              "action")));
  }
}

}  // namespace
}  // namespace reprise::sim
