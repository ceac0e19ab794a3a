// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects that give orders: round by round they weigh what there is to do and
// who suits it, within what a tick allows, and say who does what.

#ifndef REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/decisions/assignment.h"
#include "sim/expression/evaluator.h"
#include "sim/state/state.h"
#include "sim/systems/commanders/commander_definition.h"
#include "sim/systems/commanders/commander_rows.h"
#include "sim/systems/commanders/roster.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/world_event.h"
#include "sim/world/systems/owned_ranges.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// Of a pack with types that command.
struct CommandersDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "commanders";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  std::vector<CommanderDefinition> commanders;
  uint64_t evaluations_per_tick = kEvaluationsPerTickDefault;
};

class Commanders final : public System {
 public:
  static constexpr std::string_view kSystem = CommandersDefinition::kSystem;

  // `definition` outlives this.
  Commanders(const CommandersDefinition& definition, const SystemPlace& place);

  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;
  // An order is over.
  bool OnEvent(uint32_t row, const WorldEvent& event) override;

 private:
  // Its tables, by their places in the declaration.
  enum TableNumber : uint32_t { kScores, kTasks, kTurns };

  // Takes the rows of commanders that are gone.
  void Follow();
  void CommandAll();
  // Relieves those whose goal or commander is gone or at rest; has commanders
  // whose units have come or gone begin a round.
  void RelieveLost();
  void Rest(const Roster::Commander& commander);
  // Goes on with the round of the commander at this place of the roster, and
  // takes what it weighs from `budget`.
  // Returns how much is left to weigh.
  uint64_t Advance(uint32_t place, uint64_t& budget);
  void ListTasks(const Roster::Commander& commander);
  void ListScores(uint32_t place);
  void WeighTask(const Roster::Commander& commander, uint32_t row);
  double WeighUnit(uint32_t place, const ScoreRow& score);
  // Shares tasks out, and tells.
  void Finish(uint32_t place);
  void Assign(const Roster::Commander& commander, const RowRange& tasks);
  void Order(const Roster::Commander& commander, const Roster::Unit& unit,
             const OrdersRow& wanted);
  void Relieve(const Roster::Unit& unit, std::string_view reason);
  void EndTask(ObjectId commander, TaskRow& task, std::string_view reason);
  void Bound(const Roster::Commander& commander, std::string_view reason,
             uint64_t count);

  Table& mutable_component(uint32_t component) const {
    return state().mutable_table(parts().tables.objects.components[component]);
  }
  const CommandRow& CommandOf(const Roster::Commander& commander) const;
  void WriteCommand(const Roster::Commander& commander, const CommandRow& row);
  const OrdersRow& OrdersOf(const Roster::Unit& unit) const;
  void WriteOrders(const Roster::Unit& unit, const OrdersRow& row);
  // The argument `goal` of an event about a task, where that has one.
  static void SetGoal(ObjectId goal, WorldEvent& event);
  // Null when it isn't active.
  Handle ActiveHandle(ObjectId object) const;

  const CommandersDefinition& definition_;
  Roster roster_;
  // Of each commander of the definition, of each of its tasks: the types of its
  // goals.
  std::vector<std::vector<std::vector<uint32_t>>> goal_types_;
  uint32_t command_component_ = 0;
  uint32_t orders_component_ = 0;
  ExpressionEvaluator evaluator_;
  Assigner assigner_;
  std::vector<ObjectId> goals_;
  std::vector<TaskRow> task_rows_;
  std::vector<ScoreRow> score_rows_;
  std::vector<TaskNeed> needs_;
  std::vector<uint32_t> needed_;  // the task's row of each need
  std::vector<const Roster::Unit*> units_;
  std::vector<double> scores_;
  std::vector<double> considered_;
  std::vector<int64_t> counts_;
  std::vector<int64_t> numbers_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_SYSTEM_H_
