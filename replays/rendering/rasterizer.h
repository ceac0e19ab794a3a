// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Triangles, balls and lines to samples of a picture, each with the nearest
// thing's depth and shade. Which samples a triangle covers is decided in whole
// numbers, and a sample on an edge belongs to one of the two that share it.

#ifndef REPRISE_REPLAYS_RENDERING_RASTERIZER_H_
#define REPRISE_REPLAYS_RENDERING_RASTERIZER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "replays/rendering/projection.h"
#include "replays/rendering/sample_places.h"
#include "replays/rendering/sample_quad.h"
#include "replays/rendering/shading.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// A corner as the camera sees it.
struct RasterCorner {
  sim::Vector3 view;  // right, up, forward, in m
  Shade shade;
};

enum class RasterSides {
  kFront,  // corners against the clock are seen; with the clock, nothing
  kBoth,
};

class Rasterizer {
 public:
  // Parts of a pixel that corners are rounded to: what others use, too.
  static constexpr int64_t kCornerParts = 256;

  // Samples a pixel, of which each is a place of its own: 1, 4 or 16.
  static bool IsSampleCount(uint32_t samples);

  // Of kDepths there are no shades, only how near what is there is.
  enum class Keeps : uint8_t { kDepths, kShades };

  // REQUIRES: IsSampleCount(samples). Begin comes first.
  Rasterizer(uint32_t width, uint32_t height, uint32_t samples,
             Keeps keeps = Keeps::kShades);

  // Nothing is there, `background` is behind it. REQUIRES: the projection is of
  // a picture of the same size.
  void Begin(const Projection& projection, PackedShade background);

  const Projection& projection() const { return *projection_; }
  uint32_t samples() const { return static_cast<uint32_t>(places_.size()); }

  void DrawTriangle(const std::array<RasterCorner, 3>& corners,
                    RasterSides sides, bool is_ground = false);

  // A ball by its formula, without corners; `shade` is asked for the shade of a
  // normal, in the camera's directions, of each pixel. Not drawn from within.
  using BallShade = absl::FunctionRef<PackedShade(const sim::Vector3& normal)>;
  void DrawBall(const sim::Vector3& centre_view, double radius,
                BallShade shade);

  // Whether nothing would be seen of what lies between two places, as the
  // camera sees them, since something is nearer all over. It may say no where
  // that is so; and always does where shades are kept, or in a perspective.
  bool IsHidden(const sim::Vector3& least_view, const sim::Vector3& most_view);

  // A line of this many pixels, a little nearer than it is, so that what it
  // lies on doesn't hide it.
  void DrawLine(const sim::Vector3& start_view, const sim::Vector3& end_view,
                double width_px, PackedShade shade);

  // From one row to the next, in pixels. Where shades are kept it is the width.
  uint32_t pitch() const { return pitch_; }

  // What came out, pixel by pixel, its samples side by side. Nearness is 1 /
  // depth in a perspective, and minus depth otherwise: it is linear on the
  // picture, and what is nearer has more of it.
  std::span<const float> nearness() const { return nearness_; }
  std::span<const PackedShade> shades() const { return shades_; }  // if kept

  // The nearness of nothing.
  float nothing() const { return nothing_; }

  // Within a pixel, of each sample.
  std::span<const SamplePlace> places() const { return places_; }
  const QuadLayout& layout() const { return layout_; }

 private:
  // On the picture: 1/256 of a pixel, and what goes with it.
  struct ScreenCorner {
    int64_t x = 0;
    int64_t y = 0;
    double nearness = 0;
    Shade shade;
  };
  struct Edge;
  struct Triangle;
  struct BallFill;
  template <int64_t kPixels, uint32_t kQuads>
  class QuadWriter;

  void DrawOnScreen(const ScreenCorner& a, const ScreenCorner& b,
                    const ScreenCorner& c, RasterSides sides, bool is_ground);
  ScreenCorner OnScreen(const RasterCorner& corner) const;
  size_t Clip(const std::array<RasterCorner, 3>& corners);
  bool IsWithin(const RasterCorner& corner) const;
  double NearnessOf(double depth) const;
  bool IsNearerAllOver(uint32_t block_x, uint32_t block_y, float bound);
  void MarkDrawn(uint32_t begin, uint32_t end) {
    drawn_begin_ = begin < drawn_begin_ ? begin : drawn_begin_;
    drawn_end_ = end > drawn_end_ ? end : drawn_end_;
  }
  // Of the layout: see QuadLayout.
  template <int64_t kPixels, uint32_t kQuads>
  void Fill(const Triangle& triangle);
  template <int64_t kPixels, uint32_t kQuads>
  void FillInRuns(const Triangle& triangle,
                  QuadWriter<kPixels, kQuads>& writer);
  template <int64_t kPixels, uint32_t kQuads>
  void FillInQuads(const Triangle& triangle,
                   QuadWriter<kPixels, kQuads>& writer);
  template <uint32_t kPixels, uint32_t kQuads>
  void FillBall(const BallFill& ball, BallShade shade);

  std::optional<Projection> projection_;
  bool is_perspective_ = true;
  double near_m_ = 0;
  const std::vector<SamplePlace> places_;
  const QuadLayout layout_;
  // Beyond these, in metres right and up at a depth of 1 m, nothing is seen by
  // far: what is cut off there needs no room in whole numbers.
  double reach_x_ = 0;
  double reach_y_ = 0;
  const uint32_t pitch_;
  float nothing_ = 0;
  PackedShade background_ = 0;
  // Rows that something may be in; at first in all.
  uint32_t drawn_begin_ = 0;
  uint32_t drawn_end_ = 0;
  std::vector<float> nearness_;
  std::vector<PackedShade> shades_;
  // Of blocks of samples, row by row, where depths alone are kept: a nearness
  // that each sample of it has at least. What is drawn later is nearer still.
  std::vector<float> block_nearness_;
  uint32_t block_columns_ = 0;
  std::vector<RasterCorner> clipped_;
  std::vector<RasterCorner> clipping_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RENDERING_RASTERIZER_H_
