// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/rasterizer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

// How much of a picture beside it is still drawn in whole numbers: products of
// two places stay within 2^60 up to 8192 pixels.
constexpr double kReach = 16;

// One line of a processor's cache: where rows are a power of two apart, those
// of one thing would all want the same few places in it.
constexpr uint32_t kDepthsBetweenRows = 16;

// Of as many rows, two quads wide, is found what is hidden.
constexpr uint32_t kBlock = 8;

// Of what reaches no further than kReach.
int64_t Floor(double value) {
  const auto cut = static_cast<int64_t>(value);
  return static_cast<double>(cut) > value ? cut - 1 : cut;
}

template <typename Scalar>
void FillAll(std::span<Scalar> scalars, Scalar value) {
  const std::array<Scalar, 4> four = {value, value, value, value};
  size_t i = 0;
  for (; i + 4 <= scalars.size(); i += 4) {
    std::memcpy(&scalars[i], four.data(), sizeof(four));
  }
  for (; i < scalars.size(); ++i) scalars[i] = value;
}

}  // namespace

bool Rasterizer::IsSampleCount(uint32_t samples) {
  return samples == 1 || samples == 4 || samples == 16;
}

Rasterizer::Rasterizer(uint32_t width, uint32_t height, uint32_t samples,
                       Keeps keeps)
    : places_(PlacesOf(samples)),
      layout_(places_),
      pitch_(keeps == Keeps::kDepths ? width + kDepthsBetweenRows : width),
      // The last four of the last row may begin at its last sample.
      nearness_(size_t{samples} * pitch_ * height + kQuadOverhang),
      shades_(keeps == Keeps::kShades ? nearness_.size() : 0) {
  CHECK(IsSampleCount(samples), "{} samples", samples);
  if (keeps == Keeps::kShades || samples != 1) return;
  block_columns_ = (width + kBlock - 1) / kBlock;
  block_nearness_.resize(size_t{block_columns_} *
                         ((height + kBlock - 1) / kBlock));
}

void Rasterizer::Begin(const Projection& projection, PackedShade background) {
  CHECK(nearness_.size() ==
            places_.size() * pitch_ * projection.height() + kQuadOverhang,
        "another size than that of this rasterizer");
  projection_.emplace(projection);
  const CameraLens& lens = projection.camera().lens;
  is_perspective_ = projection.is_perspective();
  near_m_ = lens.near_m;
  reach_x_ = kReach * 0.5 * projection.width() / projection.scale();
  reach_y_ = kReach * 0.5 * projection.height() / projection.scale();
  // Rows that nothing was drawn to since are as they were.
  const auto nothing = static_cast<float>(NearnessOf(lens.far_m));
  const bool is_same = nothing == nothing_ && background == background_;
  nothing_ = nothing;
  background_ = background;
  const size_t row = places_.size() * pitch_;
  const size_t begin = is_same ? row * drawn_begin_ : 0;
  const size_t end = is_same ? row * drawn_end_ : nearness_.size();
  if (begin < end) {
    FillAll(std::span(nearness_).subspan(begin, end - begin), nothing);
    if (!shades_.empty()) {
      FillAll(std::span(shades_).subspan(begin, end - begin), background);
    }
  }
  drawn_begin_ = projection.height();
  drawn_end_ = 0;
  std::ranges::fill(block_nearness_, -std::numeric_limits<float>::infinity());
}

double Rasterizer::NearnessOf(double depth) const {
  return is_perspective_ ? 1.0 / depth : -depth;
}

Rasterizer::ScreenCorner Rasterizer::OnScreen(
    const RasterCorner& corner) const {
  const Vector3& view = corner.view;
  const double nearness = NearnessOf(view.z);
  double scale = projection_->scale();
  if (is_perspective_) scale *= nearness;
  const double x = 0.5 * projection_->width() + scale * view.x;
  const double y = 0.5 * projection_->height() - scale * view.y;
  return {Floor(x * kCornerParts + 0.5), Floor(y * kCornerParts + 0.5),
          nearness, corner.shade};
}

bool Rasterizer::IsWithin(const RasterCorner& corner) const {
  const Vector3& view = corner.view;
  const double depth = is_perspective_ ? view.z : 1.0;
  return view.z >= near_m_ && sim::Abs(view.x) <= reach_x_ * depth &&
         sim::Abs(view.y) <= reach_y_ * depth;
}

bool Rasterizer::IsNearerAllOver(uint32_t block_x, uint32_t block_y,
                                 float bound) {
  float& known = block_nearness_[size_t{block_y} * block_columns_ + block_x];
  if (known >= bound) return true;
  const uint32_t end = std::min((block_y + 1) * kBlock, projection_->height());
  for (uint32_t y = block_y * kBlock; y < end; ++y) {
    const float* const row =
        &nearness_[size_t{y} * pitch_ + size_t{block_x} * kBlock];
    for (uint32_t x = 0; x < kBlock; x += 4) {
      QuadFloat four;
      LoadQuad(row + x, four);
      if (IsAny(~(four >= FourOf(bound)))) return false;
    }
  }
  known = bound;
  return true;
}

bool Rasterizer::IsHidden(const Vector3& least, const Vector3& most) {
  if (block_nearness_.empty() || is_perspective_) return false;
  // A pixel more on each side than corners are rounded by.
  const double scale = projection_->scale();
  const double left = 0.5 * projection_->width() + scale * least.x - 1;
  const double right = 0.5 * projection_->width() + scale * most.x + 1;
  const double top = 0.5 * projection_->height() - scale * most.y - 1;
  const double bottom = 0.5 * projection_->height() - scale * least.y + 1;
  if (!(left < right && top < bottom && right > 0 && bottom > 0 &&
        left < projection_->width() && top < projection_->height())) {
    return false;  // or beside the picture, or no number
  }
  // No more than a ball or a triangle takes for the nearest of it: see there.
  // A slope has at most `spread` along each side of an area of 1 / kCornerParts
  // squared, and is followed over `size` at most.
  const double nearest = -least.z;
  const double spread = most.z - least.z;
  const double size = std::max(right - left, bottom - top) + 1;
  const double slope = spread * size * kCornerParts * kCornerParts;
  const auto bound = static_cast<float>(nearest + 1e-6 * sim::Abs(nearest) +
                                        4e-14 * slope * size);
  const auto block = [](double place, uint32_t end) {
    return static_cast<uint32_t>(std::clamp(place, 0.0, end - 1.0)) / kBlock;
  };
  const uint32_t x_end = block(right, projection_->width());
  const uint32_t y_end = block(bottom, projection_->height());
  const uint32_t x_begin = block(left, projection_->width());
  for (uint32_t y = block(top, projection_->height()); y <= y_end; ++y) {
    for (uint32_t x = x_begin; x <= x_end; ++x) {
      if (!IsNearerAllOver(x, y, bound)) return false;
    }
  }
  return true;
}

// Cuts a triangle at the nearest depth and at what is far beside the picture,
// into `clipped_`.
size_t Rasterizer::Clip(const std::array<RasterCorner, 3>& corners) {
  clipped_.assign(corners.begin(), corners.end());
  for (int side = 0; side < 5; ++side) {
    const auto inside = [&](const RasterCorner& corner) {
      const Vector3& view = corner.view;
      const double depth = is_perspective_ ? view.z : 1.0;
      switch (side) {
        case 0:
          return view.z - near_m_;
        case 1:
          return reach_x_ * depth - view.x;
        case 2:
          return reach_x_ * depth + view.x;
        case 3:
          return reach_y_ * depth - view.y;
        default:
          return reach_y_ * depth + view.y;
      }
    };
    clipping_.clear();
    for (size_t i = 0; i < clipped_.size(); ++i) {
      const RasterCorner& a = clipped_[i];
      const RasterCorner& b = clipped_[(i + 1) % clipped_.size()];
      const double at_a = inside(a);
      const double at_b = inside(b);
      if (at_a >= 0) clipping_.push_back(a);
      if ((at_a < 0) == (at_b < 0)) continue;
      const double part = at_a / (at_a - at_b);
      const auto between = [part](double p, double q) {
        return p + (q - p) * part;
      };
      clipping_.push_back(
          {a.view + (b.view - a.view) * part,
           {a.shade.lit + (b.shade.lit - a.shade.lit) * part,
            between(a.shade.left_in_shadow, b.shade.left_in_shadow)}});
    }
    std::swap(clipped_, clipping_);
  }
  return clipped_.size();
}

void Rasterizer::DrawTriangle(const std::array<RasterCorner, 3>& corners,
                              RasterSides sides, bool is_ground) {
  if (IsWithin(corners[0]) && IsWithin(corners[1]) && IsWithin(corners[2])) {
    DrawOnScreen(OnScreen(corners[0]), OnScreen(corners[1]),
                 OnScreen(corners[2]), sides, is_ground);
    return;
  }
  const size_t count = Clip(corners);
  for (size_t i = 2; i < count; ++i) {
    DrawOnScreen(OnScreen(clipped_[0]), OnScreen(clipped_[i - 1]),
                 OnScreen(clipped_[i]), sides, is_ground);
  }
}

void Rasterizer::DrawLine(const Vector3& start, const Vector3& end,
                          double width_px, PackedShade shade) {
  // Cut at the nearest depth.
  if (start.z < near_m_ && end.z < near_m_) return;
  const auto cut = [this](const Vector3& kept, const Vector3& moved) {
    if (moved.z >= near_m_) return moved;
    return kept + (moved - kept) * ((kept.z - near_m_) / (kept.z - moved.z));
  };
  const Vector3 a = cut(end, start);
  const Vector3 b = cut(start, end);
  const auto scale_at = [&](const Vector3& point) {
    return is_perspective_ ? projection_->scale() / point.z
                           : projection_->scale();
  };
  // Across it, as it lies on the picture, at each end half a width.
  const double across_x = b.y * scale_at(b) - a.y * scale_at(a);
  const double across_y = a.x * scale_at(a) - b.x * scale_at(b);
  const double length = sim::Sqrt(across_x * across_x + across_y * across_y);
  if (length < 1e-6) return;
  // A thousandth of its depth nearer.
  const auto corner = [&](const Vector3& point, double side) {
    const double half = side * 0.5 * width_px / (length * scale_at(point));
    Vector3 moved = point + Vector3{across_x * half, across_y * half, 0};
    if (is_perspective_) {
      moved = moved * 0.999;
    } else {
      moved.z -= 0.001 * sim::Abs(moved.z);
    }
    return RasterCorner{moved, {LitOf(shade), LeftInShadow(shade)}};
  };
  const std::array<RasterCorner, 4> corners = {corner(a, -1), corner(a, 1),
                                               corner(b, 1), corner(b, -1)};
  DrawTriangle({corners[0], corners[1], corners[2]}, RasterSides::kBoth);
  DrawTriangle({corners[0], corners[2], corners[3]}, RasterSides::kBoth);
}

}  // namespace reprise::replays
