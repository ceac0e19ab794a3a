// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is there for players: rollers, bodies that they push and have jump, and
// goals and hazards, triggers that decide the run when something that a player
// steers comes in.

#ifndef REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/game_description.h"
#include "sim/systems/contacts/contact_system.h"
#include "sim/systems/players/player_definition.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/systems/run_outcome.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

// Of a pack with rollers, goals or hazards; what they do stands in the types.
struct PlayersDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "players";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  // Adds what goals and hazards decide.
  void Describe(const WorldDefinition& world,
                GameDescription& description) const override;
};

class Players final : public System {
 public:
  static constexpr std::string_view kSystem = PlayersDefinition::kSystem;

  explicit Players(const SystemPlace& place);

  void Connect(const Systems& systems) override;
  void Run(uint32_t step) override;

 private:
  // Pushes all rollers that are active as the players' devices say. What jumps
  // tells of it.
  void PushRollers() const;
  // Has who came into goals and hazards decide the run.
  void DecideByGoals();
  // Tells of a decision, behind the event of the trigger that made it.
  void TellDecision();

  struct VisitDecision {
    Decision decision;
    ObjectId visitor;
  };

  std::vector<const RollerDefinition*> rollers_;      // of each type
  std::vector<const DecisionDefinition*> decisions_;  // of each type
  std::vector<const SteeredDefinition*> steered_;     // of each type
  const Contacts* contacts_ = nullptr;   // null where there are no triggers
  std::optional<VisitDecision> untold_;  // from one step of a tick to another
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_PLAYERS_PLAYER_SYSTEM_H_
