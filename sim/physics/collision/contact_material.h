// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What two bodies' surfaces make of a contact point: a function of their kinds
// alone, so that it needs no place in the state.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_CONTACT_MATERIAL_H_
#define REPRISE_SIM_PHYSICS_COLLISION_CONTACT_MATERIAL_H_

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/NarrowPhaseCollision/btManifoldPoint.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// Two coefficients as one, by the later of the two rules.
double Combine(double a, CombinationRule rule_a, double b,
               CombinationRule rule_b);

// Writes the combined coefficients of two bodies, made by MakeBulletBody, to a
// contact point between them.
void SetContactMaterial(const btCollisionObject& a, const btCollisionObject& b,
                        btManifoldPoint& point);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_CONTACT_MATERIAL_H_
