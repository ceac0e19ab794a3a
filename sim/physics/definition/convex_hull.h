// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The convex hull of points: its real corners and the triangles between them.
// A function of the points and their order alone.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_CONVEX_HULL_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_CONVEX_HULL_H_

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// The hull of `points`. Points inside, on faces and edges, and those that stand
// there twice are left out, up to a millionth of the hull's size.
// INVALID_ARGUMENT says what is wrong: fewer than 4 points or more than
// kHullPointsMax, numbers that aren't finite or are beyond kSizeMaxM, all
// points in one plane (or nearly: thinner than kSizeMinM), more than
// kHullVerticesMax corners.
absl::StatusOr<HullPrimitive> MakeHull(std::span<const Vector3> points);

// What keeps `hull` from being a closed convex solid; empty when nothing does.
std::string HullProblem(const HullPrimitive& hull);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_CONVEX_HULL_H_
