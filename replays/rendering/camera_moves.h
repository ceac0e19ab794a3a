// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How cameras move: the formulas of each kind, apart from pictures. What has a
// state of its own is stepped at each tick, never at each picture.

#ifndef REPRISE_REPLAYS_RENDERING_CAMERA_MOVES_H_
#define REPRISE_REPLAYS_RENDERING_CAMERA_MOVES_H_

#include "replays/rendering/projection.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// Between two cameras that are a little apart: eye and gaze go straight, the
// lens is that of the first.
Camera Interpolate(const Camera& from, const Camera& to, double part);

// Whom a camera is about: where it is, and where it looks.
struct CameraTarget {
  sim::Vector3 position;  // m
  sim::Vector3 forward = {0, 0, 1};
  sim::Vector3 up = {0, 1, 0};
};

// Behind and above its target: eye = position - forward d + up h.
sim::Vector3 FollowEye(const CameraTarget& target, double distance_m,
                       double height_m);

// The same place, as a mass on a spring that is damped so much that it doesn't
// swing: acceleration = -k x - 2 sqrt(k) v, by semi-implicit steps.
class SpringEye {
 public:
  // The stiffest that is stable, and doesn't turn around, at steps of `dt_s`:
  // sqrt(k) dt < 2 sqrt(2) - 2.
  static double StiffnessMax(double dt_s);

  // At rest. REQUIRES: 0 < stiffness < StiffnessMax of all steps to come.
  SpringEye(double stiffness_per_s2, const sim::Vector3& eye);

  void Step(const sim::Vector3& ideal, double dt_s);

  const sim::Vector3& eye() const { return eye_; }
  const sim::Vector3& velocity() const { return velocity_; }

 private:
  double stiffness_;
  double damping_;
  sim::Vector3 eye_;
  sim::Vector3 velocity_;
};

// A place on a sphere around the target, kept as the way from it.
class OrbitOffset {
 public:
  OrbitOffset(const sim::Vector3& offset, const sim::Vector3& up)
      : offset_(offset), up_(up) {}

  // Around the world's y, then around what is left of the camera.
  void Turn(double yaw_rad, double pitch_rad);

  CameraView Around(const sim::Vector3& target) const {
    return LookAt(target + offset_, target, up_);
  }

  const sim::Vector3& offset() const { return offset_; }
  const sim::Vector3& up() const { return up_; }

 private:
  sim::Vector3 offset_;
  sim::Vector3 up_;
};

// Looks further up or down than this, in radians, are held here.
inline constexpr double kFirstPersonPitchMax = 0.78;

// Where one looks who stands upright: `straight` turned by yaw around y and
// then by pitch around what is left; a positive pitch looks down.
sim::Vector3 FirstPersonGaze(const sim::Vector3& straight, double yaw_rad,
                             double pitch_rad);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_CAMERA_MOVES_H_
