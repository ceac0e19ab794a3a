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
             raster_.nearness()[static_cast<size_t>(y * raster_.pitch() + x)]);
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

QuadDouble ShadowMap::LightsAt(const QuadVector& places,
                               const QuadDouble& slack) const {
  const QuadDouble one = FourOf(1.0);
  const QuadDouble zero = FourOf(0.0);
  const QuadDouble end = FourOf(static_cast<double>(kSize - 1));
  const QuadDouble x = places.x - 0.5;
  const QuadDouble y = places.y - 0.5;
  const QuadChoice within = (x >= zero) & (y >= zero) & (x < end) & (y < end);
  const QuadDouble held_x = Select(within, x, zero);
  const QuadDouble held_y = Select(within, y, zero);
  const QuadMask columns = ToWhole(held_x);
  const QuadMask rows = ToWhole(held_y);
  const QuadDouble right = held_x - ToDoubles(columns);
  const QuadDouble down = held_y - ToDoubles(rows);
  const QuadDouble nearness = -places.z + slack * metres_;

  const float* const known = raster_.nearness().data();
  const size_t pitch = raster_.pitch();
  const QuadMask first = rows * static_cast<int32_t>(raster_.pitch()) + columns;
  const auto light_at = [&](size_t lane) -> double {
    const float* const from = known + first[lane];
    const double here = nearness[lane];
    const bool a = here >= static_cast<double>(from[0]);
    const bool b = here >= static_cast<double>(from[1]);
    const bool c = here >= static_cast<double>(from[pitch]);
    const bool d = here >= static_cast<double>(from[pitch + 1]);
    // Seldom one of the four differs from others; of equal ones the mean is
    // exact, as 1 - right + right is 1 by the rounding to even.
    const int lit = int{a} + int{b} + int{c} + int{d};
    if (lit == 4) return 1;
    if (lit == 0) return 0;
    const double upper = (a ? 1 - right[lane] : 0) + (b ? right[lane] : 0);
    const double lower = (c ? 1 - right[lane] : 0) + (d ? right[lane] : 0);
    return upper * (1 - down[lane]) + lower * down[lane];
  };
  const QuadDouble light = {DoublePair{light_at(0), light_at(1)},
                            DoublePair{light_at(2), light_at(3)}};
  return Select(within, light, one);
}

}  // namespace reprise::replays
