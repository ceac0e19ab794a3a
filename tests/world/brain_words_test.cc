// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the words of packs for nodes of brains mean what docs/ai.md says
// of them, by logs that were written on paper: each thing that is done appends
// a digit to a number, whose value after so many ticks is known. Histories of
// machines are told apart by the state that they go on with.

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kThinker = R"(
components {
  name: "mind"
  properties { name: "log" type: TYPE_INTEGER }
  properties { name: "age" type: TYPE_INTEGER }
}
players {
  actions { name: "tell" command { arguments { name: "what" minimum: 0 maximum: 9 } } }
  commands_per_tick_max: 1
}
connections { name: "tell" event: "tell" target: "thinker" send: "told" pass { from: "what" } }
events { name: "told" arguments { name: "what" type: TYPE_INTEGER } }
types { name: "thinker" brain: "thinker" components { component: "mind" } }
objects { name: "thinker" type: "thinker" }
)";

std::unique_ptr<Simulation> Thinker(std::string_view root) {
  return WorldOf(Manifest(
      {kThinker,
       fmt::format("brains {{ name: 'thinker' root {{ {} }} }}\n", root)}));
}

// An effect that appends a digit to the log.
std::string Note(int digit) {
  return fmt::format(
      "set {{ object: 'self' property: 'mind.log' to: '10 * self.mind.log + "
      "{}' }}",
      digit);
}

// `text` with "[d]" for a node that appends d and succeeds, "(d" for what is
// appended when a node begins, "d)" for when it ends; "FAILS" for a node that
// fails, "STAYS" for what goes on, and "AGES" for what adds 1 to the age in
// each tick behind the first.
std::string Spelled(std::string_view text) {
  std::string spelled;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto digit_at = [&](size_t at) {
      return at < text.size() && text[at] >= '0' && text[at] <= '9';
    };
    if (text[i] == '[' && digit_at(i + 1)) {
      spelled += "enter { " + Note(text[i + 1] - '0') + " }";
      i += 2;
    } else if (text[i] == '(' && digit_at(i + 1)) {
      spelled += "enter { " + Note(text[i + 1] - '0') + " }";
      i += 1;
    } else if (digit_at(i) && i + 1 < text.size() && text[i + 1] == ')') {
      spelled += "exit { " + Note(text[i] - '0') + " }";
      i += 1;
    } else {
      spelled += text[i];
    }
  }
  const auto replace = [&](std::string_view word, std::string_view by) {
    for (size_t at = spelled.find(word); at != std::string::npos;
         at = spelled.find(word, at + by.size())) {
      spelled.replace(at, word.size(), by);
    }
  };
  replace("FAILS", "if: 'self.mind.age < 0'");
  replace("STAYS", "wait { seconds: 100 }");
  replace("AGES",
          "update { add { object: 'self' property: 'mind.age' amount: '1' } }");
  return spelled;
}

int64_t LogOf(const Simulation& world) {
  return static_cast<int64_t>(
      ValueOf(world, "components", "mind", "thinker", "log")->bits);
}

struct Words {
  std::string name;
  std::string root;  // as Spelled reads it
  // Ticks, and the log after so many; the first update is that of the first.
  std::vector<std::pair<int, int64_t>> log;

  friend std::ostream& operator<<(std::ostream& out, const Words& words) {
    return out << words.name;
  }
};

class BrainWordsTest : public testing::TestWithParam<Words> {};

TEST_P(BrainWordsTest, MeanWhatThePageSays) {
  const auto world = Thinker(Spelled(GetParam().root));
  int done = 0;
  for (const auto& [ticks, log] : GetParam().log) {
    StepTimes(*world, ticks - done);
    done = ticks;
    EXPECT_EQ(LogOf(*world), log) << "after " << ticks << " ticks";
  }
}

// At 60 ticks a second 0.05 s are 3 of them, and one is 0.0167 s.
const std::vector<Words>& Decorators() {
  static const std::vector<Words> words = {
      {"SucceedSucceedsWhereItsNodeFails",
       "sequence { nodes { succeed { node { FAILS } } } nodes { [1] } nodes { "
       "STAYS } }",
       {{1, 1}, {5, 1}}},
      {"InvertFailsWhereItsNodeSucceeds",
       "selector { nodes { invert { node { [1] } } } nodes { (2 STAYS } }",
       {{1, 12}, {5, 12}}},
      {"InvertSucceedsWhereItsNodeFails",
       "sequence { nodes { invert { node { FAILS } } } nodes { (1 STAYS } }",
       {{1, 1}, {5, 1}}},
      {"RepeatCountsToItsCountOnceAnUpdate",
       "sequence { nodes { repeat { count: 3 node { [1] } } } nodes { (2 STAYS "
       "} }",
       {{1, 1}, {2, 11}, {3, 1112}, {9, 1112}}},
      {"RepeatWithoutCountNeverEnds",
       "sequence { nodes { repeat { node { [1] } } } nodes { (2 STAYS } }",
       {{1, 1}, {7, 1111111}}},
      {"RepeatUntilSuccessGoesOnWhileItsNodeFails",
       "sequence { nodes { repeat { until: BRAIN_RESULT_SUCCESS node { "
       "sequence { nodes { [1] } nodes { if: 'self.mind.log > 110' } } } } } "
       "nodes { (2 STAYS } }",
       {{2, 11}, {3, 1112}, {9, 1112}}},
      {"RepeatUntilFailureGoesOnWhileItsNodeSucceeds",
       "sequence { nodes { repeat { until: BRAIN_RESULT_FAILURE node { "
       "sequence { nodes { [1] } nodes { if: 'self.mind.log < 110' } } } } } "
       "nodes { (2 STAYS } }",
       {{2, 11}, {3, 1112}, {9, 1112}}},
      {"RepeatFailsWhereWhatItIsToComeToDoesNot",
       "selector { nodes { repeat { count: 2 until: BRAIN_RESULT_SUCCESS node "
       "{ invert { node { [1] } } } } } nodes { (2 STAYS } }",
       {{1, 1}, {2, 112}, {9, 112}}},
      {"CooldownFailsForItsTimeAfterItsNodeHasEnded",
       "repeat { node { selector { nodes { cooldown { seconds: 0.05 node { [1] "
       "} } } nodes { [2] } } } }",
       {{1, 1}, {3, 122}, {4, 1221}, {7, 1221221}}},
      {"TimeLimitStopsWhatTakesLonger",
       "selector { nodes { time_limit { seconds: 0.05 node { (1 STAYS 2) } } } "
       "nodes { (3 STAYS } }",
       {{3, 1}, {4, 123}, {9, 123}}},
      {"TimeLimitLeavesAloneWhatIsDoneInTime",
       "sequence { nodes { time_limit { seconds: 0.05 node { (1 wait { "
       "seconds: 0.0333 } 2) } } } nodes { (3 STAYS } }",
       {{2, 1}, {3, 123}, {9, 123}}},
  };
  return words;
}

const std::vector<Words>& Composites() {
  static const std::vector<Words> words = {
      {"ParallelSucceedsOnceAllHave",
       "sequence { nodes { parallel { nodes { (1 wait { seconds: 0.05 } 4) } "
       "nodes { (2 wait { seconds: 0.0167 } 5) } } } nodes { (3 STAYS } }",
       {{1, 12}, {2, 125}, {3, 125}, {4, 12543}, {9, 12543}}},
      {"ParallelWithAnySucceedsOnceOneHas",
       "sequence { nodes { parallel { any: true nodes { (1 wait { seconds: "
       "0.05 } 4) } nodes { (2 wait { seconds: 0.0167 } 5) } } } nodes { (3 "
       "STAYS } }",
       {{1, 12}, {2, 12543}, {9, 12543}}},
      {"ParallelFailsOnceOneHas",
       "selector { nodes { parallel { nodes { (1 STAYS 4) } nodes { FAILS } } "
       "} nodes { (2 STAYS } }",
       {{1, 142}, {9, 142}}},
      {"ParallelWithAnyFailsOnceAllHave",
       "selector { nodes { parallel { any: true nodes { invert { node { (1 "
       "wait { seconds: 0.05 } 4) } } } nodes { FAILS } } } nodes { (2 STAYS } "
       "}",
       {{1, 1}, {3, 1}, {4, 142}, {9, 142}}},
      {"MachinesFailWhereAStateSaysSo",
       "selector { nodes { machine { states { name: 'a' (1 transitions { to: "
       "'b' } } states { name: 'b' (2 ends: BRAIN_RESULT_FAILURE } } } nodes { "
       "(3 STAYS } }",
       {{1, 123}, {9, 123}}},
      {"MachinesSucceedWhereAStateSaysSo",
       "sequence { nodes { machine { states { name: 'a' (1 transitions { to: "
       "'b' } } states { name: 'b' (2 ends: BRAIN_RESULT_SUCCESS } } } nodes { "
       "(3 STAYS } }",
       {{1, 123}, {9, 123}}},
  };
  return words;
}

// A node whose condition ceases to hold in the fourth tick, and one for which a
// later one is under way while its condition begins to hold then.
std::vector<Words> Aborts() {
  const auto words = [](std::string_view aborts, int64_t of_own,
                        int64_t of_later) {
    return std::vector<Words>{
        {fmt::format("{}WhereItsConditionCeases", aborts),
         fmt::format("AGES selector {{ nodes {{ if: 'self.mind.age < 3' "
                     "aborts: ABORTS_{} (1 STAYS 2) }} nodes {{ (3 STAYS }} }}",
                     aborts),
         {{3, 1}, {4, of_own}, {9, of_own}}},
        {fmt::format("{}WhereItsConditionBegins", aborts),
         fmt::format("AGES selector {{ nodes {{ if: 'self.mind.age > 2' "
                     "aborts: ABORTS_{} (1 STAYS }} nodes {{ (2 STAYS 3) }} }}",
                     aborts),
         {{3, 2}, {4, of_later}, {9, of_later}}}};
  };
  std::vector<Words> all;
  for (const std::vector<Words>& each :
       {words("NONE", 1, 2), words("SELF", 123, 2), words("LOWER", 1, 231),
        words("BOTH", 123, 231)}) {
    all.insert(all.end(), each.begin(), each.end());
  }
  return all;
}

// The first scores 0.32, the second a tenth of its age.
Words Choice(std::string_view name, std::string_view how,
             std::vector<std::pair<int, int64_t>> log) {
  return {std::string(name),
          fmt::format("AGES choose {{ {} options {{ node {{ (1 STAYS 2) }} "
                      "considerations {{ of: '0.32' }} }} options {{ node {{ "
                      "(3 STAYS }} considerations {{ of: 'self.mind.age' "
                      "maximum: 10 }} }} }}",
                      how),
          std::move(log)};
}

const std::vector<Words>& Choices() {
  static const std::vector<Words> words = {
      // 0.4 in the fifth tick.
      Choice("WithoutInertiaTheBetterOneIsTaken", "every_s: 0.0167",
             {{4, 1}, {5, 123}, {20, 123}}),
      // 0.7 in the eighth is more than twice 0.32, and 0.6 isn't.
      Choice("InertiaCountsForWhatRuns", "every_s: 0.0167 inertia: 1",
             {{5, 1}, {7, 1}, {8, 123}, {20, 123}}),
      Choice("WithoutATimeNothingIsChosenAnew", "", {{20, 1}}),
      {"WhatScoresNoMoreThanTheLeastIsNotTaken",
       "selector { nodes { choose { least: 0.5 options { node { (1 STAYS } "
       "considerations { of: '0.5' } } } } nodes { (2 STAYS } }",
       {{1, 2}, {9, 2}}},
      {"WhatScoresMoreThanTheLeastIsTaken",
       "selector { nodes { choose { least: 0.49 options { node { (1 STAYS } "
       "considerations { of: '0.5' } } } } nodes { (2 STAYS } }",
       {{1, 1}, {9, 1}}},
      {"WeightsCount",
       "choose { options { node { (1 STAYS } considerations { of: '0.5' } } "
       "options { weight: 1.01 node { (2 STAYS } considerations { of: '0.5' } "
       "} }",
       {{1, 2}, {9, 2}}},
      {"OfEqualOnesTheFirstIsTaken",
       "choose { options { node { (1 STAYS } considerations { of: '0.5' } } "
       "options { node { (2 STAYS } considerations { of: '0.5' } } }",
       {{1, 1}, {9, 1}}},
  };
  return words;
}

std::string NameOf(const testing::TestParamInfo<Words>& words) {
  return words.param.name;
}

INSTANTIATE_TEST_SUITE_P(Decorators, BrainWordsTest,
                         testing::ValuesIn(Decorators()), NameOf);
INSTANTIATE_TEST_SUITE_P(Composites, BrainWordsTest,
                         testing::ValuesIn(Composites()), NameOf);
INSTANTIATE_TEST_SUITE_P(Aborts, BrainWordsTest, testing::ValuesIn(Aborts()),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Choices, BrainWordsTest, testing::ValuesIn(Choices()),
                         NameOf);

void Tell(Simulation& world, int64_t what) {
  InputFrame frame;
  frame.commands.push_back({.name = IdOf("tell"), .arguments = {what}});
  world.Step(std::vector{frame}, nullptr);
  // What is in a state begins with the next update.
  StepTimes(world, 1);
}

std::string StateOf(const Simulation& world) {
  const uint64_t bits =
      ValueOf(world, "components", "brain", "thinker", "state")->bits;
  return bits == 0 ? "" : std::string(world.IdName(Id{bits}));
}

// Three machines within each other, the middle and the inner one with such a
// history, the inner one within `around`: whoever is told 1 goes from "one" to
// "two", 2 from "rest" to "work" in there, 0 away and 9 back.
std::string Machines(std::string_view middle, std::string_view inner,
                     std::string_view around = "{}") {
  const std::string within = fmt::format(
      "machine {{ history: HISTORY_{} states {{ name: 'rest' transitions {{ "
      "to: 'work' on: 'told' if: 'what == 2' }} }} states {{ name: 'work' }} "
      "}}",
      inner);
  return fmt::format(
      "machine {{ states {{ name: 'home' transitions {{ to: 'away' on: 'told' "
      "if: 'what == 0' }} machine {{ history: HISTORY_{} states {{ name: 'one' "
      "transitions {{ to: 'two' on: 'told' if: 'what == 1' }} }} states {{ "
      "name: 'two' {} }} }} }} states {{ name: 'away' transitions {{ to: "
      "'home' on: 'told' if: 'what == 9' }} }} }}",
      middle, fmt::format(fmt::runtime(around), within));
}

// Leaves from "work" in "two", and comes back.
std::unique_ptr<Simulation> Returned(std::string_view root) {
  auto world = Thinker(root);
  StepTimes(*world, 1);
  EXPECT_EQ(StateOf(*world), "one");
  Tell(*world, 1);
  EXPECT_EQ(StateOf(*world), "rest");
  Tell(*world, 2);
  EXPECT_EQ(StateOf(*world), "work");
  Tell(*world, 0);
  EXPECT_EQ(StateOf(*world), "away");
  Tell(*world, 9);
  return world;
}

TEST(BrainHistoryTest, EachKindGoesOnWithAnotherState) {
  EXPECT_EQ(StateOf(*Returned(Machines("NONE", "NONE"))), "one");
  EXPECT_EQ(StateOf(*Returned(Machines("SHALLOW", "NONE"))), "rest");
  EXPECT_EQ(StateOf(*Returned(Machines("DEEP", "NONE"))), "work");
  // Each has its own.
  EXPECT_EQ(StateOf(*Returned(Machines("SHALLOW", "SHALLOW"))), "work");
}

TEST(BrainHistoryTest, InnerOnesRememberWhereOuterOnesDoNot) {
  for (const std::string_view inner : {"SHALLOW", "DEEP"}) {
    const auto world = Returned(Machines("NONE", inner));
    EXPECT_EQ(StateOf(*world), "one");
    Tell(*world, 1);
    EXPECT_EQ(StateOf(*world), "work") << inner;
  }
  const auto world = Returned(Machines("NONE", "NONE"));
  Tell(*world, 1);
  EXPECT_EQ(StateOf(*world), "rest");
}

TEST(BrainHistoryTest, DeepOnesReachThroughOtherNodes) {
  constexpr std::string_view kAround =
      "repeat {{ node {{ succeed {{ node {{ {} }} }} }} }}";
  EXPECT_EQ(StateOf(*Returned(Machines("SHALLOW", "NONE", kAround))), "rest");
  EXPECT_EQ(StateOf(*Returned(Machines("DEEP", "NONE", kAround))), "work");
}

// One that has come to its end begins at its beginning.
TEST(BrainHistoryTest, WhatHasEndedIsNotGoneOnWith) {
  const auto world = Thinker(Spelled(
      "repeat { node { machine { history: HISTORY_SHALLOW states { name: 'a' "
      "(1 transitions { to: 'b' } } states { name: 'b' (2 ends: "
      "BRAIN_RESULT_SUCCESS } } } }"));
  StepTimes(*world, 3);
  EXPECT_EQ(LogOf(*world), 121212);
}

}  // namespace
}  // namespace reprise::sim
