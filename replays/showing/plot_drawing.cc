// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/plot_drawing.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "sim/base/math.h"
#include "sim/base/utf8.h"

namespace reprise::replays {
namespace {

using Anchor = PlotCanvas::Anchor;

// Okabe and Ito's colours, which people who are blind to some tell apart.
constexpr auto kColours = std::to_array<PlotColour>({{0x00, 0x72, 0xb2},
                                                     {0xd5, 0x5e, 0x00},
                                                     {0x00, 0x9e, 0x73},
                                                     {0xcc, 0x79, 0xa7},
                                                     {0xe6, 0x9f, 0x00},
                                                     {0x56, 0xb4, 0xe9},
                                                     {0x00, 0x00, 0x00}});
constexpr PlotColour kInk = {0, 0, 0};
constexpr PlotColour kMarkInk = {0x55, 0x55, 0x55};
constexpr PlotColour kFrame = {0x99, 0x99, 0x99};
constexpr PlotColour kGrid = {0xdd, 0xdd, 0xdd};

// Of the first run nothing, of the second, and so on.
constexpr double kLong[] = {6, 3};
constexpr double kShort[] = {2, 2};
constexpr double kBoth[] = {8, 3, 2, 3};
constexpr std::span<const double> kDashes[] = {{}, kLong, kShort, kBoth};

// Pixels around the panels and between them.
constexpr double kLeft = 70;
constexpr double kRight = 16;
constexpr double kTop = 26;
constexpr double kBottom = 34;
constexpr double kLegendWidth = 160;
constexpr double kLineHeight = 14;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // One that has a width, whatever was included.
  Range Widened() const {
    if (low > high) return {0, 1};
    if (low < high) return *this;
    const double half = low == 0 ? 1 : 0.1 * sim::Abs(low);
    return {low - half, high + half};
  }
};

// Numbers of one, two or five times a power of ten, some four of them.
std::vector<double> MarksOf(const Range& range, bool is_whole) {
  const double width = range.high - range.low;
  const double rough = width / 4;
  double step = sim::Pow(10, sim::Floor(sim::Log10(rough)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (step < 0.7 * rough) step *= factor;
  }
  if (is_whole) step = std::max(step, 1.0);
  std::vector<double> marks;
  // Counted, so that no error grows; a range beyond all steps has no marks.
  const double first = sim::Floor(range.low / step);
  for (int i = 0; i <= 12; ++i) {
    const double mark = (first + i) * step;
    if (mark >= range.low && mark <= range.high) marks.push_back(mark);
  }
  return marks;
}

// Where values lie on the drawing.
struct Scale {
  Range values;
  double from = 0;  // pixels
  double to = 1;

  double operator()(double value) const {
    // Halves, as the whole width may be more than a double holds.
    const double share = (0.5 * value - 0.5 * values.low) /
                         (0.5 * values.high - 0.5 * values.low);
    return from + share * (to - from);
  }
};

PlotCanvas::Stroke StrokeOf(const PlotLine& line, size_t colour, double width) {
  return {.colour = kColours[colour % kColours.size()],
          .width = width,
          .dashes = kDashes[line.run % std::size(kDashes)]};
}

class Drawing {
 public:
  Drawing(const Plot& plot, double width, PlotCanvas* canvas)
      : plot_(plot), width_(width), canvas_(*canvas) {}

  void DrawPanel(const PlotPanel& panel, const Scale& x, double top,
                 double height);
  void DrawTicks(const Scale& x, double y);

 private:
  void DrawStraight(double from_x, double from_y, double to_x, double to_y,
                    const PlotCanvas::Stroke& stroke) {
    canvas_.DrawPath(std::to_array<PlotCanvas::Point>(
                         {{from_x, from_y, true}, {to_x, to_y, false}}),
                     stroke);
  }
  void DrawLine(const PlotLine& line, size_t colour, const Scale& x,
                const Scale& y);
  void DrawLegend(const PlotPanel& panel, double top, double height);

  const Plot& plot_;
  const double width_;
  PlotCanvas& canvas_;
};

void Drawing::DrawPanel(const PlotPanel& panel, const Scale& x, double top,
                        double height) {
  Range values;
  for (const PlotLine& line : panel.lines) {
    for (const PlotPoint& point : line.points) values.Include(point.value);
  }
  const Scale y = {values.Widened(), top + height, top};
  canvas_.DrawText(x.from, top - 8, Anchor::kStart, panel.text, kInk);
  for (const double mark : MarksOf(y.values, /*is_whole=*/false)) {
    DrawStraight(x.from, y(mark), x.to, y(mark), {.colour = kGrid});
    canvas_.DrawText(x.from - 6, y(mark) + 4, Anchor::kEnd,
                     fmt::format("{:.6g}", mark), kMarkInk);
  }
  canvas_.DrawPath(
      std::to_array<PlotCanvas::Point>({{x.from, top, true},
                                        {x.to, top, false},
                                        {x.to, top + height, false},
                                        {x.from, top + height, false},
                                        {x.from, top, false}}),
      {.colour = kFrame});
  if (panel.lines.empty()) {
    canvas_.DrawText(0.5 * (x.from + x.to), top + 0.5 * height, Anchor::kMiddle,
                     "no values", kMarkInk);
  }
  // Lines of one object in two runs have one colour.
  std::map<std::string, size_t> colour_of;
  for (const PlotLine& line : panel.lines) {
    const size_t colour =
        colour_of.try_emplace(line.name, colour_of.size()).first->second;
    DrawLine(line, colour, x, y);
  }
  if (panel.lines.size() > 1) DrawLegend(panel, top, height);
}

// Points by pixel: the first, the least, the most and the last, in the order
// in which they come.
void Drawing::DrawLine(const PlotLine& line, size_t colour, const Scale& x,
                       const Scale& y) {
  std::vector<PlotCanvas::Point> path;
  const auto& points = line.points;
  for (size_t begin = 0; begin < points.size();) {
    const double pixel = sim::Floor(x(static_cast<double>(points[begin].tick)));
    size_t end = begin + 1;
    size_t least = begin;
    size_t most = begin;
    while (end < points.size() && !points[end].begins &&
           sim::Floor(x(static_cast<double>(points[end].tick))) == pixel) {
      if (points[end].value < points[least].value) least = end;
      if (points[end].value > points[most].value) most = end;
      ++end;
    }
    const std::array<size_t, 4> drawn = {begin, std::min(least, most),
                                         std::max(least, most), end - 1};
    for (size_t i = 0; i < drawn.size(); ++i) {
      if (i > 0 && drawn[i] == drawn[i - 1]) continue;
      const PlotPoint& point = points[drawn[i]];
      path.push_back({x(static_cast<double>(point.tick)), y(point.value),
                      drawn[i] == begin && point.begins});
    }
    begin = end;
  }
  canvas_.DrawPath(path, StrokeOf(line, colour, 1.5));
}

void Drawing::DrawLegend(const PlotPanel& panel, double top, double height) {
  const std::vector<std::string>& runs = plot_.runs();
  const double left = width_ - kLegendWidth;
  std::map<std::string, size_t> colour_of;
  double y = top + 10;
  size_t left_out = 0;
  for (const PlotLine& line : panel.lines) {
    const size_t colour =
        colour_of.try_emplace(line.name, colour_of.size()).first->second;
    if (y + kLineHeight > top + height && &line != &panel.lines.back()) {
      ++left_out;
      continue;
    }
    const std::string name =
        left_out > 0        ? fmt::format("and {} others", left_out + 1)
        : runs.size() == 1  ? line.name
        : line.name.empty() ? runs[line.run]
                            : fmt::format("{}, {}", line.name, runs[line.run]);
    if (left_out == 0) {
      DrawStraight(left, y, left + 18, y, StrokeOf(line, colour, 2));
    }
    canvas_.DrawText(left + 24, y + 4, Anchor::kStart, name, kInk);
    y += kLineHeight;
  }
}

void Drawing::DrawTicks(const Scale& x, double y) {
  for (const double mark : MarksOf(x.values, /*is_whole=*/true)) {
    DrawStraight(x(mark), y, x(mark), y + 4, {.colour = kFrame});
    canvas_.DrawText(x(mark), y + 16, Anchor::kMiddle,
                     fmt::format("{:.15g}", mark), kMarkInk);
  }
  canvas_.DrawText(x.to, y + 30, Anchor::kEnd, "tick", kMarkInk);
}

// Text as XML takes it; what XML has no way to say becomes a question mark.
std::string Escape(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const size_t size = std::max<size_t>(sim::Utf8CharacterSize(text), 1);
    const std::string_view character = text.substr(0, size);
    const auto first = static_cast<unsigned char>(character.front());
    if (first < 0x20 || (size == 1 && first >= 0x7f)) {
      escaped += '?';
    } else if (first == '<') {
      escaped += "&lt;";
    } else if (first == '&') {
      escaped += "&amp;";
    } else {
      escaped += character;
    }
    text.remove_prefix(size);
  }
  return escaped;
}

class SvgCanvas final : public PlotCanvas {
 public:
  explicit SvgCanvas(std::ostream* out) : out_(*out) {}

  // Lines of values are round.
  void DrawPath(std::span<const Point> points, const Stroke& stroke) override {
    std::string path;
    for (const Point& point : points) {
      path += fmt::format("{}{:.2f} {:.2f}", point.begins ? "M" : "L", point.x,
                          point.y);
    }
    std::string dashes;
    for (const double length : stroke.dashes) {
      dashes += fmt::format("{}{}", dashes.empty() ? "" : " ", length);
    }
    fmt::print(
        out_,
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\"{} "
        "stroke-width=\"{}\"{}/>\n",
        path, NameOf(stroke.colour),
        dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes),
        stroke.width,
        stroke.width > 1 ? " stroke-linejoin=\"round\" stroke-linecap=\"round\""
                         : "");
  }

  void DrawText(double x, double y, Anchor anchor, std::string_view text,
                PlotColour colour) override {
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    fmt::print(out_,
               "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" "
               "fill=\"{}\">{}</text>\n",
               x, y, kAnchors[static_cast<size_t>(anchor)], NameOf(colour),
               Escape(text));
  }

 private:
  static std::string NameOf(PlotColour colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
  }

  std::ostream& out_;
};

}  // namespace

void DrawPlot(const Plot& plot, uint32_t width, uint32_t panel_height,
              PlotCanvas& canvas) {
  Range ticks;
  bool has_legend = false;
  for (const PlotPanel& panel : plot.panels()) {
    has_legend = has_legend || panel.lines.size() > 1;
    for (const PlotLine& line : panel.lines) {
      ticks.Include(static_cast<double>(line.points.front().tick));
      ticks.Include(static_cast<double>(line.points.back().tick));
    }
  }
  const double right = has_legend ? kLegendWidth + kRight : kRight;
  const Scale x = {ticks.Widened(), kLeft, width - right};
  Drawing drawing(plot, width, &canvas);
  double top = kTop;
  for (const PlotPanel& panel : plot.panels()) {
    drawing.DrawPanel(panel, x, top, panel_height);
    top += panel_height + kTop;
  }
  drawing.DrawTicks(x, PlotHeight(plot, panel_height) - kBottom);
}

uint32_t PlotHeight(const Plot& plot, uint32_t panel_height) {
  return static_cast<uint32_t>((panel_height + kTop) *
                                   static_cast<double>(plot.panels().size()) +
                               kBottom);
}

void WritePlotSvg(const Plot& plot, uint32_t width, uint32_t panel_height,
                  std::ostream& out) {
  fmt::print(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
             "height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
             "font-family=\"sans-serif\" font-size=\"11\">\n"
             "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
             width, PlotHeight(plot, panel_height));
  SvgCanvas canvas(&out);
  DrawPlot(plot, width, panel_height, canvas);
  fmt::print(out, "</svg>\n");
}

}  // namespace reprise::replays
