// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a rigid body turns that nothing turns: its angular momentum stays, its
// axis doesn't. And poses turned by any angle.
//
// Source of the division into the rotation of a symmetric body and one around
// an axis: A. Dullweber, B. Leimkuhler, R. McLachlan, "Symplectic splitting
// methods for rigid body molecular dynamics", J. Chem. Phys. 107 (1997).

#ifndef REPRISE_SIM_PHYSICS_SOLVER_FREE_ROTATION_H_
#define REPRISE_SIM_PHYSICS_SOLVER_FREE_ROTATION_H_

#include "LinearMath/btMatrix3x3.h"
#include "LinearMath/btQuaternion.h"
#include "LinearMath/btVector3.h"

namespace reprise::sim {

struct FreeRotation {
  // Around this, by its length, the body has turned; rad.
  btVector3 turn;
  // With this it goes on turning, rad/s.
  btVector3 angular;
};

// Of a body that turns with `angular` (rad/s) at first. Angular momentum is
// kept to rounding; energy swings by less than 1e-3 of it and doesn't drift.
// REQUIRES: none of `inverse_inertia`, around the axes of `basis`, is 0.
FreeRotation TurnFreely(const btMatrix3x3& basis,
                        const btVector3& inverse_inertia,
                        const btVector3& angular, double step_s);

// Its `angular` alone, which is sooner known.
btVector3 AngularAfter(const btMatrix3x3& basis,
                       const btVector3& inverse_inertia,
                       const btVector3& angular, double step_s);

// A turn around an axis, by its length in rad, as a rotation, and back.
btQuaternion RotationBy(const btVector3& turn);
btVector3 TurnOf(const btQuaternion& rotation);

// `basis` turned by `turn`, in rad.
btMatrix3x3 TurnedBy(const btMatrix3x3& basis, const btVector3& turn);
// The same of its rotation.
btMatrix3x3 TurnedBy(const btQuaternion& rotation, const btVector3& turn);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_FREE_ROTATION_H_
