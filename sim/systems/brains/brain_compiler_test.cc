// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in brains is reported once, with its line and
// field, by manifests with one mistake each; and that neither rings nor depth
// use up anything.

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
using ::testing::StartsWith;

// A pack whose brain's root, from line 3 on, is `root`.
std::string PackOfRoot(std::string_view root, std::string_view more = "") {
  return Manifest(
      {"components { name: 'crew' properties { name: 'hunger' "
       "type: TYPE_NUMBER } properties { name: 'home' type: "
       "TYPE_VECTOR3 } }\n",
       "brains { name: 'mind' root {\n", root, "\n}\n", more, "\n}\n",
       "types { name: 'sailor' brain: 'mind' components { "
       "component: 'crew' } }\n"});
}

void Expect(std::string_view root, std::string_view problem,
            std::string_view more = "") {
  EXPECT_THAT(Problems(PackOfRoot(root, more)),
              ElementsAre(AllOf(StartsWith("pack.txtpb:"), HasSubstr(problem))))
      << root;
}

TEST(BrainCompilerTest, WhatIsInOrderCompiles) {
  for (const std::string_view root :
       {"wait { seconds: 1 }", "if: 'self.crew.hunger > 3'",
        "enter { set { object: 'self' property: 'crew.hunger' to: '1' } }",
        "sequence { nodes { wait { } } nodes { await { event: 'destroy' } } }",
        "machine { states { name: 'a' transitions { to: 'a' after_s: 1 } } }",
        "choose { options { node { wait { } } considerations { of: "
        "'self.crew.hunger' maximum: 10 } } }",
        "choose { options { node { wait { } } considerations { of: '1' "
        "minimum: -1.7e308 maximum: 1.7e308 } } }"}) {
    EXPECT_THAT(Problems(PackOfRoot(root)), IsEmpty()) << root;
  }
}

TEST(BrainCompilerTest, TreesWithoutLeavesAreRefused) {
  Expect("", "brains[0].root.name: does nothing");
  Expect("name: 'idle'", "root.name: does nothing");
  Expect("sequence { }", "root.sequence.nodes: needs at least one");
  Expect("selector { }", "root.selector.nodes: needs at least one");
  Expect("parallel { any: true }", "root.parallel.nodes: needs at least one");
  Expect("machine { }", "root.machine.states: needs at least one");
  Expect("choose { }", "root.choose.options: needs at least one");
  Expect("choose { options { } }", "options[0].node: required");
  Expect("invert { }", "root.invert.node: required");
  Expect("repeat { count: 3 }", "root.repeat.node: required");
  Expect("sequence { nodes { selector { nodes { } } } }",
         "sequence.nodes[0].selector.nodes[0].name: does nothing");
}

TEST(BrainCompilerTest, MistakesOfNodesHaveTheirPlace) {
  Expect("name: 'A b' wait { }", "root.name:");
  Expect("if: '3' wait { }", "root.if: this is no condition");
  Expect("if: 'self.crew.hungr > 3' wait { }", "root.if: column 6");
  Expect("if: 'me.crew.hunger > 3' wait { }", "root.if: column 1");
  Expect("aborts: ABORTS_SELF wait { }", "root.aborts: needs a condition");
  Expect("if: 'self.crew.hunger > 3' aborts: ABORTS_LOWER wait { }",
         "root.aborts: ABORTS_LOWER is for nodes of a selector");
  Expect("wait { seconds: -1 }", "wait.seconds: -1 is not");
  Expect("wait { seconds: 1e9 }", "wait.seconds: 1000000000 is not");
  Expect("cooldown { node { wait { } } }", "cooldown.seconds: 0 is not");
  Expect("repeat { until: BRAIN_RESULT_ANY node { wait { } } }",
         "repeat.until: BRAIN_RESULT_SUCCESS or");
  Expect("await { }", "await.event");
  Expect("transitions { to: 'a' } wait { }", "root.transitions: only states");
  Expect("ends: BRAIN_RESULT_SUCCESS wait { }", "root.ends: only states");
  Expect("update_every_s: 1e6 wait { }", "update_every_s: 1000000 is not");
  Expect("enter { destroy { object: 'bob' } }",
         "enter[0].destroy.object: there is no object 'bob'");
}

TEST(BrainCompilerTest, MistakesOfMachinesHaveTheirPlace) {
  Expect("machine { states { } }", "states[0].name: required of a state");
  Expect("machine { states { name: 'a' } states { name: 'a' } }",
         "states[1].name: there are two states 'a'");
  Expect(
      "machine { states { name: 'patrol' transitions { to: 'atack' after_s: "
      "1 } transitions { to: 'attack' after_s: 2 } } states { name: "
      "'attack' } }",
      "states[0].transitions[0].to: there is no state 'atack'; did you mean "
      "'attack'?");
  Expect("machine { states { name: 'a' if: 'self.crew.hunger > 3' } }",
         "states[0].if: a state has none");
  Expect("machine { states { name: 'a' ends: BRAIN_RESULT_ANY } }",
         "states[0].ends:");
  Expect("machine { states { name: 'a' transitions { to: 'a' chance: 2 } } }",
         "transitions[0].chance: 2 is not");
}

TEST(BrainCompilerTest, MachinesThatAreHardlyMeantAreWarnedOf) {
  EXPECT_THAT(
      Warnings(PackOfRoot("machine { states { name: 'a' } states { name: 'b' "
                          "transitions { to: 'a' after_s: 1 } } }")),
      ElementsAre(HasSubstr("no transition leads to the state 'b'")));
  EXPECT_THAT(
      Warnings(PackOfRoot("machine { states { name: 'a' transitions { to: 'b' "
                          "} } states { name: 'b' transitions { to: 'a' } } "
                          "}")),
      ElementsAre(HasSubstr("a -> b -> a")));
}

TEST(BrainCompilerTest, MistakesOfChoicesHaveTheirPlace) {
  const auto expect = [](std::string_view text, std::string_view problem) {
    Expect(fmt::format("choose {{ options {{ node {{ wait {{ }} }} {} }} }}",
                       text),
           problem);
  };
  expect("considerations { }", "considerations[0].of: required");
  expect("considerations { of: 'true' }", "of: this is no number");
  expect("considerations { of: '1' minimum: 2 }", "maximum: 1 is not above");
  expect("considerations { of: '1' maximum: inf }", "maximum: inf is not in");
  expect("considerations { of: '1' slope: inf }", "slope: inf is not");
  expect("considerations { of: '1' exponent: 3 }",
         "exponent: only CURVE_POWER");
  expect("weight: -1", "weight: -1 is not");
  Expect("choose { inertia: -1 options { node { wait { } } } }",
         "choose.inertia: -1 is not");
}

TEST(BrainCompilerTest, MistakesOfPlansHaveTheirPlace) {
  constexpr std::string_view kSymbols =
      "symbols { name: 'fed' if: 'self.crew.hunger < 1' } symbols { name: "
      "'home' if: 'self.crew.hunger < 2' }";
  const auto expect = [&](std::string_view action, std::string_view goal,
                          std::string_view problem) {
    Expect(
        fmt::format("plan {{ actions {{ {} }} goals {{ {} }} }}", action, goal),
        problem, kSymbols);
  };
  constexpr std::string_view kEat =
      "node { name: 'eat' wait { } } gives: 'fed'";
  constexpr std::string_view kWant = "name: 'live' wants: 'fed'";
  EXPECT_THAT(Problems(PackOfRoot(
                  fmt::format("plan {{ actions {{ {} }} goals {{ {} }} }}",
                              kEat, kWant),
                  kSymbols)),
              IsEmpty());
  expect("node { wait { } } gives: 'fed'", kWant,
         "actions[0].node: required, with a name");
  expect("node { name: 'eat' wait { } }", kWant,
         "actions[0].gives: needs at least one");
  expect("node { name: 'eat' wait { } } gives: 'fet'", kWant,
         "actions[0].gives: there is no symbol 'fet'; did you mean 'fed'?");
  expect("node { name: 'eat' wait { } } gives: 'fed' needs: 'not '", kWant,
         "actions[0].needs: there is no symbol ''");
  expect("node { name: 'eat' wait { } } gives: 'fed' gives: 'not fed'", kWant,
         "actions[0].gives: 'fed' stands there twice");
  expect("node { name: 'eat' wait { } } gives: 'fed' cost: 2000000", kWant,
         "actions[0].cost: 2000000 is not");
  expect(kEat, "name: 'live'", "goals[0].wants: needs at least one");
  Expect("plan { }", "plan.actions: there are 0, not 1 to 64", kSymbols);
  // Searches that are state are bounded with the objects that may have some.
  const auto over_updates = [&](int expansions) {
    return PackOfRoot(
        fmt::format("plan {{ expansions_per_update: {} actions {{ {} }} goals "
                    "{{ {} }} }}",
                    expansions, kEat, kWant),
        kSymbols);
  };
  EXPECT_THAT(Problems(over_updates(5000) + "limits { objects_max: 1000 }"),
              ElementsAre(HasSubstr("expansions_per_update: 5000 is not")));
  EXPECT_THAT(Problems(over_updates(4)),
              ElementsAre(HasSubstr("say objects_max, or fewer expansions")));
  EXPECT_THAT(Problems(over_updates(4) + "limits { objects_max: 1000 }"),
              IsEmpty());
  EXPECT_THAT(
      Warnings(PackOfRoot(
          fmt::format("plan {{ actions {{ {} }} goals {{ name: 'rest' wants: "
                      "'home' wants: 'not fed' }} }}",
                      kEat),
          kSymbols)),
      ElementsAre(HasSubstr("no action gives 'not fed'"),
                  HasSubstr("no action gives 'home'")));
}

TEST(BrainCompilerTest, MistakesOfBrainsHaveTheirPlace) {
  Expect("wait { }", "nodes_per_update: 100000 is not",
         "nodes_per_update: 100000");
  Expect("wait { }", "transitions_per_tick: 5000 is not",
         "transitions_per_tick: 5000");
  Expect("wait { }", "every_s: -1 is not", "every_s: -1");
  Expect("wait { }", "symbols[0].if: required", "symbols { name: 'a' }");
  EXPECT_THAT(Problems(Manifest({"brains { name: 'mind' }"})),
              ElementsAre(HasSubstr("brains[0].root: required")));
  EXPECT_THAT(
      Problems(Manifest({"brains { name: 'mind' root { wait { } } } types { "
                         "name: 'a' brain: 'mnd' }"})),
      ElementsAre(HasSubstr("there is no brain 'mnd'; did you mean 'mind'?")));
}

TEST(BrainCompilerTest, GoingNeedsANavigator) {
  Expect("go_to { place { x: 1 } }", "brain: it goes somewhere");
  constexpr std::string_view kPack =
      "components { name: 'crew' properties { name: 'home' type: TYPE_VECTOR3 "
      "} properties { name: 'n' type: TYPE_NUMBER } } navigation { grids { "
      "name: 'deck' rows: '...' } } types { name: 'a' brain: 'mind' components "
      "{ component: 'crew' } navigator { space: 'deck' speed: 1 } } brains { "
      "name: 'mind' root { go_to { %s } } }";
  const auto problems = [&](std::string_view going) {
    std::string pack(kPack);
    return Problems(Manifest({pack.replace(pack.find("%s"), 2, going)}));
  };
  EXPECT_THAT(problems("place { x: 1 }"), IsEmpty());
  EXPECT_THAT(problems("property: 'crew.home'"), IsEmpty());
  EXPECT_THAT(problems(""), ElementsAre(HasSubstr("needs one of")));
  EXPECT_THAT(problems("object: 'bob'"),
              ElementsAre(HasSubstr("there is no object 'bob'")));
  EXPECT_THAT(problems("property: 'crew.n'"),
              ElementsAre(HasSubstr("neither a vector nor a reference")));
  EXPECT_THAT(problems("property: 'crew'"),
              ElementsAre(HasSubstr("go_to.property")));
}

TEST(BrainCompilerTest, GoingToASetNeedsOneInTheNavigatorsSpace) {
  const auto problems = [](std::string_view going, std::string_view space) {
    return Problems(Manifest(
        {"navigation { grids { name: 'deck' rows: '...' } grids { name: 'hold' "
         "rows: '...' } goal_sets { name: 'hatches' space: 'deck' goals { "
         "position { x: 0.5 z: 0.5 } } } }\n",
         "types { name: 'a' brain: 'mind' navigator { speed: 1 space: '", space,
         "' } }\n", "brains { name: 'mind' root { sequence { nodes {\n",
         "go_to { ", going, " }\n", "} } } }"}));
  };
  EXPECT_THAT(problems("goals: 'hatches'", "deck"), IsEmpty());
  EXPECT_THAT(
      problems("goals: 'hatchs'", "deck"),
      ElementsAre(
          AllOf(StartsWith("pack.txtpb:5:"),
                HasSubstr("root.sequence.nodes[0].go_to.goals: there is no "
                          "set of goals 'hatchs'; did you mean 'hatches'?"))));
  EXPECT_THAT(problems("goals: 'hatches'", "hold"),
              ElementsAre(AllOf(StartsWith("pack.txtpb:3:"),
                                HasSubstr("types[0].brain: it goes to the "
                                          "nearest of 'hatches', and those are "
                                          "places of 'deck'"))));
  EXPECT_THAT(problems("goals: 'hatches' place { x: 1 }", "deck"),
              ElementsAre(HasSubstr("needs one of")));
}

TEST(BrainCompilerTest, OtherBrainsAreUsedWithoutRings) {
  const auto problems = [](std::string_view text) {
    return Problems(Manifest({text}));
  };
  EXPECT_THAT(problems("brains { name: 'a' root { use: 'b' } } brains { name: "
                       "'b' root { wait { } } }"),
              IsEmpty());
  EXPECT_THAT(problems("brains { name: 'a' root { use: 'c' } }"),
              ElementsAre(HasSubstr("there is no brain 'c'")));
  EXPECT_THAT(problems("brains { name: 'a' root { use: 'a' } }"),
              ElementsAre(HasSubstr("root.use: 'a' uses itself")));
  EXPECT_THAT(problems("brains { name: 'a' root { use: 'b' } } brains { name: "
                       "'b' root { use: 'a' } }"),
              ElementsAre(HasSubstr("'a' uses itself")));
}

TEST(BrainCompilerTest, DepthAndSizeAreBounded) {
  const auto nested = [](int depth) {
    std::string root = "wait { }";
    for (int i = 1; i < depth; ++i) root = "invert { node { " + root + " } }";
    return root;
  };
  EXPECT_THAT(Problems(PackOfRoot(nested(32))), IsEmpty());
  Expect(nested(33), "more than 32 nodes within each other");
  std::string wide = "sequence {";
  for (int i = 0; i < 511; ++i) wide += " nodes { wait { } }";
  EXPECT_THAT(Problems(PackOfRoot(wide + " }", "") + "limits { objects_max: "
                                                     "1000 }"),
              IsEmpty());
  EXPECT_THAT(Problems(PackOfRoot(wide + " nodes { wait { } } }") +
                       "limits { objects_max: 1000 }"),
              ElementsAre(HasSubstr("more than 512 nodes")));
  EXPECT_THAT(Problems(PackOfRoot(wide + " }")),
              ElementsAre(HasSubstr("say objects_max")));
}

TEST(BrainCompilerTest, MoreBrainsThanThereMayBeAreReportedOnce) {
  std::string brains;
  for (int i = 0; i < 257; ++i) {
    brains +=
        fmt::format("brains {{ name: 'b{}' root {{ wait {{ }} }} }}\n", i);
  }
  EXPECT_THAT(Problems(Manifest({brains, "types { name: 'a' brain: 'b0' }\n",
                                 "types { name: 'b' brain: 'b256' }\n"})),
              ElementsAre(HasSubstr("brains: more than 256")));
}

}  // namespace
}  // namespace reprise::sim
