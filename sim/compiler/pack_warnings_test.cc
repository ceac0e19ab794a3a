// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a pack is warned of that can be run, but hardly meant: subjects
// that nothing is called, events that nobody sends or hears, spawners of
// nothing, components without their behaviour, and what its own weight breaks.

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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

// Of events of systems that the pack has nothing of.
TEST(PackWarningsTest, EventsThatNobodySends) {
  constexpr std::string_view kDuck =
      "types { name: \"duck\" interests { event: \"region_entered\" } }\n";
  EXPECT_THAT(
      Warnings(Manifest({kDuck})),
      ElementsAre(AllOf(HasSubstr("pack.txtpb:2:"),
                        HasSubstr("types[0].interests[0].event: nobody sends "
                                  "'region_entered': the pack has nothing of "
                                  "the system regions"))));
  EXPECT_THAT(
      WarningsOf("connections { name: \"c\" event: \"region_left\" send: "
                 "\"wake\" }"),
      ElementsAre(HasSubstr("connections[0].event: nobody sends "
                            "'region_left'")));
  EXPECT_THAT(WarningsOf("objectives { name: \"o\" condition { event { event: "
                         "\"chunk_activated\" } } }"),
              ElementsAre(HasSubstr("objectives[0].condition.event.event: "
                                    "nobody sends 'chunk_activated'")));
  // With a region, or a connection that makes such events up, or of the world.
  EXPECT_THAT(Warnings(Manifest({kDuck,
                                 "regions { name: \"r\" volume { sphere "
                                 "{ radius: 1 } } }"})),
              IsEmpty());
  EXPECT_THAT(Warnings(Manifest({kDuck,
                                 "connections { name: \"c\" event: "
                                 "\"wake\" send: \"region_entered\" "
                                 "with { argument: \"region\" to: "
                                 "\"r\" } with { argument: \"visitor\" "
                                 "to: \"d\" } }",
                                 "objects { name: \"d\" type: \"duck\" }"})),
              Each(Not(HasSubstr("nobody sends"))));
  EXPECT_THAT(WarningsOf("types { name: \"t\" interests { event: "
                         "\"object_destroyed\" } }"),
              IsEmpty());
}

TEST(PackWarningsTest, EventsThatNobodyHears) {
  EXPECT_THAT(WarningsOf("types { name: \"t\" timers { name: \"x\" event: "
                         "\"make_noise\" delay_s: 1 } }"),
              Contains(HasSubstr("types[0].timers[0].event: nobody hears of "
                                 "'make_noise': the pack has nothing of "
                                 "the system senses")));
  EXPECT_THAT(WarningsOf("types { name: \"t\" timers { name: \"x\" event: "
                         "\"make_noise\" delay_s: 1 } }\n"
                         "types { name: \"u\" senses { hearing { acuity: 1 } } "
                         "}"),
              Each(Not(HasSubstr("nobody hears"))));
  EXPECT_THAT(WarningsOf("types { name: \"t\" timers { name: \"x\" event: "
                         "\"destroy\" delay_s: 1 } }"),
              IsEmpty());
}

TEST(PackWarningsTest, SourcesThatSendNoSuchEvent) {
  constexpr std::string_view kRoom = R"(
types { name: "floor" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
types { name: "zone" body { motion: MOTION_TRIGGER shapes { sphere { radius: 1 } } } }
types { name: "ball" contact_events { begin: true } body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 1 } } } }
objects { name: "floor" type: "floor" }
objects { name: "zone" type: "zone" position { y: 9 } }
objects { name: "ball" type: "ball" position { y: 9 } }
)";
  const auto warnings = [&](std::string_view source, std::string_view event) {
    return Warnings(Manifest({kRoom, "connections { name: \"c\" ", source,
                              " event: \"", event, "\" send: \"wake\" }"}));
  };
  EXPECT_THAT(warnings("source: \"floor\"", "trigger_entered"),
              ElementsAre(HasSubstr("connections[0].source: 'floor' sends no "
                                    "'trigger_entered': it is no trigger")));
  EXPECT_THAT(warnings("source_type: \"ball\"", "trigger_left"),
              ElementsAre(HasSubstr("connections[0].source_type: 'ball' sends "
                                    "no 'trigger_left'")));
  EXPECT_THAT(
      warnings("source: \"ball\"", "contact_ended"),
      ElementsAre(HasSubstr("'ball' sends no 'contact_ended': its type doesn't "
                            "say contact_events { end: true }")));
  EXPECT_THAT(warnings("source: \"zone\"", "trigger_entered"), IsEmpty());
  EXPECT_THAT(warnings("source: \"ball\"", "contact_began"), IsEmpty());
  EXPECT_THAT(warnings("", "trigger_entered"), IsEmpty());
  EXPECT_THAT(
      Warnings(Manifest({kRoom,
                         "objectives { name: \"o\" condition { event { "
                         "event: \"trigger_entered\" object: \"floor\" "
                         "} } }"})),
      ElementsAre(HasSubstr("objectives[0].condition.event.object: 'floor' "
                            "sends no 'trigger_entered'")));
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
      ElementsAre(AllOf(HasSubstr("types[1].set[0].to: 'spawner.archetype': "
                                  "there is no type or archetype 'bal'"),
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

TEST(PackWarningsTest, DebrisThatBreaksIntoDebrisWithoutEnd) {
  const auto breaks = [](std::string_view name, std::string_view into) {
    return fmt::format(
        "types {{ name: \"{}\" body {{ motion: MOTION_FIXED shapes {{ sphere "
        "{{ "
        "radius: 1 }} }} }} destructible {{ health: 5 damage_per_ns: 1 debris "
        "{{ archetype: \"{}\" }} }} }}\n",
        name, into);
  };
  const std::string sand =
      "types { name: \"sand\" body { motion: MOTION_FIXED shapes { sphere { "
      "radius: 1 } } } }\n";
  EXPECT_THAT(WarningsOf(breaks("rock", "rock")),
              Contains(HasSubstr("types[0].destructible.debris: debris breaks "
                                 "into debris without end: rock -> rock")));
  EXPECT_THAT(
      WarningsOf(breaks("a", "made") + breaks("b", "a") +
                 "archetypes { name: \"made\" of: \"b\" }\n"),
      Contains(HasSubstr("types[0].destructible.debris: debris breaks into "
                         "debris without end: a -> b -> a")));
  EXPECT_THAT(
      WarningsOf(breaks("rock", "stone") + breaks("stone", "sand") + sand),
      Not(Contains(HasSubstr("without end"))));
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

TEST(PackWarningsTest, ObjectsThatConditionsCantName) {
  const auto warnings = [](std::string_view object) {
    return Warnings(
        Manifest({"types { name: \"a\" }\n",
                  fmt::format("objects {{ type: \"a\" name: {} }}", object)}));
  };
  for (const std::string_view name : {"self", "sender", "target"}) {
    EXPECT_THAT(
        warnings(fmt::format("\"{}\"", name)),
        ElementsAre(AllOf(
            HasSubstr("pack.txtpb:3:"), HasSubstr("objects[0].name: "),
            HasSubstr(fmt::format("can't name it: there '{}' is", name)))));
  }
  EXPECT_THAT(warnings("\"targets\""), IsEmpty());
  EXPECT_THAT(warnings("\"target\" grid { count_x: 2 spacing { x: 3 } }"),
              IsEmpty());
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
         "types { name: \"t\" interests { event: \"menu\" } timers { name: "
         "\"t\" event: \"menu\" delay_s: 1 "
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
