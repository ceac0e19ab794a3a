// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Volumes, and what of a hull's mass follows from its corners. Of cones and
// hulls that stand alone in their body a body has the exact moments of inertia;
// of other solids, and of all compounds, those that Bullet uses.

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

// Moments of inertia around the axes through the origin, for a mass of 1 kg
// that is spread evenly. Products of inertia are left out: the axes are taken
// to be the hull's own.
Vector3 UnitInertiaOf(const HullPrimitive& hull);

// The same of a cone, whose axes they are.
Vector3 UnitInertiaOf(const ConePrimitive& cone);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_SOLID_MASS_H_
