// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An object as its brain sees it: conditions, numbers and effects are those of
// connections, about an event that it hears, or about itself.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_AGENT_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_AGENT_H_

#include <cstdint>

#include "sim/decisions/brain_run.h"
#include "sim/decisions/planner.h"
#include "sim/expression/evaluator.h"
#include "sim/systems/brains/brain_definition.h"
#include "sim/systems/brains/brain_rows.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Used for one object after another. What it tells is posted.
class BrainAgent final : public BrainHost {
 public:
  // `navigators` may be null. All outlive this.
  BrainAgent(const WorldParts& parts, Navigators* navigators)
      : parts_(parts), navigators_(navigators) {}

  // Turns to the object of row `row`; `event` is for it, and outlives the use.
  void Begin(const BrainDefinition& brain, uint32_t row,
             const WorldEvent& event, BrainRow& own);

  bool Holds(uint32_t condition) override;
  double Number(uint32_t number) override;
  void Do(uint32_t effects) override;
  void Go(uint32_t going) override;
  NodeStatus Going(uint32_t going) override;
  void StopGoing(uint32_t going) override;
  double Draw() override;
  void Notice(BrainNotice notice, uint32_t node) override;
  void Changed(uint32_t machine, uint32_t from, uint32_t to) override;
  void Planned(uint32_t node, uint32_t goal, const Plan& plan) override;

 private:
  void GoToProperty(const PropertyRef& property);

  const WorldParts& parts_;
  Navigators* navigators_;
  const BrainDefinition* brain_ = nullptr;
  uint32_t row_ = 0;
  const WorldEvent* event_ = nullptr;
  BrainRow* own_ = nullptr;
  ExpressionEvaluator evaluator_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_AGENT_H_
