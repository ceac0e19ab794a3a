// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The state of vehicles and their wheels, besides that of their bodies.

#ifndef REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_ROWS_H_
#define REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/base/value_name.h"

namespace reprise::sim {

// One row a vehicle that has a body, in the order of objects.
struct VehicleRow {
  ObjectId object;
  // What it is told, until told otherwise.
  double throttle = 0.0;   // -1 to 1
  double steer = 0.0;      // -1 to 1: towards its -x or +x
  double brake = 0.0;      // 0 to 1
  double handbrake = 0.0;  // 0 to 1
  // How far its steered wheels are turned, about its y axis.
  double steering_angle = 0.0;

  static constexpr std::string_view kTable = "vehicles";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(VehicleRow, object, ""),
                      REPRISE_FIELD(VehicleRow, throttle, ""),
                      REPRISE_FIELD(VehicleRow, steer, ""),
                      REPRISE_FIELD(VehicleRow, brake, ""),
                      REPRISE_FIELD(VehicleRow, handbrake, ""),
                      REPRISE_FIELD(VehicleRow, steering_angle, "rad")};
  }
};

// All others are forward, and called by their numbers.
inline constexpr auto kGearNames = std::to_array<ValueName>({{-1, "reverse"}});

// One row a vehicle whose engine turns and shifts gears.
//
// The engine's speed is told, not needed: a tick computes it anew.
struct DrivetrainRow {
  ObjectId object;
  int64_t gear = 1;          // from 1 on forward, -1: reverse
  uint64_t shift_ticks = 0;  // until the gear is in; nothing drives meanwhile
  double engine_speed = 0.0;

  static constexpr std::string_view kTable = "drivetrains";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(DrivetrainRow, object, ""),
                      REPRISE_FIELD(DrivetrainRow, gear, ""),
                      REPRISE_FIELD(DrivetrainRow, shift_ticks, ""),
                      REPRISE_FIELD(DrivetrainRow, engine_speed, "rad/s")};
  }
};

// One row a wheel, in the order of objects and then of the definition.
struct WheelRow {
  ObjectId object;
  uint64_t wheel = 0;
  // From where it is pressed in all the way down to where it is.
  double suspension = 0.0;
  double load = 0.0;   // by which it presses on the ground
  double spin = 0.0;   // how fast it turns; above 0: forward
  double angle = 0.0;  // how far it has turned, 0 to 2 pi
  ObjectId ground;     // what it stands on; none: it hangs in the air

  static constexpr std::string_view kTable = "wheels";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(WheelRow, object, ""),
                      REPRISE_FIELD(WheelRow, wheel, ""),
                      REPRISE_FIELD(WheelRow, suspension, "m"),
                      REPRISE_FIELD(WheelRow, load, "N"),
                      REPRISE_FIELD(WheelRow, spin, "rad/s"),
                      REPRISE_FIELD(WheelRow, angle, "rad"),
                      REPRISE_FIELD(WheelRow, ground, "")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_VEHICLES_VEHICLE_ROWS_H_
