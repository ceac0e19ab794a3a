// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/shadow_map.h"

#include <algorithm>

#include "replays/rendering/projection.h"
#include "replays/rendering/shading.h"
#include "sim/base/math.h"

namespace reprise::replays {

using sim::Vector3;

// The radius grows in steps and the middle moves by whole places, so that what
// stands still doesn't flicker where something moves.
void ShadowMap::Begin(const SceneBounds& bounds) {
  const Vector3 sun = WorldLamp().sun;
  double radius = 0.5;
  while (radius < bounds.radius() && radius < 1e5) radius *= 1.25;
  metres_ = 2.0 * radius / kSize;
  Camera camera = {.view = LookAt(bounds.middle() + sun * (4.0 * radius),
                                  bounds.middle(), {0, 1, 0})};
  camera.lens.height_m = 2.0 * radius;
  camera.lens.near_m = 0.01 * radius;
  camera.lens.far_m = 8.0 * radius;
  const auto whole = [this](double place) {
    return place - sim::Floor(place / metres_) * metres_;
  };
  Vector3& eye = camera.view.eye;
  eye = eye - camera.view.left * whole(sim::Dot(eye, camera.view.left)) -
        camera.view.up * whole(sim::Dot(eye, camera.view.up));
  raster_.Begin(Projection(camera, kSize, kSize), 0);
}

Vector3 ShadowMap::PlaceOf(const Vector3& world) const {
  const Vector3 view = raster_.projection().ToView(world);
  return {0.5 * kSize + view.x / metres_, 0.5 * kSize - view.y / metres_,
          view.z};
}

Vector3 ShadowMap::WayOf(const Vector3& way) const {
  const CameraView& view = raster_.projection().camera().view;
  return {-sim::Dot(way, view.left) / metres_,
          -sim::Dot(way, view.up) / metres_, sim::Dot(way, view.forward)};
}

bool ShadowMap::IsLit(int64_t x, int64_t y, double nearness) const {
  return nearness >=
         static_cast<double>(
             raster_.nearness()[static_cast<size_t>(y * kSize + x)]);
}

double ShadowMap::LightAt(const Vector3& place, double slack) const {
  const double x = place.x - 0.5;
  const double y = place.y - 0.5;
  if (!(x >= 0 && y >= 0 && x < kSize - 1 && y < kSize - 1)) return 1;
  const auto column = static_cast<int64_t>(x);
  const auto row = static_cast<int64_t>(y);
  const double right = x - static_cast<double>(column);
  const double down = y - static_cast<double>(row);
  const double nearness = -place.z + slack * metres_;
  const auto lit = [&](int64_t dx, int64_t dy) {
    return IsLit(column + dx, row + dy, nearness) ? 1.0 : 0.0;
  };
  const double upper = lit(0, 0) * (1 - right) + lit(1, 0) * right;
  const double lower = lit(0, 1) * (1 - right) + lit(1, 1) * right;
  return upper * (1 - down) + lower * down;
}

}  // namespace reprise::replays
