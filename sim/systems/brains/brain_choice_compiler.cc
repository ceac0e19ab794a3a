// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The nodes that choose and plan, and brains that are parts of others.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "sim/decisions/planner.h"
#include "sim/systems/brains/brain_tree_compiler.h"
#include "sim/systems/brains/score_curve_compiler.h"

namespace reprise::sim {
namespace {

constexpr double kHourS = 3'600.0;
constexpr int kGoalsMax = 16;
constexpr int kConsiderationsMax = 16;
constexpr uint32_t kExpansionsDefault = 256;
constexpr uint32_t kExpansionsMax = 4096;

std::optional<size_t> Find(const std::vector<std::string>& names,
                           std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<size_t>(found - names.begin());
}

}  // namespace

void BrainTreeCompiler::CompileChoice(const v1::BrainChoice& choice,
                                      const MessageChecker& place,
                                      uint32_t index, uint32_t depth) {
  node(index).inertia = place.Number("inertia", choice.inertia(), 0.0, 100.0);
  node(index).least = place.Number("least", choice.least(), 0.0, 1000.0);
  node(index).every = Period("every_s", choice.every_s(), kHourS, place);
  if (choice.options_size() == 0) {
    place.Problem("options", "needs at least one");
  }
  std::vector<uint32_t> children;
  for (int i = 0; i < choice.options_size(); ++i) {
    const v1::BrainOption& option = choice.options(i);
    const MessageChecker at = place.In(option, "options", i);
    if (!option.has_node()) {
      at.Problem("node", "required");
      continue;
    }
    const uint32_t child = AddNode(option.node(), at.In(option.node(), "node"),
                                   index, depth + 1, /*is_state=*/false);
    if (child == kNothing) return;
    children.push_back(child);
    if (option.weight() != 0.0) {
      node(child).weight = at.Positive("weight", option.weight(), 1000.0);
    }
    if (option.considerations_size() > kConsiderationsMax) {
      at.Problem("considerations",
                 fmt::format("more than {}", kConsiderationsMax));
      continue;
    }
    std::vector<Consideration> considered;
    for (int k = 0; k < option.considerations_size(); ++k) {
      const v1::BrainConsideration& each = option.considerations(k);
      considered.push_back(
          CompileConsideration(each, at.In(each, "considerations", k)));
    }
    std::vector<Consideration>& all = tree().considerations;
    node(child).first_consideration = static_cast<uint32_t>(all.size());
    node(child).consideration_count = static_cast<uint32_t>(considered.size());
    all.insert(all.end(), considered.begin(), considered.end());
  }
  SetChildren(index, children);
}

Consideration BrainTreeCompiler::CompileConsideration(
    const v1::BrainConsideration& message, const MessageChecker& place) {
  return {.number = CompileNumber("of", message.of(), place),
          .curve = CompileScoreCurve(message, place)};
}

void BrainTreeCompiler::CompilePlan(const v1::BrainPlan& plan,
                                    const MessageChecker& place, uint32_t index,
                                    uint32_t depth) {
  node(index).expansions_max =
      plan.expansions() == 0
          ? kExpansionsDefault
          : place.Count("expansions", plan.expansions(), 1, kExpansionsMax);
  if (plan.expansions_per_update() != 0) {
    node(index).expansions_per_update =
        place.Count("expansions_per_update", plan.expansions_per_update(), 1,
                    kExpansionsMax);
  }
  node(index).every = Period("every_s", plan.every_s(), kHourS, place);
  node(index).plan = tree().plan_count++;
  if (plan.actions_size() == 0 ||
      static_cast<size_t>(plan.actions_size()) > kPlanActionsMax) {
    place.Problem("actions", fmt::format("there are {}, not 1 to {}",
                                         plan.actions_size(), kPlanActionsMax));
    return;
  }
  std::vector<uint32_t> children;
  std::vector<PlanAction> actions;
  std::set<std::string> names;
  for (int i = 0; i < plan.actions_size(); ++i) {
    const v1::BrainAction& action = plan.actions(i);
    const MessageChecker at = place.In(action, "actions", i);
    if (action.node().name().empty()) {
      at.Problem("node", "required, with a name");
      continue;
    }
    if (!names.insert(action.node().name()).second) {
      at.Problem("node", fmt::format("there are two actions '{}'",
                                     action.node().name()));
    }
    const uint32_t child = AddNode(action.node(), at.In(action.node(), "node"),
                                   index, depth + 1, /*is_state=*/false);
    if (child == kNothing) return;
    children.push_back(child);
    PlanAction compiled = {.needs = CompileFacts("needs", action.needs(), at),
                           .gives = CompileFacts("gives", action.gives(), at)};
    if (action.gives_size() == 0) at.Problem("gives", "needs at least one");
    if (action.cost() != 0) {
      compiled.cost = at.Count("cost", action.cost(), 1, kPlanActionCostMax);
    }
    actions.push_back(compiled);
  }
  SetChildren(index, children);
  std::ranges::copy(actions, tree().actions.begin() + node(index).first_child);
  CompileGoals(plan, place, index);
}

void BrainTreeCompiler::CompileGoals(const v1::BrainPlan& plan,
                                     const MessageChecker& place,
                                     uint32_t index) {
  if (plan.goals_size() == 0 || plan.goals_size() > kGoalsMax) {
    place.Problem("goals", fmt::format("there are {}, not 1 to {}",
                                       plan.goals_size(), kGoalsMax));
    return;
  }
  PlanFacts given;  // what some action makes so, and what not so
  uint64_t given_not = 0;
  const BrainNode& self = node(index);
  for (uint32_t i = 0; i < self.child_count; ++i) {
    const PlanFacts& gives = tree().actions[self.first_child + i].gives;
    given.values |= gives.values;
    given_not |= gives.mask & ~gives.values;
  }
  std::set<std::string> names;
  std::vector<BrainGoal> goals;
  for (int i = 0; i < plan.goals_size(); ++i) {
    const v1::BrainGoal& goal = plan.goals(i);
    const MessageChecker at = place.In(goal, "goals", i);
    at.Name("name", goal.name());
    if (!names.insert(goal.name()).second) {
      at.Problem("name", fmt::format("there are two goals '{}'", goal.name()));
    }
    if (goal.wants_size() == 0) at.Problem("wants", "needs at least one");
    BrainGoal compiled = {.name = Word(goal.name()),
                          .wants = CompileFacts("wants", goal.wants(), at)};
    compiled.condition = CompileCondition("if", goal.if_(), "", at);
    if (!goal.priority().empty()) {
      compiled.priority = CompileNumber("priority", goal.priority(), at);
    }
    const uint64_t never =
        (compiled.wants.values & ~given.values) |
        (compiled.wants.mask & ~compiled.wants.values & ~given_not);
    for (size_t bit = 0; bit < symbols_.size(); ++bit) {
      if ((never >> bit & 1) == 0) continue;
      at.Warning(
          "wants",
          fmt::format("no action gives '{}{}'",
                      (compiled.wants.values >> bit & 1) != 0 ? "" : "not ",
                      symbols_[bit]));
    }
    goals.push_back(compiled);
  }
  node(index).first_goal = static_cast<uint32_t>(tree().goals.size());
  node(index).goal_count = static_cast<uint32_t>(goals.size());
  tree().goals.insert(tree().goals.end(), goals.begin(), goals.end());
}

PlanFacts BrainTreeCompiler::CompileFacts(
    std::string_view field,
    const google::protobuf::RepeatedPtrField<std::string>& literals,
    const MessageChecker& place) {
  PlanFacts facts;
  for (const std::string& literal : literals) {
    constexpr std::string_view kNot = "not ";
    std::string_view name = literal;
    const bool is_not = name.starts_with(kNot);
    if (is_not) name.remove_prefix(kNot.size());
    const std::optional<size_t> symbol = Find(symbols_, name);
    if (!symbol.has_value() || name.empty()) {
      place.NoSuch(field, "symbol", std::string(name), symbols_);
      continue;
    }
    const uint64_t bit = uint64_t{1} << *symbol;
    if ((facts.mask & bit) != 0) {
      place.Problem(field, fmt::format("'{}' stands there twice", name));
    }
    facts.mask |= bit;
    if (!is_not) facts.values |= bit;
  }
  return facts;
}

void BrainTreeCompiler::CompileUse(const std::string& name,
                                   const MessageChecker& place, uint32_t index,
                                   uint32_t depth) {
  const CompiledBrain* const part = find_brain_(name, place);
  if (part == nullptr || is_too_large_) return;
  const size_t count = tree().nodes.size() + part->definition.tree.nodes.size();
  const size_t symbols =
      tree().symbols.size() + part->definition.tree.symbols.size();
  if (depth + 1 + part->depth > kBrainDepthMax || count > kBrainNodesMax ||
      symbols > kPlanSymbolsMax) {
    is_too_large_ = true;
    place.Problem(
        "use",
        fmt::format("with '{}' there are more than {} nodes within "
                    "each other, {} in all or {} symbols",
                    name, kBrainDepthMax, kBrainNodesMax, kPlanSymbolsMax));
    return;
  }
  compiled_.depth = std::max(compiled_.depth, depth + 1 + part->depth);
  if (part->definition.tree.nodes.empty()) return;  // reported there
  SetChildren(index, {Append(part->definition, index)});
}

uint32_t BrainTreeCompiler::Append(const BrainDefinition& part,
                                   uint32_t parent) {
  BrainDefinition& all = compiled_.definition;
  const auto size = [](const auto& list) {
    return static_cast<uint32_t>(list.size());
  };
  const uint32_t nodes = size(all.tree.nodes);
  const uint32_t children = size(all.tree.children);
  const uint32_t transitions = size(all.tree.transitions);
  const uint32_t considerations = size(all.tree.considerations);
  const uint32_t goals = size(all.tree.goals);
  const uint32_t symbols = size(all.tree.symbols);
  const uint32_t expressions = size(all.expressions);
  const uint32_t effects = size(all.effects);
  const uint32_t goings = size(all.goings);
  const auto moved = [](uint32_t index, uint32_t by) {
    return index == kNothing ? kNothing : index + by;
  };
  const auto moved_facts = [&](PlanFacts facts) {
    // Nothing is left of facts where there are no bits for them.
    return symbols >= kPlanSymbolsMax
               ? PlanFacts{}
               : PlanFacts{facts.mask << symbols, facts.values << symbols};
  };
  for (BrainNode node : part.tree.nodes) {
    node.parent = node.parent == kNothing ? parent : node.parent + nodes;
    node.first_child += children;
    node.first_transition += transitions;
    node.first_consideration += considerations;
    node.first_goal += goals;
    node.plan += all.tree.plan_count;
    node.condition = moved(node.condition, expressions);
    node.await_condition = moved(node.await_condition, expressions);
    node.enter = moved(node.enter, effects);
    node.update = moved(node.update, effects);
    node.exit = moved(node.exit, effects);
    node.going = moved(node.going, goings);
    all.tree.nodes.push_back(node);
  }
  all.tree.plan_count += part.tree.plan_count;
  for (const uint32_t child : part.tree.children) {
    all.tree.children.push_back(child + nodes);
  }
  for (PlanAction action : part.tree.actions) {
    action.needs = moved_facts(action.needs);
    action.gives = moved_facts(action.gives);
    all.tree.actions.push_back(action);
  }
  for (BrainTransition transition : part.tree.transitions) {
    transition.condition = moved(transition.condition, expressions);
    all.tree.transitions.push_back(transition);
  }
  for (Consideration consideration : part.tree.considerations) {
    consideration.number = moved(consideration.number, expressions);
    all.tree.considerations.push_back(consideration);
  }
  for (BrainGoal goal : part.tree.goals) {
    goal.wants = moved_facts(goal.wants);
    goal.condition = moved(goal.condition, expressions);
    goal.priority = moved(goal.priority, expressions);
    all.tree.goals.push_back(goal);
  }
  for (const uint32_t symbol : part.tree.symbols) {
    all.tree.symbols.push_back(moved(symbol, expressions));
  }
  // What is called by a name in this brain comes first; these have none here.
  symbols_.resize(all.tree.symbols.size());
  all.expressions.insert(all.expressions.end(), part.expressions.begin(),
                         part.expressions.end());
  all.effects.insert(all.effects.end(), part.effects.begin(),
                     part.effects.end());
  all.goings.insert(all.goings.end(), part.goings.begin(), part.goings.end());
  all.heard.insert(all.heard.end(), part.heard.begin(), part.heard.end());
  return nodes;
}

}  // namespace reprise::sim
