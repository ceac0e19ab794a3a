// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Solids and volumes as lines, for whoever draws what can't be seen: edges, and
// circles where there are none.

#ifndef REPRISE_SIM_GEOMETRY_OUTLINES_H_
#define REPRISE_SIM_GEOMETRY_OUTLINES_H_

#include <array>
#include <vector>

#include "sim/geometry/vector3.h"
#include "sim/geometry/volume.h"

namespace reprise::sim {

using Segment = std::array<Vector3, 2>;

// Of a circle; 16 corners of a metre's radius are off by less than 2 cm.
inline constexpr int kCircleCorners = 16;

// The point of a circle's plane at this angle from `x` towards `y`, which are
// as long as its radius.
Vector3 OnCircle(Vector3 centre, Vector3 x, Vector3 y, double angle_rad);

// From one angle to a greater one, in steps of a full circle's corners or less.
std::vector<Segment> ArcOutline(Vector3 centre, Vector3 x, Vector3 y,
                                double from_rad, double to_rad);

// Each around the origin; those with an axis have it along y.
std::vector<Segment> BallOutline(double radius_m);
std::vector<Segment> BoxOutline(Vector3 half_extents_m);
std::vector<Segment> CylinderOutline(double radius_m, double height_m);
// `height_m` is between the centres of its caps.
std::vector<Segment> CapsuleOutline(double radius_m, double height_m);
// Its base is a quarter of its height below.
std::vector<Segment> ConeOutline(double radius_m, double height_m);

// REQUIRES: ValidateVolume(volume).ok().
std::vector<Segment> VolumeOutline(const Volume& volume);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_OUTLINES_H_
