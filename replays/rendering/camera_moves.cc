// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/camera_moves.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::replays {

using sim::Vector3;

Vector3 FollowEye(const CameraTarget& target, double distance_m,
                  double height_m) {
  return target.position - target.forward * distance_m + target.up * height_m;
}

Camera Interpolate(const Camera& from, const Camera& to, double part) {
  const auto between = [&](const Vector3& a, const Vector3& b) {
    return a * (1.0 - part) + b * part;
  };
  const Vector3 eye = between(from.view.eye, to.view.eye);
  const Vector3 gaze = between(from.view.forward, to.view.forward);
  const Vector3 up = between(from.view.up, to.view.up);
  return {LookAt(eye, eye + gaze, up), from.lens};
}

// Of the roots of the step's matrix both are within 1 up to here; at
// 1/60 s that is 2470.
double SpringEye::StiffnessMax(double dt_s) {
  const double root = (2.0 * sim::Sqrt(2.0) - 2.0) / dt_s;
  return root * root;
}

SpringEye::SpringEye(double stiffness_per_s2, const Vector3& eye)
    : stiffness_(stiffness_per_s2),
      damping_(2.0 * sim::Sqrt(stiffness_per_s2)),
      eye_(eye) {
  CHECK(stiffness_per_s2 > 0, "a stiffness of {}", stiffness_per_s2);
}

void SpringEye::Step(const Vector3& ideal, double dt_s) {
  DCHECK(stiffness_ < StiffnessMax(dt_s));
  const Vector3 acceleration =
      (eye_ - ideal) * -stiffness_ - velocity_ * damping_;
  velocity_ = velocity_ + acceleration * dt_s;
  eye_ = eye_ + velocity_ * dt_s;
}

void OrbitOffset::Turn(double yaw_rad, double pitch_rad) {
  const sim::Quaternion yaw = sim::FromAxisAngle({0, 1, 0}, yaw_rad);
  offset_ = sim::Rotate(yaw, offset_);
  up_ = sim::Rotate(yaw, up_);
  const Vector3 left =
      sim::Normalized(sim::Cross(up_, sim::Normalized(-offset_)));
  const sim::Quaternion pitch = sim::FromAxisAngle(left, pitch_rad);
  offset_ = sim::Rotate(pitch, offset_);
  up_ = sim::Rotate(pitch, up_);
}

Vector3 FirstPersonGaze(const Vector3& straight, double yaw_rad,
                        double pitch_rad) {
  const Vector3 turned =
      sim::Rotate(sim::FromAxisAngle({0, 1, 0}, yaw_rad), straight);
  const Vector3 left = sim::Cross({0, 1, 0}, sim::Normalized(turned));
  const double pitch =
      std::clamp(pitch_rad, -kFirstPersonPitchMax, kFirstPersonPitchMax);
  return sim::Rotate(sim::FromAxisAngle(left, pitch), turned);
}

}  // namespace reprise::replays
