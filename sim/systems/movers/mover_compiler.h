// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what moves by itself: characters, vehicles and followers of paths.

#ifndef REPRISE_SIM_SYSTEMS_MOVERS_MOVER_COMPILER_H_
#define REPRISE_SIM_SYSTEMS_MOVERS_MOVER_COMPILER_H_

#include "reprise/v1/character.pb.h"
#include "reprise/v1/pack.pb.h"
#include "reprise/v1/vehicle.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/movers/mover_definition.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// `checker` is the message's own; the inputs and the tick rate of `world` are
// there. The capsule is left to FitCharacter.
CharacterUse CompileCharacter(const v1::Character& message,
                              const MessageChecker& checker,
                              const WorldDefinition& world);
VehicleUse CompileVehicle(const v1::Vehicle& message,
                          const MessageChecker& checker,
                          const WorldDefinition& world);

// Gives the parts of a type that move it the body that they move, or reports
// that it can't be. `checker` is the type's.
void FitMovers(const MessageChecker& checker, const PhysicsDefinition& physics,
               TypeDefinition& type);

// Reports vehicles that can't stand on their wheels, or begin with a wheel in
// the ground. REQUIRES: ValidatePhysicsDefinition(world.physics).ok().
void CheckVehicles(const v1::Pack& pack, const MessageChecker& checker,
                   const WorldDefinition& world);

// Reports paths to be followed that the pack doesn't have.
void CheckPathFollowers(const v1::Pack& pack, const MessageChecker& checker);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_MOVERS_MOVER_COMPILER_H_
