// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A car in a physics world, for tests.

#ifndef REPRISE_SIM_PHYSICS_VEHICLES_TESTING_VEHICLE_H_
#define REPRISE_SIM_PHYSICS_VEHICLES_TESTING_VEHICLE_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/physics/testing/testing_world.h"
#include "sim/physics/vehicles/drivetrain.h"
#include "sim/physics/vehicles/vehicle.h"

namespace reprise::sim {

inline constexpr double kTickS = 1.0 / 60.0;
inline constexpr double kGravity = 9.81;
inline constexpr double kMassKg = 1200.0;
inline constexpr double kStiffness = 40000.0;
inline constexpr double kRadiusM = 0.35;
inline constexpr double kTravelM = 0.3;
// Of all bodies' default friction and the wheels' of 2.
inline constexpr double kFriction = 1.0;

// A car of four wheels: rear ones driven and handbraked, front ones steered.
inline VehicleDefinition Car() {
  VehicleDefinition car;
  for (const double z : {1.4, -1.4}) {
    for (const double x : {0.8, -0.8}) {
      car.wheels.push_back({.position = {x, -0.2, z},
                            .radius_m = kRadiusM,
                            .travel_m = kTravelM,
                            .stiffness_n_m = kStiffness,
                            .damping_compression_n_s_m = 2500.0,
                            .damping_rebound_n_s_m = 3000.0,
                            .force_max_n = 40000.0,
                            .is_driven = z<0.0, .is_steered = z> 0.0,
                            .is_braked = true,
                            .is_handbraked = z < 0.0});
    }
  }
  car.engine_force_n = 4800.0;
  car.brake_force_n = 9600.0;
  car.handbrake_force_n = 20000.0;
  car.steering_max_rad = kPi / 6.0;
  return car;
}

// A world whose last body is a car, with its wheels just over y = 0 at `place`.
class VehicleWorld {
 public:
  explicit VehicleWorld(PhysicsDefinition definition, Vector3 place = {},
                        VehicleDefinition car = Car(), Quaternion rotation = {})
      : car_(std::move(car)),
        world_(WithCar(std::move(definition), place, rotation)),
        queries_(world_.definition(), world_.tables()),
        gravity_m_s2_(world_.definition()->gravity_m_s2),
        body_(world_.state().table(world_.tables().bodies).row_count() - 1),
        row_({.object = world_.body(body_).object}) {
    for (uint64_t i = 0; i < car_.wheels.size(); ++i) {
      wheels_.push_back(InitialWheel(car_.wheels[i], row_.object, i));
    }
    if (car_.drivetrain.has_value()) {
      drivetrain_ = InitialDrivetrain(*car_.drivetrain, row_.object);
    }
  }

  // As a zone's; the pack's stays what it is.
  void SetGravity(Vector3 gravity_m_s2) { gravity_m_s2_ = gravity_m_s2; }

  void Step(int ticks = 1) {
    for (int i = 0; i < ticks; ++i) {
      queries_.Look(world_.state());
      MoveVehicle(car_,
                  {.physics = world_.world(),
                   .queries = queries_,
                   .gravity_m_s2 = gravity_m_s2_},
                  world_.state(), body_, row_, wheels_,
                  drivetrain_.has_value() ? &*drivetrain_ : nullptr);
      world_.Step();
    }
  }

  const MassProperties& mass() {
    return world_.world().mass_properties(body().kind);
  }
  double speed() const {
    return Dot(body().linear_velocity, body().basis * Vector3{0.0, 0.0, 1.0});
  }
  Vector3 up() const { return body().basis * Vector3{0.0, 1.0, 0.0}; }
  const BodyRow& body() const { return world_.body(body_); }
  const BodyRow& body(uint32_t row) const { return world_.body(row); }
  BodyRow& mutable_body() { return world_.mutable_body(body_); }
  TestingWorld& world() { return world_; }
  VehicleRow& row() { return row_; }
  const std::vector<WheelRow>& wheels() const { return wheels_; }
  const DrivetrainRow& drivetrain() const { return *drivetrain_; }

 private:
  static PhysicsDefinition WithCar(PhysicsDefinition definition, Vector3 place,
                                   Quaternion rotation) {
    const AddedBody car =
        AddBody(definition, ShapeOf(BoxPrimitive{{0.9, 0.3, 2.0}}),
                Motion::kDynamic, place + Vector3{0.0, 0.86, 0.0});
    car.kind.mass_kg = kMassKg;
    car.placement.rotation = rotation;
    return definition;
  }

  VehicleDefinition car_;
  TestingWorld world_;
  PhysicsQueries queries_;
  Vector3 gravity_m_s2_;
  uint32_t body_;
  VehicleRow row_;
  std::vector<WheelRow> wheels_;
  std::optional<DrivetrainRow> drivetrain_;
};

// A floor that no test drives off.
inline PhysicsDefinition MakeGround() {
  PhysicsDefinition definition;
  AddBody(definition, PlaneShape{}, Motion::kFixed, {});
  return definition;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_VEHICLES_TESTING_VEHICLE_H_
