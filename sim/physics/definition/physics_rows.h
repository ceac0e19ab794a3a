// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The state of rigid bodies: four tables in the room "physics". A step is a
// function of these rows and the definition alone; nothing that Bullet keeps
// besides them outlives a tick.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_ROWS_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/value_name.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Whether a body moves. The numbers are Bullet's.
enum class Activation : int64_t {
  kAwake = 1,
  kAsleep = 2,       // at rest with all that it touches, or not dynamic
  kWantsSleep = 3,   // slow for long enough, waiting for its neighbours
  kNeverSleeps = 4,  // awake whatever its speed
  kOutOfReach = 5,   // not simulated: left where it is, and stays
};

inline constexpr auto kActivationNames = std::to_array<ValueName>({
    {Activation::kAwake, "awake"},
    {Activation::kAsleep, "asleep"},
    {Activation::kWantsSleep, "wants_sleep"},
    {Activation::kNeverSleeps, "never_sleeps"},
    {Activation::kOutOfReach, "out_of_reach"},
});

template <>
struct FieldTraits<Activation> : ScalarTraits<ScalarType::kInt64> {};

// One row a body, in the order of objects. The game adds and removes rows by
// body_lifecycle.h, and may write everything but `object` before physics.
//
// What it writes to a fixed body besides its pose is put back. A kinematic body
// stays where the game put it; its velocities, by which it pushes and carries,
// hold for the next tick like forces, and it wakes what it touches meanwhile.
struct BodyRow {
  ObjectId object;
  uint64_t kind;     // index into PhysicsDefinition::kinds
  Vector3 position;  // of the centre of mass
  // The orientation by its matrix, which is what is integrated: a quaternion
  // would round on its way there and back.
  Matrix3 basis;
  Vector3 linear_velocity;
  Vector3 angular_velocity;
  // Held for the whole of the next tick, and then zero again.
  Vector3 force;
  Vector3 torque;
  Activation activation;
  double slow_time;  // how long the body has been slow

  static constexpr std::string_view kTable = "bodies";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(BodyRow, object, ""),
                      REPRISE_FIELD(BodyRow, kind, ""),
                      REPRISE_FIELD(BodyRow, position, "m"),
                      REPRISE_FIELD(BodyRow, basis, ""),
                      REPRISE_FIELD(BodyRow, linear_velocity, "m/s"),
                      REPRISE_FIELD(BodyRow, angular_velocity, "rad/s"),
                      REPRISE_FIELD(BodyRow, force, "N"),
                      REPRISE_FIELD(BodyRow, torque, "N m"),
                      REPRISE_FIELD(BodyRow, activation, ""),
                      REPRISE_FIELD(BodyRow, slow_time, "s")};
  }
};

// One row a contact point. Up to four points hold one pair of primitives
// together, and the next step starts the solver from their impulses.
//
// Of Bullet's btManifoldPoint these are the members that a later step reads.
// The others are computed anew in each step before they are read (what it bore
// in a step), follow from the definition (combined
// materials), the key (child indexes) or the bodies' poses (the points in the
// world), or belong to features that are off.
struct ContactPointRow {
  ObjectId object_a;  // object_a < object_b
  ObjectId object_b;
  // Which primitives: that of object_a in the upper 32 bits, of object_b in
  // the lower. Of meshes and height fields they are triangles.
  uint64_t primitives;
  uint64_t slot;    // 0 to 3: the points of one pair have an order
  Vector3 local_a;  // the touching points in the bodies' frames
  Vector3 local_b;
  Vector3 normal;   // out of object_b
  double distance;  // along the normal; negative where the bodies overlap
  // With which the next step begins, of a step: along the normal; and, on
  // object_a, by friction.
  double impulse;
  Vector3 friction;

  static constexpr std::string_view kTable = "contact_points";
  static constexpr uint32_t kKeyFields = 4;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ContactPointRow, object_a, ""),
                      REPRISE_FIELD(ContactPointRow, object_b, ""),
                      REPRISE_FIELD(ContactPointRow, primitives, ""),
                      REPRISE_FIELD(ContactPointRow, slot, ""),
                      REPRISE_FIELD(ContactPointRow, local_a, "m"),
                      REPRISE_FIELD(ContactPointRow, local_b, "m"),
                      REPRISE_FIELD(ContactPointRow, normal, ""),
                      REPRISE_FIELD(ContactPointRow, distance, "m"),
                      REPRISE_FIELD(ContactPointRow, impulse, "N s"),
                      REPRISE_FIELD(ContactPointRow, friction, "N s")};
  }
};

// One row a joint that is there, in the order of names. A joint of the
// definition without a row doesn't exist; one with a row has both its bodies.
//
// The impulse is told, not needed: a step reads none of an earlier one.
struct JointRow {
  Id name;
  uint64_t is_enabled;       // 0 or 1; a broken joint is not
  double motor_target;       // rad/s or m/s; of a servo rad or m
  double motor_impulse_max;  // N m s or N s; 0: the motor is off
  double impulse;            // along its last row, in the last substep

  static constexpr std::string_view kTable = "joints";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(JointRow, name, ""),
                      REPRISE_FIELD(JointRow, is_enabled, ""),
                      REPRISE_FIELD(JointRow, motor_target, ""),
                      REPRISE_FIELD(JointRow, motor_impulse_max, ""),
                      REPRISE_FIELD(JointRow, impulse, "N s")};
  }
};

// One row a joint made from a template, such as those of a ragdoll: the rest is
// as in JointRow. Rows are added and removed by body_lifecycle.h.
struct SpawnedJointRow {
  ObjectId owner;  // the object that it came for, which may be gone
  Id joint;        // the template
  ObjectId object_a;
  ObjectId object_b;  // kNoObject: the world
  uint64_t is_enabled;
  double motor_target;
  double motor_impulse_max;
  double impulse;

  static constexpr std::string_view kTable = "spawned_joints";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(SpawnedJointRow, owner, ""),
                      REPRISE_FIELD(SpawnedJointRow, joint, ""),
                      REPRISE_FIELD(SpawnedJointRow, object_a, ""),
                      REPRISE_FIELD(SpawnedJointRow, object_b, ""),
                      REPRISE_FIELD(SpawnedJointRow, is_enabled, ""),
                      REPRISE_FIELD(SpawnedJointRow, motor_target, ""),
                      REPRISE_FIELD(SpawnedJointRow, motor_impulse_max, ""),
                      REPRISE_FIELD(SpawnedJointRow, impulse, "N s")};
  }
};

// Where the tables lie in a State.
struct PhysicsTables {
  TableIndex bodies;
  TableIndex contact_points;
  TableIndex joints;
  TableIndex spawned_joints;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_ROWS_H_
