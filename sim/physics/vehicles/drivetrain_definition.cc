// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/vehicles/drivetrain_definition.h"

#include <cstddef>

#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

double Rpm(double rad_s) { return rad_s * 30.0 / kPi; }

absl::Status CheckShifts(const DrivetrainDefinition& drivetrain) {
  const double up = drivetrain.shift_up_rad_s;
  const double down = drivetrain.shift_down_rad_s;
  if (!(down < up)) {
    return absl::InvalidArgumentError(
        fmt::format("shift_down_rpm is {:.0f}, not below shift_up_rpm, {:.0f}",
                    Rpm(down), Rpm(up)));
  }
  if (!(up <= drivetrain.torque_curve.back().speed_rad_s)) {
    return absl::InvalidArgumentError(
        fmt::format("shift_up_rpm is {:.0f}, which the engine, up to {:.0f}, "
                    "doesn't pass",
                    Rpm(up), Rpm(drivetrain.torque_curve.back().speed_rad_s)));
  }
  if (!(drivetrain.idle_rad_s < down)) {
    return absl::InvalidArgumentError(
        fmt::format("idle_rpm is {:.0f}, not below shift_down_rpm, {:.0f}",
                    Rpm(drivetrain.idle_rad_s), Rpm(down)));
  }
  for (size_t i = 1; i < drivetrain.gear_ratios.size(); ++i) {
    const double after =
        up * drivetrain.gear_ratios[i] / drivetrain.gear_ratios[i - 1];
    if (after > down) continue;
    return absl::InvalidArgumentError(fmt::format(
        "a shift up at {:.0f} rpm from gear {} comes out at {:.0f} rpm, where "
        "it would shift down again",
        Rpm(up), i, Rpm(after)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateDrivetrain(const DrivetrainDefinition& drivetrain) {
  const auto& curve = drivetrain.torque_curve;
  for (size_t i = 1; i < curve.size(); ++i) {
    if (curve[i - 1].speed_rad_s < curve[i].speed_rad_s) continue;
    return absl::InvalidArgumentError(fmt::format(
        "torque_curve[{}] is not at a higher speed than the one before", i));
  }
  const auto& ratios = drivetrain.gear_ratios;
  for (size_t i = 1; i < ratios.size(); ++i) {
    if (ratios[i] < ratios[i - 1]) continue;
    return absl::InvalidArgumentError(fmt::format(
        "gear_ratios[{}] is {}, not less than the one before", i, ratios[i]));
  }
  return ratios.size() > 1 ? CheckShifts(drivetrain) : absl::OkStatus();
}

}  // namespace reprise::sim
