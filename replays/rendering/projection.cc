// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/projection.h"

#include "sim/base/check.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

// What is shorter has no direction that could be trusted.
constexpr double kShortest = 1e-9;

}  // namespace

CameraView LookAt(const Vector3& eye, const Vector3& target,
                  const Vector3& up) {
  const Vector3 way = target - eye;
  const Vector3 forward =
      sim::Length(way) < kShortest ? Vector3{0, 0, -1} : sim::Normalized(way);
  Vector3 across = sim::Cross(up, forward);
  if (sim::Length(across) < kShortest) {
    // Straight up or down: what is north stays at the picture's top.
    across = sim::Cross(Vector3{0, 0, forward.y > 0 ? 1.0 : -1.0}, forward);
  }
  if (sim::Length(across) < kShortest) {
    across = sim::Cross(Vector3{0, 1, 0}, forward);
  }
  const Vector3 left = sim::Normalized(across);
  return {eye, forward, left, sim::Cross(forward, left)};
}

double YScale(double field_of_view_rad) {
  return 1.0 / sim::Tan(0.5 * field_of_view_rad);
}

double HorizontalFieldOfView(double field_of_view_rad, double aspect) {
  return 2.0 * sim::Atan(aspect / YScale(field_of_view_rad));
}

Projection::Projection(const Camera& camera, uint32_t width, uint32_t height)
    : camera_(camera), width_(width), height_(height) {
  const CameraLens& lens = camera.lens;
  CHECK(lens.near_m > 0 && lens.near_m < lens.far_m, "from {} to {} m",
        lens.near_m, lens.far_m);
  CHECK(width > 0 && height > 0, "a picture of {}x{}", width, height);
  scale_ = is_perspective() ? 0.5 * height * YScale(lens.field_of_view_rad)
                            : height / lens.height_m;
}

Vector3 Projection::ToView(const Vector3& world) const {
  const CameraView& view = camera_.view;
  const Vector3 way = world - view.eye;
  return {-sim::Dot(way, view.left), sim::Dot(way, view.up),
          sim::Dot(way, view.forward)};
}

PictureRay Projection::RayThrough(double x_px, double y_px) const {
  const CameraView& view = camera_.view;
  const Vector3 aside = view.left * ((0.5 * width_ - x_px) / scale_) +
                        view.up * ((0.5 * height_ - y_px) / scale_);
  if (is_perspective()) return {view.eye, view.forward + aside};
  return {view.eye + aside, view.forward};
}

}  // namespace reprise::replays
