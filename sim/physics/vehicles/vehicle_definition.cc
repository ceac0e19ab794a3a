// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/vehicles/vehicle_definition.h"

#include <algorithm>

#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// How a body answers to a force along its y axis at `place`, 1/kg.
double Mobility(const MassProperties& mass, Vector3 place) {
  const Vector3 twist = Cross(place, {0.0, 1.0, 0.0});
  const Vector3 inverse = mass.inverse_inertia;
  return mass.inverse_mass + twist.x * twist.x * inverse.x +
         twist.y * twist.y * inverse.y + twist.z * twist.z * inverse.z;
}

}  // namespace

double SuspensionFigure(const VehicleDefinition& vehicle,
                        const MassProperties& mass, double tick_s) {
  double figure = 0.0;
  for (uint32_t i = 0; i < vehicle.wheels.size(); ++i) {
    const WheelDefinition& wheel = vehicle.wheels[i];
    double stiffness = wheel.stiffness_n_m;
    for (const AntiRollBarDefinition& bar : vehicle.anti_roll_bars) {
      // When one wheel goes in as the other goes out it feels the bar twice.
      if (bar.wheel_a == i || bar.wheel_b == i) {
        stiffness += 2.0 * bar.stiffness_n_m;
      }
    }
    const double damping =
        std::max(wheel.damping_compression_n_s_m, wheel.damping_rebound_n_s_m);
    figure += Mobility(mass, wheel.position) *
              (tick_s * tick_s * stiffness + 2.0 * tick_s * damping);
  }
  return figure;
}

absl::Status ValidateVehicle(const VehicleDefinition& vehicle,
                             const MassProperties& mass, double gravity_m_s2,
                             double tick_s) {
  const double figure = SuspensionFigure(vehicle, mass, tick_s);
  // NaN fails the comparison.
  if (!(figure <= kSuspensionFigureMax)) {
    return absl::InvalidArgumentError(fmt::format(
        "springs and dampers are too stiff for ticks of {} s: {} is above {}",
        tick_s, figure, kSuspensionFigureMax));
  }
  double carried_n = 0.0;
  for (const WheelDefinition& wheel : vehicle.wheels) {
    carried_n +=
        std::min(wheel.stiffness_n_m * wheel.travel_m, wheel.force_max_n);
  }
  const double weight_n = Abs(gravity_m_s2) / mass.inverse_mass;
  if (!(carried_n > weight_n)) {
    return absl::InvalidArgumentError(
        fmt::format("springs carry {} N at most, the body weighs {} N",
                    carried_n, weight_n));
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
