// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What two bodies' surfaces make of a contact point: a function of their kinds
// alone, so that it needs no place in the state. And where a point keeps the
// impulse of its friction, which has one.

#ifndef REPRISE_SIM_PHYSICS_COLLISION_CONTACT_MATERIAL_H_
#define REPRISE_SIM_PHYSICS_COLLISION_CONTACT_MATERIAL_H_

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"
#include "BulletCollision/NarrowPhaseCollision/btManifoldPoint.h"
#include "LinearMath/btVector3.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// Two coefficients as one, by the later of the two rules.
double Combine(double a, CombinationRule rule_a, double b,
               CombinationRule rule_b);

// Writes the combined coefficients of two bodies, made by MakeBulletBody, to a
// contact point between them.
void SetContactMaterial(const btCollisionObject& a, const btCollisionObject& b,
                        btManifoldPoint& point);

// What friction gives to a point's first body, N s, of a step. Bullet's name
// for the place is of a direction that isn't used.
inline const btVector3& FrictionImpulse(const btManifoldPoint& point) {
  return point.m_lateralFrictionDir1;
}
inline void SetFrictionImpulse(const btVector3& impulse,
                               btManifoldPoint& point) {
  point.m_lateralFrictionDir1 = impulse;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_COLLISION_CONTACT_MATERIAL_H_
