// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The matrices of a camera: into its space, onto its picture, and back from a
// point of the picture. Depth is 0 at the near plane and 1 at the far one.

#ifndef REPRISE_SIM_GEOMETRY_PROJECTION_H_
#define REPRISE_SIM_GEOMETRY_PROJECTION_H_

#include <optional>

#include "sim/geometry/matrix4.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Of the world and of the camera's space alike. In both, x is to the camera's
// right and y upwards in the picture; the camera looks along -z in right-handed
// axes and along +z in left-handed ones.
enum class Handedness { kRight, kLeft };

// Returns the matrix from the world to the space of a camera at `eye` that
// looks at `target`. A target at the eye is taken to lie straight ahead, on -z
// or +z; an `up` along the line of sight is replaced by AnyPerpendicular.
Matrix4 LookAt(Vector3 eye, Vector3 target, Vector3 up,
               Handedness handedness = Handedness::kRight);

// How much of its space a camera sees, near < far.
struct DepthRange {
  double near_m = 0.1;
  double far_m = 1000.0;
};

// Returns the projection that keeps sizes: `width` by `height` of the camera's
// space become the picture. REQUIRES: all sizes > 0.
Matrix4 Orthographic(double width, double height, DepthRange depth,
                     Handedness handedness = Handedness::kRight);

// Returns the projection in which far things are small; what it gives has to be
// divided by w. REQUIRES: 0 < vertical_view_rad < pi, aspect (width by height)
// > 0, 0 < near < far.
Matrix4 Perspective(double vertical_view_rad, double aspect, DepthRange depth,
                    Handedness handedness = Handedness::kRight);

// Returns x and y in [-1, 1] (right and up) and depth in [0, 1] of a point in
// sight; nullopt where w isn't above 0: at the eye or behind it.
std::optional<Vector3> Project(const Matrix4& projection_of_world,
                               Vector3 point);

// Returns the point of the world that Project shows at `picture`; nullopt where
// the matrix has no inverse. REQUIRES: the same matrix as Project's.
std::optional<Vector3> Unproject(const Matrix4& projection_of_world,
                                 Vector3 picture);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_PROJECTION_H_
