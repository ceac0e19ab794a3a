// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/rasterizer.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using sim::Vector3;

// Parts of a pixel that corners are rounded to: what others use, too.
constexpr int64_t kParts = 256;

// How much of a picture beside it is still drawn in whole numbers: products of
// two places stay within 2^60 up to 8192 pixels.
constexpr double kReach = 16;

// Samples that no row, column or diagonal has two of, as far as that goes.
std::vector<Rasterizer::Place> PlacesOf(uint32_t samples) {
  if (samples == 1) return {{0.5, 0.5}};
  if (samples == 4) {
    return {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
  }
  // Rows of sixteenths, columns by a walk of 5 of 16, from the middle of each.
  std::vector<Rasterizer::Place> places;
  for (uint32_t i = 0; i < samples; ++i) {
    places.push_back(
        {(5 * i + 2) % samples / 16.0 + 1.0 / 32, i / 16.0 + 1.0 / 32});
  }
  return places;
}

constexpr int64_t kNarrow = 24;

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// The pixels of a row, [begin, end).
struct Run {
  int64_t begin = 0;
  int64_t end = 0;

  // Keeps those x with value + x * step >= 0.
  void Keep(int64_t value, int64_t step) {
    if (step > 0) {
      begin = std::max(begin, -FloorDivide(value, step));
    } else if (step < 0) {
      end = std::min(end, FloorDivide(value, -step) + 1);
    } else if (value < 0) {
      end = begin;
    }
  }
};

}  // namespace

bool Rasterizer::IsSampleCount(uint32_t samples) {
  return samples == 1 || samples == 4 || samples == 16;
}

Rasterizer::Rasterizer(uint32_t width, uint32_t height, uint32_t samples)
    : places_(PlacesOf(samples)),
      nearness_(size_t{samples} * width * height),
      shades_(nearness_.size()) {
  CHECK(IsSampleCount(samples), "{} samples", samples);
}

void Rasterizer::Begin(const Projection& projection, PackedShade background) {
  CHECK(nearness_.size() ==
            places_.size() * projection.width() * projection.height(),
        "another size than that of this rasterizer");
  projection_.emplace(projection);
  const CameraLens& lens = projection.camera().lens;
  is_perspective_ = projection.is_perspective();
  near_m_ = lens.near_m;
  reach_x_ = kReach * 0.5 * projection.width() / projection.scale();
  reach_y_ = kReach * 0.5 * projection.height() / projection.scale();
  nothing_ = static_cast<float>(NearnessOf(lens.far_m));
  std::ranges::fill(nearness_, nothing_);
  std::ranges::fill(shades_, background);
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
  return {static_cast<int64_t>(sim::Floor(x * kParts + 0.5)),
          static_cast<int64_t>(sim::Floor(y * kParts + 0.5)), nearness,
          corner.shade};
}

bool Rasterizer::IsWithin(const RasterCorner& corner) const {
  const Vector3& view = corner.view;
  const double depth = is_perspective_ ? view.z : 1.0;
  return view.z >= near_m_ && sim::Abs(view.x) <= reach_x_ * depth &&
         sim::Abs(view.y) <= reach_y_ * depth;
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

// value(x, y) = value + x * step_x + y * step_y, in parts of parts of a pixel,
// is 0 or more within.
struct Rasterizer::Edge {
  int64_t value = 0;
  int64_t step_x = 0;  // a pixel
  int64_t step_y = 0;
  std::array<int64_t, 16> at_place = {};  // beyond the value at the corner
  int64_t least = 0;                      // of these
  int64_t most = 0;

  Edge(const ScreenCorner& a, const ScreenCorner& b,
       std::span<const Place> places) {
    const int64_t right = b.y - a.y;
    const int64_t down = a.x - b.x;
    value = -(a.x * right + a.y * down);
    // An edge at the top or on the left has its points, another has not.
    const bool has_points = right > 0 || (right == 0 && down > 0);
    if (!has_points) --value;
    step_x = right * kParts;
    step_y = down * kParts;
    for (size_t i = 0; i < places.size(); ++i) {
      at_place[i] = static_cast<int64_t>(places[i].x * kParts) * right +
                    static_cast<int64_t>(places[i].y * kParts) * down;
      least = i == 0 ? at_place[i] : std::min(least, at_place[i]);
      most = i == 0 ? at_place[i] : std::max(most, at_place[i]);
    }
  }
};

// What is linear over a triangle.
class Rasterizer::TriangleFill {
 public:
  TriangleFill(const ScreenCorner& a, const ScreenCorner& b,
               const ScreenCorner& c, double area)
      : a_x_(static_cast<double>(a.x) / kParts),
        a_y_(static_cast<double>(a.y) / kParts),
        is_even_(a.shade.lit == b.shade.lit && a.shade.lit == c.shade.lit) {
    const double ab_x = static_cast<double>(b.x - a.x);
    const double ab_y = static_cast<double>(b.y - a.y);
    const double ac_x = static_cast<double>(c.x - a.x);
    const double ac_y = static_cast<double>(c.y - a.y);
    const double factor = kParts / area;
    b_x_ = ac_y * factor;
    b_y_ = -ac_x * factor;
    c_x_ = -ab_y * factor;
    c_y_ = ab_x * factor;
    nearness_ = a.nearness;
    nearness_x_ =
        (b.nearness - a.nearness) * b_x_ + (c.nearness - a.nearness) * c_x_;
    nearness_y_ =
        (b.nearness - a.nearness) * b_y_ + (c.nearness - a.nearness) * c_y_;
  }

  bool is_even() const { return is_even_; }

  double NearnessAt(double x, double y) const {
    return nearness_ + (x - a_x_) * nearness_x_ + (y - a_y_) * nearness_y_;
  }

  Shade ShadeAt(const ScreenCorner& a, const ScreenCorner& b,
                const ScreenCorner& c, double x, double y) const {
    const double of_b =
        std::clamp((x - a_x_) * b_x_ + (y - a_y_) * b_y_, 0.0, 1.0);
    const double of_c =
        std::clamp((x - a_x_) * c_x_ + (y - a_y_) * c_y_, 0.0, 1.0 - of_b);
    const double of_a = 1.0 - of_b - of_c;
    return {a.shade.lit * of_a + b.shade.lit * of_b + c.shade.lit * of_c,
            a.shade.left_in_shadow * of_a + b.shade.left_in_shadow * of_b +
                c.shade.left_in_shadow * of_c};
  }

 private:
  double a_x_;
  double a_y_;
  bool is_even_;
  double b_x_, b_y_, c_x_, c_y_;
  double nearness_, nearness_x_, nearness_y_;
};

void Rasterizer::DrawOnScreen(const ScreenCorner& a, const ScreenCorner& first,
                              const ScreenCorner& second, RasterSides sides,
                              bool is_ground) {
  int64_t area =
      (first.x - a.x) * (second.y - a.y) - (first.y - a.y) * (second.x - a.x);
  // y goes down on a picture, so against the clock is a negative area.
  if (area == 0 || (area > 0 && sides == RasterSides::kFront)) return;
  // Clockwise from here on.
  const ScreenCorner& b = area > 0 ? first : second;
  const ScreenCorner& c = area > 0 ? second : first;
  area = area > 0 ? area : -area;

  const int64_t top = std::min({a.y, b.y, c.y});
  const int64_t bottom = std::max({a.y, b.y, c.y});
  const int64_t left = std::min({a.x, b.x, c.x});
  const int64_t right = std::max({a.x, b.x, c.x});
  const int64_t width = projection_->width();
  const Run columns = {
      std::max<int64_t>(0, FloorDivide(left, kParts)),
      std::min<int64_t>(width, FloorDivide(right, kParts) + 1)};
  const int64_t y_begin = std::max<int64_t>(0, FloorDivide(top, kParts));
  const int64_t y_end =
      std::min<int64_t>(projection_->height(), FloorDivide(bottom, kParts) + 1);
  if (columns.begin >= columns.end || y_begin >= y_end) return;

  // Within is what lies clockwise of each edge.
  const std::array<Edge, 3> edges = {Edge(b, a, places_), Edge(c, b, places_),
                                     Edge(a, c, places_)};
  const TriangleFill fill(a, b, c, static_cast<double>(area));
  const PackedShade even = Pack(a.shade, is_ground);
  // Of a few columns, asking each is cheaper than the divisions.
  const bool is_narrow = columns.end - columns.begin <= kNarrow;
  const size_t count = places_.size();
  for (int64_t y = y_begin; y < y_end; ++y) {
    Run touched = columns;
    Run covered = columns;
    std::array<int64_t, 3> values = {};
    for (size_t i = 0; i < 3; ++i) {
      values[i] = edges[i].value + y * edges[i].step_y;
      if (is_narrow) continue;
      touched.Keep(values[i] + edges[i].most, edges[i].step_x);
      covered.Keep(values[i] + edges[i].least, edges[i].step_x);
    }
    if (is_narrow) covered.end = covered.begin;
    for (int64_t x = touched.begin; x < touched.end; ++x) {
      const bool is_covered = x >= covered.begin && x < covered.end;
      PackedShade shade = even;
      bool has_shade = fill.is_even();
      const size_t first_sample = static_cast<size_t>(y * width + x) * count;
      for (size_t i = 0; i < count; ++i) {
        if (!is_covered &&
            (values[0] + x * edges[0].step_x + edges[0].at_place[i] < 0 ||
             values[1] + x * edges[1].step_x + edges[1].at_place[i] < 0 ||
             values[2] + x * edges[2].step_x + edges[2].at_place[i] < 0)) {
          continue;
        }
        const auto nearness = static_cast<float>(
            fill.NearnessAt(static_cast<double>(x) + places_[i].x,
                            static_cast<double>(y) + places_[i].y));
        if (nearness <= nearness_[first_sample + i]) continue;
        if (!has_shade) {
          shade = Pack(fill.ShadeAt(a, b, c, static_cast<double>(x) + 0.5,
                                    static_cast<double>(y) + 0.5),
                       is_ground);
          has_shade = true;
        }
        nearness_[first_sample + i] = nearness;
        shades_[first_sample + i] = shade;
      }
    }
  }
}

// All that pixels of one ball have in common.
struct Rasterizer::BallFill {
  Vector3 centre;
  double radius = 0;
  double beyond = 0;  // the square of the way that just touches it
  double metres = 0;  // a pixel, at a metre
  double middle_x = 0;
  double middle_y = 0;

  // Half of the way through the ball along a ray, and how far its middle is; of
  // a ray that misses, `root` is below 0.
  struct Hit {
    Vector3 ray;
    double along = 0;
    double square = 1;  // of the ray's length
    double root = -1;   // the square of that half

    double depth() const { return (along - sim::Sqrt(root)) / square; }
  };

  Hit InPerspective(double x, double y) const {
    Hit hit;
    hit.ray = {(x - middle_x) * metres, (middle_y - y) * metres, 1};
    hit.along = sim::Dot(hit.ray, centre);
    hit.square = sim::Dot(hit.ray, hit.ray);
    hit.root = hit.along * hit.along - hit.square * beyond;
    return hit;
  }

  Hit Straight(double x, double y) const {
    Hit hit;
    hit.ray = {(x - middle_x) * metres, (middle_y - y) * metres, 0};
    hit.along = centre.z;
    const double right = hit.ray.x - centre.x;
    const double up = hit.ray.y - centre.y;
    hit.root = radius * radius - right * right - up * up;
    return hit;
  }
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
  const uint32_t x_begin =
      pixel(middle_x + scale * x_range[0], projection_->width());
  const uint32_t x_end =
      pixel(middle_x + scale * x_range[1] + 1, projection_->width());
  const uint32_t y_begin =
      pixel(middle_y - scale * y_range[1], projection_->height());
  const uint32_t y_end =
      pixel(middle_y - scale * y_range[0] + 1, projection_->height());
  const BallFill ball = {.centre = centre,
                         .radius = radius,
                         .beyond = sim::Dot(centre, centre) - radius * radius,
                         .metres = 1.0 / projection_->scale(),
                         .middle_x = middle_x,
                         .middle_y = middle_y};
  for (uint32_t y = y_begin; y < y_end; ++y) {
    for (uint32_t x = x_begin; x < x_end; ++x) {
      DrawBallPixel(x, y, ball, shade);
    }
  }
}

void Rasterizer::DrawBallPixel(uint32_t x, uint32_t y, const BallFill& ball,
                               BallShade shade) {
  const size_t count = places_.size();
  const size_t first_sample = (size_t{y} * projection_->width() + x) * count;
  PackedShade paint = 0;
  bool has_paint = false;
  for (size_t i = 0; i < count; ++i) {
    const double along = x + places_[i].x;
    const double below = y + places_[i].y;
    const BallFill::Hit hit = is_perspective_ ? ball.InPerspective(along, below)
                                              : ball.Straight(along, below);
    if (hit.root < 0) continue;
    const double depth = hit.depth();
    if (depth < near_m_) continue;
    const auto nearness = static_cast<float>(NearnessOf(depth));
    if (nearness <= nearness_[first_sample + i]) continue;
    if (!has_paint) {
      const Vector3 point =
          is_perspective_ ? hit.ray * depth : hit.ray + Vector3{0, 0, depth};
      paint = shade((point - ball.centre) / ball.radius);
      has_paint = true;
    }
    nearness_[first_sample + i] = nearness;
    shades_[first_sample + i] = paint;
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
