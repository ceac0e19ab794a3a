// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves how plans are made, done and made anew: by logs that are known on
// paper, by what one update makes of the same facts, and by a model of whoever
// does a plan in which actions take time and fail.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/decisions/brain_run.h"
#include "sim/decisions/brain_tree.h"
#include "sim/decisions/planner.h"
#include "sim/decisions/testing_agents.h"

namespace reprise::sim {
namespace {

using Kind = BrainNodeKind;

// A door that is locked: fetch the key, open, go through.
Builder Planning() {
  Builder b;
  const uint32_t root =
      b.Add({.kind = Kind::kPlan, .expansions_max = 100, .goal_count = 2});
  std::vector<uint32_t> actions;
  for (uint32_t i = 0; i < 3; ++i) actions.push_back(b.Add({.enter = i}));
  b.Children(root, actions);
  b.tree.actions = {{.gives = {1, 1}},
                    {.needs = {1, 1}, .gives = {2, 2}},
                    {.needs = {2, 2}, .gives = {4, 4}}};
  b.tree.goals = {{.wants = {4, 4}, .priority = 0},
                  {.wants = {8, 8}, .priority = 1}};
  b.tree.symbols = {100, 101, 102, 103};
  b.tree.plan_count = 1;
  return b;
}

TEST(BrainPlansTest, PlansAreDoneStepByStepAndMadeAnew) {
  const Builder b = Planning();
  Agent agent(b.tree);
  agent.host.numbers = {1.0, 2.0};  // the second first, but there is no way
  EXPECT_EQ(agent.Update(), "plan0:012 do0");  // the key isn't there then
  agent.host.conditions[100] = true;
  EXPECT_EQ(agent.Update(), "plan0:12 do1");
  agent.host.conditions[101] = true;
  EXPECT_EQ(agent.Update(), "plan0:2 do2");
  EXPECT_EQ(agent.memory[0].status, NodeStatus::kSucceeded);
  agent.host.conditions[102] = true;
  EXPECT_EQ(agent.Update(), "plan0:");
  EXPECT_EQ(agent.memory[0].status, NodeStatus::kSucceeded);
}

TEST(BrainPlansTest, PlansThatCannotBeFail) {
  Builder b = Planning();
  b.tree.goals[0].wants = {16, 16};
  Agent agent(b.tree);
  EXPECT_EQ(agent.Update(), "notice3");
  EXPECT_EQ(agent.memory[0].status, NodeStatus::kFailed);
  b = Planning();
  b.tree.nodes[0].expansions_max = 1;
  Agent hurried(b.tree);
  EXPECT_EQ(hurried.Update(), "notice2 notice3");
}

// Two ways through a door: its lock is picked while there is a pick, which is
// cheap and fails, or it is smashed.
Builder Failing() {
  Builder b;
  const uint32_t root =
      b.Add({.kind = Kind::kPlan, .expansions_max = 100, .goal_count = 1});
  const uint32_t pick = b.Add({.kind = Kind::kInvert, .enter = 0, .exit = 10});
  const uint32_t smash = b.Add({.enter = 1, .exit = 11});
  b.Children(root, {pick, smash});
  b.Children(pick, {b.Add({})});
  b.tree.actions = {{.needs = {1, 1}, .gives = {2, 2}, .cost = 1},
                    {.gives = {2, 2}, .cost = 5},
                    {}};
  b.tree.goals = {{.wants = {2, 2}}};
  b.tree.symbols = {100, 101};
  b.tree.plan_count = 1;
  return b;
}

// While all stays as it was the cheapest plan is the same; when it isn't, there
// is another action.
TEST(BrainPlansTest, ActionsThatFailAreFollowedByANewPlan) {
  for (const uint32_t slice : {0u, 100u}) {
    Builder b = Failing();
    b.tree.nodes[0].expansions_per_update = slice;
    Agent agent(b.tree);
    agent.host.conditions[100] = true;
    EXPECT_EQ(agent.Update(), "plan0:0 do0 do10") << slice;
    EXPECT_EQ(agent.memory[0].status, NodeStatus::kRunning);
    EXPECT_EQ(agent.memory[1].status, NodeStatus::kFailed);
    EXPECT_EQ(agent.Update(), "plan0:0 do0 do10") << slice;
    agent.host.conditions[100] = false;  // the pick is broken
    EXPECT_EQ(agent.Update(), "plan0:1 do1 do11") << slice;
    EXPECT_EQ(agent.memory[0].status, NodeStatus::kSucceeded);
  }
}

// The second step of three fails: what was done before it isn't done again, and
// what comes behind it isn't begun.
TEST(BrainPlansTest, WhereALaterStepFailsThePlanBeginsFromWhatIsSo) {
  Builder b = Planning();
  b.tree.nodes[2].kind = Kind::kInvert;
  b.Children(2, {b.Add({})});
  Agent agent(b.tree);
  EXPECT_EQ(agent.Update(), "plan0:012 do0");
  agent.host.conditions[100] = true;
  EXPECT_EQ(agent.Update(), "plan0:12 do1");
  EXPECT_EQ(agent.memory[0].status, NodeStatus::kRunning);
  EXPECT_EQ(agent.Update(), "plan0:12 do1");
  agent.host.conditions[100] = false;  // the key is lost, too
  EXPECT_EQ(agent.Update(), "plan0:012 do0");
  EXPECT_EQ(agent.memory[3].status, NodeStatus::kIdle);
}

// A domain with goals of equal priority; conditions from 100 on are the facts.
Builder RandomPlanning(RandomStream& random) {
  constexpr uint32_t kSymbols = 6;
  Builder b;
  const uint32_t root =
      b.Add({.kind = Kind::kPlan,
             .expansions_max = static_cast<uint32_t>(1 + NextBelow(random, 60)),
             .goal_count = static_cast<uint32_t>(1 + NextBelow(random, 3))});
  std::vector<uint32_t> actions;
  const uint64_t count = 1 + NextBelow(random, 9);
  for (uint32_t i = 0; i < count; ++i) {
    actions.push_back(b.Add({.kind = Kind::kIdle}));
  }
  b.Children(root, actions);
  const auto facts = [&](uint64_t count_max) {
    PlanFacts result;
    for (uint64_t i = 0; i <= NextBelow(random, count_max); ++i) {
      const uint64_t bit = uint64_t{1} << NextBelow(random, kSymbols);
      result.mask |= bit;
      result.values =
          (result.values & ~bit) | (NextBelow(random, 3) == 0 ? 0 : bit);
    }
    return result;
  };
  for (PlanAction& action : b.tree.actions) {
    action = {.needs = facts(3),
              .gives = facts(1),
              .cost = static_cast<uint32_t>(1 + NextBelow(random, 4))};
  }
  for (uint32_t i = 0; i < b.tree.nodes[root].goal_count; ++i) {
    b.tree.goals.push_back({.wants = facts(4), .priority = i});
  }
  for (uint32_t i = 0; i < kSymbols; ++i) b.tree.symbols.push_back(100 + i);
  b.tree.plan_count = 1;
  return b;
}

// Whatever the slice, what comes of it is what one update without a slice makes
// of the facts, which change now and then while it is sought.
TEST(BrainPlansTest, PlansThatAreSoughtOverUpdatesAreTheSame) {
  RandomStream random = MakeRandomStream(22, IdOf("slices"));
  int found = 0;
  int failed = 0;
  int restarted = 0;
  for (int round = 0; round < 3'000; ++round) {
    const Builder b = RandomPlanning(random);
    BrainTree in_slices = b.tree;
    in_slices.nodes[0].expansions_per_update =
        static_cast<uint32_t>(1 + NextBelow(random, 5));
    Agent slow(in_slices);
    std::string log;
    uint64_t updates = 0;
    bool is_changed = false;
    do {
      const bool is_new = updates == 0 || NextBelow(random, 16) == 0;
      for (uint32_t i = 0; is_new && i < 6; ++i) {
        slow.host.conditions[100 + i] = NextBelow(random, 2) == 0;
      }
      for (uint32_t i = 0; is_new && i < 3; ++i) {
        slow.host.numbers[i] = static_cast<double>(NextBelow(random, 2));
      }
      is_changed |= is_new && updates != 0;
      log += slow.Update() + " ";
      ++updates;
      ASSERT_LT(updates, 1'000u) << round;
    } while (slow.searches[0].is_under_way);
    // What was passed over under other facts is not looked at again.
    if (is_changed) {
      ++restarted;
      continue;
    }
    Agent fast(b.tree);
    fast.host.conditions = slow.host.conditions;
    fast.host.numbers = slow.host.numbers;
    std::string expected = fast.Update();
    while (!log.empty() && log.back() == ' ') log.pop_back();
    std::erase(log, ' ');
    std::erase(expected, ' ');
    ASSERT_EQ(log, expected) << round;
    ++(log.find("plan") != std::string::npos ? found : failed);
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(failed, 300);
  EXPECT_GT(restarted, 100);
}

// Whoever does a plan, as the page says of it: step by step, each as long as it
// takes; where one fails, or what the next one needs isn't so, the plan is
// dropped and a new one made in the next update.
class PlanModel {
 public:
  PlanModel(const BrainTree& tree, const std::vector<uint64_t>& ticks,
            const std::vector<bool>& fails)
      : tree_(tree), ticks_(ticks), fails_(fails) {}

  // What is planned and done, as Agent's log has it.
  std::string Update(Tick now, const LoggingHost& host) {
    std::string log;
    if (!has_plan_) {
      log = MakePlan(host);
      if (!has_plan_) return log;
    }
    while (at_ < plan_.size()) {
      const uint32_t action = plan_[at_];
      if (!is_under_way_) {
        if (!IsPossible(action, host)) {
          has_plan_ = false;
          return log;
        }
        log += "do" + std::to_string(action) + " ";
        is_under_way_ = true;
        begun_ = now;
      }
      if (now - begun_ < ticks_[action]) return log;
      is_under_way_ = false;
      if (fails_[action]) {
        ++failed;
        has_plan_ = false;
        return log;
      }
      ++at_;
    }
    ++succeeded;
    has_plan_ = false;
    return log;
  }

  int failed = 0;
  int succeeded = 0;

 private:
  // The plan of one who has never planned before, of the same facts.
  std::string MakePlan(const LoggingHost& host) {
    BrainTree idle = tree_;
    for (uint32_t i = 0; i < idle.nodes[0].child_count; ++i) {
      BrainNode& action = idle.nodes[idle.ChildOf(idle.nodes[0], i)];
      action = {.kind = Kind::kIdle, .parent = 0};
    }
    Agent fresh(idle);
    fresh.host.conditions = host.conditions;
    fresh.host.numbers = host.numbers;
    const std::string told = fresh.Update();
    const size_t begin = told.find("plan");
    plan_.clear();
    at_ = 0;
    is_under_way_ = false;
    has_plan_ = begin != std::string::npos;
    if (!has_plan_) return "";
    const std::string plan = told.substr(begin, told.find(' ', begin) - begin);
    for (const char digit : plan.substr(plan.find(':') + 1)) {
      plan_.push_back(static_cast<uint32_t>(digit - '0'));
    }
    // Of an empty one it is told only once.
    return plan_.empty() ? "" : plan + " ";
  }

  bool IsPossible(uint32_t action, const LoggingHost& host) const {
    const PlanFacts& needs = tree_.actions[action].needs;
    for (uint32_t bit = 0; bit < tree_.symbols.size(); ++bit) {
      const bool is_needed = (needs.mask >> bit & 1) != 0;
      const bool has_to_be = (needs.values >> bit & 1) != 0;
      const bool is_so = host.conditions[tree_.symbols[bit]];
      if (is_needed && is_so != has_to_be) return false;
    }
    return true;
  }

  const BrainTree& tree_;
  const std::vector<uint64_t>& ticks_;  // that each action takes
  const std::vector<bool>& fails_;
  bool has_plan_ = false;
  std::vector<uint32_t> plan_;
  size_t at_ = 0;
  bool is_under_way_ = false;
  Tick begun_ = 0;
};

// Only what is planned, if anything is, and what is done.
std::string DoneIn(const std::string& log) {
  std::string done;
  size_t at = 0;
  while (at < log.size()) {
    const size_t end = std::min(log.find(' ', at), log.size());
    const std::string word = log.substr(at, end - at);
    if (!word.starts_with("notice") && !word.ends_with(":")) done += word + " ";
    at = end + 1;
  }
  return done;
}

TEST(BrainPlansTest, RandomPlansWhoseActionsFailAreDoneAsTheModelDoesThem) {
  RandomStream random = MakeRandomStream(24, IdOf("failing"));
  int failed = 0;
  int succeeded = 0;
  for (int round = 0; round < 1'000; ++round) {
    Builder b = RandomPlanning(random);
    std::vector<uint64_t> ticks;
    std::vector<bool> fails;
    const uint32_t count = b.tree.nodes[0].child_count;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t action = b.tree.ChildOf(b.tree.nodes[0], i);
      ticks.push_back(NextBelow(random, 3));
      fails.push_back(NextBelow(random, 3) == 0);
      const BrainNode work = {.kind = Kind::kWait, .ticks = ticks.back()};
      b.tree.nodes[action] = work;
      if (fails.back()) {
        b.tree.nodes[action] = {.kind = Kind::kInvert};
        b.Children(action, {b.Add(work)});
      }
      b.tree.nodes[action].parent = 0;
      b.tree.nodes[action].enter = i;
    }
    Agent agent(b.tree);
    PlanModel model(b.tree, ticks, fails);
    for (int update = 0; update < 40; ++update) {
      for (uint32_t i = 0; i < 6; ++i) {
        if (update != 0 && NextBelow(random, 6) != 0) continue;
        agent.host.conditions[100 + i] = NextBelow(random, 2) == 0;
      }
      const std::string expected = model.Update(agent.now, agent.host);
      ASSERT_EQ(DoneIn(agent.Update()), expected) << round << " at " << update;
    }
    failed += model.failed;
    succeeded += model.succeeded;
  }
  EXPECT_GT(failed, 1'000);
  EXPECT_GT(succeeded, 1'000);
}

// Facts that change at each update, with a budget of 1: it ends, with a goal
// that is passed over.
TEST(BrainPlansTest, FactsThatNeverStayEndASearch) {
  Builder b = Planning();
  b.tree.nodes[0].expansions_per_update = 1;
  b.tree.nodes[0].expansions_max = 10;
  b.tree.goals = {{.wants = {4, 4}}};
  b.tree.nodes[0].goal_count = 1;
  Agent agent(b.tree);
  std::string log;
  int updates = 0;
  do {
    agent.host.conditions[103] = !agent.host.conditions[103];
    log += agent.Update();
    ++updates;
  } while (agent.searches[0].is_under_way && updates < 100);
  EXPECT_EQ(log, "notice2 notice3");
  EXPECT_EQ(updates, 10);
}

// While it seeks a better plan it does what the last one says.
TEST(BrainPlansTest, WhatIsUnderWayGoesOnWhileAPlanIsSought) {
  Builder b = Planning();
  b.tree.nodes[0].expansions_per_update = 1;
  b.tree.nodes[0].every = 3;
  b.tree.goals = {{.wants = {4, 4}}};
  b.tree.nodes[0].goal_count = 1;
  for (uint32_t i = 1; i < 4; ++i) b.tree.nodes[i].kind = Kind::kIdle;
  Agent agent(b.tree);
  std::string log;
  while (log.empty()) log = agent.Update();
  EXPECT_EQ(log, "plan0:012 do0");
  EXPECT_EQ(agent.now, 3u);  // three sets of facts before those that are so
  bool is_sought = false;
  for (int i = 0; i < 20; ++i) {
    log = agent.Update();
    EXPECT_TRUE(log.empty() || log == "plan0:012") << log;
    EXPECT_EQ(agent.memory[1].status, NodeStatus::kRunning);
    is_sought |= agent.searches[0].is_under_way;
  }
  EXPECT_TRUE(is_sought);
  // Whoever is stopped seeks nothing any more.
  Planner planner;
  BrainRun run(b.tree, planner);
  while (!agent.searches[0].is_under_way) agent.Update();
  run.Begin(agent.now, agent.memory, agent.plans, agent.searches,
            {.nodes = 10, .transitions = 10}, agent.host);
  run.Stop();
  EXPECT_FALSE(agent.searches[0].is_under_way);
  EXPECT_TRUE(agent.searches[0].planner.reached().empty());
}

// What a planner keeps beside its nodes changes nothing.
TEST(BrainPlansTest, PlannersThatAreKeptGoOnAsRestoredOnesDo) {
  RandomStream random = MakeRandomStream(23, IdOf("kept"));
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    Builder b = RandomPlanning(random);
    b.tree.nodes[0].expansions_per_update =
        static_cast<uint32_t>(1 + NextBelow(random, 3));
    Agent kept(b.tree);
    kept.keeps_planners = true;
    Agent restored(b.tree);
    for (int update = 0; update < 30; ++update) {
      const bool is_new = update == 0 || NextBelow(random, 16) == 0;
      for (uint32_t i = 0; is_new && i < 6; ++i) {
        const bool is_so = NextBelow(random, 2) == 0;
        kept.host.conditions[100 + i] = is_so;
        restored.host.conditions[100 + i] = is_so;
      }
      ASSERT_EQ(kept.Update(), restored.Update()) << round;
      const auto of_kept = kept.searches[0].planner.reached();
      const auto of_restored = restored.searches[0].planner.reached();
      ASSERT_TRUE(std::ranges::equal(of_kept, of_restored)) << round;
      ASSERT_EQ(kept.memory, restored.memory) << round;
      compared += of_kept.size() > 2 ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 500);
}

// As long as nothing has changed nothing is sought, nor told again.
TEST(BrainPlansTest, WhatCouldNotBeIsSoughtAnewOnlyForOtherFacts) {
  for (const uint32_t slice : {0u, 1u}) {
    Builder b = Planning();
    b.tree.nodes[0].expansions_per_update = slice;
    b.tree.goals[0].wants = {16, 16};
    Agent agent(b.tree);
    std::string log;
    for (int i = 0; i < 20; ++i) log += agent.Update();
    EXPECT_EQ(log, "notice3") << slice;
    EXPECT_EQ(agent.memory[0].status, NodeStatus::kFailed);
    EXPECT_EQ(agent.expansions_left, BrainBudget().expansions);
    // Another fact, which helps no more.
    agent.host.conditions[100] = true;
    log.clear();
    for (int i = 0; i < 20; ++i) log += agent.Update();
    EXPECT_EQ(log, "notice3") << slice;
    // One that does.
    agent.host.conditions[103] = true;
    log.clear();
    for (int i = 0; i < 20; ++i) log += agent.Update();
    EXPECT_EQ(log, "plan1:") << slice;
  }
}

// Goals that are so already need no plan, which is told once.
TEST(BrainPlansTest, EmptyPlansAreToldOnce) {
  const Builder b = Planning();
  Agent agent(b.tree);
  agent.host.conditions[102] = true;
  EXPECT_EQ(agent.Update(), "plan0:");
  EXPECT_EQ(agent.Update(), "");
  EXPECT_EQ(agent.memory[0].status, NodeStatus::kSucceeded);
  agent.host.conditions[102] = false;
  EXPECT_EQ(agent.Update(), "plan0:012 do0");
  agent.host.conditions[102] = true;
  EXPECT_EQ(agent.Update(), "plan0:");
  EXPECT_EQ(agent.Update(), "");
}

// What all plans together may expand makes a plan late, and no other.
TEST(BrainPlansTest, PlansWaitForExpansions) {
  for (const uint32_t slice : {0u, 2u}) {
    Builder b = Planning();
    b.tree.nodes[0].expansions_per_update = slice;
    b.tree.goals = {{.wants = {4, 4}}};
    b.tree.nodes[0].goal_count = 1;
    for (uint32_t i = 1; i < 4; ++i) b.tree.nodes[i].kind = Kind::kIdle;
    Agent agent(b.tree);
    BrainBudget budget = {.nodes = 10, .transitions = 10, .expansions = 0};
    EXPECT_EQ(agent.Update(budget), "notice4");
    EXPECT_TRUE(agent.has_waited);
    EXPECT_EQ(agent.memory[0].status, NodeStatus::kRunning);
    budget.expansions = 1;
    std::string log;
    for (int i = 0; i < 4; ++i) {
      log += agent.Update(budget);
      EXPECT_EQ(agent.has_waited, false);
    }
    EXPECT_EQ(log, "plan0:012 do0") << slice;
  }
}

TEST(BrainPlansTest, SearchesThatNoRunLeavesAreRefused) {
  Builder b = Planning();
  b.tree.nodes[0].expansions_per_update = 1;
  Agent agent(b.tree);
  agent.host.numbers = {2.0, 1.0};
  agent.Update();
  const PlanSearch good = agent.searches[0];
  const std::vector<PlanNode> nodes(good.planner.reached().begin(),
                                    good.planner.reached().end());
  ASSERT_TRUE(good.is_under_way);
  ASSERT_GE(nodes.size(), 2u);
  const auto can_be = [&](auto change) {
    PlanSearch bad = good;
    std::vector<PlanNode> bad_nodes = nodes;
    change(bad, bad_nodes);
    return CanBeSearch(b.tree, b.tree.nodes[0], bad, bad_nodes);
  };
  using Nodes = std::vector<PlanNode>;
  EXPECT_TRUE(can_be([](PlanSearch&, Nodes&) {}));
  EXPECT_FALSE(can_be([](PlanSearch& s, Nodes&) { s.goal = 2; }));
  EXPECT_FALSE(can_be([](PlanSearch& s, Nodes&) { s.goal = 1; }));
  EXPECT_FALSE(can_be([](PlanSearch& s, Nodes&) { s.passed = 4; }));
  EXPECT_FALSE(can_be([](PlanSearch& s, Nodes&) { s.expansions = 101; }));
  EXPECT_FALSE(can_be([](PlanSearch&, Nodes& n) { n.clear(); }));
  EXPECT_FALSE(can_be([](PlanSearch& s, Nodes&) { s.is_under_way = false; }));
  EXPECT_FALSE(can_be([](PlanSearch&, Nodes& n) { n[1].next = 1; }));
  EXPECT_FALSE(can_be([](PlanSearch&, Nodes& n) { n[1].action = 3; }));
  EXPECT_FALSE(can_be([](PlanSearch&, Nodes& n) { n[1].steps = 2; }));
  EXPECT_FALSE(can_be([](PlanSearch&, Nodes& n) { n[0].steps = 1; }));
  EXPECT_FALSE(can_be(
      [](PlanSearch&, Nodes& n) { n[1].wanted.values |= ~n[1].wanted.mask; }));
  EXPECT_FALSE(can_be([](PlanSearch&, Nodes& n) { n[1].cost = ~uint64_t{0}; }));
}

}  // namespace
}  // namespace reprise::sim
