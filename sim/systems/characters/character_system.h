// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Characters in a world: who has rows, who steers them, and when they move:
// after the behaviours of a tick have moved platforms and given their wishes,
// and before physics. All of them see the world as it is then. What one does in
// a tick is in sim/physics/characters.

#ifndef REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/object_id.h"
#include "sim/physics/characters/character_rows.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/state/state.h"
#include "sim/systems/characters/character_use.h"
#include "sim/systems/fields/field_system.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/owned_rows.h"
#include "sim/world/systems/system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

// Of a pack whose types have characters.
struct CharactersDefinition final : public SystemDefinition {
  static constexpr std::string_view kSystem = "characters";

  static const SystemDeclaration& Declaration();
  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
};

class Characters final : public System {
 public:
  static constexpr std::string_view kSystem = CharactersDefinition::kSystem;

  explicit Characters(const SystemPlace& place);

  void Connect(const Systems& systems) override;
  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;

  // How a character stands, and its row to be told in; nullopt and null when
  // the object is none, or hasn't been for a tick.
  std::optional<CharacterRow> Find(ObjectId object) const;
  CharacterRow* FindMutable(ObjectId object);

 private:
  // Gives rows to those that have come or become active, and takes them from
  // those that went or sleep.
  void Follow();
  // Passes on what the players' devices say.
  void Steer();
  void Move();

  std::vector<const CharacterUse*> uses_;  // of each type
  PhysicsQueries queries_;
  const Fields* fields_ = nullptr;  // null where there are none
  std::vector<RowOwner> owners_;    // of Follow, kept for its memory
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHARACTERS_CHARACTER_SYSTEM_H_
