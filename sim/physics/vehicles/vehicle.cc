// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/vehicles/vehicle.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/vehicles/drivetrain.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};
constexpr Vector3 kForward = {0.0, 0.0, 1.0};

// Faster than this forward, throttle back is a brake, and the other way round.
constexpr double kReverseSpeedMPerS = 0.5;

// Below this a vehicle that isn't told to move may fall asleep.
constexpr double kRestMPerS = 0.1;

// The engine's power asks for no more force than at this speed.
constexpr double kPowerSpeedMinMPerS = 0.1;

// Struts that change by less under a sleeping vehicle don't wake it.
constexpr double kWakingStrutM = 1e-4;

// A wheel that leans on a wall has no way up that it could press along.
constexpr double kUprightMin = 0.1;

// What a wheel stands on, and how.
struct WheelContact {
  bool touches = false;
  Vector3 point;
  Vector3 normal;
  uint32_t ground = 0;   // the row of its body
  Vector3 velocity;      // of the vehicle there, against the ground
  double press_n = 0.0;  // of spring and damper, along the normal
};

// Whether a body is where, and as fast as, wheels can be simulated: physics
// refuses faster ones, and packs put none farther. NaN is not.
bool IsInReach(const BodyRow& body) {
  return Length(body.position) <= 2.0 * kPositionMaxM &&
         Length(body.linear_velocity) <= 2.0 * kSpeedMax &&
         Length(body.angular_velocity) <= 2.0 * kSpeedMax;
}

// How a body answers to a force along `way` at `point`, 1/kg.
double MobilityOf(const BodyRow& body, const MassProperties& mass,
                  Vector3 point, Vector3 way) {
  const Vector3 twist =
      Transposed(body.basis) * Cross(point - body.position, way);
  const Vector3 inverse = mass.inverse_inertia;
  return mass.inverse_mass + twist.x * twist.x * inverse.x +
         twist.y * twist.y * inverse.y + twist.z * twist.z * inverse.z;
}

Vector3 VelocityAt(const BodyRow& body, Vector3 point) {
  return body.linear_velocity +
         Cross(body.angular_velocity, point - body.position);
}

// `v` without its part along `normal`, made 1 long; zero if nothing is left.
Vector3 AlongGround(Vector3 v, Vector3 normal) {
  const Vector3 along = v - Dot(v, normal) * normal;
  return Length(along) < 1e-6 ? Vector3{} : Normalized(along);
}

// One vehicle's tick.
class Tick {
 public:
  Tick(const VehicleDefinition& definition,
       const VehicleSurroundings& surroundings, State& state, uint32_t body,
       VehicleRow& row, std::span<WheelRow> wheels, DrivetrainRow* drivetrain)
      : definition_(definition),
        physics_(surroundings.physics),
        queries_(surroundings.queries),
        state_(state),
        body_row_(body),
        body_(BodyAt(body)),
        mass_(physics_.mass_properties(body_.kind)),
        row_(row),
        wheels_(wheels),
        drivetrain_(drivetrain),
        gravity_(physics_.definition().kinds[body_.kind].gravity_scale *
                 surroundings.gravity_m_s2),
        tick_s_(physics_.definition().tick_s) {}

  void Make() {
    Steer();
    bool is_other_ground = false;
    for (uint32_t i = 0; i < wheels_.size(); ++i) {
      if (LookDown(i)) is_other_ground = true;
    }
    const bool is_asleep = body_.activation == Activation::kAsleep;
    if (is_asleep && !is_other_ground && !IsOnTheMove()) return;
    if (is_asleep || IsOnTheMove()) {
      Wake(state_, physics_.tables(), body_row_, mass_);
    }
    Suspend();
    ShareLoad();
    if (drivetrain_ != nullptr) Shift();
    for (uint32_t i = 0; i < wheels_.size(); ++i) Roll(i);
    // Written as it is: a vehicle that stands may fall asleep.
    if (force_ == Vector3{} && torque_ == Vector3{}) return;
    BodyRow& body = state_.mutable_table(physics_.tables().bodies)
                        .Mutable<BodyRow>(body_row_);
    body.force = body.force + force_;
    body.torque = body.torque + torque_;
  }

 private:
  const BodyRow& BodyAt(uint32_t row) const {
    return state_.table(physics_.tables().bodies).Get<BodyRow>(row);
  }

  // What rolls slowly is no candidate for sleep, as a pile at that speed is.
  bool IsOnTheMove() const {
    return row_.throttle != 0.0 || Length(body_.linear_velocity) > kRestMPerS;
  }

  void Steer() {
    const double wanted =
        std::clamp(row_.steer, -1.0, 1.0) * definition_.steering_max_rad;
    const double step = definition_.steering_rate_rad_s * tick_s_;
    row_.steering_angle = std::clamp(wanted, row_.steering_angle - step,
                                     row_.steering_angle + step);
  }

  // Finds the ground under a wheel; returns whether it has changed.
  bool LookDown(uint32_t i) {
    const WheelDefinition& wheel = definition_.wheels[i];
    WheelRow& row = wheels_[i];
    WheelContact& contact = contacts_[i];
    const Vector3 up = body_.basis * kUp;
    const Vector3 mount = body_.position + body_.basis * wheel.position;
    // From above the wheel, so that ground that came into it is still seen.
    const Vector3 from = mount + wheel.radius_m * up;
    const double reach = 2.0 * wheel.radius_m + wheel.travel_m;
    const BodyKind& kind = physics_.definition().kinds[body_.kind];
    const std::optional<QueryHit> hit =
        queries_.CastRay({.from = from, .to = from - reach * up},
                         {.layers = kind.collides_with,
                          .ignored = body_.object,
                          .layers_of_asker = kind.layers});
    const double before = row.suspension;
    const ObjectId ground_before = row.ground;
    contact = {};
    row.suspension = wheel.travel_m;
    row.ground = kNoObject;
    const std::optional<uint32_t> under =
        hit.has_value() && Dot(hit->normal, up) > kUprightMin
            ? FindBody(state_, physics_.tables(), hit->what.object)
            : std::nullopt;
    if (under.has_value() && IsInReach(BodyAt(*under))) {
      row.suspension = std::clamp(hit->fraction * reach - 2.0 * wheel.radius_m,
                                  0.0, wheel.travel_m);
      row.ground = hit->what.object;
      contact.touches = true;
      contact.point = hit->point;
      contact.normal = hit->normal;
      contact.ground = *under;
      contact.velocity = VelocityAt(body_, hit->point) -
                         VelocityAt(BodyAt(*under), hit->point);
    }
    return row.ground != ground_before ||
           Abs(row.suspension - before) > kWakingStrutM;
  }

  // Springs, dampers and bars.
  void Suspend() {
    const Vector3 up = body_.basis * kUp;
    for (uint32_t i = 0; i < wheels_.size(); ++i) {
      WheelContact& contact = contacts_[i];
      if (!contact.touches) continue;
      const WheelDefinition& wheel = definition_.wheels[i];
      // How fast the wheel goes in: the ground comes up the strut by as much
      // as makes up for its slant.
      const double speed =
          -Dot(contact.velocity, contact.normal) / Dot(contact.normal, up);
      const double damping = speed > 0.0 ? wheel.damping_compression_n_s_m
                                         : wheel.damping_rebound_n_s_m;
      contact.press_n = wheel.stiffness_n_m * InwardOf(i) + damping * speed;
    }
    for (const AntiRollBarDefinition& bar : definition_.anti_roll_bars) {
      const double force =
          bar.stiffness_n_m * (InwardOf(bar.wheel_a) - InwardOf(bar.wheel_b));
      contacts_[bar.wheel_a].press_n += force;
      contacts_[bar.wheel_b].press_n -= force;
    }
    for (uint32_t i = 0; i < wheels_.size(); ++i) {
      WheelContact& contact = contacts_[i];
      contact.press_n = contact.touches
                            ? std::clamp(contact.press_n, 0.0,
                                         definition_.wheels[i].force_max_n)
                            : 0.0;
      wheels_[i].load = contact.press_n;
      if (contact.press_n > 0.0) {
        Press(contact, contact.press_n * contact.normal);
      }
    }
  }

  double InwardOf(uint32_t i) const {
    return definition_.wheels[i].travel_m - wheels_[i].suspension;
  }

  // What the wheels that touch carry together.
  void ShareLoad() {
    for (uint32_t i = 0; i < wheels_.size(); ++i) {
      load_n_ += contacts_[i].press_n;
      if (definition_.wheels[i].is_driven) {
        ++driven_;
        driven_radius_m_ += definition_.wheels[i].radius_m;
      }
      if (definition_.wheels[i].is_braked) ++braked_;
      if (definition_.wheels[i].is_handbraked) ++handbraked_;
    }
    forward_speed_ = Dot(body_.linear_velocity, body_.basis * kForward);
  }

  double Throttle() const { return std::clamp(row_.throttle, -1.0, 1.0); }

  // The wheels roll as the ground passes: what slides doesn't shift gears.
  void Shift() {
    const double radius_m = driven_ == 0 ? 1.0 : driven_radius_m_ / driven_;
    TurnEngine(*definition_.drivetrain,
               {.throttle = Throttle(),
                .wheels_rad_s = forward_speed_ / radius_m,
                .is_standstill = Abs(forward_speed_) <= kReverseSpeedMPerS},
               *drivetrain_);
  }

  // The force of the engine on one driven wheel; 0 where throttle brakes.
  double DriveForce(const WheelDefinition& wheel) const {
    const double throttle = Throttle();
    if (BrakesByThrottle() || driven_ == 0) return 0.0;
    if (drivetrain_ != nullptr) {
      return DriveTorque(*definition_.drivetrain, throttle, *drivetrain_) /
             (wheel.radius_m * driven_);
    }
    const double speed = std::max(Abs(forward_speed_), kPowerSpeedMinMPerS);
    return throttle *
           std::min(definition_.engine_force_n,
                    definition_.engine_power_w / speed) /
           driven_;
  }

  bool BrakesByThrottle() const {
    return (row_.throttle < 0.0 && forward_speed_ > kReverseSpeedMPerS) ||
           (row_.throttle > 0.0 && forward_speed_ < -kReverseSpeedMPerS);
  }

  // The most by which the engine holds one wheel.
  double EngineBrakeForce(const WheelDefinition& wheel) const {
    if (drivetrain_ == nullptr || !wheel.is_driven) return 0.0;
    return BrakingTorque(*definition_.drivetrain, Throttle(), *drivetrain_) /
           (wheel.radius_m * driven_);
  }

  // The most by which the brakes hold one wheel.
  double BrakeForce(const WheelDefinition& wheel) const {
    double force = 0.0;
    if (wheel.is_braked) {
      const double pedal = std::clamp(row_.brake, 0.0, 1.0);
      const double throttle =
          BrakesByThrottle() ? std::min(Abs(row_.throttle), 1.0) : 0.0;
      force += std::max(pedal, throttle) * definition_.brake_force_n / braked_;
    }
    if (wheel.is_handbraked) {
      force += std::clamp(row_.handbrake, 0.0, 1.0) *
               definition_.handbrake_force_n / handbraked_;
    }
    return force;
  }

  // The tyre: what drives, brakes and holds to the side, up to the limit.
  void Roll(uint32_t i) {
    const WheelDefinition& wheel = definition_.wheels[i];
    const WheelContact& contact = contacts_[i];
    WheelRow& row = wheels_[i];
    const double brake = BrakeForce(wheel);
    if (contact.press_n == 0.0) {
      if (brake > 0.0) row.spin = 0.0;
      TurnWheel(row);
      return;
    }
    const Quaternion steering =
        FromAxisAngle(kUp, wheel.is_steered ? row_.steering_angle : 0.0);
    const Vector3 heading = body_.basis * Rotate(steering, kForward);
    const Vector3 ahead = AlongGround(heading, contact.normal);
    const Vector3 aside = Cross(contact.normal, ahead);
    const double speed = Dot(contact.velocity, ahead);
    const double drive = wheel.is_driven ? DriveForce(wheel) : 0.0;
    const double resistance =
        wheel.rolling_resistance * contact.press_n + EngineBrakeForce(wheel);
    // What would stop it within the tick, as far as that holds it.
    const double held = std::clamp(StopForce(contact, ahead),
                                   -(brake + resistance), brake + resistance);
    const Vector3 wanted =
        (drive + held) * ahead + StopForce(contact, aside) * aside;
    const double limit = FrictionOf(wheel, contact) * contact.press_n;
    const double length = Length(wanted);
    const bool slides = length > limit;
    Press(contact, slides ? (limit / length) * wanted : wanted);
    // A wheel that the brake holds stands while it slides.
    row.spin =
        slides && brake > limit
            ? 0.0
            : std::clamp(speed / wheel.radius_m, -kWheelSpinMax, kWheelSpinMax);
    TurnWheel(row);
  }

  double FrictionOf(const WheelDefinition& wheel,
                    const WheelContact& contact) const {
    const BodyRow& ground = BodyAt(contact.ground);
    return wheel.friction * physics_.definition().kinds[ground.kind].friction;
  }

  // The force along `way` that takes this wheel's part of the body's motion
  // there, and of its weight, within the tick.
  double StopForce(const WheelContact& contact, Vector3 way) const {
    const double part = contact.press_n / load_n_;
    const BodyRow& ground = BodyAt(contact.ground);
    const double mobility =
        MobilityOf(body_, mass_, contact.point, way) / part +
        MobilityOf(ground, physics_.mass_properties(ground.kind), contact.point,
                   way);
    return -Dot(contact.velocity, way) / (mobility * tick_s_) -
           part * Dot(gravity_, way) / mass_.inverse_mass;
  }

  void TurnWheel(WheelRow& row) const {
    constexpr double kTurn = 2.0 * kPi;
    const double angle = row.angle + row.spin * tick_s_;
    row.angle = angle - Floor(angle / kTurn) * kTurn;
  }

  // A force on the vehicle at a wheel, and its opposite on what is under it.
  void Press(const WheelContact& contact, Vector3 force) {
    force_ = force_ + force;
    torque_ = torque_ + Cross(contact.point - body_.position, force);
    const BodyRow& ground = BodyAt(contact.ground);
    const MassProperties& mass = physics_.mass_properties(ground.kind);
    if (mass.inverse_mass == 0.0) return;
    const Vector3 arm = contact.point - ground.position;
    ApplyForce(state_, physics_.tables(), contact.ground, mass, -force);
    ApplyTorque(state_, physics_.tables(), contact.ground, mass,
                Cross(arm, -force));
  }

  const VehicleDefinition& definition_;
  const PhysicsWorld& physics_;
  const PhysicsQueries& queries_;
  State& state_;
  uint32_t body_row_;
  const BodyRow body_;  // as the tick begins
  MassProperties mass_;
  VehicleRow& row_;
  std::span<WheelRow> wheels_;
  DrivetrainRow* drivetrain_;
  Vector3 gravity_;  // that acts on the body, m/s^2
  double tick_s_;

  std::array<WheelContact, kWheelsMax> contacts_;
  double load_n_ = 0.0;
  uint32_t driven_ = 0;
  double driven_radius_m_ = 0.0;  // the sum of them
  uint32_t braked_ = 0;
  uint32_t handbraked_ = 0;
  double forward_speed_ = 0.0;
  Vector3 force_;
  Vector3 torque_;
};

}  // namespace

WheelRow InitialWheel(const WheelDefinition& definition, ObjectId object,
                      uint64_t wheel) {
  return {.object = object,
          .wheel = wheel,
          .suspension = definition.travel_m,
          .ground = kNoObject};
}

void MoveVehicle(const VehicleDefinition& definition,
                 const VehicleSurroundings& surroundings, State& state,
                 uint32_t body, VehicleRow& row, std::span<WheelRow> wheels,
                 DrivetrainRow* drivetrain) {
  CHECK(wheels.size() == definition.wheels.size());
  CHECK((drivetrain != nullptr) == definition.drivetrain.has_value());
  CHECK(wheels.size() <= kWheelsMax);
  const Table& bodies = state.table(surroundings.physics.tables().bodies);
  if (!IsInReach(bodies.Get<BodyRow>(body))) return;
  Tick(definition, surroundings, state, body, row, wheels, drivetrain).Make();
}

}  // namespace reprise::sim
