// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that behaviour trees do what an interpreter does that keeps its state
// in itself and knows nothing of ours, for random trees and conditions, effect
// by effect; that memory is all that lasts; and what machines, choices and
// budgets do, by logs.

#include "sim/decisions/brain_run.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/decisions/brain_tree.h"
#include "sim/decisions/testing_agents.h"

namespace reprise::sim {
namespace {

using Kind = BrainNodeKind;

// The same kinds as objects with state of their own. What they may begin is in
// `budget`.
class Reference {
 public:
  Reference(const BrainTree& tree, uint32_t index, LoggingHost& host,
            BrainBudget& budget)
      : tree_(tree),
        index_(index),
        node_(tree.nodes[index]),
        host_(host),
        budget_(budget) {
    for (uint32_t i = 0; i < node_.child_count; ++i) {
      children_.push_back(std::make_unique<Reference>(
          tree, tree.ChildOf(node_, i), host, budget));
    }
  }

  // 'r', 's' or 'f'.
  char Tick(uint64_t now) {
    const bool holds =
        node_.condition == kNothing || host_.conditions[node_.condition];
    if (!is_on_) {
      if (node_.kind == Kind::kCooldown && now < cold_until_) return 'f';
      if (!holds) return 'f';
      if (!Begin(now)) return 'r';
    } else if (node_.aborts_self && !holds) {
      Stop(now);
      return 'f';
    }
    // A state stays when its work is over.
    if (work_ != 'r') return work_;
    const char result = Inner(now);
    if (result == 'r') return 'r';
    if (node_.is_state) {
      work_ = result;
    } else {
      Off(now);
    }
    return result;
  }

  bool Hear(Id event, uint64_t now) {
    if (!is_on_) return false;
    if (node_.kind == Kind::kAwait) {
      has_heard_ |= node_.event == event;
      return false;
    }
    if (node_.kind == Kind::kMachine) {
      if (!children_[at_]->is_on_) return false;
      const BrainTransition* const way = WayOut(event, now);
      if (way != nullptr && Change(*way, now)) {
        children_[at_]->Begin(now);
        return true;
      }
    }
    bool has_changed = false;
    for (auto& child : children_) has_changed |= child->Hear(event, now);
    return has_changed;
  }

  void Stop(uint64_t now) {
    if (!is_on_) return;
    for (auto child = children_.rbegin(); child != children_.rend(); ++child) {
      (*child)->Stop(now);
    }
    Off(now);
  }

 private:
  bool Begin(uint64_t now) {
    if (budget_.nodes == 0) {
      host_.Notice(BrainNotice::kNodesPassed, index_);
      return false;
    }
    --budget_.nodes;
    is_on_ = true;
    begun_ = now;
    work_ = 'r';
    times_ = 0;
    has_heard_ = false;
    const bool goes_on = node_.kind == Kind::kMachine && node_.has_history &&
                         children_[at_]->node_.ends == NodeStatus::kIdle;
    if (!goes_on) at_ = 0;
    for (auto& child : children_) child->verdict_ = 'r';
    if (node_.enter != kNothing) host_.Do(node_.enter);
    return true;
  }

  char Machine(uint64_t now) {
    for (;;) {
      Reference& state = *children_[at_];
      state.Tick(now);
      if (!state.is_on_) return 'r';
      if (state.node_.ends != NodeStatus::kIdle) {
        state.Stop(now);
        return state.node_.ends == NodeStatus::kSucceeded ? 's' : 'f';
      }
      const BrainTransition* const way = WayOut(kNoId, now);
      if (way == nullptr || !Change(*way, now)) return 'r';
    }
  }

  // Of the state that the machine is in, the first way that is open.
  const BrainTransition* WayOut(Id event, uint64_t now) const {
    const Reference& state = *children_[at_];
    for (uint32_t i = 0; i < state.node_.transition_count; ++i) {
      const BrainTransition& way =
          tree_.transitions[state.node_.first_transition + i];
      bool is_open = way.event == event && now >= state.begun_ + way.after;
      if (way.when == NodeStatus::kSucceeded) is_open &= state.work_ == 's';
      if (way.when == NodeStatus::kFailed) is_open &= state.work_ == 'f';
      if (way.when == NodeStatus::kStopped) is_open &= state.work_ != 'r';
      if (way.condition != kNothing) is_open &= host_.conditions[way.condition];
      if (is_open) return &way;
    }
    return nullptr;
  }

  bool Change(const BrainTransition& way, uint64_t now) {
    if (budget_.transitions == 0) {
      host_.Notice(BrainNotice::kTransitionsPassed, index_);
      return false;
    }
    --budget_.transitions;
    Reference& from = *children_[at_];
    from.Stop(now);
    at_ = way.to;
    host_.Changed(index_, from.index_, children_[at_]->index_);
    return true;
  }

  void Off(uint64_t now) {
    is_on_ = false;
    if (node_.kind == Kind::kCooldown) cold_until_ = now + node_.ticks;
    if (node_.exit != kNothing) host_.Do(node_.exit);
  }

  char Inner(uint64_t now) {
    switch (node_.kind) {
      case Kind::kWait:
        return now - begun_ >= node_.ticks ? 's' : 'r';
      case Kind::kInvert: {
        const char result = children_[0]->Tick(now);
        return result == 's' ? 'f' : result == 'f' ? 's' : 'r';
      }
      case Kind::kSucceed:
        return children_[0]->Tick(now) == 'r' ? 'r' : 's';
      case Kind::kCooldown:
        return children_[0]->Tick(now);
      case Kind::kTimeLimit: {
        const char result = children_[0]->Tick(now);
        if (result != 'r' || now - begun_ < node_.ticks) return result;
        children_[0]->Stop(now);
        return 'f';
      }
      case Kind::kRepeat: {
        const char result = children_[0]->Tick(now);
        if (result == 'r') return 'r';
        ++times_;
        const bool wants_s = node_.until == NodeStatus::kSucceeded;
        const bool wants_f = node_.until == NodeStatus::kFailed;
        if ((wants_s && result == 's') || (wants_f && result == 'f')) {
          return 's';
        }
        if (node_.count == 0 || times_ < node_.count) return 'r';
        return wants_s || wants_f ? 'f' : 's';
      }
      case Kind::kSequence:
      case Kind::kSelector:
        return Row(now, node_.kind == Kind::kSequence ? 's' : 'f');
      case Kind::kParallel:
        return Parallel(now);
      case Kind::kMachine:
        return Machine(now);
      case Kind::kAwait:
        return has_heard_ ? 's' : 'r';
      case Kind::kIdle:
        return 'r';
      default:
        return 's';
    }
  }

  char Row(uint64_t now, char next) {
    for (size_t i = 0; i < at_; ++i) {
      const BrainNode& node = children_[i]->node_;
      if (node.aborts_lower && host_.conditions[node.condition]) {
        children_[at_]->Stop(now);
        at_ = i;
        break;
      }
    }
    while (at_ < children_.size()) {
      const char result = children_[at_]->Tick(now);
      if (result != next) return result;
      ++at_;
    }
    return next;
  }

  char Parallel(uint64_t now) {
    size_t good = 0;
    size_t bad = 0;
    for (auto& child : children_) {
      if (child->verdict_ == 'r') child->verdict_ = child->Tick(now);
      good += child->verdict_ == 's' ? 1 : 0;
      bad += child->verdict_ == 'f' ? 1 : 0;
    }
    const bool any = node_.succeeds == ParallelPolicy::kAny;
    char result = 'r';
    if (any ? good > 0 : good == children_.size()) {
      result = 's';
    } else if (any ? bad == children_.size() : bad > 0) {
      result = 'f';
    }
    if (result == 'r') return 'r';
    for (auto child = children_.rbegin(); child != children_.rend(); ++child) {
      (*child)->Stop(now);
    }
    return result;
  }

  const BrainTree& tree_;
  uint32_t index_;
  const BrainNode& node_;
  LoggingHost& host_;
  BrainBudget& budget_;
  std::vector<std::unique_ptr<Reference>> children_;
  bool is_on_ = false;
  uint64_t begun_ = 0;
  uint64_t cold_until_ = 0;
  size_t at_ = 0;
  uint64_t times_ = 0;
  char verdict_ = 'r';  // of a parallel's child in this run
  char work_ = 'r';     // of a state: what it has come to
  bool has_heard_ = false;
};

// A random tree; conditions and effects are numbered by the nodes.
constexpr std::array<Id, 2> kRandomEvents = {IdOf("bell"), IdOf("drum")};

void AddRandomWays(Builder& builder, RandomStream& random,
                   const std::vector<uint32_t>& states);

uint32_t AddRandom(Builder& builder, RandomStream& random, int depth,
                   bool is_in_selector, bool has_machines = false) {
  constexpr Kind kLeaves[] = {Kind::kDone, Kind::kDone, Kind::kWait,
                              Kind::kIdle, Kind::kAwait};
  constexpr Kind kInner[] = {Kind::kSequence, Kind::kSelector,  Kind::kParallel,
                             Kind::kInvert,   Kind::kSucceed,   Kind::kRepeat,
                             Kind::kCooldown, Kind::kTimeLimit, Kind::kMachine,
                             Kind::kMachine,  Kind::kMachine};
  const bool is_leaf = depth == 0 || NextBelow(random, 4) == 0;
  BrainNode node = {
      .kind = is_leaf ? kLeaves[NextBelow(random, has_machines ? 5 : 3)]
                      : kInner[NextBelow(random, has_machines ? 11 : 8)]};
  const uint32_t index = builder.Add(node);
  BrainNode& made = builder.tree.nodes[index];
  if (NextBelow(random, 2) == 0) {
    made.condition = index;
    made.aborts_self = NextBelow(random, 2) == 0;
    made.aborts_lower = is_in_selector && NextBelow(random, 2) == 0;
  }
  made.enter = 2 * index;
  made.exit = 2 * index + 1;
  made.ticks = NextBelow(random, 4);
  made.count = NextBelow(random, 4);
  made.until =
      static_cast<NodeStatus>(std::vector<int>{0, 2, 3}[NextBelow(random, 3)]);
  made.succeeds =
      NextBelow(random, 2) == 0 ? ParallelPolicy::kAll : ParallelPolicy::kAny;
  if (has_machines) {
    made.has_history = NextBelow(random, 2) == 0;
    made.event = kRandomEvents[NextBelow(random, 2)];
  }
  if (is_leaf) return index;
  const Kind kind = made.kind;
  const bool has_several = kind == Kind::kSequence || kind == Kind::kSelector ||
                           kind == Kind::kParallel || kind == Kind::kMachine;
  std::vector<uint32_t> children;
  const uint64_t count = has_several ? 1 + NextBelow(random, 4) : 1;
  for (uint64_t i = 0; i < count; ++i) {
    children.push_back(AddRandom(builder, random, depth - 1,
                                 kind == Kind::kSelector, has_machines));
  }
  builder.Children(index, children);
  if (kind == Kind::kMachine) AddRandomWays(builder, random, children);
  return index;
}

void AddRandomWays(Builder& builder, RandomStream& random,
                   const std::vector<uint32_t>& states) {
  for (const uint32_t state : states) {
    BrainNode& node = builder.tree.nodes[state];
    node.is_state = true;
    if (NextBelow(random, 6) == 0) {
      node.ends = NextBelow(random, 2) == 0 ? NodeStatus::kSucceeded
                                            : NodeStatus::kFailed;
      continue;
    }
    node.first_transition =
        static_cast<uint32_t>(builder.tree.transitions.size());
    node.transition_count = static_cast<uint32_t>(NextBelow(random, 4));
    for (uint32_t i = 0; i < node.transition_count; ++i) {
      constexpr NodeStatus kWhen[] = {
          NodeStatus::kIdle, NodeStatus::kIdle, NodeStatus::kSucceeded,
          NodeStatus::kFailed, NodeStatus::kStopped};
      builder.tree.transitions.push_back(
          {.to = static_cast<uint32_t>(NextBelow(random, states.size())),
           .event = NextBelow(random, 2) == 0
                        ? kNoId
                        : kRandomEvents[NextBelow(random, 2)],
           .condition = NextBelow(random, 2) == 0
                            ? kNothing
                            : static_cast<uint32_t>(
                                  NextBelow(random, builder.tree.nodes.size())),
           .after = NextBelow(random, 3),
           .when = kWhen[NextBelow(random, 5)]});
    }
  }
}

TEST(BrainRunTest, RandomTreesDoWhatTheReferenceDoes) {
  RandomStream random = MakeRandomStream(1, IdOf("trees"));
  size_t done = 0;
  for (int round = 0; round < 500; ++round) {
    Builder builder;
    AddRandom(builder, random, 4, false);
    Agent agent(builder.tree);
    LoggingHost other;
    BrainBudget plenty = {.nodes = 1'000'000, .transitions = 1'000'000};
    Reference reference(builder.tree, 0, other, plenty);
    for (uint64_t tick = 0; tick < 60; ++tick) {
      for (size_t i = 0; i < builder.tree.nodes.size(); ++i) {
        if (NextBelow(random, 4) != 0) continue;
        const bool holds = NextBelow(random, 3) != 0;
        agent.host.conditions[i] = holds;
        other.conditions[i] = holds;
      }
      reference.Tick(tick);
      while (!other.log.empty() && other.log.back() == ' ') {
        other.log.pop_back();
      }
      ASSERT_EQ(agent.Update(), other.log) << round << " at " << tick;
      done += other.log.size();
      other.log.clear();
    }
  }
  EXPECT_GT(done, 100'000u);
}

std::string TakeLogOf(LoggingHost& host) {
  std::string log = std::move(host.log);
  host.log.clear();
  while (!log.empty() && log.back() == ' ') log.pop_back();
  return log;
}

// Machines within trees within machines, with history, events and budgets that
// are often too small.
TEST(BrainRunTest, RandomMachinesDoWhatTheReferenceDoes) {
  RandomStream random = MakeRandomStream(2, IdOf("machines"));
  size_t done = 0;
  int changes = 0;
  int heard = 0;
  int bounded = 0;
  for (int round = 0; round < 2'000; ++round) {
    Builder builder;
    AddRandom(builder, random, 4, false, /*has_machines=*/true);
    Agent agent(builder.tree);
    LoggingHost other;
    BrainBudget left;
    Reference reference(builder.tree, 0, other, left);
    for (uint64_t tick = 0; tick < 60; ++tick) {
      for (size_t i = 0; i < builder.tree.nodes.size(); ++i) {
        if (NextBelow(random, 4) != 0) continue;
        const bool holds = NextBelow(random, 3) != 0;
        agent.host.conditions[i] = holds;
        other.conditions[i] = holds;
      }
      const auto budget = [&] {
        return BrainBudget{.nodes = NextBelow(random, 12),
                           .transitions = NextBelow(random, 6)};
      };
      if (NextBelow(random, 3) == 0) {
        const Id event = kRandomEvents[NextBelow(random, 2)];
        const BrainBudget given = budget();
        left = given;
        reference.Hear(event, tick);
        const std::string expected = TakeLogOf(other);
        ASSERT_EQ(agent.Hear(event, given), expected)
            << round << " at " << tick;
        heard += expected.empty() ? 0 : 1;
      }
      const BrainBudget given = budget();
      left = given;
      reference.Tick(tick);
      const std::string expected = TakeLogOf(other);
      ASSERT_EQ(agent.Update(given), expected) << round << " at " << tick;
      done += expected.size();
      changes += expected.find("->") != std::string::npos ? 1 : 0;
      bounded += expected.find("notice") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(done, 100'000u);
  EXPECT_GT(changes, 1'000);
  EXPECT_GT(heard, 1'000);
  EXPECT_GT(bounded, 1'000);
}

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
