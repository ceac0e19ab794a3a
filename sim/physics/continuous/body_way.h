// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where a body is at each moment of a step, as long as nothing meets it: what
// is free on its parabola, turning as it tumbles; what touches or is held
// straight on to where the solver has it move.

#ifndef REPRISE_SIM_PHYSICS_CONTINUOUS_BODY_WAY_H_
#define REPRISE_SIM_PHYSICS_CONTINUOUS_BODY_WAY_H_

#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "LinearMath/btTransform.h"
#include "LinearMath/btVector3.h"

namespace reprise::sim {

struct LinearAngular {
  btVector3 linear = btVector3(0.0, 0.0, 0.0);   // m/s
  btVector3 angular = btVector3(0.0, 0.0, 0.0);  // rad/s
};

class BodyWay {
 public:
  // Of nothing.
  BodyWay() = default;
  // Of a body that stands still.
  explicit BodyWay(const btRigidBody& body);

  // Of a body that the solver has given the velocities after a step of
  // `step_s`, in front of which it had `before`. REQUIRES: forces are still
  // there.
  BodyWay(const btRigidBody& body, const LinearAngular& before, double step_s);

  btTransform PoseAt(double time_s) const;
  // With which it meets something then; in the end, those after the step.
  LinearAngular VelocityAt(double time_s) const;
  // By which its origin moves then.
  btVector3 MotionAt(double time_s) const;

  // How far apart the points of a body's core are from its origin at most, by
  // axis of its frame, m, is told as `extents`.
  //
  // The most that any of them comes along `direction`, of length 1, in a second
  // from now until `end_s`; in any direction; and by turning alone.
  double SpeedAlong(const btVector3& direction, double end_s,
                    const btVector3& extents) const;
  double SpeedMax(double end_s, const btVector3& extents) const;
  double TurningSpeed(const btVector3& extents) const;

  // Has it be where it is at `time_s`, and go on from there.
  void AdvanceTo(double time_s);
  // Goes on from there with other velocities, by which it meets and moves.
  void Deflect(const LinearAngular& velocity);
  // Stays there until the step ends, and keeps its velocities.
  void Halt();
  bool is_halted() const { return is_halted_; }

  const btTransform& from() const { return from_; }
  double begin_s() const { return begin_s_; }

 private:
  // Begins to turn.
  void Turn(const btVector3& angular);

  btTransform from_ = btTransform::getIdentity();
  double begin_s_ = 0.0;
  btVector3 velocity_ = btVector3(0.0, 0.0, 0.0);      // of motion, at first
  btVector3 acceleration_ = btVector3(0.0, 0.0, 0.0);  // m/s^2
  btVector3 angular_ = btVector3(0.0, 0.0, 0.0);       // at first
  // What adds to the angular velocity but isn't turned by, rad/s^2.
  btVector3 angular_acceleration_ = btVector3(0.0, 0.0, 0.0);
  // Where it differs from that of motion. In the frame of what can tumble its
  // angular velocity stays, so that its energy does.
  LinearAngular given_;
  btVector3 given_local_ = btVector3(0.0, 0.0, 0.0);
  bool is_given_ = false;
  bool is_halted_ = false;
  bool can_tumble_ = false;
  bool tumbles_ = false;
  btVector3 inverse_inertia_ = btVector3(0.0, 0.0, 0.0);
  // How fast it turns around each axis of its frame at most.
  btVector3 angular_max_ = btVector3(0.0, 0.0, 0.0);
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_BODY_WAY_H_
