// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a plot looks, whatever it is drawn on: panels one above the other, their
// scales, lines and names.

#ifndef REPRISE_REPLAYS_SHOWING_PLOT_DRAWING_H_
#define REPRISE_REPLAYS_SHOWING_PLOT_DRAWING_H_

#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

#include "replays/showing/plot.h"

namespace reprise::replays {

using PlotColour = std::array<uint8_t, 3>;  // red, green, blue, as sRGB

// What a plot is drawn on. Places are in pixels, from the left upper corner.
class PlotCanvas {
 public:
  struct Point {
    double x = 0;
    double y = 0;
    bool begins = false;  // nothing leads here from the point before
  };
  struct Stroke {
    PlotColour colour = {};
    double width = 1;
    // Lengths with and without colour, in turn; empty: all of it has.
    std::span<const double> dashes = {};
  };
  enum class Anchor : uint8_t { kStart, kMiddle, kEnd };

  virtual ~PlotCanvas() = default;

  virtual void DrawPath(std::span<const Point> points,
                        const Stroke& stroke) = 0;

  // `x` is where the text begins, is in the middle or ends, `y` where its
  // letters stand.
  virtual void DrawText(double x, double y, Anchor anchor,
                        std::string_view text, PlotColour colour) = 0;
};

// Of more points than pixels those are drawn that the eye could see: of each
// pixel the first, the last and the extremes.
void DrawPlot(const Plot& plot, uint32_t width, uint32_t panel_height,
              PlotCanvas& canvas);

// How high DrawPlot draws it, in pixels.
uint32_t PlotHeight(const Plot& plot, uint32_t panel_height);

void WritePlotSvg(const Plot& plot, uint32_t width, uint32_t panel_height,
                  std::ostream& out);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PLOT_DRAWING_H_
