// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a place of a picture shows: the ray that leads back into the world from
// it, and the first thing that the ray meets.

#ifndef REPRISE_REPLAYS_RENDERING_SCENE_PICKING_H_
#define REPRISE_REPLAYS_RENDERING_SCENE_PICKING_H_

#include <cstdint>
#include <optional>
#include <span>

#include "replays/rendering/projection.h"
#include "replays/rendering/scene_renderer.h"
#include "replays/showing/shape_models.h"
#include "sim/frame.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

struct PickedPoint {
  uint32_t object = 0;  // index into the objects shown so far
  sim::Vector3 point;   // m, in the world
};

// Used by one thread at a time.
class ScenePicker {
 public:
  // `meshes`, which shapes refer to, must remain live.
  explicit ScenePicker(std::span<const sim::FrameMesh> meshes)
      : geometries_(meshes) {}

  // What is nearest at a place, in pixels from the upper left corner; nullopt
  // of the sky. Solids are seen from outside, as they are drawn; lines and what
  // is drawn by lines alone are no things.
  std::optional<PickedPoint> Pick(const DrawnFrame& drawn,
                                  const Projection& projection, double x_px,
                                  double y_px);

 private:
  // How far along a ray a shape is first met.
  std::optional<double> MeetShape(const sim::FrameShape& shape,
                                  const PictureRay& ray, double least);

  ShapeModels geometries_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SCENE_PICKING_H_
