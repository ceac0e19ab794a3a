// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objectives in a world: what they see of it, and what follows from them.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/expression/evaluator.h"
#include "sim/game_description.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/objectives/objective_definition.h"
#include "sim/systems/objectives/objectives.h"
#include "sim/systems/objectives/predicates.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

// Of a pack with objectives.
struct ObjectivesDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "objectives";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  // Those that their conditions count.
  std::vector<Id> heard_events() const override;

  // Adds the events that failed objectives send, and what they decide.
  void Describe(const WorldDefinition& world,
                GameDescription& description) const override;

  std::vector<PredicateDefinition> predicates;  // ascending by name
  std::vector<ObjectiveDefinition> objectives;
  std::optional<Objectives> rules;  // there once the pack is compiled
};

class WorldObjectives final : public System {
 public:
  static constexpr std::string_view kSystem = ObjectivesDefinition::kSystem;

  // `definition` outlives this; it has its rules.
  WorldObjectives(const ObjectivesDefinition& definition,
                  const SystemPlace& place);

  void Connect(const Systems& systems) override;
  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;

  // Brings the objectives up to this step of the game with everything that was
  // told in it, so nothing may be told after it. Announces what changed, which
  // others hear in the next step; asks for layers; decides the run.
  void Run(uint32_t step) override;

 private:
  // Whether the predicate of a name holds now.
  bool HoldsNow(Id predicate);
  // The name of the object to which a value leads, if it is there or was one of
  // the pack's own; kNoId: none.
  Id NameOf(FieldValue object) const;

  const ObjectivesDefinition& definition_;
  Layers* layers_ = nullptr;  // null where there are none
  ExpressionEvaluator evaluator_;
  ObjectiveScratch scratch_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVE_SYSTEM_H_
