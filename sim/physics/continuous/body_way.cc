// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/continuous/body_way.h"

#include <algorithm>

#include "sim/base/math.h"
#include "sim/physics/solver/free_rotation.h"

namespace reprise::sim {
namespace {

// Slower than this, rad/s, nothing tumbles within a step.
constexpr double kTumbleSpeedMin = 0.1;

bool IsSame(const btVector3& a, const btVector3& b) {
  return a.x() == b.x() && a.y() == b.y() && a.z() == b.z();
}

// As the solver has it: off where axes are locked.
bool CanTumble(const btRigidBody& body) {
  const btVector3& inertia = body.getInvInertiaDiagLocal();
  return (body.getFlags() & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY) != 0 &&
         (inertia.x() != inertia.y() || inertia.y() != inertia.z());
}

}  // namespace

BodyWay::BodyWay(const btRigidBody& body)
    : from_(body.getWorldTransform()),
      can_tumble_(CanTumble(body)),
      inverse_inertia_(body.getInvInertiaDiagLocal()) {}

BodyWay::BodyWay(const btRigidBody& body, const LinearAngular& before,
                 double step_s)
    : BodyWay(body) {
  // As the solver moves what nothing touches or holds.
  const btVector3 gain = body.getTotalForce() * body.getInvMass() * step_s;
  const btVector3& moved = body.getInterpolationLinearVelocity();
  const bool is_free = IsSame(moved, before.linear + 0.5 * gain) &&
                       IsSame(body.getLinearVelocity(), before.linear + gain);
  if (!is_free) {
    velocity_ = moved;
    given_ = {.linear = body.getLinearVelocity(),
              .angular = body.getAngularVelocity()};
    is_given_ = true;
    Turn(body.getInterpolationAngularVelocity());
    given_local_ = given_.angular * PoseAt(step_s).getBasis();
    return;
  }
  velocity_ = before.linear;
  acceleration_ = gain / step_s;
  angular_acceleration_ =
      body.getTotalTorque() * body.getInvInertiaTensorWorld();
  Turn(before.angular);
}

void BodyWay::Turn(const btVector3& angular) {
  angular_ = angular;
  tumbles_ = can_tumble_ && !is_given_ &&
             angular.length2() > kTumbleSpeedMin * kTumbleSpeedMin;
  const btVector3 local = angular * from_.getBasis();
  angular_max_ = local.absolute();
  if (!tumbles_) return;
  // Around no axis it gets faster than if all of the momentum, or of the energy
  // of turning, were there.
  double momentum_squared = 0.0;
  double energy = 0.0;  // twice
  for (int i = 0; i < 3; ++i) {
    const double along = local[i] / inverse_inertia_[i];
    momentum_squared += along * along;
    energy += along * local[i];
  }
  for (int i = 0; i < 3; ++i) {
    const double inverse = inverse_inertia_[i];
    angular_max_[i] =
        Sqrt(inverse * std::min(momentum_squared * inverse, energy));
  }
}

btTransform BodyWay::PoseAt(double time_s) const {
  const double since = time_s - begin_s_;
  if (since == 0.0) return from_;
  const btVector3 turn =
      tumbles_
          ? TurnFreely(from_.getBasis(), inverse_inertia_, angular_, since).turn
          : since * angular_;
  const btVector3 origin =
      from_.getOrigin() + since * (velocity_ + (0.5 * since) * acceleration_);
  if (turn.length2() == 0.0) return btTransform(from_.getBasis(), origin);
  return btTransform(TurnedBy(from_.getBasis(), turn), origin);
}

btVector3 BodyWay::MotionAt(double time_s) const {
  return velocity_ + (time_s - begin_s_) * acceleration_;
}

LinearAngular BodyWay::VelocityAt(double time_s) const {
  if (is_given_) {
    if (is_halted_ || !can_tumble_) return given_;
    return {.linear = given_.linear,
            .angular = PoseAt(time_s).getBasis() * given_local_};
  }
  const double since = time_s - begin_s_;
  const btVector3 angular =
      tumbles_ ? TurnFreely(from_.getBasis(), inverse_inertia_, angular_, since)
                     .angular
               : angular_;
  return {.linear = MotionAt(time_s),
          .angular = angular + since * angular_acceleration_};
}

double BodyWay::TurningSpeed(const btVector3& extents) const {
  const btVector3& w = angular_max_;
  return btVector3(w.y() * extents.z() + w.z() * extents.y(),
                   w.z() * extents.x() + w.x() * extents.z(),
                   w.x() * extents.y() + w.y() * extents.x())
      .length();
}

double BodyWay::SpeedAlong(const btVector3& direction, double end_s,
                           const btVector3& extents) const {
  // The velocity along it changes steadily: either end has the most.
  const double moving = std::max(direction.dot(MotionAt(begin_s_)),
                                 direction.dot(MotionAt(end_s)));
  double turning = TurningSpeed(extents);
  if (!tumbles_) {
    turning = std::min(turning,
                       direction.cross(angular_).length() * extents.length());
  }
  return moving + turning;
}

double BodyWay::SpeedMax(double end_s, const btVector3& extents) const {
  return std::max(MotionAt(begin_s_).length(), MotionAt(end_s).length()) +
         TurningSpeed(extents);
}

void BodyWay::AdvanceTo(double time_s) {
  if (time_s == begin_s_) return;
  const btTransform pose = PoseAt(time_s);
  const btVector3 motion = MotionAt(time_s);
  const btVector3 angular = is_given_ ? angular_ : VelocityAt(time_s).angular;
  from_ = pose;
  velocity_ = motion;
  begin_s_ = time_s;
  Turn(angular);
}

void BodyWay::Deflect(const LinearAngular& velocity) {
  if (is_halted_) {
    given_ = velocity;
    return;
  }
  is_given_ = false;
  velocity_ = velocity.linear;
  Turn(velocity.angular);
}

void BodyWay::Halt() {
  given_ = VelocityAt(begin_s_);
  is_given_ = true;
  is_halted_ = true;
  velocity_ = btVector3(0.0, 0.0, 0.0);
  acceleration_ = btVector3(0.0, 0.0, 0.0);
  angular_acceleration_ = btVector3(0.0, 0.0, 0.0);
  Turn(btVector3(0.0, 0.0, 0.0));
}

}  // namespace reprise::sim
