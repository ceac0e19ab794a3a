// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// From the world to a picture: where a camera stands, through what it looks,
// and how large a metre is. The world is right-handed with y up, so who looks
// along z has x to the left.

#ifndef REPRISE_REPLAYS_RENDERING_PROJECTION_H_
#define REPRISE_REPLAYS_RENDERING_PROJECTION_H_

#include <cstdint>

#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// Where a camera stands and how it is turned: three unit vectors, each upright
// to the others.
struct CameraView {
  sim::Vector3 eye;  // m
  sim::Vector3 forward = {0, 0, -1};
  sim::Vector3 left = {-1, 0, 0};
  sim::Vector3 up = {0, 1, 0};
};

// Looks from `eye` at `target`: forward is there, left = up x forward. Where
// `up` points along it, or both are one place, another direction stands in.
CameraView LookAt(const sim::Vector3& eye, const sim::Vector3& target,
                  const sim::Vector3& up);

struct CameraLens {
  // Of the whole picture, top to bottom, if it is a perspective.
  double field_of_view_rad = sim::Radians(50);
  // Of the whole picture, top to bottom, where everything is as large as it is;
  // 0 for a perspective.
  double height_m = 0;
  // What is drawn is between these, along `forward`. 0 < near < far.
  double near_m = 0.05;
  double far_m = 5000;
};

struct Camera {
  CameraView view;
  CameraLens lens;
};

// The scale of heights in a perspective, and what angle of widths follows.
double YScale(double field_of_view_rad);
double HorizontalFieldOfView(double field_of_view_rad, double aspect);

// What one place of a picture shows lies along this.
struct PictureRay {
  sim::Vector3 start;  // m; without perspective each place has its own
  // As long as leads a metre forward.
  sim::Vector3 direction;
};

class Projection {
 public:
  // REQUIRES: 0 < near < far; a size of at least one pixel.
  Projection(const Camera& camera, uint32_t width, uint32_t height);

  const Camera& camera() const { return camera_; }
  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  bool is_perspective() const { return camera_.lens.height_m == 0; }

  // Right, up and forward of the camera, in metres.
  sim::Vector3 ToView(const sim::Vector3& world) const;

  // From a place of the picture, in pixels from its upper left corner, back
  // into the world: start + depth * direction is what is seen there at a depth.
  PictureRay RayThrough(double x_px, double y_px) const;

  // Pixels a metre: of a perspective, at a distance of one metre.
  double scale() const { return scale_; }

 private:
  Camera camera_;
  uint32_t width_;
  uint32_t height_;
  double scale_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_PROJECTION_H_
