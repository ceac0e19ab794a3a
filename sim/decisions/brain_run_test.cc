// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves by logs what machines, choices and budgets of brains do.

#include "sim/decisions/brain_run.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/decisions/brain_tree.h"
#include "sim/decisions/testing_brains.h"

namespace reprise::sim {
namespace {

using Kind = BrainNodeKind;

// Two states, of which the first has two within it.
Builder Machine(bool has_history) {
  Builder b;
  const uint32_t root = b.Add({.kind = Kind::kMachine});
  const uint32_t work =
      b.Add({.kind = Kind::kMachine, .enter = 1, .exit = 2, .is_state = true});
  const uint32_t dig =
      b.Add({.kind = Kind::kIdle, .enter = 3, .exit = 4, .is_state = true});
  const uint32_t haul = b.Add({.kind = Kind::kIdle,
                               .enter = 5,
                               .update = 6,
                               .exit = 7,
                               .update_every = 2,
                               .is_state = true});
  const uint32_t rest =
      b.Add({.kind = Kind::kIdle, .enter = 8, .exit = 9, .is_state = true});
  b.Children(work, {dig, haul});
  b.Children(root, {work, rest});
  b.tree.nodes[work].has_history = has_history;
  b.tree.transitions = {{.to = 1, .event = IdOf("bell")},   // work
                        {.to = 1, .after = 2},              // dig
                        {.to = 0, .event = IdOf("bell")}};  // rest
  b.tree.nodes[work].first_transition = 0;
  b.tree.nodes[work].transition_count = 1;
  b.tree.nodes[dig].first_transition = 1;
  b.tree.nodes[dig].transition_count = 1;
  b.tree.nodes[rest].first_transition = 2;
  b.tree.nodes[rest].transition_count = 1;
  return b;
}

// The order of enter and exit is that of the book's SetState: exit of the old,
// then enter of the new, each once.
TEST(BrainRunTest, StatesAreLeftFromWithinAndEnteredFromWithout) {
  const Builder b = Machine(/*has_history=*/false);
  Agent agent(b.tree);
  EXPECT_EQ(agent.Update(), "do1 do3");
  EXPECT_EQ(agent.Update(), "");
  EXPECT_EQ(agent.Update(), "do4 2->3 do5");  // two ticks after 0
  EXPECT_EQ(agent.Update(), "");
  EXPECT_EQ(agent.Update(), "do6");  // every other tick
  EXPECT_EQ(agent.Hear(IdOf("bell")), "do7 do2 1->4 do8");
  EXPECT_EQ(agent.Hear(IdOf("drum")), "");
  EXPECT_EQ(agent.Update(), "");
  EXPECT_EQ(agent.Hear(IdOf("bell")), "do9 4->1 do1");
  EXPECT_EQ(agent.Update(), "do3");
}

TEST(BrainRunTest, HistoryGoesOnWhereItWas) {
  const Builder b = Machine(/*has_history=*/true);
  Agent agent(b.tree);
  for (int i = 0; i < 3; ++i) agent.Update();
  EXPECT_EQ(agent.Hear(IdOf("bell")), "do7 do2 1->4 do8");
  EXPECT_EQ(agent.Hear(IdOf("bell")), "do9 4->1 do1");
  EXPECT_EQ(agent.Update(), "do5");
}

TEST(BrainRunTest, RingsOfTransitionsAreBounded) {
  Builder b;
  const uint32_t root = b.Add({.kind = Kind::kMachine});
  const uint32_t ping = b.Add({.kind = Kind::kIdle, .is_state = true});
  const uint32_t pong = b.Add({.kind = Kind::kIdle, .is_state = true});
  b.Children(root, {ping, pong});
  b.tree.transitions = {{.to = 1}, {.to = 0}};
  b.tree.nodes[ping].transition_count = 1;
  b.tree.nodes[pong].first_transition = 1;
  b.tree.nodes[pong].transition_count = 1;
  Agent agent(b.tree);
  EXPECT_EQ(agent.Update({.nodes = 100, .transitions = 3}),
            "1->2 2->1 1->2 notice1");
  EXPECT_EQ(agent.Update({.nodes = 2, .transitions = 100}),
            "2->1 1->2 2->1 notice0");
}

TEST(BrainRunTest, ChancesAndResultsDecideTransitions) {
  Builder b;
  const uint32_t root = b.Add({.kind = Kind::kMachine});
  const uint32_t look =
      b.Add({.kind = Kind::kWait, .ticks = 1, .is_state = true});
  const uint32_t alert = b.Add({.kind = Kind::kIdle, .is_state = true});
  const uint32_t end = b.Add(
      {.kind = Kind::kIdle, .is_state = true, .ends = NodeStatus::kFailed});
  b.Children(root, {look, alert, end});
  b.tree.transitions = {
      {.to = 1, .when = NodeStatus::kSucceeded, .chance = 0.5},
      {.to = 2, .when = NodeStatus::kStopped}};
  b.tree.nodes[look].transition_count = 2;
  Agent lucky(b.tree);
  lucky.host.draw = 0.4;
  lucky.Update();
  EXPECT_EQ(lucky.Update(), "1->2");
  Agent unlucky(b.tree);
  unlucky.host.draw = 0.5;
  unlucky.Update();
  EXPECT_EQ(unlucky.Update(), "1->3");
  EXPECT_EQ(unlucky.memory[root].status, NodeStatus::kFailed);
}

TEST(BrainRunTest, BudgetOfOneGetsThereLater) {
  Builder b;
  const uint32_t root = b.Add({.kind = Kind::kSequence});
  std::vector<uint32_t> leaves;
  for (uint32_t i = 0; i < 3; ++i) leaves.push_back(b.Add({.enter = i}));
  b.Children(root, leaves);
  Agent agent(b.tree);
  const BrainBudget one = {.nodes = 1, .transitions = 1};
  EXPECT_EQ(agent.Update(one), "notice0");
  EXPECT_EQ(agent.Update(one), "do0 notice0");
  EXPECT_EQ(agent.Update(one), "do1 notice0");
  EXPECT_EQ(agent.Update(one), "do2");
  EXPECT_EQ(agent.memory[root].status, NodeStatus::kSucceeded);
}

TEST(BrainRunTest, LeavesWaitForEventsAndWays) {
  Builder b;
  const uint32_t root = b.Add({.kind = Kind::kSequence});
  const uint32_t await = b.Add(
      {.kind = Kind::kAwait, .event = IdOf("knock"), .await_condition = 7});
  const uint32_t go = b.Add({.kind = Kind::kGoTo, .going = 3});
  b.Children(root, {await, go});
  Agent agent(b.tree);
  agent.Update();
  agent.Hear(IdOf("knock"));  // the condition doesn't hold
  agent.Update();
  EXPECT_EQ(agent.memory[await].status, NodeStatus::kRunning);
  agent.host.conditions[7] = true;
  agent.Hear(IdOf("bark"));
  agent.Update();
  EXPECT_EQ(agent.memory[await].status, NodeStatus::kRunning);
  agent.Hear(IdOf("knock"));
  EXPECT_EQ(agent.Update(), "go3");
  agent.Update();
  EXPECT_EQ(agent.memory[go].status, NodeStatus::kRunning);
  agent.host.going = NodeStatus::kFailed;
  agent.Update();
  EXPECT_EQ(agent.memory[root].status, NodeStatus::kFailed);
}

TEST(BrainRunTest, ChoicesFollowScoresWithInertia) {
  Builder b;
  const uint32_t root =
      b.Add({.kind = Kind::kChoose, .inertia = 0.2, .least = 0.1, .every = 1});
  const uint32_t eat = b.Add({.kind = Kind::kIdle, .enter = 1, .exit = 2});
  const uint32_t sleep = b.Add({.kind = Kind::kIdle, .enter = 3, .exit = 4});
  b.Children(root, {eat, sleep});
  b.tree.considerations = {{.number = 0}, {.number = 1}};
  b.tree.nodes[eat].consideration_count = 1;
  b.tree.nodes[sleep].first_consideration = 1;
  b.tree.nodes[sleep].consideration_count = 1;
  Agent agent(b.tree);
  agent.host.numbers = {0.5, 0.4};
  EXPECT_EQ(agent.Update(), "do1");
  agent.host.numbers = {0.5, 0.55};
  EXPECT_EQ(agent.Update(), "");
  EXPECT_EQ(agent.memory[sleep].score, 0.55);
  agent.host.numbers = {0.5, 0.61};
  EXPECT_EQ(agent.Update(), "do2 do3");
  agent.host.numbers = {0.1, 0.05};
  EXPECT_EQ(agent.Update(), "do4");
  EXPECT_EQ(agent.memory[root].status, NodeStatus::kFailed);
}

TEST(BrainRunTest, MemoryThatNoRunLeavesIsRefused) {
  const Builder b = Machine(false);
  Agent agent(b.tree);
  agent.Update();
  const std::vector<NodeMemory> good = agent.memory;
  EXPECT_TRUE(CanBeMemory(b.tree, good, {}));
  std::vector<NodeMemory> bad = good;
  bad[0].status = NodeStatus::kIdle;  // what is in it runs
  EXPECT_FALSE(CanBeMemory(b.tree, bad, {}));
  bad = good;
  bad[0].child = 2;
  EXPECT_FALSE(CanBeMemory(b.tree, bad, {}));
  bad = good;
  bad[0].done = NodeStatus::kSucceeded;  // no state
  EXPECT_FALSE(CanBeMemory(b.tree, bad, {}));
  bad.pop_back();
  EXPECT_FALSE(CanBeMemory(b.tree, bad, {}));
}

}  // namespace
}  // namespace reprise::sim
