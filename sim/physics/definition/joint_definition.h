// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What holds bodies together: balls, hinges, cones, springs and joints whose
// six axes are each as they are made. Plain data that never changes during a
// run.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_JOINT_DEFINITION_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_JOINT_DEFINITION_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Where a joint sits in an object's frame, or in the world's.
struct JointFrame {
  Vector3 position;     // m
  Quaternion rotation;  // of length 1; unused by ball and spring joints
};

// Drives one axis of a joint, object_a against object_b. Target and greatest
// impulse are those of tick 0; from then on they are in the joint's row.
struct JointMotor {
  // It works towards a place on its axis, and holds it, not towards a velocity.
  bool is_servo = false;
  double target = 0.0;       // rad/s or m/s; of a servo rad or m
  double speed_max = 0.0;    // of a servo: rad/s or m/s, above 0
  double impulse_max = 0.0;  // N m s or N s per substep; 0: it is off
};

struct BallJoint {};

// Turns around the z axis of its frames.
struct HingeJoint {
  // Free to turn all the way when lower_rad > upper_rad.
  double lower_rad = 1.0;
  double upper_rad = -1.0;
  JointMotor motor;
};

// Swings around the z and y axes of its frames and twists around x, each up to
// its span to either side.
struct ConeTwistJoint {
  double swing_span_z_rad = 1.0;
  double swing_span_y_rad = 1.0;
  double twist_span_rad = 1.0;
};

// Pulls and pushes along the line between the origins of its frames, which may
// turn as they like. Made implicitly: no stiffness blows it up.
struct SpringJoint {
  double rest_length_m = 1.0;
  double stiffness_n_m = 100.0;
  double damping_n_s_m = 0.0;
};

// A spring along or around one axis of a six-axis joint. Stiffness that a
// substep can't follow is lowered to what it can.
struct AxisSpring {
  double rest = 0.0;       // m or rad
  double stiffness = 0.0;  // N/m or N m/rad; 0: there is no spring
  double damping = 0.0;    // N s/m or N m s/rad
};

// One axis of a six-axis joint: locked at lower == upper, free at lower >
// upper, limited in between.
struct JointAxis {
  double lower = 0.0;  // m or rad
  double upper = 0.0;
  AxisSpring spring;
};

// The axes of a six-axis joint: along x, y and z of object_b's frame, and the
// turns of object_a's frame around them: first x, then y, then z.
inline constexpr uint32_t kJointAxes = 6;
inline constexpr uint32_t kFirstTurningAxis = 3;
inline constexpr uint32_t kNoJointAxis = kJointAxes;

// Every motion of one body against another, each axis for itself. A slider is
// one that is free along x alone, a fixed joint one with all axes locked.
struct SixAxisJoint {
  std::array<JointAxis, kJointAxes> axes;
  uint32_t motor_axis = kNoJointAxis;
  JointMotor motor;
};

// The turn around y stays this far from the right angle at which the other two
// are the same.
inline constexpr double kMiddleTurnMaxRad = 1.55;

// What holds two bodies together. Joints of a pack are there from tick 0; those
// of a template come for two bodies when the game asks. Either goes with
// either of its bodies.
struct JointDefinition {
  Id name;
  std::variant<BallJoint, HingeJoint, ConeTwistJoint, SpringJoint, SixAxisJoint>
      kind;
  // Of a template none.
  ObjectId object_a;
  ObjectId object_b;  // kNoObject: the world
  JointFrame frame_a;
  JointFrame frame_b;
  // A substep that needs a larger impulse than this along one axis breaks the
  // joint, N s or N m s. It stays broken until the game mends it.
  double breaking_impulse_n_s = std::numeric_limits<double>::infinity();
  // Whether its bodies touch each other, too. If not, they do as soon as it
  // holds them no more, unless they stay apart.
  bool bodies_collide = false;
  bool stay_apart = false;
};

inline constexpr uint32_t kJointsMax = 1u << 16;
inline constexpr double kStiffnessMax = 1e12;  // N/m or N m/rad; also damping

// INVALID_ARGUMENT names the first field of the joint `name` that physics can't
// simulate, whatever its bodies.
absl::Status ValidateJoint(const JointDefinition& joint,
                           const std::string& name);

// The motor of a joint; null when it is of a kind, or an axis, without one.
const JointMotor* MotorOf(const JointDefinition& joint);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_JOINT_DEFINITION_H_
