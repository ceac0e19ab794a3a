// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The space that a body takes up, by its shape and pose alone.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_BODY_BOUNDS_H_
#define REPRISE_SIM_PHYSICS_SHAPES_BODY_BOUNDS_H_

#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/shapes/box_tree.h"

namespace reprise::sim {

// The box around a shape in the world, exact but for rounding. A shape that has
// no end, or no closed form here, takes up all there is within kPositionMaxM.
AxisAlignedBox BoundsOf(const ShapeDefinition& shape, Vector3 position,
                        const Matrix3& basis);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_BODY_BOUNDS_H_
