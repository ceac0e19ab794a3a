// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects that break: damage lowers their health, and each stage gives them
// another body, until nothing but debris is left.

#ifndef REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/systems/destructibles/destructible_definition.h"
#include "sim/systems/destructibles/destructible_rows.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/world_event.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

const SystemDeclaration& DestructiblesDeclaration();

// Of a pack with types whose objects break; how they do stands in the types.
class DestructiblesDefinition final : public SystemDefinition {
 public:
  static constexpr std::string_view kSystem = "destructibles";

  const SystemDeclaration& declaration() const override {
    return DestructiblesDeclaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
  bool follows_contacts() const override { return true; }
};

class Destructibles final : public System {
 public:
  static constexpr std::string_view kSystem = DestructiblesDefinition::kSystem;

  explicit Destructibles(const SystemPlace& place);

  // Does the damage of the contacts of the physics step just made, and brings
  // all destructible objects to their stages.
  void Run(uint32_t step) override;

  // Does the damage of `damage` and `blast` to an active object that breaks.
  bool OnEvent(uint32_t row, const WorldEvent& event) override;

 private:
  // Null for an object that doesn't break.
  const DestructibleDefinition* PartOf(uint32_t row) const;

  // The component's row of an object that breaks.
  const DestructibleRow& RowOf(uint32_t row) const;
  DestructibleRow& MutableRowOf(uint32_t row) const;

  void LowerHealth(uint32_t row, double amount) const;
  void TakeContacts() const;
  void EnterStage(uint32_t row, int64_t stage) const;
  void LeaveDebris(uint32_t row, ObjectId object) const;

  std::vector<const DestructibleDefinition*> types_;  // of the definition's
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_DESTRUCTIBLES_DESTRUCTIBLE_SYSTEM_H_
