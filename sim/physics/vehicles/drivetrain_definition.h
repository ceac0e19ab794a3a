// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An engine and its gears as data: torque over engine speed, ratios, and when
// gears shift.

#ifndef REPRISE_SIM_PHYSICS_VEHICLES_DRIVETRAIN_DEFINITION_H_
#define REPRISE_SIM_PHYSICS_VEHICLES_DRIVETRAIN_DEFINITION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"

namespace reprise::sim {

// At full throttle.
struct TorquePoint {
  double speed_rad_s = 0.0;  // of the engine
  double torque_n_m = 0.0;
};

struct DrivetrainDefinition {
  std::vector<TorquePoint> torque_curve;  // by rising speed
  std::vector<double> gear_ratios;        // falling; of the first gear first
  double reverse_ratio = 0.0;             // 0: there is no reverse gear
  double final_drive = 1.0;
  double efficiency = 1.0;
  double idle_rad_s = 0.0;
  double shift_up_rad_s = 0.0;
  double shift_down_rad_s = 0.0;
  uint32_t shift_ticks = 1;
  double braking_torque_n_m = 0.0;  // without throttle
};

inline constexpr uint32_t kTorquePointsMin = 2;
inline constexpr uint32_t kTorquePointsMax = 64;
inline constexpr uint32_t kGearsMax = 16;
inline constexpr double kGearRatioMin = 0.01;
inline constexpr double kGearRatioMax = 1000.0;
inline constexpr double kEngineTorqueMax = 1e6;  // N m
inline constexpr double kEngineRpmMax = 1e6;
inline constexpr double kShiftMaxS = 10.0;

// INVALID_ARGUMENT says why such gears don't shift as they should.
// REQUIRES: all numbers are in their bounds.
absl::Status ValidateDrivetrain(const DrivetrainDefinition& drivetrain);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_VEHICLES_DRIVETRAIN_DEFINITION_H_
