// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Of the compiler of trees: machines, their states and transitions.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "sim/systems/brains/brain_tree_compiler.h"

namespace reprise::sim {
namespace {

constexpr double kDayS = 86'400.0;
constexpr int kTransitionsMax = 64;

std::vector<std::string> NamesOf(const v1::BrainMachine& machine) {
  std::vector<std::string> names;
  for (const v1::BrainNode& state : machine.states()) {
    names.push_back(state.name());
  }
  return names;
}

std::optional<size_t> Find(const std::vector<std::string>& names,
                           std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<size_t>(found - names.begin());
}

// Whether it is taken as soon as its state is entered.
bool IsAlways(const v1::BrainTransition& transition) {
  return transition.on().empty() && transition.if_().empty() &&
         transition.after_s() == 0.0 &&
         transition.when() == v1::BRAIN_RESULT_UNSPECIFIED &&
         !transition.has_chance();
}

}  // namespace

void BrainTreeCompiler::CompileMachine(const v1::BrainMachine& machine,
                                       const MessageChecker& place,
                                       uint32_t index, uint32_t depth) {
  std::set<std::string> names;
  for (int i = 0; i < machine.states_size(); ++i) {
    const v1::BrainNode& state = machine.states(i);
    const MessageChecker at = place.In(state, "states", i);
    if (state.name().empty()) {
      at.Problem("name", "required of a state");
    } else if (!names.insert(state.name()).second) {
      at.Problem("name",
                 fmt::format("there are two states '{}'", state.name()));
    }
  }
  AddChildren("states", machine.states(), place, index, depth,
              /*are_states=*/true);
  if (is_too_large_) return;
  CompileTransitions(machine, place, index);
  WarnOfUnreachable(machine, place);
  WarnOfRings(machine, place);
  if (machine.history() == v1::BrainMachine::HISTORY_SHALLOW) {
    node(index).has_history = true;
  } else if (machine.history() == v1::BrainMachine::HISTORY_DEEP) {
    MakeHistoryDeep(index);
  }
}

void BrainTreeCompiler::MakeHistoryDeep(uint32_t index) {
  node(index).has_history = node(index).kind == BrainNodeKind::kMachine;
  for (uint32_t i = 0; i < node(index).child_count; ++i) {
    MakeHistoryDeep(tree().ChildOf(node(index), i));
  }
}

void BrainTreeCompiler::CompileTransitions(const v1::BrainMachine& machine,
                                           const MessageChecker& place,
                                           uint32_t index) {
  const std::vector<std::string> names = NamesOf(machine);
  for (int i = 0; i < machine.states_size(); ++i) {
    const v1::BrainNode& state = machine.states(i);
    const MessageChecker at = place.In(state, "states", i);
    if (state.transitions_size() > kTransitionsMax) {
      at.Problem("transitions", fmt::format("more than {}", kTransitionsMax));
      return;
    }
    std::vector<BrainTransition> compiled;
    for (int k = 0; k < state.transitions_size(); ++k) {
      const v1::BrainTransition& transition = state.transitions(k);
      compiled.push_back(CompileTransition(
          transition, names, at.In(transition, "transitions", k)));
    }
    BrainNode& child = node(tree().ChildOf(node(index), i));
    child.first_transition = static_cast<uint32_t>(tree().transitions.size());
    child.transition_count = static_cast<uint32_t>(compiled.size());
    tree().transitions.insert(tree().transitions.end(), compiled.begin(),
                              compiled.end());
  }
}

BrainTransition BrainTreeCompiler::CompileTransition(
    const v1::BrainTransition& message, const std::vector<std::string>& states,
    const MessageChecker& place) {
  BrainTransition compiled;
  const std::optional<size_t> to = Find(states, message.to());
  if (to.has_value()) {
    compiled.to = static_cast<uint32_t>(*to);
  } else {
    place.NoSuch("to", "state", message.to(), states);
  }
  if (!message.on().empty()) compiled.event = Hear("on", message.on(), place);
  compiled.condition =
      CompileCondition("if", message.if_(), message.on(), place);
  compiled.after = Ticks("after_s", message.after_s(), kDayS, place);
  compiled.when = StatusOf(message.when());
  if (message.has_chance()) {
    compiled.chance = place.Positive("chance", message.chance(), 1.0);
  }
  return compiled;
}

void BrainTreeCompiler::WarnOfUnreachable(const v1::BrainMachine& machine,
                                          const MessageChecker& place) {
  const std::vector<std::string> names = NamesOf(machine);
  if (names.empty()) return;
  std::vector<bool> is_reached(names.size());
  std::vector<size_t> waiting = {0};
  is_reached[0] = true;
  while (!waiting.empty()) {
    const size_t at = waiting.back();
    waiting.pop_back();
    for (const v1::BrainTransition& transition :
         machine.states(static_cast<int>(at)).transitions()) {
      const std::optional<size_t> to = Find(names, transition.to());
      if (!to.has_value() || is_reached[*to]) continue;
      is_reached[*to] = true;
      waiting.push_back(*to);
    }
  }
  for (int i = 0; i < machine.states_size(); ++i) {
    if (is_reached[static_cast<size_t>(i)]) continue;
    place.In(machine.states(i), "states", i)
        .Warning("name", fmt::format("no transition leads to the state '{}'",
                                     machine.states(i).name()));
  }
}

void BrainTreeCompiler::WarnOfRings(const v1::BrainMachine& machine,
                                    const MessageChecker& place) {
  const std::vector<std::string> names = NamesOf(machine);
  std::set<size_t> told;
  for (size_t start = 0; start < names.size(); ++start) {
    std::string way = names[start];
    size_t at = start;
    for (size_t steps = 0; steps < names.size(); ++steps) {
      const auto& transitions =
          machine.states(static_cast<int>(at)).transitions();
      const auto always = std::ranges::find_if(transitions, IsAlways);
      const std::optional<size_t> to = always == transitions.end()
                                           ? std::nullopt
                                           : Find(names, always->to());
      if (!to.has_value() || told.contains(*to)) break;
      way += " -> " + names[*to];
      at = *to;
      if (at != start) continue;
      const auto index = static_cast<int>(start);
      place.In(machine.states(index), "states", index)
          .Warning("transitions",
                   fmt::format("states lead to each other, whatever happens, "
                               "so that only their bound ends it: {}",
                               way));
      told.insert(start);
      break;
    }
  }
}

}  // namespace reprise::sim
