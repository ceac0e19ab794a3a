// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a pack is warned of that can be run, but hardly meant: subjects
// that nothing is called, spawners of nothing, components without their
// behaviour, and what its own weight breaks.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> WarningsOf(std::string_view pack) {
  return Warnings(Manifest({pack}));
}

constexpr std::string_view kPond = R"(
regions { name: "pond" volume { sphere { radius: 2 } } }
types { name: "duck" }
objects { name: "donald" type: "duck" }
)";

TEST(PackWarningsTest, SubjectsThatNothingIsCalled) {
  const auto warnings = [](const std::string& subject) {
    return Warnings(
        Manifest({kPond,
                  "objectives { name: \"swim\" condition { event { event: "
                  "\"region_entered\" subject: \"" +
                      subject + "\" } } }"}));
  };
  EXPECT_THAT(warnings("pont"),
              ElementsAre(AllOf(
                  HasSubstr("objectives[0].condition.event.subject: nothing "
                            "here is called 'pont'"),
                  HasSubstr("did you mean 'pond'?"))));
  EXPECT_THAT(warnings("pond"), IsEmpty());
  EXPECT_THAT(warnings("donald"), IsEmpty());
  EXPECT_THAT(warnings("duck"), IsEmpty());
}

// What was let through once is refused only where its author looks.
TEST(PackWarningsTest, SpawnersOfWhatThereIsnt) {
  const std::string manifest = Manifest({R"(
types { name: "ball" }
types { name: "nest" behaviours { behaviour: "spawn" } set { property: "spawner.archetype" to: "bal" } }
objects { name: "nest" type: "nest" set { property: "spawner.archetype" to: "ball" } }
)"});
  EXPECT_THAT(
      Warnings(manifest),
      ElementsAre(AllOf(HasSubstr("there is no type or archetype 'bal'"),
                        HasSubstr("did you mean 'ball'?"))));
  PackReport report({.is_author = true});
  CompilePack(PackOf(manifest), 1, report);
  ASSERT_EQ(report.problems().size(), 1u);
  EXPECT_THAT(report.problems()[0].message, HasSubstr("'bal'"));
}

TEST(PackWarningsTest, ComponentsWithoutTheirBehaviour) {
  EXPECT_THAT(
      WarningsOf("types { name: \"ball\" }\n"
                 "types { name: \"nest\" set { property: "
                 "\"spawner.archetype\" to: \"ball\" } }"),
      ElementsAre(AllOf(HasSubstr("types[1]"),
                        HasSubstr("'spawner' does nothing here: the type has "
                                  "no behaviour spawn"))));
  // One that others extend leaves it to them.
  EXPECT_THAT(
      WarningsOf("types { name: \"ball\" }\n"
                 "types { name: \"nest\" set { property: "
                 "\"spawner.archetype\" to: \"ball\" } }\n"
                 "types { name: \"big_nest\" extends: \"nest\" behaviours { "
                 "behaviour: \"spawn\" } }"),
      IsEmpty());
}

std::vector<std::string> WeightsOf(const std::string& impulse_min,
                                   const std::string& rest) {
  return WarningsOf(
      "tick_rate: 100 physics { gravity { y: -10 } }\n"
      "types { name: \"vase\" body { mass_kg: 2 shapes { sphere { radius: 1 } "
      "} " +
      rest + " } destructible { health: 5 impulse_min_ns: " + impulse_min +
      " } }");
}

// Two kilograms press with 20 N, and so with 0.2 N s in each hundredth of a
// second.
TEST(PackWarningsTest, WhatItsOwnWeightBreaks) {
  EXPECT_THAT(
      WeightsOf("0.19", "motion: MOTION_DYNAMIC"),
      ElementsAre(AllOf(
          HasSubstr("types[0].destructible.impulse_min_ns: its own weight of "
                    "20 N breaks it"),
          HasSubstr("0.2 N s in each tick, and 0.19 N s do no damage"))));
  EXPECT_THAT(WeightsOf("0.21", "motion: MOTION_DYNAMIC"), IsEmpty());
  EXPECT_THAT(WeightsOf("0.19", "motion: MOTION_DYNAMIC gravity_scale: 0.5"),
              IsEmpty());
}

TEST(PackWarningsTest, AHeavierTypeIsWarnedOfWhereItSaysSo) {
  EXPECT_THAT(
      WarningsOf("tick_rate: 100 physics { gravity { y: -10 } }\n"
                 "types { name: \"vase\" body { motion: MOTION_DYNAMIC "
                 "mass_kg: 2 shapes { sphere { radius: 1 } } } destructible { "
                 "health: 5 impulse_min_ns: 0.5 } }\n"
                 "types { name: \"urn\" extends: \"vase\" body { mass_kg: 6 } "
                 "}"),
      ElementsAre(AllOf(HasSubstr("types[1].body: its own weight of 60 N"))));
}

TEST(PackWarningsTest, ConditionsThatAskForWhatNothingIsCalled) {
  const auto warnings = [](const std::string& condition) {
    return Warnings(Manifest(
        {kPond, "connections { name: \"c\" event: \"region_entered\" if: \"" +
                    condition +
                    "\" then { destroy { object: \"visitor\" } } }"}));
  };
  EXPECT_THAT(warnings("region == 'pont'"),
              ElementsAre(AllOf(HasSubstr("connections[0].if"),
                                HasSubstr("'region' is pond"))));
  EXPECT_THAT(warnings("region == 'pond' or visitor == 'pont'"), IsEmpty());
}

TEST(PackWarningsTest, CommandsThatNobodyCanGive) {
  constexpr std::string_view kCall =
      "players { actions { name: \"call\" command { } } ";
  EXPECT_THAT(Warnings(Manifest({kCall, "}"})),
              ElementsAre(AllOf(HasSubstr("players.commands_per_tick_max"),
                                HasSubstr("no player can give"))));
  EXPECT_THAT(Warnings(Manifest({kCall, "commands_per_tick_max: 1 }"})),
              IsEmpty());
}

TEST(PackWarningsTest, ContextsThatNothingEnables) {
  const auto warnings = [](const std::string& how) {
    return Warnings(Manifest(
        {"events { name: \"menu\" }\n"
         "players { actions { name: \"a\" button: 0 } }\n"
         "types { name: \"t\" interests { event: \"menu\" } timers { name: \"t\" event: \"menu\" delay_s: 1 "
         "} }\n"
         "controls { controls { name: \"go\" } contexts { name: \"menu\" " +
         how +
         " bindings { name: \"b\" control: \"go\" button { action: \"a\" } } "
         "} }"}));
  };
  EXPECT_THAT(warnings("disabled: true"),
              ElementsAre(AllOf(HasSubstr("contexts[0].disabled"),
                                HasSubstr("nothing enables"))));
  EXPECT_THAT(warnings("disabled: true enabled_by: \"menu\""), IsEmpty());
}

}  // namespace
}  // namespace reprise::sim
