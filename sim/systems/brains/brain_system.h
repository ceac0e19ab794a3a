// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects with a brain: it is updated in its turns, and hears the events that
// its nodes wait for.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/decisions/brain_run.h"
#include "sim/decisions/planner.h"
#include "sim/state/state.h"
#include "sim/systems/brains/brain_agent.h"
#include "sim/systems/brains/brain_definition.h"
#include "sim/systems/brains/brain_rows.h"
#include "sim/systems/brains/plan_searches.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/owned_rows.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

// Of a pack with brains.
struct BrainsDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "brains";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
  std::vector<Id> overheard_events() const override;

  std::vector<BrainDefinition> brains;  // as the pack has them
  // Some of them seek plans over several updates (plan_searches.h).
  bool has_searches = false;
};

class Brains final : public System {
 public:
  static constexpr std::string_view kSystem = BrainsDefinition::kSystem;

  // `definition` outlives this.
  Brains(const BrainsDefinition& definition, const SystemPlace& place);

  void Connect(const Systems& systems) override;
  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;
  void Overhear(uint32_t row, const WorldEvent& event) override;

 private:
  // Its tables, by their places in the declaration.
  enum TableNumber : uint32_t { kNodes, kPlanSteps, kTurns };

  const BrainDefinition& BrainOf(uint32_t type) const {
    return definition_.brains[uses_[type]->brain];
  }
  // Makes the rows of nodes and plans those of the objects that there are.
  void Follow();
  void UpdateAll();
  // Has a brain updated, or hear `event`. Its plans may take what is left
  // beyond `reserve`.
  void Think(uint32_t type, uint32_t row, const WorldEvent* event,
             uint64_t reserve);
  // Copies the rows of an object's nodes and plans, and back.
  void ReadMemory(ObjectId object, const BrainDefinition& brain);
  void WriteMemory(ObjectId object, const BrainDefinition& brain);
  // The names of where it is.
  void NameActive(const BrainTree& tree, BrainRow& own) const;

  absl::Status CheckNodes(const State& snapshot, const RowOwner& owner,
                          uint32_t& node_row, uint32_t& step_row) const;

  const BrainsDefinition& definition_;
  std::vector<const BrainUse*> uses_;  // of each type
  std::optional<uint32_t> component_;
  std::unique_ptr<BrainAgent> agent_;
  PlanSearches* plan_searches_ = nullptr;  // where the pack has them
  Planner planner_;
  std::vector<BrainRun> runs_;  // of each brain
  std::vector<NodeMemory> memory_;
  std::vector<uint64_t> steps_;
  std::span<PlanSearch> searches_;
  // Of this update of all: expansions that are left to plans, and whether the
  // brain that thought last waits for some.
  uint64_t expansions_left_ = 0;
  bool has_waited_ = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_SYSTEM_H_
