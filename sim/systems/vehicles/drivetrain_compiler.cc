// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/vehicles/drivetrain_compiler.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/compiler/checking/event_compiler.h"

namespace reprise::sim {
namespace {

double EngineSpeed(std::string_view field, double rpm,
                   const MessageChecker& checker) {
  return checker.Number(field, rpm, 0.0, kEngineRpmMax) * (kPi / 30.0);
}

double GearRatio(std::string_view field, double ratio,
                 const MessageChecker& checker) {
  return checker.Number(field, ratio, kGearRatioMin, kGearRatioMax);
}

}  // namespace

DrivetrainDefinition CompileDrivetrain(const v1::Drivetrain& message,
                                       const MessageChecker& checker,
                                       TickRate rate) {
  DrivetrainDefinition compiled;
  checker.Count("torque_curve",
                static_cast<uint32_t>(message.torque_curve_size()),
                kTorquePointsMin, kTorquePointsMax);
  for (int i = 0; i < message.torque_curve_size(); ++i) {
    const v1::TorquePoint& point = message.torque_curve(i);
    const MessageChecker place = checker.In(point, "torque_curve", i);
    compiled.torque_curve.push_back(
        {.speed_rad_s = EngineSpeed("rpm", point.rpm(), place),
         .torque_n_m = place.Number("torque_nm", point.torque_nm(), 0.0,
                                    kEngineTorqueMax)});
  }
  checker.Count("gear_ratios",
                static_cast<uint32_t>(message.gear_ratios_size()), 1,
                kGearsMax);
  for (int i = 0; i < message.gear_ratios_size(); ++i) {
    const double ratio = message.gear_ratios(i);
    compiled.gear_ratios.push_back(ratio);
    if (ratio >= kGearRatioMin && ratio <= kGearRatioMax) continue;
    checker.Problem("gear_ratios",
                    fmt::format("gear {}: {} is not in {}..{}", i + 1, ratio,
                                kGearRatioMin, kGearRatioMax));
  }
  if (message.reverse_ratio() != 0.0) {
    compiled.reverse_ratio =
        GearRatio("reverse_ratio", message.reverse_ratio(), checker);
  }
  compiled.final_drive =
      GearRatio("final_drive", message.final_drive(), checker);
  if (message.has_efficiency()) {
    constexpr double kEfficiencyMin = 1e-3;
    compiled.efficiency =
        checker.Number("efficiency", message.efficiency(), kEfficiencyMin, 1.0);
  }
  compiled.idle_rad_s = EngineSpeed("idle_rpm", message.idle_rpm(), checker);
  compiled.shift_up_rad_s =
      EngineSpeed("shift_up_rpm", message.shift_up_rpm(), checker);
  compiled.shift_down_rad_s =
      EngineSpeed("shift_down_rpm", message.shift_down_rpm(), checker);
  const double shift_s =
      checker.Number("shift_s", message.shift_s(), 0.0, kShiftMaxS);
  compiled.shift_ticks = static_cast<uint32_t>(
      std::max(CompileSeconds("shift_s", std::clamp(shift_s, 0.0, kShiftMaxS),
                              rate, checker),
               Tick{1}));
  compiled.braking_torque_n_m = checker.Number(
      "braking_torque_nm", message.braking_torque_nm(), 0.0, kEngineTorqueMax);
  return compiled;
}

}  // namespace reprise::sim
