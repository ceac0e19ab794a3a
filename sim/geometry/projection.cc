// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/projection.h"

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/directions.h"

namespace reprise::sim {
namespace {

// Where the sine of the angle between `up` and the line of sight is below this,
// `up` says nothing about the picture.
constexpr double kSineOfNoAngle = 1e-12;

constexpr Vector4 RowOf(Vector3 axis, Vector3 eye) {
  return {axis.x, axis.y, axis.z, -Dot(axis, eye)};
}

// The axis of depth grows away from the camera, z itself only in left hands.
constexpr double DepthSign(Handedness handedness) {
  return handedness == Handedness::kLeft ? 1.0 : -1.0;
}

}  // namespace

Matrix4 LookAt(Vector3 eye, Vector3 target, Vector3 up, Handedness handedness) {
  const double depth_sign = DepthSign(handedness);
  Vector3 forward = Normalized(target - eye);
  if (forward == Vector3{}) forward = {0.0, 0.0, depth_sign};
  // In left-handed axes the algebra of the cross product stays and its meaning
  // changes sides.
  Vector3 right = Cross(forward, Normalized(up)) * -depth_sign;
  if (Length(right) < kSineOfNoAngle) right = AnyPerpendicular(forward);
  right = Normalized(right);
  const Vector3 upward = Cross(right, forward) * -depth_sign;
  return {{RowOf(right, eye), RowOf(upward, eye),
           RowOf(forward * depth_sign, eye), Vector4{0.0, 0.0, 0.0, 1.0}}};
}

Matrix4 Orthographic(double width, double height, DepthRange depth,
                     Handedness handedness) {
  CHECK(width > 0.0 && height > 0.0, "{} by {}", width, height);
  CHECK(depth.near_m < depth.far_m, "{} to {}", depth.near_m, depth.far_m);
  const double scale = 1.0 / (depth.far_m - depth.near_m);
  return {
      {Vector4{2.0 / width, 0.0, 0.0, 0.0},
       Vector4{0.0, 2.0 / height, 0.0, 0.0},
       Vector4{0.0, 0.0, DepthSign(handedness) * scale, -depth.near_m * scale},
       Vector4{0.0, 0.0, 0.0, 1.0}}};
}

Matrix4 Perspective(double vertical_view_rad, double aspect, DepthRange depth,
                    Handedness handedness) {
  CHECK(vertical_view_rad > 0.0 && vertical_view_rad < kPi, "{} rad",
        vertical_view_rad);
  CHECK(aspect > 0.0, "{}", aspect);
  CHECK(depth.near_m > 0.0 && depth.near_m < depth.far_m, "{} to {}",
        depth.near_m, depth.far_m);
  const double scale_y = 1.0 / Tan(0.5 * vertical_view_rad);
  const double scale_z = depth.far_m / (depth.far_m - depth.near_m);
  const double sign = DepthSign(handedness);
  return {{Vector4{scale_y / aspect, 0.0, 0.0, 0.0},
           Vector4{0.0, scale_y, 0.0, 0.0},
           Vector4{0.0, 0.0, sign * scale_z, -depth.near_m * scale_z},
           Vector4{0.0, 0.0, sign, 0.0}}};
}

std::optional<Vector3> Project(const Matrix4& projection_of_world,
                               Vector3 point) {
  const Vector4 projected = projection_of_world * PointOf(point);
  if (!(projected.w > 0.0)) return std::nullopt;
  return ToVector3(projected) / projected.w;
}

std::optional<Vector3> Unproject(const Matrix4& projection_of_world,
                                 Vector3 picture) {
  const std::optional<Matrix4> inverse = Inverse(projection_of_world);
  if (!inverse.has_value()) return std::nullopt;
  const Vector4 point = *inverse * PointOf(picture);
  if (point.w == 0.0) return std::nullopt;
  return ToVector3(point) / point.w;
}

}  // namespace reprise::sim
