// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Ragdolls: an object that goes limp falls asleep, and its bones come as
// objects of their own, children of it, with its place and velocity and with
// joints between them; when it stands up, they go. What lasts is in the rows of
// objects, bodies and joints: limp is who sleeps and has bones.

#ifndef REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/systems/ragdolls/ragdoll_definition.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/objects.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

const SystemDeclaration& RagdollsDeclaration();

// Of a pack with types whose objects go limp; their bones stand in the types.
class RagdollsDefinition final : public SystemDefinition {
 public:
  static constexpr std::string_view kSystem = "ragdolls";

  const SystemDeclaration& declaration() const override {
    return RagdollsDeclaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
};

class Ragdolls final : public System {
 public:
  static constexpr std::string_view kSystem = RagdollsDefinition::kSystem;

  explicit Ragdolls(const SystemPlace& place);

  // Before objects come and go, does what was asked for, in that order. Where
  // there is no room for all bones, or where they would be out of the world,
  // the object stays as it is, and `spawn_refused` tells of it. Afterwards,
  // joins the bones that have come.
  void Run(uint32_t step) override;

  // Asks for an object to go limp, or to stand up again, when objects come and
  // go next. `ragdoll` is handled for one that is active, `ragdoll_off` and
  // `wake` for one that is limp.
  bool OnEvent(uint32_t row, const WorldEvent& event) override;

 private:
  struct Switch {
    Handle object;
    bool goes_limp = false;
  };
  // Bones that come with the next objects.
  struct Limbs {
    ObjectId owner;
    const RagdollDefinition* definition = nullptr;
    std::vector<Handle> bones;
  };

  // Null for an object that can't go limp.
  const RagdollDefinition* PartOf(uint32_t row) const;
  // The rows of an object's bones, in the order of the ragdoll's; kNoRow for
  // one that is gone.
  std::vector<uint32_t> BonesOf(uint32_t row) const;
  // Whether the object of a row sleeps while its bones lie about.
  bool IsLimp(uint32_t row) const;

  void GoLimp(uint32_t row);
  void StandUp(uint32_t row) const;
  void JoinBones(const Limbs& limbs) const;

  // Whether physics has room for what a ragdoll brings, and can begin with it.
  bool IsPossible(const RagdollDefinition& ragdoll,
                  std::span<const SpawnRequest> bones) const;
  // Asks for all bones; where one can't come, none does. Returns how it went.
  bool RequestBones(std::span<const SpawnRequest> bones, Limbs& limbs) const;

  std::vector<const RagdollDefinition*> types_;  // of the definition's
  // Both are empty between ticks.
  std::vector<Switch> switches_;
  std::vector<Limbs> limbs_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLL_SYSTEM_H_
