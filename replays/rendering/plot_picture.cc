// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/plot_picture.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "replays/rendering/lettering.h"
#include "replays/showing/plot_drawing.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

class PictureCanvas final : public PlotCanvas {
 public:
  explicit PictureCanvas(Picture* picture)
      : picture_(*picture),
        covered_(size_t{picture->width()} * picture->height()) {}

  void DrawPath(std::span<const Point> points, const Stroke& stroke) override;
  void DrawText(double x, double y, Anchor anchor, std::string_view text,
                PlotColour colour) override;

 private:
  // How much of each pixel within a path's width of a segment is covered: all
  // within half of the width, nothing a pixel further out. Of all segments of a
  // path the most counts, so that where they meet nothing is darker.
  void Cover(const Point& a, const Point& b, double half_width);
  void CoverDashes(const Point& a, const Point& b, const Stroke& stroke,
                   double& way);
  void Paint(PlotColour colour);

  Picture& picture_;
  std::vector<float> covered_;
  // The rows that have any.
  uint32_t first_row_ = 0;
  uint32_t row_end_ = 0;
};

void PictureCanvas::Cover(const Point& a, const Point& b, double half_width) {
  const double reach = half_width + 0.5;
  const auto pixel = [](double place, uint32_t end) {
    if (!(place > 0)) return uint32_t{0};  // no number, either
    return static_cast<uint32_t>(
        std::min(sim::Floor(place), static_cast<double>(end)));
  };
  const uint32_t x_begin = pixel(std::min(a.x, b.x) - reach, picture_.width());
  const uint32_t x_end =
      pixel(std::max(a.x, b.x) + reach + 1, picture_.width());
  const uint32_t y_begin = pixel(std::min(a.y, b.y) - reach, picture_.height());
  const uint32_t y_end =
      pixel(std::max(a.y, b.y) + reach + 1, picture_.height());
  const double way_x = b.x - a.x;
  const double way_y = b.y - a.y;
  const double square = way_x * way_x + way_y * way_y;
  for (uint32_t y = y_begin; y < y_end; ++y) {
    for (uint32_t x = x_begin; x < x_end; ++x) {
      const double from_x = x + 0.5 - a.x;
      const double from_y = y + 0.5 - a.y;
      const double along =
          square > 0
              ? std::clamp((from_x * way_x + from_y * way_y) / square, 0.0, 1.0)
              : 0.0;
      const double off_x = from_x - along * way_x;
      const double off_y = from_y - along * way_y;
      const double off = sim::Sqrt(off_x * off_x + off_y * off_y);
      const double part = std::clamp(reach - off, 0.0, 1.0);
      float& known = covered_[size_t{y} * picture_.width() + x];
      known = std::max(known, static_cast<float>(part));
    }
  }
  first_row_ = std::min(first_row_, y_begin);
  row_end_ = std::max(row_end_, y_end);
}

// `way` is how far the path has come.
void PictureCanvas::CoverDashes(const Point& a, const Point& b,
                                const Stroke& stroke, double& way) {
  double period = 0;
  for (const double length : stroke.dashes) period += length;
  const double way_x = b.x - a.x;
  const double way_y = b.y - a.y;
  const double length = sim::Sqrt(way_x * way_x + way_y * way_y);
  const auto at = [&](double place) {
    const double part = length > 0 ? place / length : 0;
    return Point{a.x + part * way_x, a.y + part * way_y};
  };
  double begin = -(way - period * sim::Floor(way / period));
  while (begin < length) {
    for (size_t i = 0; i < stroke.dashes.size(); ++i) {
      const double end = begin + stroke.dashes[i];
      if (i % 2 == 0 && end > 0 && begin < length) {
        Cover(at(std::max(begin, 0.0)), at(std::min(end, length)),
              0.5 * stroke.width);
      }
      begin = end;
    }
  }
  way += length;
}

void PictureCanvas::Paint(PlotColour colour) {
  for (uint32_t y = first_row_; y < row_end_; ++y) {
    for (uint32_t x = 0; x < picture_.width(); ++x) {
      float& part = covered_[size_t{y} * picture_.width() + x];
      if (part == 0) continue;
      PixelColour pixel = picture_.At(x, y);
      for (size_t i = 0; i < pixel.size(); ++i) {
        const double mixed =
            pixel[i] + (static_cast<double>(colour[i]) - pixel[i]) * part;
        pixel[i] = static_cast<uint8_t>(mixed + 0.5);
      }
      picture_.Set(x, y, pixel);
      part = 0;
    }
  }
}

void PictureCanvas::DrawPath(std::span<const Point> points,
                             const Stroke& stroke) {
  first_row_ = picture_.height();
  row_end_ = 0;
  double way = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].begins) way = 0;
    const bool leads_on = i + 1 < points.size() && !points[i + 1].begins;
    if (leads_on && stroke.dashes.empty()) {
      Cover(points[i], points[i + 1], 0.5 * stroke.width);
    } else if (leads_on) {
      CoverDashes(points[i], points[i + 1], stroke, way);
    } else if (points[i].begins) {
      // One that is alone is a dot.
      Cover(points[i], points[i], 0.5 * stroke.width);
    }
  }
  Paint(stroke.colour);
}

// What would begin beside the picture begins at its edge.
void PictureCanvas::DrawText(double x, double y, Anchor anchor,
                             std::string_view text, PlotColour colour) {
  const double width = TextWidth(text.size(), 1);
  if (anchor == Anchor::kMiddle) x -= 0.5 * width;
  if (anchor == Anchor::kEnd) x -= width;
  y -= kLetterHeight;
  if (!(y < picture_.height() && x < picture_.width())) return;
  DrawLetters(text,
              {.x = static_cast<uint32_t>(std::max(x, 0.0)),
               .y = static_cast<uint32_t>(std::max(y, 0.0))},
              colour, picture_);
}

}  // namespace

Picture MakePlotPicture(const Plot& plot, uint32_t width,
                        uint32_t panel_height) {
  Picture picture(width, PlotHeight(plot, panel_height));
  std::ranges::fill(picture.mutable_bytes(), uint8_t{255});
  PictureCanvas canvas(&picture);
  DrawPlot(plot, width, panel_height, canvas);
  return picture;
}

}  // namespace reprise::replays
