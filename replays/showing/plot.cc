// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/plot.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/showing/shown_expressions.h"
#include "sim/base/math.h"
#include "sim/base/utf8.h"
#include "sim/expression/value.h"

namespace reprise::replays {
namespace {

// Okabe and Ito's colours, which people who are blind to some tell apart.
constexpr auto kColours =
    std::to_array<std::string_view>({"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000"});
// Of the first run, the second, and so on.
constexpr auto kDashes =
    std::to_array<std::string_view>({"", "6 3", "2 2", "8 3 2 3"});

// Pixels around the panels and between them.
constexpr double kLeft = 70;
constexpr double kRight = 16;
constexpr double kTop = 26;
constexpr double kBottom = 34;
constexpr double kLegendWidth = 160;
constexpr double kLineHeight = 14;

std::optional<double> NumberOf(const sim::ExpressionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
  if (const auto* number = std::get_if<double>(&value)) {
    // What lies beyond all numbers is on no scale.
    return sim::IsFinite(*number) ? std::optional(*number) : std::nullopt;
  }
  if (const auto* integer = std::get_if<sim::ExpressionInteger>(&value)) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
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

class SvgWriter {
 public:
  SvgWriter(double width, std::ostream& out) : width_(width), out_(out) {}

  void Begin(double height);
  void WritePanel(const PlotPanel& panel, const std::vector<std::string>& runs,
                  const Scale& x, double top, double height);
  void WriteTicks(const Scale& x, double y);
  void End() { fmt::print(out_, "</svg>\n"); }

 private:
  void WriteLine(const PlotLine& line, size_t colour, const Scale& x,
                 const Scale& y);
  void WriteLegend(const PlotPanel& panel, const std::vector<std::string>& runs,
                   double top, double height);
  static std::string StyleOf(const PlotLine& line, size_t colour);

  const double width_;
  std::ostream& out_;
};

void SvgWriter::Begin(double height) {
  fmt::print(out_,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
             "height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
             "font-family=\"sans-serif\" font-size=\"11\">\n"
             "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
             width_, height);
}

std::string SvgWriter::StyleOf(const PlotLine& line, size_t colour) {
  const std::string_view dash = kDashes[line.run % kDashes.size()];
  return fmt::format(
      "stroke=\"{}\"{}", kColours[colour % kColours.size()],
      dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

void SvgWriter::WritePanel(const PlotPanel& panel,
                           const std::vector<std::string>& runs, const Scale& x,
                           double top, double height) {
  Range values;
  for (const PlotLine& line : panel.lines) {
    for (const PlotPoint& point : line.points) values.Include(point.value);
  }
  const Scale y = {values.Widened(), top + height, top};
  fmt::print(out_, "<text x=\"{}\" y=\"{}\" font-size=\"12\">{}</text>\n",
             x.from, top - 8, Escape(panel.text));
  for (const double mark : MarksOf(y.values, /*is_whole=*/false)) {
    fmt::print(out_,
               "<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"#ddd\"/>"
               "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\" "
               "fill=\"#555\">{5:.6g}</text>\n",
               x.from, y(mark), x.to, x.from - 6, y(mark) + 4, mark);
  }
  fmt::print(out_,
             "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
             "height=\"{:.1f}\" fill=\"none\" stroke=\"#999\"/>\n",
             x.from, top, x.to - x.from, height);
  if (panel.lines.empty()) {
    fmt::print(out_,
               "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" "
               "fill=\"#555\">no values</text>\n",
               0.5 * (x.from + x.to), top + 0.5 * height);
  }
  // Lines of one object in two runs have one colour.
  std::map<std::string, size_t> colour_of;
  for (const PlotLine& line : panel.lines) {
    const size_t colour =
        colour_of.try_emplace(line.name, colour_of.size()).first->second;
    WriteLine(line, colour, x, y);
  }
  if (panel.lines.size() > 1) WriteLegend(panel, runs, top, height);
}

// Points by pixel: the first, the least, the most and the last, in the order
// in which they come.
void SvgWriter::WriteLine(const PlotLine& line, size_t colour, const Scale& x,
                          const Scale& y) {
  std::string path;
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
    std::array<size_t, 4> drawn = {begin, std::min(least, most),
                                   std::max(least, most), end - 1};
    for (size_t i = 0; i < drawn.size(); ++i) {
      if (i > 0 && drawn[i] == drawn[i - 1]) continue;
      const PlotPoint& point = points[drawn[i]];
      path += fmt::format("{}{:.2f} {:.2f}",
                          drawn[i] == begin && point.begins ? "M" : "L",
                          x(static_cast<double>(point.tick)), y(point.value));
    }
    begin = end;
  }
  fmt::print(out_,
             "<path d=\"{}\" fill=\"none\" {} stroke-width=\"1.5\" "
             "stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
             path, StyleOf(line, colour));
}

void SvgWriter::WriteLegend(const PlotPanel& panel,
                            const std::vector<std::string>& runs, double top,
                            double height) {
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
      fmt::print(out_, "<path d=\"M{:.1f} {:.1f}h18\" {} stroke-width=\"2\"/>",
                 left, y, StyleOf(line, colour));
    }
    fmt::print(out_, "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left + 24,
               y + 4, Escape(name));
    y += kLineHeight;
  }
}

void SvgWriter::WriteTicks(const Scale& x, double y) {
  for (const double mark : MarksOf(x.values, /*is_whole=*/true)) {
    fmt::print(out_,
               "<path d=\"M{0:.1f} {1:.1f}v4\" stroke=\"#999\"/>"
               "<text x=\"{0:.1f}\" y=\"{2:.1f}\" text-anchor=\"middle\" "
               "fill=\"#555\">{3:.15g}</text>\n",
               x(mark), y, y + 16, mark);
  }
  fmt::print(out_,
             "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" "
             "fill=\"#555\">tick</text>\n",
             x.to, y + 30);
}

}  // namespace

Plot::Plot(std::vector<std::string> expressions) {
  for (std::string& text : expressions) {
    panels_.push_back({.text = std::move(text), .lines = {}});
  }
}

absl::Status Plot::AddRun(std::string_view name, FrameStream& stream) {
  std::vector<std::string> texts;
  for (const PlotPanel& panel : panels_) texts.push_back(panel.text);
  const absl::StatusOr<std::unique_ptr<ShownExpressions>> expressions =
      ShownExpressions::Create(&stream, texts);
  if (!expressions.ok()) return expressions.status();
  for (size_t i = 0; i < texts.size(); ++i) {
    if ((*expressions)->TypeOf(i) != sim::ExpressionType::kText) continue;
    return absl::InvalidArgumentError(fmt::format(
        "{}: a text has no place on a scale; compare it, as in {} == \"...\"",
        texts[i], texts[i]));
  }
  const size_t run = runs_.size();
  runs_.emplace_back(name);

  struct Growing {
    size_t line = 0;
    uint64_t frame = 0;  // of its last point, counted from 1
  };
  std::vector<std::map<std::vector<uint64_t>, Growing>> growing(texts.size());
  absl::Status status;
  for (uint64_t frame = 1;; ++frame) {
    const absl::StatusOr<bool> is_there = stream.Next();
    if (!is_there.ok()) return is_there.status();
    if (!*is_there) break;
    (*expressions)
        ->Visit([&](size_t index, const sim::StateSubject& subject,
                    const sim::ExpressionValue& value) {
          const std::optional<double> number = NumberOf(value);
          if (!number.has_value() || !status.ok()) return;
          std::vector<PlotLine>& lines = panels_[index].lines;
          const auto [known, is_new] =
              growing[index].try_emplace((*expressions)->KeyOf(index, subject),
                                         Growing{.line = lines.size()});
          if (is_new && lines.size() == kLinesMax) {
            status = absl::ResourceExhaustedError(fmt::format(
                "{}: more than {} lines; ask for fewer objects, or for a count",
                panels_[index].text, kLinesMax));
            return;
          }
          if (is_new) {
            lines.push_back({.run = run,
                             .name = (*expressions)->NameOf(index, subject),
                             .points = {}});
          }
          const bool begins = is_new || known->second.frame + 1 != frame;
          known->second.frame = frame;
          lines[known->second.line].points.push_back(
              {.tick = stream.frame().tick,
               .value = *number,
               .begins = begins});
        });
    if (!status.ok()) return status;
  }
  if (problem_count_ == 0) first_problem_ = (*expressions)->first_problem();
  problem_count_ += (*expressions)->problem_count();
  return absl::OkStatus();
}

void Plot::WriteSvg(uint32_t width, uint32_t panel_height,
                    std::ostream& out) const {
  Range ticks;
  bool has_legend = false;
  for (const PlotPanel& panel : panels_) {
    has_legend = has_legend || panel.lines.size() > 1;
    for (const PlotLine& line : panel.lines) {
      ticks.Include(static_cast<double>(line.points.front().tick));
      ticks.Include(static_cast<double>(line.points.back().tick));
    }
  }
  const double right = has_legend ? kLegendWidth + kRight : kRight;
  const Scale x = {ticks.Widened(), kLeft, width - right};
  SvgWriter svg(width, out);
  const double each = panel_height + kTop;
  const double height = each * static_cast<double>(panels_.size()) + kBottom;
  svg.Begin(height);
  double top = kTop;
  for (const PlotPanel& panel : panels_) {
    svg.WritePanel(panel, runs_, x, top, panel_height);
    top += each;
  }
  svg.WriteTicks(x, height - kBottom);
  svg.End();
}

}  // namespace reprise::replays
