// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Ragdolls: an object that goes limp falls asleep, and its bones come as
// objects of their own, children of it, with its place and velocity and with
// joints between them; when it stands up, they go. What lasts is in the rows of
// objects, bodies and joints: limp is who sleeps and has bones.

#ifndef REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLLS_H_
#define REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLLS_H_

#include <cstdint>
#include <vector>

#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/systems/ragdolls/ragdoll_definition.h"

namespace reprise::sim {

struct WorldParts;

// What was asked for in the tick that is being made. Empty between ticks.
struct RagdollRequests {
  struct Switch {
    Handle object;
    bool goes_limp = false;
  };
  // Bones that come with this tick's objects.
  struct Limbs {
    ObjectId owner;
    const RagdollDefinition* definition = nullptr;
    std::vector<Handle> bones;
  };
  std::vector<Switch> switches;
  std::vector<Limbs> limbs;
};

// Whether the object of a row sleeps while its bones lie about.
bool IsLimp(const WorldParts& parts, uint32_t row);

// Asks for an object to go limp, or to stand up again, when the tick ends.
// Returns whether it can: of a type with a ragdoll, and awake or limp.
bool RequestGoLimp(const WorldParts& parts, uint32_t row);
bool RequestStandUp(const WorldParts& parts, uint32_t row);

// Does what was asked for, in that order, before objects come and go. Where
// there is no room for all bones, or where they would be out of the world, the
// object stays as it is, and `spawn_refused` tells of it.
void SwitchRagdolls(const WorldParts& parts);

// Joins the bones that have come.
void JoinBones(const WorldParts& parts);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_RAGDOLLS_RAGDOLLS_H_
