// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/solver/free_rotation.h"

#include <algorithm>
#include <array>

#include "LinearMath/btQuaternion.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// What a body turns by at once, rad, for the errors that the header tells, and
// how often it does so in a step. Beyond, only momentum is kept.
constexpr double kTurnMaxRad = 0.05;
constexpr double kTurnsMax = 64.0;

// Below this angle the series of the sine is exact.
constexpr double kSmallAngleRad = 1e-3;

// More than inverse moments of inertia differ by, 1/(kg m^2).
constexpr double kSpreadMax = 1e300;

// A body in its own frame.
struct Turning {
  std::array<double, 3> momentum;  // angular
  btQuaternion rotation;           // of any length, since the beginning
};

// Turns around an axis of the body with the speed that the momentum along it
// gives, by a moment of inertia of 1 / `inverse_inertia`. Of an angle of 2 t
// the tangent of its half is taken to be t, which costs no sine and is still a
// rotation.
void TurnAround(int axis, double inverse_inertia, double time_s,
                Turning& turning) {
  const double t = 0.5 * time_s * inverse_inertia * turning.momentum[axis];
  const double scale = 1.0 / (1.0 + t * t);
  const double cosine = (1.0 - t * t) * scale;
  const double sine = 2.0 * t * scale;
  // As seen from the body, momentum turns the other way.
  double& next = turning.momentum[(axis + 1) % 3];
  double& last = turning.momentum[(axis + 2) % 3];
  const double turned = cosine * next + sine * last;
  last = cosine * last - sine * next;
  next = turned;
  btQuaternion by(0.0, 0.0, 0.0, 1.0);
  by[axis] = t;
  turning.rotation *= by;
}

// Turns around the momentum, which stays as it is, as a ball would.
void TurnAsBall(double inverse_inertia, double time_s, Turning& turning) {
  const double share = 0.5 * time_s * inverse_inertia;
  turning.rotation *=
      btQuaternion(share * turning.momentum[0], share * turning.momentum[1],
                   share * turning.momentum[2], 1.0);
}

// The axis around which a body is most alike: the moments around the two others
// are nearest to each other.
int AxisOfLikeness(const btVector3& inverse_inertia) {
  int axis = 0;
  double least = kSpreadMax;
  for (int i = 0; i < 3; ++i) {
    const double spread =
        Abs(inverse_inertia[(i + 1) % 3] - inverse_inertia[(i + 2) % 3]);
    if (spread >= least) continue;
    least = spread;
    axis = i;
  }
  return axis;
}

// What turns freely, at the end of a step.
Turning TurnInBody(const btMatrix3x3& basis, const btVector3& inverse_inertia,
                   const btVector3& angular, double step_s) {
  const double angle = angular.length() * step_s;
  const double count = std::clamp(Ceil(angle / kTurnMaxRad), 1.0, kTurnsMax);
  const double time_s = step_s / count;
  const btVector3 local = angular * basis;
  Turning turning{.momentum = {local.x() / inverse_inertia.x(),
                               local.y() / inverse_inertia.y(),
                               local.z() / inverse_inertia.z()},
                  .rotation = btQuaternion(0.0, 0.0, 0.0, 1.0)};
  const int around = AxisOfLikeness(inverse_inertia);
  const int across = (around + 1) % 3;
  const double ball = inverse_inertia[(around + 2) % 3];
  for (double i = 0.0; i < count; i += 1.0) {
    // As a ball, what it is more or less than one around its axis, and what the
    // two other axes differ by: there and back, so that errors of the first
    // order go. What is alike around its axis, as a needle all but is, so keeps
    // its energy exactly.
    TurnAround(across, inverse_inertia[across] - ball, 0.5 * time_s, turning);
    TurnAsBall(ball, time_s, turning);
    TurnAround(around, inverse_inertia[around] - ball, time_s, turning);
    TurnAround(across, inverse_inertia[across] - ball, 0.5 * time_s, turning);
    turning.rotation.normalize();
  }
  return turning;
}

btVector3 AngularOf(const Turning& turning, const btMatrix3x3& basis,
                    const btVector3& inverse_inertia) {
  const btVector3 local(turning.momentum[0] * inverse_inertia.x(),
                        turning.momentum[1] * inverse_inertia.y(),
                        turning.momentum[2] * inverse_inertia.z());
  return basis * (btMatrix3x3(turning.rotation) * local);
}

}  // namespace

FreeRotation TurnFreely(const btMatrix3x3& basis,
                        const btVector3& inverse_inertia,
                        const btVector3& angular, double step_s) {
  const Turning turning = TurnInBody(basis, inverse_inertia, angular, step_s);
  return {.turn = basis * TurnOf(turning.rotation),
          .angular = AngularOf(turning, basis, inverse_inertia)};
}

btVector3 AngularAfter(const btMatrix3x3& basis,
                       const btVector3& inverse_inertia,
                       const btVector3& angular, double step_s) {
  return AngularOf(TurnInBody(basis, inverse_inertia, angular, step_s), basis,
                   inverse_inertia);
}

btQuaternion RotationBy(const btVector3& turn) {
  const double angle = turn.length();
  const double share = angle > kSmallAngleRad
                           ? Sin(0.5 * angle) / angle
                           : 0.5 - angle * angle * (1.0 / 48.0);
  const btVector3 axis = turn * share;
  return btQuaternion(axis.x(), axis.y(), axis.z(), Cos(0.5 * angle));
}

btVector3 TurnOf(const btQuaternion& rotation) {
  const btQuaternion& q = rotation;
  const btVector3 axis(q.x(), q.y(), q.z());
  const double sine = axis.length();
  // Half the angle is at most a right one: the other way round is the same.
  const double half = Atan2(q.w() < 0.0 ? -sine : sine, Abs(q.w()));
  if (sine > kSmallAngleRad) return axis * (2.0 * half / sine);
  return axis * (q.w() < 0.0 ? -2.0 : 2.0);
}

btMatrix3x3 TurnedBy(const btMatrix3x3& basis, const btVector3& turn) {
  btQuaternion before;
  basis.getRotation(before);
  return TurnedBy(before, turn);
}

btMatrix3x3 TurnedBy(const btQuaternion& rotation, const btVector3& turn) {
  const btQuaternion after = RotationBy(turn) * rotation;
  return btMatrix3x3(after / Sqrt(after.length2()));
}

}  // namespace reprise::sim
