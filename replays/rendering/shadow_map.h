// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the sun sees: how far it shines. A point is in the shadow where
// something is nearer to the sun.

#ifndef REPRISE_REPLAYS_RENDERING_SHADOW_MAP_H_
#define REPRISE_REPLAYS_RENDERING_SHADOW_MAP_H_

#include <cstdint>

#include "replays/rendering/rasterizer.h"
#include "replays/rendering/sample_quad.h"
#include "replays/rendering/scene_bounds.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

class ShadowMap {
 public:
  static constexpr uint32_t kSize = 1024;

  ShadowMap() : raster_(kSize, kSize, 1, Rasterizer::Keeps::kDepths) {}

  // Sees what is in `bounds`, and whatever throws its shadow there.
  void Begin(const SceneBounds& bounds);

  // What throws shadows is drawn on it.
  Rasterizer& raster() { return raster_; }

  // A place in the sun's picture: columns and rows, and its distance in m.
  sim::Vector3 PlaceOf(const sim::Vector3& world) const;

  // The same of a way: linear.
  sim::Vector3 WayOf(const sim::Vector3& way) const;

  // Which part of the sun shines there, 0 to 1, with soft edges as wide as what
  // the map can tell apart. `slack` is how much nearer, in such widths, what
  // throws a shadow has to be.
  double LightAt(const sim::Vector3& place, double slack) const;

  // The same of four places, to the bit.
  QuadDouble LightsAt(const QuadVector& places, const QuadDouble& slack) const;

 private:
  bool IsLit(int64_t x, int64_t y, double nearness) const;

  Rasterizer raster_;
  double metres_ = 1;  // a width
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_SHADOW_MAP_H_
