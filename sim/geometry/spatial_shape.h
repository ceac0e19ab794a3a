// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The shape by which spatial queries know an object: a sphere, which with
// radius 0 is a point, or a box.

#ifndef REPRISE_SIM_GEOMETRY_SPATIAL_SHAPE_H_
#define REPRISE_SIM_GEOMETRY_SPATIAL_SHAPE_H_

#include <optional>
#include <variant>

#include "sim/geometry/aabb.h"
#include "sim/geometry/collisions/casts.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

using SpatialShape = std::variant<Sphere, Aabb, OrientedBox>;

// Whether no size is negative and everything is within reach of an index.
bool IsValid(const SpatialShape& shape);

// Returns a box around the shape. Around a sphere or an oriented box it has
// room to spare, 2^-40 of its largest coordinate, so that what exact tests
// find by rounding is found in the box, too.
Aabb OuterBoundsOf(const SpatialShape& shape);

// The same of a shape that is asked about.
Aabb OuterBoundsOf(const Cone& cone);

// In metres, to the solid shape.
double Distance(const SpatialShape& shape, Vector3 point);

bool Overlaps(const SpatialShape& shape, const Sphere& sphere);
bool Overlaps(const SpatialShape& shape, const Aabb& box);
bool Overlaps(const SpatialShape& shape, const OrientedBox& box);
bool Overlaps(const SpatialShape& shape, const Cone& cone);

// The first hit of the segment, as of the shape itself.
std::optional<Hit> Cast(const Segment& segment, const SpatialShape& shape);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SPATIAL_SHAPE_H_
