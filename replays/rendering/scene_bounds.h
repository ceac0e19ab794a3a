// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How much room the objects of a frame take.

#ifndef REPRISE_REPLAYS_RENDERING_SCENE_BOUNDS_H_
#define REPRISE_REPLAYS_RENDERING_SCENE_BOUNDS_H_

#include <optional>
#include <span>

#include "replays/showing/shown_scene.h"
#include "sim/frame.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// A shape fits into a box; a plane, which has no end, into none.
struct ShapeReach {
  sim::Vector3 middle;  // m, in the shape's frame
  sim::Vector3 half;    // along its axes
};
std::optional<ShapeReach> ReachOf(const sim::FrameShape& shape,
                                  std::span<const sim::FrameMesh> meshes);

// Whether a shape is ground, on which things are: a plane, or a box that
// reaches further than 6 m to each side.
bool IsGround(const sim::FrameShape& shape);

struct SceneBounds {
  sim::Vector3 least;
  sim::Vector3 most;
  bool is_empty = true;
  // Whether the middles of all objects, two or more, have one x, y or z: 'x',
  // 'y' or 'z', and 0 where they don't.
  char flat_axis = 0;

  sim::Vector3 middle() const { return (least + most) * 0.5; }
  double radius() const { return 0.5 * sim::Length(most - least); }
};

// Of all but ground; of that, too, where there is nothing else.
SceneBounds BoundsOf(const ShownFrame& frame,
                     std::span<const ShownObject> objects,
                     std::span<const sim::FrameMesh> meshes);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SCENE_BOUNDS_H_
