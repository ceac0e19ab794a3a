// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what connections do by themselves: score, pick-ups, traps and the end
// of a game, without a line of code. Values are what arithmetic says.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
events { name: "beat" }
events { name: "told" arguments { name: "amount" type: TYPE_NUMBER optional: true } }
players { actions { name: "call" command {
  arguments { name: "volume" minimum: -9 maximum: 9 }
  arguments { name: "whom" type: TYPE_REFERENCE } } } commands_per_tick_max: 2 }
components { name: "score"
  properties { name: "points" type: TYPE_INTEGER minimum: -10 maximum: 50 }
  properties { name: "share" type: TYPE_NUMBER }
  properties { name: "is_open" type: TYPE_BOOLEAN }
  properties { name: "mood" type: TYPE_CHOICE choices: "calm" choices: "angry" }
  properties { name: "tune" type: TYPE_NAME default { text: "march" } }
  properties { name: "at" type: TYPE_VECTOR3 default { vector3 { x: 1 y: 2 z: 3 } } }
  properties { name: "friend" type: TYPE_REFERENCE } }
types { name: "box" components { component: "score" } }
types { name: "bare" }
types { name: "coin" timers { name: "t" event: "beat" delay_s: 0.1 } }
objects { name: "ada" type: "box" position { x: 4 } }
objects { name: "bob" type: "box" }
objects { name: "bare" type: "bare" }
)";

// A world in which player 0 has called for ada with a volume of 7.
std::unique_ptr<Simulation> WorldAfter(std::string_view effects,
                                       std::string_view rest = "") {
  auto world = WorldOf(Manifest(
      {kPack, rest,
       fmt::format("connections {{ name: \"c\" event: \"call\" {} }}\n",
                   effects)}));
  if (world == nullptr) return nullptr;
  const InputFrame call{
      .player = 0,
      .commands = {{.name = IdOf("call"), .arguments = {7, "ada"}}}};
  world->Step(std::vector{call}, nullptr);
  return world;
}

std::string ScoreOf(const Simulation& world, std::string_view object,
                    std::string_view property) {
  const auto value = ValueOf(world, "components", "score", object, property);
  return value.has_value() ? FormatFieldValue(*value, NamesOf(world)) : "gone";
}

// What a property of ada's is after one effect on it.
std::string After(std::string_view effect, std::string_view property) {
  const auto world = WorldAfter(fmt::format("then {{ {} }}", effect));
  return world == nullptr ? "" : ScoreOf(*world, "ada", property);
}

TEST(EffectsTest, PropertiesGetValues) {
  const auto set = [](std::string_view property, std::string_view to) {
    return After(fmt::format("set {{ object: \"whom\" property: \"score.{}\" "
                             "to: \"{}\" }}",
                             property, to),
                 property);
  };
  EXPECT_EQ(set("points", "volume * 2 + 1"), "15");
  EXPECT_EQ(set("points", "2.5"), "3");
  EXPECT_EQ(set("points", "-2.5"), "-2");
  EXPECT_EQ(set("share", "volume / 2"), "3.5");
  EXPECT_EQ(set("is_open", "volume > 5"), "true");
  EXPECT_EQ(set("mood", "'angry'"), "angry");
  EXPECT_EQ(set("tune", "whom.type"), "box");
  EXPECT_EQ(set("at.y", "whom.score.at.x + 10"), "11");
  EXPECT_EQ(set("friend", "bob"), "bob");
  EXPECT_EQ(set("friend", "whom"), "ada");
  EXPECT_EQ(set("friend", "none"), "none");
}

TEST(EffectsTest, PropertiesGrow) {
  const auto add = [](std::string_view property, std::string_view amount) {
    return After(fmt::format("add {{ object: \"ada\" property: \"score.{}\" "
                             "amount: \"{}\" }}",
                             property, amount),
                 property);
  };
  EXPECT_EQ(add("points", "volume"), "7");
  EXPECT_EQ(add("points", "-volume"), "-7");
  EXPECT_EQ(add("share", "0.25"), "0.25");
  EXPECT_EQ(add("at.z", "0.5"), "3.5");
}

TEST(EffectsTest, WhatAPropertyDoesNotAllowIsNotWrittenAndTold) {
  const auto world = WorldAfter(
      "then { add { object: \"ada\" property: \"score.points\" amount: \"60\" "
      "} } then { add { object: \"ada\" property: \"score.points\" amount: "
      "\"2\" } }");
  EXPECT_EQ(ScoreOf(*world, "ada", "points"), "2");
  StepTimes(*world, 1);
  EXPECT_EQ(EventsOf(*world, "property_refused").size(), 1u);
}

TEST(EffectsTest, WhatIsUnknownOrCannotBeComputedDoesNothing) {
  const auto set = [](std::string_view to) {
    return After(fmt::format("set {{ object: \"ada\" property: "
                             "\"score.points\" to: \"{}\" }}",
                             to),
                 "points");
  };
  EXPECT_EQ(set("bare.score.points"), "0");
  EXPECT_EQ(set("1 / (volume - 7)"), "0");
  EXPECT_EQ(set("sender.score.points + 4"), "0");
}

TEST(EffectsTest, NobodyIsDoneAnythingTo) {
  const auto world = WorldAfter(
      "then { destroy { object: \"sender\" } } "
      "then { add { object: \"bare\" property: \"score.points\" amount: \"1\" "
      "} } then { add { object: \"bob\" property: \"score.points\" amount: "
      "\"1\" } }");
  EXPECT_EQ(ScoreOf(*world, "bob", "points"), "1");
  EXPECT_EQ(RowCount(*world, "world", "objects"), 3u);
}

// Each effect sees what those before it did.
TEST(EffectsTest, EffectsFollowEachOtherInOrder) {
  const auto world = WorldAfter(
      "then { set { object: \"ada\" property: \"score.points\" to: \"3\" } } "
      "then { add { object: \"ada\" property: \"score.points\" amount: "
      "\"ada.score.points * 2\" } } then { set { object: \"bob\" property: "
      "\"score.points\" to: \"ada.score.points + 1\" } }");
  EXPECT_EQ(ScoreOf(*world, "ada", "points"), "9");
  EXPECT_EQ(ScoreOf(*world, "bob", "points"), "10");
}

TEST(EffectsTest, ConditionsHoldForEffectsToo) {
  const auto world =
      WorldAfter("if: \"volume > 8\" then { destroy { object: \"whom\" } }");
  EXPECT_EQ(ScoreOf(*world, "ada", "points"), "0");
}

TEST(EffectsTest, EventsAreSentToOneObject) {
  const auto world = WorldAfter(
      "send: \"told\" target: \"bob\" then { send { event: \"told\" object: "
      "\"whom\" with { argument: \"amount\" to: \"4\" } } }");
  const std::vector<Event> told = EventsOf(*world, "told");
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(world->ObjectName(told[0].object), "ada");
  EXPECT_EQ(told[0].arguments[0].value, FieldValue::OfDouble(4.0));
  EXPECT_EQ(world->ObjectName(told[1].object), "bob");
}

TEST(EffectsTest, ObjectsComeAndGo) {
  const auto world = WorldAfter(
      "then { spawn { archetype: \"coin\" object: \"whom\" offset { y: 2 } "
      "name: \"prize\" } } then { destroy { object: \"whom\" } }",
      "connections { name: \"found\" source_spawned: \"prize\" event: \"beat\" "
      "target: \"bob\" send: \"told\" }\n");
  EXPECT_EQ(ScoreOf(*world, "ada", "points"), "gone");
  EXPECT_EQ(*ValueOf(*world, "world", "places", "prize", "position.x"),
            FieldValue::OfDouble(4.0));
  EXPECT_EQ(*ValueOf(*world, "world", "places", "prize", "position.y"),
            FieldValue::OfDouble(2.0));
  // Its timer begins when it comes, and its name is known by then.
  StepTimes(*world, 10);
  EXPECT_EQ(EventsOf(*world, "told").size(), 1u);
}

TEST(EffectsTest, TimersStartAndStop) {
  const auto world = WorldAfter(
      "then { start_timer { object: \"whom\" timer { name: \"long\" event: "
      "\"beat\" delay_s: 0.1 period_s: 0.1 } } } then { start_timer { object: "
      "\"bob\" timer { name: \"off\" event: \"beat\" delay_s: 0.1 } } } then { "
      "stop_timer { object: \"bob\" timer: \"off\" } }");
  StepTimes(*world, 20);
  const std::vector<Event> beats = EventsOf(*world, "beat");
  ASSERT_EQ(beats.size(), 3u);
  EXPECT_EQ(world->ObjectName(beats[0].object), "ada");
  EXPECT_EQ(beats[0].tick, 6u);
  EXPECT_EQ(beats[1].tick, 12u);
}

TEST(EffectsTest, TheRunIsDecidedOnce) {
  const auto world = WorldAfter(
      "then { outcome { decision: DECISION_WON reason: \"a call\" } } then { "
      "outcome { decision: DECISION_LOST object: \"whom\" } }");
  EXPECT_EQ(world->outcome().status, Outcome::Status::kWon);
  EXPECT_EQ(world->outcome().reason, "a call");
  EXPECT_EQ(EventsOf(*world, "game_won").size(), 1u);
  const auto lost = WorldAfter(
      "then { outcome { decision: DECISION_LOST object: \"whom\" } }");
  EXPECT_EQ(lost->outcome().status, Outcome::Status::kLost);
  EXPECT_EQ(lost->outcome().reason, "ada");
}

// "Hurt whoever enters", "a coin is worth a point and gone", without a script.
TEST(EffectsTest, APickUpByARegionScores) {
  const auto world = WorldOf(Manifest({kPack, R"(
regions { name: "heap" volume { sphere { centre { x: 4 } radius: 1 } } stay_period_s: 0.1 }
connections {
  name: "picked_up"
  event: "region_stayed"
  if: "region == 'heap' and visitor.type == 'box' and visitor.score.points < 3"
  then { add { object: "visitor" property: "score.points" amount: "1" } }
}
)"}));
  StepTimes(*world, 60);
  EXPECT_EQ(ScoreOf(*world, "ada", "points"), "3");
  EXPECT_EQ(ScoreOf(*world, "bob", "points"), "0");
}

// What effects have done is in the rows: a restored world goes on the same.
TEST(EffectsTest, ARestoredWorldGoesOnTheSame) {
  constexpr std::string_view kEffects =
      "then { start_timer { object: \"whom\" timer { name: \"t\" event: "
      "\"beat\" delay_s: 0.1 period_s: 0.1 } } }";
  constexpr std::string_view kMore =
      "connections { name: \"d\" event: \"beat\" then { add { object: "
      "\"sender\" property: \"score.share\" amount: \"0.1\" } } then { spawn { "
      "archetype: \"bare\" object: \"sender\" } } }\n";
  const auto world = WorldAfter(kEffects, kMore);
  StepTimes(*world, 9);
  const auto other = WorldAfter(kEffects, kMore);
  ASSERT_TRUE(other->Restore(world->state()).ok());
  StepTimes(*world, 20);
  StepTimes(*other, 20);
  EXPECT_EQ(world->state().ComputeRootDigest(),
            other->state().ComputeRootDigest());
  EXPECT_GT(RowCount(*world, "world", "objects"), 5u);
}

}  // namespace
}  // namespace reprise::sim
