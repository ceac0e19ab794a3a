// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One agent with a brain that a test builds node by node: what holds is what
// the test says, what is done is a log, and nothing lasts but the memory.

#ifndef REPRISE_SIM_DECISIONS_TESTING_AGENTS_H_
#define REPRISE_SIM_DECISIONS_TESTING_AGENTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/decisions/brain_run.h"
#include "sim/decisions/brain_tree.h"
#include "sim/decisions/planner.h"

namespace reprise::sim {

// Conditions and numbers are what a test says; what is done is a log.
class LoggingHost final : public BrainHost {
 public:
  bool Holds(uint32_t condition) override { return conditions[condition]; }
  double Number(uint32_t number) override { return numbers[number]; }
  void Do(uint32_t effects) override {
    log += "do" + std::to_string(effects) + " ";
  }
  void Go(uint32_t going) override {
    log += "go" + std::to_string(going) + " ";
  }
  NodeStatus Going(uint32_t) override { return going; }
  void StopGoing(uint32_t) override { log += "stay "; }
  double Draw() override { return draw; }
  void Notice(BrainNotice notice, uint32_t) override {
    log += "notice" + std::to_string(static_cast<int>(notice)) + " ";
  }
  void Changed(uint32_t, uint32_t from, uint32_t to) override {
    log += std::to_string(from) + "->" + std::to_string(to) + " ";
  }
  void Planned(uint32_t, uint32_t goal, const Plan& plan) override {
    log += "plan" + std::to_string(goal) + ":";
    for (const uint32_t action : plan.actions) log += std::to_string(action);
    log += " ";
  }

  std::vector<bool> conditions = std::vector<bool>(1000);
  std::vector<double> numbers = std::vector<double>(100);
  NodeStatus going = NodeStatus::kRunning;
  double draw = 0.0;
  std::string log;
};

// A tree that is built node by node.
struct Builder {
  BrainTree tree;

  uint32_t Add(BrainNode node) {
    tree.nodes.push_back(node);
    return static_cast<uint32_t>(tree.nodes.size() - 1);
  }
  void Children(uint32_t parent, const std::vector<uint32_t>& children) {
    tree.nodes[parent].first_child =
        static_cast<uint32_t>(tree.children.size());
    tree.nodes[parent].child_count = static_cast<uint32_t>(children.size());
    for (const uint32_t child : children) {
      tree.children.push_back(child);
      tree.nodes[child].parent = parent;
    }
    tree.actions.resize(tree.children.size());
  }
};

// As it is read from rows.
inline PlanSearch Restored(const BrainTree& tree, const BrainNode& node,
                           const PlanSearch& search) {
  PlanSearch restored = {.is_under_way = search.is_under_way,
                         .facts = search.facts,
                         .goal = search.goal,
                         .impossible = search.impossible,
                         .passed = search.passed,
                         .expansions = search.expansions,
                         .restarts = search.restarts,
                         .planner = {}};
  restored.planner.Restore(search.facts, ActionsOf(tree, node),
                           search.planner.reached());
  return restored;
}

// One agent.
struct Agent {
  explicit Agent(const BrainTree& brain)
      : tree(brain),
        memory(brain.nodes.size()),
        plans(brain.plan_count * kPlanStepsMax),
        searches(brain.plan_count) {}

  // What one update does; nothing is kept but the memory.
  std::string Update(BrainBudget budget = {.nodes = 1000, .transitions = 100}) {
    for (const BrainNode& node : tree.nodes) {
      if (keeps_planners || node.kind != BrainNodeKind::kPlan) continue;
      searches[node.plan] = Restored(tree, node, searches[node.plan]);
    }
    Planner planner;
    BrainRun run(tree, planner);
    run.Begin(now, memory, plans, searches, budget, host);
    run.Update();
    has_waited = run.budget().has_waited;
    expansions_left = run.budget().expansions;
    ++now;
    return TakeLog();
  }
  std::string Hear(Id event,
                   BrainBudget budget = {.nodes = 1000, .transitions = 100}) {
    Planner planner;
    BrainRun run(tree, planner);
    run.Begin(now, memory, plans, searches, budget, host);
    run.Hear(event);
    return TakeLog();
  }
  std::string TakeLog() {
    EXPECT_TRUE(CanBeMemory(tree, memory, plans));
    for (const BrainNode& node : tree.nodes) {
      if (node.kind != BrainNodeKind::kPlan) continue;
      const PlanSearch& search = searches[node.plan];
      EXPECT_TRUE(CanBeSearch(tree, node, search, search.planner.reached()));
    }
    std::string log = std::move(host.log);
    host.log.clear();
    while (!log.empty() && log.back() == ' ') log.pop_back();
    return log;
  }

  const BrainTree& tree;
  std::vector<NodeMemory> memory;
  std::vector<uint64_t> plans;
  std::vector<PlanSearch> searches;
  LoggingHost host;
  Tick now = 0;
  bool keeps_planners = false;
  bool has_waited = false;  // in the last update
  uint64_t expansions_left = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_DECISIONS_TESTING_AGENTS_H_
