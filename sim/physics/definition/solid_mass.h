// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Volumes, centres and moments of inertia of even solids: closed forms, and
// exact integrals over hulls.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_SOLID_MASS_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_SOLID_MASS_H_

#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// m^3. Of a solid shape the sum over its primitives, overlaps counted twice; of
// other shapes, which have none, 0.
double VolumeOf(const Solid& solid);
double VolumeOf(const ShapeDefinition& shape);

// The centre of mass of an even hull.
Vector3 CentreOf(const HullPrimitive& hull);

// Moments of inertia around the axes through the origin, m^2: of a mass of 1 kg
// that is spread evenly; in a shape of several primitives by their volumes,
// overlaps counting twice. Products of inertia are left out: the axes are taken
// to be the principal ones, as the origin is the centre of mass.
Vector3 UnitInertiaOf(const Solid& solid);
// Of what isn't solid: 0.
Vector3 UnitInertiaOf(const ShapeDefinition& shape);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_SOLID_MASS_H_
