// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bounds of what a pack may ask of physics. Beyond these numbers leave the
// range in which the solver and its tolerances of centimetres work.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_BOUNDS_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_BOUNDS_H_

namespace reprise::sim {

inline constexpr double kMassMinKg = 1e-6;
inline constexpr double kMassMaxKg = 1e9;  // also the impulse of a motor, N s
inline constexpr double kPositionMaxM = 1e6;
inline constexpr double kSpeedMax = 1e4;  // m/s or rad/s

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_BOUNDS_H_
