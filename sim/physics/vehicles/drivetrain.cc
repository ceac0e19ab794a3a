// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/vehicles/drivetrain.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr int64_t kReverse = -1;

// Ten times the end of any torque curve, rad/s: however fast the wheels go, the
// row holds a number that a snapshot may have.
constexpr double kEngineSpeedMax = 1e6;

// Turns of the engine for one of the wheels; below 0 in reverse.
double RatioOf(const DrivetrainDefinition& definition, int64_t gear) {
  const double ratio =
      gear == kReverse ? -definition.reverse_ratio
                       : definition.gear_ratios[static_cast<size_t>(gear - 1)];
  return ratio * definition.final_drive;
}

double EngineSpeed(const DrivetrainDefinition& definition,
                   const DriveRequest& request, int64_t gear) {
  return std::clamp(Abs(request.wheels_rad_s * RatioOf(definition, gear)),
                    definition.idle_rad_s, kEngineSpeedMax);
}

// The gear that should be in, a shift away from `gear` at most.
int64_t WantedGear(const DrivetrainDefinition& definition,
                   const DriveRequest& request, int64_t gear) {
  const bool may_go_back = request.is_standstill || request.wheels_rad_s < 0.0;
  const bool may_go_on = request.is_standstill || request.wheels_rad_s > 0.0;
  if (request.throttle < 0.0 && may_go_back && definition.reverse_ratio > 0.0) {
    return kReverse;
  }
  if (gear == kReverse) {
    return request.throttle > 0.0 && may_go_on ? 1 : kReverse;
  }
  const double speed = EngineSpeed(definition, request, gear);
  if (speed > definition.shift_up_rad_s &&
      gear < static_cast<int64_t>(definition.gear_ratios.size())) {
    return gear + 1;
  }
  return speed < definition.shift_down_rad_s && gear > 1 ? gear - 1 : gear;
}

// Whether the gear drives where the throttle points.
bool Drives(double throttle, const DrivetrainRow& row) {
  return row.shift_ticks == 0 &&
         (row.gear == kReverse ? throttle < 0.0 : throttle > 0.0);
}

}  // namespace

DrivetrainRow InitialDrivetrain(const DrivetrainDefinition& definition,
                                ObjectId object) {
  return {.object = object,
          .gear = 1,
          .shift_ticks = 0,
          .engine_speed = definition.idle_rad_s};
}

double EngineTorque(const DrivetrainDefinition& definition,
                    double speed_rad_s) {
  const auto& curve = definition.torque_curve;
  if (speed_rad_s <= curve.front().speed_rad_s) return curve.front().torque_n_m;
  for (size_t i = 1; i < curve.size(); ++i) {
    const TorquePoint& low = curve[i - 1];
    const TorquePoint& high = curve[i];
    if (speed_rad_s > high.speed_rad_s) continue;
    const double share =
        (speed_rad_s - low.speed_rad_s) / (high.speed_rad_s - low.speed_rad_s);
    return low.torque_n_m + share * (high.torque_n_m - low.torque_n_m);
  }
  return 0.0;
}

void TurnEngine(const DrivetrainDefinition& definition,
                const DriveRequest& request, DrivetrainRow& row) {
  if (row.shift_ticks > 0) {
    --row.shift_ticks;
  } else if (const int64_t wanted = WantedGear(definition, request, row.gear);
             wanted != row.gear) {
    row.gear = wanted;
    row.shift_ticks = definition.shift_ticks;
  }
  row.engine_speed = EngineSpeed(definition, request, row.gear);
}

double DriveTorque(const DrivetrainDefinition& definition, double throttle,
                   const DrivetrainRow& row) {
  if (!Drives(throttle, row)) return 0.0;
  return Abs(throttle) * definition.efficiency *
         EngineTorque(definition, row.engine_speed) *
         RatioOf(definition, row.gear);
}

double BrakingTorque(const DrivetrainDefinition& definition, double throttle,
                     const DrivetrainRow& row) {
  if (throttle != 0.0 || row.shift_ticks > 0) return 0.0;
  return definition.braking_torque_n_m * Abs(RatioOf(definition, row.gear));
}

bool IsGear(const DrivetrainDefinition& definition, int64_t gear) {
  if (gear == kReverse) return definition.reverse_ratio > 0.0;
  return gear >= 1 &&
         gear <= static_cast<int64_t>(definition.gear_ratios.size());
}

}  // namespace reprise::sim
