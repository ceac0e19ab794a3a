// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise plot`: expressions over the ticks of replays, as a drawing.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/format/replay_reader.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/plot.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

// What a picture is at least and at most, in pixels.
constexpr uint64_t kWidthMin = 300;
constexpr uint64_t kHeightMin = 40;
constexpr uint64_t kPixelsMax = 20000;

struct Options {
  uint64_t first = 0;
  std::optional<uint64_t> last;
  uint64_t every = 1;
  uint64_t width = 900;
  uint64_t height = 160;
  std::string pack;
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

absl::Status CheckOptions(const Options& options) {
  if (options.every == 0) {
    return absl::InvalidArgumentError("--every takes 1 or more");
  }
  if (options.width < kWidthMin || options.width > kPixelsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--width takes {} to {} pixels", kWidthMin, kPixelsMax));
  }
  if (options.height < kHeightMin || options.height > kPixelsMax) {
    return absl::InvalidArgumentError(
        fmt::format("--height takes {} to {} pixels", kHeightMin, kPixelsMax));
  }
  return absl::OkStatus();
}

absl::Status AddReplay(const Options& options, const sim::PackArchive* pack,
                       const std::string& path, replays::Plot& plot,
                       Console& console) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      OpenReplayFile(path, console);
  if (!replay.ok()) return replay.status();
  const absl::StatusOr<std::unique_ptr<replays::FrameStream>> stream =
      replays::FrameStream::Open(replay->get(), {.first = options.first,
                                                 .last = options.last,
                                                 .every = options.every,
                                                 .keeps_events = true,
                                                 .pack = pack});
  if (!stream.ok()) return stream.status();
  NoteOtherPack(path, **replay, (*stream)->simulation(), console);
  return plot.AddRun(std::filesystem::path(path).filename().string(), **stream);
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
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  replays::Plot plot(request->expressions);
  for (const std::string& path : request->replays) {
    status = AddReplay(options, *pack ? &**pack : nullptr, path, plot, console);
    if (!status.ok()) return status;
  }
  if (plot.problem_count() > 0) {
    console.Warning(fmt::format("{}; no answer {} time{}, the line has gaps",
                                plot.first_problem(), plot.problem_count(),
                                plot.problem_count() == 1 ? "" : "s"));
  }
  std::ofstream file;
  if (!options.output.empty()) file.open(options.output, std::ios::binary);
  std::ostream& out = options.output.empty() ? console.out() : file;
  plot.WriteSvg(static_cast<uint32_t>(options.width),
                static_cast<uint32_t>(options.height), out);
  out.flush();
  if (!out) {
    return absl::UnavailableError(fmt::format(
        "{} can't be written",
        options.output.empty() ? "standard output" : options.output));
  }
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
      "An SVG with a panel for each expression of the language of queries, and "
      "in it a line for each object it is about, of each replay. Conditions "
      "are 0 and 1. docs/show.md has more.";
  command.arguments = {"FILE... EXPRESSION...", 2, 64};
  command.flags = {
      {"from", "TICK", "The first frame. 0 if unset.", &options->first},
      {"to", "TICK", "The last frame. The end of each replay if unset.",
       &options->last},
      {"every", "N", "Only every Nth tick, from the first on. 1 if unset.",
       &options->every},
      {"width", "PIXELS", "How wide it is. 900 if unset.", &options->width},
      {"height", "PIXELS", "How high each panel is. 160 if unset.",
       &options->height},
      {"pack", "PACK", "The pack of replays that don't hold it.",
       &options->pack},
      {"output", "FILE", "Where to. Standard output if unset.",
       &options->output},
  };
  command.examples = {
      {"How high was the ball?",
       "reprise plot game.mcap player.bodies.position.y --output height.svg"},
      {"Two runs, two questions",
       "reprise plot before.mcap after.mcap 'count(bodies.position.y < 0)' "
       "'abs(player.bodies.linear_velocity.z)' --output both.svg"},
  };
  command.run = [options](const std::vector<std::string>& words,
                          Console& console) {
    return PlotReplays(*options, words, console);
  };
  return command;
}

}  // namespace reprise::tools
