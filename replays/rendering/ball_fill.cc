// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Balls of a Rasterizer, by their formula.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "replays/rendering/rasterizer.h"
#include "sim/base/math.h"

namespace reprise::replays {

using sim::Vector3;

// All that pixels of one ball have in common.
struct Rasterizer::BallFill {
  Vector3 centre;
  double radius = 0;
  double beyond = 0;  // the square of the way that just touches it
  double metres = 0;  // a pixel, at a metre
  double middle_x = 0;
  double middle_y = 0;
  uint32_t x_begin = 0;
  uint32_t x_end = 0;
  uint32_t y_begin = 0;
  uint32_t y_end = 0;
};

void Rasterizer::DrawBall(const Vector3& centre, double radius,
                          BallShade shade) {
  if (centre.z - radius < near_m_) {
    if (centre.z + radius < near_m_ || !is_perspective_) return;
    if (sim::Dot(centre, centre) <= radius * radius) return;
  }
  // What is between two planes through the eye that touch it.
  double scale = projection_->scale();
  std::array<double, 2> x_range = {centre.x - radius, centre.x + radius};
  std::array<double, 2> y_range = {centre.y - radius, centre.y + radius};
  if (is_perspective_) {
    const double depth = centre.z * centre.z - radius * radius;
    const auto touch = [&](double across) -> std::array<double, 2> {
      if (centre.z <= radius) return {-1e6, 1e6};
      const double root = radius * sim::Sqrt(across * across + depth);
      return {(across * centre.z - root) / depth,
              (across * centre.z + root) / depth};
    };
    x_range = touch(centre.x);
    y_range = touch(centre.y);
  }
  const double middle_x = 0.5 * projection_->width();
  const double middle_y = 0.5 * projection_->height();
  const auto pixel = [](double place, uint32_t end) {
    if (!(place > 0)) return uint32_t{0};  // no number, either
    return static_cast<uint32_t>(std::min(place, static_cast<double>(end)));
  };
  const uint32_t width = projection_->width();
  const uint32_t height = projection_->height();
  const BallFill ball = {
      .centre = centre,
      .radius = radius,
      .beyond = sim::Dot(centre, centre) - radius * radius,
      .metres = 1.0 / projection_->scale(),
      .middle_x = middle_x,
      .middle_y = middle_y,
      .x_begin = pixel(middle_x + scale * x_range[0], width),
      .x_end = pixel(middle_x + scale * x_range[1] + 1, width),
      .y_begin = pixel(middle_y - scale * y_range[1], height),
      .y_end = pixel(middle_y - scale * y_range[0] + 1, height)};
  MarkDrawn(ball.y_begin, ball.y_end);
  if (layout_.pixels == 4) {
    FillBall<4, 1>(ball, shade);
  } else if (layout_.quads == 1) {
    FillBall<1, 1>(ball, shade);
  } else {
    FillBall<1, 4>(ball, shade);
  }
}

// The formula of a ray through the eye, or of one straight ahead: how far the
// middle of its way through the ball is (`along`, of rays that are as long as
// the root of `square`), and half of that way squared (`root`), which is below
// 0 where it misses.
template <uint32_t kPixels, uint32_t kQuads>
void Rasterizer::FillBall(const BallFill& ball, BallShade shade) {
  const Vector3& centre = ball.centre;
  const bool has_shades = !shades_.empty();
  const int32_t columns = static_cast<int32_t>(ball.x_end);
  // Nothing of it is nearer, but for a rounding.
  const double nearest = NearnessOf(std::max(centre.z - ball.radius, near_m_));
  const auto bound = static_cast<float>(nearest + 1e-6 * sim::Abs(nearest));
  const double radius_square = ball.radius * ball.radius;
  const QuadMask lanes = {0, 1, 2, 3};
  for (uint32_t y = ball.y_begin; y < ball.y_end; ++y) {
    QuadDouble ray_y[kQuads];
    QuadDouble down[kQuads];  // its part of `along`, or of `root`
    QuadDouble down_square[kQuads];
    for (uint32_t q = 0; q < kQuads; ++q) {
      ray_y[q] =
          (FourOf(ball.middle_y) - (layout_.y[q] + static_cast<double>(y))) *
          ball.metres;
      if (is_perspective_) {
        down[q] = ray_y[q] * centre.y;
        down_square[q] = ray_y[q] * ray_y[q];
      } else {
        const QuadDouble up = ray_y[q] - centre.y;
        down_square[q] = up * up;
      }
    }
    size_t sample = (size_t{y} * pitch_ + ball.x_begin) * places_.size();
    for (uint32_t x = ball.x_begin; x < ball.x_end; x += kPixels) {
      PackedShade paint = 0;
      bool has_paint = false;
      for (uint32_t q = 0; q < kQuads; ++q, sample += 4) {
        QuadFloat known;
        LoadQuad(&nearness_[sample], known);
        if (!IsAny(known < FourOf(bound))) continue;
        const QuadDouble ray_x =
            (layout_.x[q] + static_cast<double>(x) - ball.middle_x) *
            ball.metres;
        QuadDouble along;
        QuadDouble square;
        QuadDouble root;
        if (is_perspective_) {
          along = ray_x * centre.x + down[q] + centre.z;
          square = ray_x * ray_x + down_square[q] + 1.0;
          root = along * along - square * ball.beyond;
        } else {
          const QuadDouble right = ray_x - centre.x;
          along = FourOf(centre.z);
          root = FourOf(radius_square) - right * right - down_square[q];
        }
        QuadMask seen = ~IsLess(root, FourOf(0.0));
        // The pixels behind the last are others' in the next row.
        if (kPixels == 4) {
          seen &= lanes < FourOf(columns - static_cast<int32_t>(x));
        }
        if (!IsAny(seen)) continue;
        QuadDouble depth = along - SqrtOf(root);
        if (is_perspective_) depth = depth / square;
        const QuadFloat nearness =
            ToFloats(is_perspective_ ? FourOf(1.0) / depth : -depth);
        seen &= ~IsLess(depth, FourOf(near_m_));
        seen &= ~(nearness <= known);
        if (!IsAny(seen)) continue;
        StoreQuad(Select(seen, nearness, known), &nearness_[sample]);
        if (!has_shades) continue;
        for (int i = 0; i < 4; ++i) {
          if (seen[i] == 0) continue;
          // A pixel has the shade of its first sample that is seen.
          if (!has_paint || kPixels == 4) {
            const Vector3 point =
                is_perspective_ ? Vector3{ray_x[i], ray_y[q][i], 1} * depth[i]
                                : Vector3{ray_x[i], ray_y[q][i], 0} +
                                      Vector3{0, 0, depth[i]};
            paint = shade((point - centre) / ball.radius);
            has_paint = true;
          }
          shades_[sample + i] = paint;
        }
      }
    }
  }
}

}  // namespace reprise::replays
