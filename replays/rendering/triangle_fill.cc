// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Triangles of a Rasterizer: by runs of pixels where they are large, by four
// samples at once where whole numbers of 32 bits hold their edges.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "replays/rendering/rasterizer.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

constexpr int64_t kParts = Rasterizer::kCornerParts;

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

// The pixels of one row after the other within three edges, or some more: what
// lies beside them needn't be looked at.
class RowSpan {
 public:
  // An edge whose value, at the leftmost of the columns and the first row, is
  // this where it has most: 0 or more is within.
  void Add(int64_t value, int64_t step_x, int64_t step_y) {
    value_[count_] = static_cast<double>(value);
    step_y_[count_] = static_cast<double>(step_y);
    // What never parts a row is taken for what does so far away.
    inverse_[count_] = step_x == 0 ? 0 : -1.0 / static_cast<double>(step_x);
    is_left_[count_] = step_x > 0;
    ++count_;
  }

  // Of `columns` that begin at 0.
  Run Next(int64_t columns) {
    double begin = 0;
    double end = static_cast<double>(columns);
    for (size_t e = 0; e < 3; ++e) {
      // Where the edge's value is 0; roundings are far below this.
      const double root = value_[e] * inverse_[e];
      value_[e] += step_y_[e];
      if (is_left_[e]) {
        begin = std::max(begin, root + (1 - kRounding));
      } else if (inverse_[e] != 0) {
        end = std::min(end, root + (1 + kRounding));
      }
    }
    return {static_cast<int64_t>(std::min(begin, static_cast<double>(columns))),
            static_cast<int64_t>(std::max(end, 0.0))};
  }

 private:
  static constexpr double kRounding = 1e-6;

  size_t count_ = 0;
  std::array<double, 3> value_ = {};
  std::array<double, 3> step_y_ = {};
  std::array<double, 3> inverse_ = {};
  std::array<bool, 3> is_left_ = {};
};

// The same, so many pixels further; all wrap around.
QuadMask Moved(QuadMask edge, uint32_t pixels, int64_t step_x) {
  typedef uint32_t Wrapping __attribute__((vector_size(16)));
  const uint32_t by = pixels * static_cast<uint32_t>(step_x);
  const Wrapping all = {by, by, by, by};
  return std::bit_cast<QuadMask>(std::bit_cast<Wrapping>(edge) + all);
}

}  // namespace

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
       std::span<const SamplePlace> places) {
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

// A triangle on the picture, clockwise, and what is linear over it.
struct Rasterizer::Triangle {
  const ScreenCorner& a;
  const ScreenCorner& b;
  const ScreenCorner& c;
  bool is_ground;
  bool is_even;
  std::array<Edge, 3> edges;
  // The pixels that it may touch.
  Run columns;
  Run rows;
  double a_x, a_y;
  double b_x, b_y, c_x, c_y;
  double nearness, nearness_x, nearness_y;

  Triangle(const ScreenCorner& first, const ScreenCorner& second,
           const ScreenCorner& third, int64_t area, bool ground,
           std::span<const SamplePlace> places)
      : a(first),
        b(second),
        c(third),
        is_ground(ground),
        is_even(a.shade.lit == b.shade.lit && a.shade.lit == c.shade.lit),
        // Within is what lies clockwise of each edge.
        edges({Edge(b, a, places), Edge(c, b, places), Edge(a, c, places)}),
        a_x(static_cast<double>(a.x) / kParts),
        a_y(static_cast<double>(a.y) / kParts) {
    const double ab_x = static_cast<double>(b.x - a.x);
    const double ab_y = static_cast<double>(b.y - a.y);
    const double ac_x = static_cast<double>(c.x - a.x);
    const double ac_y = static_cast<double>(c.y - a.y);
    const double factor = kParts / static_cast<double>(area);
    b_x = ac_y * factor;
    b_y = -ac_x * factor;
    c_x = -ab_y * factor;
    c_y = ab_x * factor;
    nearness = a.nearness;
    nearness_x =
        (b.nearness - a.nearness) * b_x + (c.nearness - a.nearness) * c_x;
    nearness_y =
        (b.nearness - a.nearness) * b_y + (c.nearness - a.nearness) * c_y;
  }

  double NearnessAt(double x, double y) const {
    return nearness + (x - a_x) * nearness_x + (y - a_y) * nearness_y;
  }

  // No sample within is nearer. What lies between corners isn't, but for
  // roundings: those of the slopes, which grow where it is thin, of their
  // products, and of floats.
  float MostNearness() const {
    const double of_b = sim::Abs(b.nearness - a.nearness);
    const double of_c = sim::Abs(c.nearness - a.nearness);
    const auto most_way = [](const Run& run, double from) {
      return std::max(sim::Abs(static_cast<double>(run.begin) - from),
                      sim::Abs(static_cast<double>(run.end) + 1 - from));
    };
    const double across =
        (of_b * sim::Abs(b_x) + of_c * sim::Abs(c_x)) * most_way(columns, a_x);
    const double along =
        (of_b * sim::Abs(b_y) + of_c * sim::Abs(c_y)) * most_way(rows, a_y);
    const double most = std::max({a.nearness, b.nearness, c.nearness});
    return static_cast<float>(most + 1e-6 * sim::Abs(most) +
                              1e-14 * (across + along));
  }

  // Of the middle of a pixel.
  PackedShade ShadeAt(int64_t column, int64_t row) const {
    const double x = static_cast<double>(column) + 0.5;
    const double y = static_cast<double>(row) + 0.5;
    const double of_b = std::clamp((x - a_x) * b_x + (y - a_y) * b_y, 0.0, 1.0);
    const double of_c =
        std::clamp((x - a_x) * c_x + (y - a_y) * c_y, 0.0, 1.0 - of_b);
    const double of_a = 1.0 - of_b - of_c;
    return Pack({a.shade.lit * of_a + b.shade.lit * of_b + c.shade.lit * of_c,
                 a.shade.left_in_shadow * of_a + b.shade.left_in_shadow * of_b +
                     c.shade.left_in_shadow * of_c},
                is_ground);
  }

  // Whether no edge leaves 32 bits where quads of so many pixels ask for it.
  bool FitsQuads(int64_t pixels) const {
    for (const Edge& edge : edges) {
      int64_t most = 0;
      for (const int64_t x : {columns.begin, columns.end + pixels}) {
        for (const int64_t y : {rows.begin, rows.end}) {
          const int64_t value = edge.value + x * edge.step_x + y * edge.step_y;
          most = std::max({most, value + edge.most, -(value + edge.least)});
        }
      }
      if (most > std::numeric_limits<int32_t>::max()) return false;
    }
    return true;
  }
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
  const Run columns = {
      std::max<int64_t>(0, FloorDivide(left, kParts)),
      std::min<int64_t>(projection_->width(), FloorDivide(right, kParts) + 1)};
  const Run rows = {std::max<int64_t>(0, FloorDivide(top, kParts)),
                    std::min<int64_t>(projection_->height(),
                                      FloorDivide(bottom, kParts) + 1)};
  if (columns.begin >= columns.end || rows.begin >= rows.end) return;

  MarkDrawn(static_cast<uint32_t>(rows.begin), static_cast<uint32_t>(rows.end));
  Triangle triangle(a, b, c, area, is_ground, places_);
  triangle.columns = columns;
  triangle.rows = rows;
  if (layout_.pixels == 4) {
    Fill<4, 1>(triangle);
  } else if (layout_.quads == 1) {
    Fill<1, 1>(triangle);
  } else {
    Fill<1, 4>(triangle);
  }
}

// Puts quads of a triangle where they are nearer than what is known.
template <int64_t kPixels, uint32_t kQuads>
class Rasterizer::QuadWriter {
 public:
  QuadWriter(const Triangle& triangle, Rasterizer& raster)
      : triangle_(triangle),
        known_(raster.nearness_.data()),
        shades_(raster.shades_.empty() ? nullptr : raster.shades_.data()),
        even_(shades_ != nullptr ? Pack(triangle.a.shade, triangle.is_ground)
                                 : 0),
        bound_(FourOf(triangle.MostNearness())),
        nearness_(FourOf(triangle.nearness)) {
    for (uint32_t q = 0; q < kQuads; ++q) {
      x_[q] = raster.layout_.x[q];
      y_[q] = raster.layout_.y[q];
    }
  }

  void BeginRow(int64_t y) {
    row_ = y;
    for (uint32_t q = 0; q < kQuads; ++q) {
      down_[q] = (y_[q] + static_cast<double>(y) - triangle_.a_y) *
                 triangle_.nearness_y;
    }
  }

  void BeginPixel() {
    shade_ = even_;
    has_shade_ = triangle_.is_even;
  }

  // Quad `q` of the pixels from `x` on, at `sample`, as far as it is covered.
  [[gnu::always_inline]] void Put(QuadMask covered, int64_t x, uint32_t q,
                                  size_t sample) {
    QuadFloat known;
    LoadQuad(known_ + sample, known);
    if (!IsAny(covered & ~(known >= bound_))) return;
    const QuadDouble right =
        (x_[q] + static_cast<double>(x) - triangle_.a_x) * triangle_.nearness_x;
    const QuadFloat nearness = ToFloats(nearness_ + right + down_[q]);
    const QuadMask seen = covered & ~(nearness <= known);
    if (!IsAny(seen)) return;
    StoreQuad(Select(seen, nearness, known), known_ + sample);
    if (shades_ == nullptr) return;
    if (kPixels == 4 && !has_shade_) {
      for (int i = 0; i < 4; ++i) {
        if (seen[i] != 0) shades_[sample + i] = triangle_.ShadeAt(x + i, row_);
      }
      return;
    }
    if (!has_shade_) {
      shade_ = triangle_.ShadeAt(x, row_);
      has_shade_ = true;
    }
    QuadMask shades;
    LoadQuad(shades_ + sample, shades);
    const QuadMask all = FourOf(static_cast<int32_t>(shade_));
    StoreQuad(Select(seen, all, shades), shades_ + sample);
  }

 private:
  const Triangle& triangle_;
  float* const known_;
  PackedShade* const shades_;  // null where none are kept
  const PackedShade even_;     // that of all pixels, if it is one
  const QuadFloat bound_;      // nothing of it is nearer
  const QuadDouble nearness_;
  QuadDouble x_[kQuads];
  QuadDouble y_[kQuads];
  int64_t row_ = 0;
  QuadDouble down_[kQuads];
  PackedShade shade_ = 0;
  bool has_shade_ = false;
};

template <int64_t kPixels, uint32_t kQuads>
void Rasterizer::Fill(const Triangle& triangle) {
  QuadWriter<kPixels, kQuads> writer(triangle, *this);
  if (triangle.FitsQuads(kPixels)) {
    FillInQuads(triangle, writer);
  } else {
    FillInRuns(triangle, writer);
  }
}

// By the pixels of each row that it covers, and touches.
template <int64_t kPixels, uint32_t kQuads>
void Rasterizer::FillInRuns(const Triangle& triangle,
                            QuadWriter<kPixels, kQuads>& writer) {
  const std::array<Edge, 3>& edges = triangle.edges;
  const size_t count = places_.size();
  for (int64_t y = triangle.rows.begin; y < triangle.rows.end; ++y) {
    Run touched = triangle.columns;
    Run covered = triangle.columns;
    std::array<int64_t, 3> values = {};
    for (size_t e = 0; e < 3; ++e) {
      values[e] = edges[e].value + y * edges[e].step_y;
      touched.Keep(values[e] + edges[e].most, edges[e].step_x);
      covered.Keep(values[e] + edges[e].least, edges[e].step_x);
    }
    writer.BeginRow(y);
    size_t sample = static_cast<size_t>(y * pitch_ + touched.begin) * count;
    for (int64_t x = touched.begin; x < touched.end; x += kPixels) {
      writer.BeginPixel();
      const bool are_all = x >= covered.begin && x + kPixels <= covered.end;
      for (uint32_t q = 0; q < kQuads; ++q, sample += 4) {
        QuadMask within = FourOf(int32_t{-1});
        for (int64_t i = 0; i < 4 && !are_all; ++i) {
          const int64_t pixel = kPixels == 4 ? x + i : x;
          const size_t place = (4 * size_t{q} + i) % count;
          bool is_within = pixel < touched.end;
          for (size_t e = 0; e < 3; ++e) {
            is_within = is_within && values[e] + pixel * edges[e].step_x +
                                             edges[e].at_place[place] >=
                                         0;
          }
          within[i] = is_within ? -1 : 0;
        }
        if (IsAny(within)) writer.Put(within, x, q, sample);
      }
    }
  }
}

// REQUIRES: triangle.FitsQuads(kPixels).
template <int64_t kPixels, uint32_t kQuads>
void Rasterizer::FillInQuads(const Triangle& triangle,
                             QuadWriter<kPixels, kQuads>& writer) {
  const Run columns = triangle.columns;
  const Run rows = triangle.rows;
  const size_t count = places_.size();
  // Of each edge its steps, and its values where the row begins.
  QuadMask step_x[3];
  QuadMask step_y[3];
  QuadMask at_row[3][kQuads];
  RowSpan span;
  for (size_t e = 0; e < 3; ++e) {
    const Edge& edge = triangle.edges[e];
    step_x[e] = FourOf(static_cast<int32_t>(edge.step_x * kPixels));
    step_y[e] = FourOf(static_cast<int32_t>(edge.step_y));
    const int64_t first =
        edge.value + columns.begin * edge.step_x + rows.begin * edge.step_y;
    for (size_t i = 0; i < 4 * size_t{kQuads}; ++i) {
      const int64_t pixel = kPixels == 4 ? static_cast<int64_t>(i) : 0;
      at_row[e][i / 4][i % 4] = static_cast<int32_t>(
          first + pixel * edge.step_x + edge.at_place[i % count]);
    }
    span.Add(first + edge.most, edge.step_x, edge.step_y);
  }
  // By name, so that they stay in registers.
  const QuadMask step_0 = step_x[0];
  const QuadMask step_1 = step_x[1];
  const QuadMask step_2 = step_x[2];
  const QuadMask lanes = {0, 1, 2, 3};
  for (int64_t y = rows.begin; y < rows.end; ++y) {
    const Run row = span.Next(columns.end - columns.begin);
    // Steps to where it begins wrap around where their sum doesn't.
    const auto begin = static_cast<uint32_t>(row.begin);
    QuadMask edge_0[kQuads];
    QuadMask edge_1[kQuads];
    QuadMask edge_2[kQuads];
    for (uint32_t q = 0; q < kQuads; ++q) {
      edge_0[q] = Moved(at_row[0][q], begin, triangle.edges[0].step_x);
      edge_1[q] = Moved(at_row[1][q], begin, triangle.edges[1].step_x);
      edge_2[q] = Moved(at_row[2][q], begin, triangle.edges[2].step_x);
      for (size_t e = 0; e < 3; ++e) at_row[e][q] += step_y[e];
    }
    if (row.begin >= row.end) continue;
    const int64_t x_begin = columns.begin + row.begin;
    const int64_t x_end = columns.begin + row.end;
    writer.BeginRow(y);
    size_t sample = static_cast<size_t>(y * pitch_ + x_begin) * count;
    for (int64_t x = x_begin; x < x_end; x += kPixels) {
      writer.BeginPixel();
      for (uint32_t q = 0; q < kQuads; ++q, sample += 4) {
        QuadMask covered =
            (edge_0[q] | edge_1[q] | edge_2[q]) >= FourOf(int32_t{0});
        edge_0[q] += step_0;
        edge_1[q] += step_1;
        edge_2[q] += step_2;
        // The pixels behind the last are others' in the next row.
        if (kPixels == 4 && x + kPixels > columns.end) {
          covered &= lanes < FourOf(static_cast<int32_t>(columns.end - x));
        }
        writer.Put(covered, x, q, sample);
      }
    }
  }
}

}  // namespace reprise::replays
