// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Expressions of the query language over the ticks of runs: a panel an
// expression, and in it a line for each run and object. plot_drawing.h draws
// it.

#ifndef REPRISE_REPLAYS_SHOWING_PLOT_H_
#define REPRISE_REPLAYS_SHOWING_PLOT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "replays/showing/frame_stream.h"
#include "sim/base/tick.h"
#include "sim/expression/value.h"

namespace reprise::replays {

struct PlotPoint {
  sim::Tick tick = 0;
  double value = 0;  // of a condition: 0 or 1
  // Nothing leads here from the point before: between them it wasn't there.
  bool begins = false;
};

struct PlotLine {
  size_t run = 0;
  std::string name;  // of the object; empty where there is none
  std::vector<PlotPoint> points;
};

struct PlotPanel {
  std::string text;  // the expression
  std::vector<PlotLine> lines;
};

class Plot {
 public:
  // Lines that a person tells apart, in a panel.
  static constexpr size_t kLinesMax = 64;

  explicit Plot(std::vector<std::string> expressions);

  // Plays a run to its end, which is called `name`. INVALID_ARGUMENT names the
  // expression that is wrong or has texts; RESOURCE_EXHAUSTED: more lines than
  // kLinesMax. Other errors are the stream's.
  absl::Status AddRun(std::string_view name, FrameStream& stream);

  const std::vector<std::string>& runs() const { return runs_; }
  const std::vector<PlotPanel>& panels() const { return panels_; }

  // How often there was no answer, and why the first time.
  uint64_t problem_count() const { return problem_count_; }
  const std::string& first_problem() const { return first_problem_; }

 private:
  // Of a value that is on no scale.
  void AddProblem(sim::Tick tick, size_t panel,
                  const sim::ExpressionValue& value);

  std::vector<std::string> runs_;
  std::vector<PlotPanel> panels_;
  uint64_t problem_count_ = 0;
  std::string first_problem_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PLOT_H_
