// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Vehicles as data: a dynamic body on struts with wheels, an engine, brakes and
// steering, and what of it the tick rate can simulate.

#ifndef REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_DEFINITION_H_
#define REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_DEFINITION_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/vehicles/drivetrain_definition.h"

namespace reprise::sim {

// A wheel on a ray, at the end of a strut that stands in the body along y.
struct WheelDefinition {
  // The wheel's centre when it is pressed in all the way, in the body's frame.
  Vector3 position;
  double radius_m = 0.3;
  double travel_m = 0.3;  // from there down to where it hangs
  double stiffness_n_m = 0.0;
  double damping_compression_n_s_m = 0.0;
  double damping_rebound_n_s_m = 0.0;
  double force_max_n = 0.0;
  double friction = 2.0;  // its product with that of the ground counts
  double rolling_resistance = 0.0;  // as a part of the load
  bool is_driven = false;
  bool is_steered = false;
  bool is_braked = false;
  bool is_handbraked = false;
};

// Resists when one wheel goes in farther than the other.
struct AntiRollBarDefinition {
  uint32_t wheel_a = 0;
  uint32_t wheel_b = 0;
  double stiffness_n_m = 0.0;
};

// It looks along the body's z axis; x is to its left.
struct VehicleDefinition {
  std::vector<WheelDefinition> wheels;
  std::vector<AntiRollBarDefinition> anti_roll_bars;
  double engine_force_n = 0.0;  // of all driven wheels together
  double engine_power_w = std::numeric_limits<double>::infinity();
  std::optional<DrivetrainDefinition> drivetrain;  // in place of the two above
  double brake_force_n = 0.0;      // of all braked wheels together
  double handbrake_force_n = 0.0;  // of all handbraked wheels together
  double steering_max_rad = 0.0;
  double steering_rate_rad_s = std::numeric_limits<double>::infinity();
};

inline constexpr uint32_t kWheelsMin = 2;
inline constexpr uint32_t kWheelsMax = 16;
inline constexpr double kWheelRadiusMinM = 0.01;
inline constexpr double kWheelSpinMax = 1e6;  // rad/s
inline constexpr double kWheelTravelMinM = 0.001;
inline constexpr double kWheelSizeMaxM = 100.0;
inline constexpr double kWheelFrictionMax = 10.0;
inline constexpr double kVehicleForceMax = 1e9;
inline constexpr double kSteeringMaxDegrees = 80.0;

// Forces hold for a whole tick, so a spring of stiffness k and a damper of c
// that move a mass m swing up instead of out when dt^2 k / m + 2 dt c / m
// reaches 4. This is the bound for the sum of that over all wheels, each with
// the mass that it feels where it is: more than what any motion of the body
// feels, by up to three times.
inline constexpr double kSuspensionFigureMax = 2.0;

// The sum above.
double SuspensionFigure(const VehicleDefinition& vehicle,
                        const MassProperties& mass, double tick_s);

// INVALID_ARGUMENT says why a body with these mass properties can't stand on
// such wheels: too stiff for the tick, or too weak for the body, which would
// press them in all the way. REQUIRES: all numbers are in their bounds.
absl::Status ValidateVehicle(const VehicleDefinition& vehicle,
                             const MassProperties& mass, double gravity_m_s2,
                             double tick_s);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_DEFINITION_H_
