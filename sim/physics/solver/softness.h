// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How the time of a step is divided, and how quickly errors of position are
// mended in a part of it: as by a spring with a damper between the bodies,
// whose stiffness follows from their masses.
//
// Source: E. Catto, "Soft Constraints", Game Developers Conference 2011, and
// "Solver2D", 2024.

#ifndef REPRISE_SIM_PHYSICS_SOLVER_SOFTNESS_H_
#define REPRISE_SIM_PHYSICS_SOLVER_SOFTNESS_H_

#include <algorithm>
#include <cstdint>

#include "sim/base/math.h"

namespace reprise::sim {

// A step is made in parts of this length or less, so that how stiff things are
// does not depend on the rate of ticks.
inline constexpr double kPartRateHz = 480.0;

struct StepParts {
  uint32_t count = 1;
  double part_s = 0.0;
};

inline StepParts DivideStep(double step_s) {
  // A step that is a whole number of parts but for rounding has that many.
  constexpr double kRounding = 1e-9;
  const double parts = Ceil(step_s * kPartRateHz - kRounding);
  const auto count = static_cast<uint32_t>(std::max(parts, 1.0));
  return {.count = count, .part_s = step_s / count};
}

struct Softness {
  // The velocity with which an error of 1 is mended, 1/s.
  double bias_rate = 0.0;
  // How much of the impulse for that is given, and of the impulse that is there
  // is taken back.
  double mass_scale = 1.0;
  double impulse_scale = 0.0;
};

// At rest, a load of force F on the effective mass m gives way by
// F / (m (2 pi frequency)^2), whatever the length of a part.
inline Softness MakeSoftness(double frequency_hz, double damping_ratio,
                             double part_s) {
  const double omega = 2.0 * kPi * frequency_hz;
  const double a1 = 2.0 * damping_ratio + part_s * omega;
  const double a2 = part_s * omega * a1;
  const double a3 = 1.0 / (1.0 + a2);
  return {.bias_rate = omega / a1, .mass_scale = a2 * a3, .impulse_scale = a3};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SOLVER_SOFTNESS_H_
