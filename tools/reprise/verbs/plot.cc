// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise plot`: expressions over the ticks of replays, as a drawing.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/rendering/picture.h"
#include "replays/rendering/plot_picture.h"
#include "replays/rendering/png.h"
#include "replays/showing/plot.h"
#include "replays/showing/plot_drawing.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/reports/output_file.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

// What a picture is at least and at most, in pixels.
constexpr uint64_t kWidthMin = 300;
constexpr uint64_t kHeightMin = 40;
constexpr uint64_t kPixelsMax = 20000;

struct Options {
  FrameFlags frames;
  uint64_t width = 900;
  uint64_t height = 160;
  std::string output;
};

struct Request {
  std::vector<std::string> replays;
  std::vector<std::string> expressions;
};

// Replays come first. One that isn't there is told from an expression by its
// name.
absl::StatusOr<Request> Sort(const std::vector<std::string>& words) {
  const auto is_file = [](const std::string& word) {
    std::error_code ignored;
    return word.ends_with(".mcap") || std::filesystem::exists(word, ignored);
  };
  Request request;
  for (const std::string& word : words) {
    if (request.expressions.empty() && is_file(word)) {
      request.replays.push_back(word);
    } else {
      request.expressions.push_back(word);
    }
  }
  if (request.replays.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' is no file: replays come first, then expressions", words[0]));
  }
  if (request.expressions.empty()) {
    return absl::InvalidArgumentError(
        "no expression: say what to plot, as in 'player.bodies.position.y'");
  }
  return request;
}

bool IsPicture(const std::string& output) { return output.ends_with(".png"); }

absl::Status CheckOptions(const Options& options) {
  if (options.width < kWidthMin || options.width > kPixelsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--width takes {} to {} pixels", kWidthMin, kPixelsMax));
  }
  if (options.height < kHeightMin || options.height > kPixelsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--height takes {} to {} pixels", kHeightMin, kPixelsMax));
  }
  return options.frames.Check();
}

absl::Status DrawPlot(const replays::Plot& plot, const Options& options,
                      std::ostream& out) {
  const auto width = static_cast<uint32_t>(options.width);
  const auto height = static_cast<uint32_t>(options.height);
  if (!IsPicture(options.output)) {
    replays::WritePlotSvg(plot, width, height, out);
    return absl::OkStatus();
  }
  const absl::StatusOr<std::string> png =
      replays::EncodePng(replays::MakePlotPicture(plot, width, height));
  if (!png.ok()) return png.status();
  out << *png;
  return absl::OkStatus();
}

absl::Status WritePlot(const replays::Plot& plot, const Options& options,
                       Console& console) {
  const uint32_t most = replays::Picture::kSizeMax;
  const uint32_t height =
      replays::PlotHeight(plot, static_cast<uint32_t>(options.height));
  if (IsPicture(options.output) && (options.width > most || height > most)) {
    return absl::InvalidArgumentError(fmt::format(
        "it would be {} by {} pixels, and a picture has at most {} each way",
        options.width, height, most));
  }
  if (!options.output.empty()) {
    OutputFile file(options.output);
    const absl::Status status = DrawPlot(plot, options, file.out());
    return status.ok() ? file.Finish() : status;
  }
  const absl::Status status = DrawPlot(plot, options, console.out());
  if (!status.ok()) return status;
  console.out().flush();
  if (console.out()) return absl::OkStatus();
  return absl::UnavailableError("standard output can't be written");
}

// Panels that would have nothing in them are told; a plot of none is none.
absl::Status CheckAnswers(const replays::Plot& plot, Console& console) {
  size_t empty = 0;
  for (const replays::PlotPanel& panel : plot.panels()) {
    if (!panel.lines.empty()) continue;
    ++empty;
    console.Warning(fmt::format("{}: it has no value at any tick", panel.text));
  }
  if (empty < plot.panels().size()) return absl::OkStatus();
  return absl::InvalidArgumentError("there is nothing to draw");
}

absl::StatusOr<ExitCode> PlotReplays(const Options& options,
                                     const std::vector<std::string>& words,
                                     Console& console) {
  absl::Status status = CheckOptions(options);
  if (!status.ok()) return status;
  const absl::StatusOr<Request> request = Sort(words);
  if (!request.ok()) return request.status();
  for (const std::string& path : request->replays) {
    std::error_code ignored;
    if (std::filesystem::equivalent(path, options.output, ignored)) {
      return absl::InvalidArgumentError("--output would overwrite a replay");
    }
  }
  replays::Plot plot(request->expressions);
  for (const std::string& path : request->replays) {
    absl::StatusOr<ShownReplay> shown = ShownReplay::Open(
        path, options.frames, {.keeps_events = true}, console);
    if (!shown.ok()) return shown.status();
    status = plot.AddRun(std::filesystem::path(path).filename().string(),
                         shown->stream());
    if (!status.ok()) return status;
  }
  if (plot.problem_count() > 0) {
    console.Warning(fmt::format("{}; no answer {} time{}, the line has gaps",
                                plot.first_problem(), plot.problem_count(),
                                plot.problem_count() == 1 ? "" : "s"));
  }
  status = CheckAnswers(plot, console);
  if (!status.ok()) return status;
  status = WritePlot(plot, options, console);
  if (!status.ok()) return status;
  size_t lines = 0;
  for (const replays::PlotPanel& panel : plot.panels()) {
    lines += panel.lines.size();
  }
  console.Note(
      fmt::format("{} line{}{}", lines, lines == 1 ? "" : "s",
                  options.output.empty() ? "" : " in " + options.output));
  return ExitCode::kOk;
}

}  // namespace

Command MakePlotCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "plot";
  command.summary = "Draws expressions over the ticks of replays";
  command.description =
      "An SVG, or a PNG where --output ends so, with a panel for each "
      "expression of the language of queries, and "
      "in it a line for each object it is about, of each replay. Conditions "
      "are 0 and 1. docs/show.md has more.";
  command.arguments = {"FILE... EXPRESSION...", 2, 64};
  command.flags = options->frames.flags();
  command.flags.insert(
      command.flags.end(),
      {{"width", "PIXELS", "How wide it is. 900 if unset.", &options->width},
       {"height", "PIXELS", "How high each panel is. 160 if unset.",
        &options->height},
       {"output", "FILE",
        "Where to: an SVG, or a picture where it ends in .png. An SVG on "
        "standard output if unset.",
        &options->output}});
  command.examples = {
      {"How high was the ball?",
       "reprise plot game.mcap player.bodies.position.y --output height.svg"},
      {"Two runs, two questions",
       "reprise plot before.mcap after.mcap 'count(bodies.position.y < 0)' "
       "'abs(player.bodies.linear_velocity.z)' --output both.png"},
  };
  command.run = [options](const std::vector<std::string>& words,
                          Console& console) {
    return PlotReplays(*options, words, console);
  };
  return command;
}

}  // namespace reprise::tools
