// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Makes a brain of its message: a flat tree, and what its nodes refer to.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_TREE_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_TREE_COMPILER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "google/protobuf/repeated_ptr_field.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/expression/value.h"
#include "sim/systems/brains/brain_definition.h"

namespace reprise::sim {

// A brain, and what there is to say of it beside.
struct CompiledBrain {
  BrainDefinition definition;
  uint32_t depth = 0;  // of its nodes within each other
};

// Another brain of the pack by its name; null after reporting, at `place`, that
// there is none, or that it is being compiled.
using FindBrain = std::function<const CompiledBrain*(
    const std::string& name, const MessageChecker& place)>;

class BrainTreeCompiler {
 public:
  // All outlive this; types and objects are there.
  BrainTreeCompiler(PackCompilation& compilation, const FindBrain& find_brain)
      : compilation_(compilation), find_brain_(find_brain) {}

  // Reports what is wrong at its place.
  CompiledBrain Compile(const v1::Brain& brain, const MessageChecker& place);

 private:
  using Nodes = google::protobuf::RepeatedPtrField<v1::BrainNode>;

  BrainTree& tree() { return compiled_.definition.tree; }
  BrainNode& node(uint32_t index) { return tree().nodes[index]; }

  void CompileSymbols(const v1::Brain& brain, const MessageChecker& place);

  // Adds a node and all within it. `depth` is the number of nodes that it is
  // in. Returns its index; kNothing where there are too many.
  uint32_t AddNode(const v1::BrainNode& message, const MessageChecker& place,
                   uint32_t parent, uint32_t depth, bool is_state);
  void CompileKind(const v1::BrainNode& message, const MessageChecker& place,
                   uint32_t index, uint32_t depth);
  void CompileCommon(const v1::BrainNode& message, const MessageChecker& place,
                     uint32_t index);
  // Makes `children` those of a node.
  void SetChildren(uint32_t index, const std::vector<uint32_t>& children);
  void AddChild(const v1::BrainNode& message, bool is_there,
                const MessageChecker& place, uint32_t index, uint32_t depth);
  void AddChildren(std::string_view field, const Nodes& nodes,
                   const MessageChecker& place, uint32_t index, uint32_t depth,
                   bool are_states);

  void CompileMachine(const v1::BrainMachine& machine,
                      const MessageChecker& place, uint32_t index,
                      uint32_t depth);
  void CompileTransitions(const v1::BrainMachine& machine,
                          const MessageChecker& place, uint32_t index);
  BrainTransition CompileTransition(const v1::BrainTransition& message,
                                    const std::vector<std::string>& states,
                                    const MessageChecker& place);
  static void WarnOfUnreachable(const v1::BrainMachine& machine,
                                const MessageChecker& place);
  static void WarnOfRings(const v1::BrainMachine& machine,
                          const MessageChecker& place);
  void CompileChoice(const v1::BrainChoice& choice, const MessageChecker& place,
                     uint32_t index, uint32_t depth);
  Consideration CompileConsideration(const v1::BrainConsideration& message,
                                     const MessageChecker& place);
  void CompilePlan(const v1::BrainPlan& plan, const MessageChecker& place,
                   uint32_t index, uint32_t depth);
  void CompileGoals(const v1::BrainPlan& plan, const MessageChecker& place,
                    uint32_t index);
  void CompileAwait(const v1::BrainAwait& await, const MessageChecker& place,
                    uint32_t index);
  void CompileGoing(const v1::BrainGoing& going, const MessageChecker& place,
                    uint32_t index);
  // A set of goals of the pack; nullopt after reporting that there is none.
  std::optional<Id> FindGoals(const std::string& name,
                              const MessageChecker& place) const;
  void CompileUse(const std::string& name, const MessageChecker& place,
                  uint32_t index, uint32_t depth);
  // Adds another brain's nodes, whose root gets this parent; returns it.
  uint32_t Append(const BrainDefinition& part, uint32_t parent);

  PlanFacts CompileFacts(
      std::string_view field,
      const google::protobuf::RepeatedPtrField<std::string>& literals,
      const MessageChecker& place);
  // kNothing where there is none, or after reporting.
  uint32_t CompileCondition(std::string_view field, const std::string& text,
                            const std::string& event,
                            const MessageChecker& place);
  uint32_t CompileNumber(std::string_view field, const std::string& text,
                         const MessageChecker& place);
  uint32_t AddExpression(std::string_view field, const std::string& text,
                         const std::string& event, ExpressionType type,
                         const MessageChecker& place);
  uint32_t CompileEffects(
      std::string_view field,
      const google::protobuf::RepeatedPtrField<v1::Effect>& effects,
      const MessageChecker& place);
  static NodeStatus StatusOf(v1::BrainResult result);
  Tick Ticks(std::string_view field, double seconds, double maximum_s,
             const MessageChecker& place);
  // The same of a time whose 0 means that there is none.
  Tick Period(std::string_view field, double seconds, double maximum_s,
              const MessageChecker& place);
  Id Hear(std::string_view field, const std::string& event,
          const MessageChecker& place);
  Id Word(const std::string& name);
  void MakeHistoryDeep(uint32_t index);

  PackCompilation& compilation_;
  const FindBrain& find_brain_;
  CompiledBrain compiled_;
  std::vector<std::string> symbols_;  // names, of this brain
  bool is_too_large_ = false;         // reported
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_TREE_COMPILER_H_
