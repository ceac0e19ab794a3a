// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise view`: one HTML file that plays a replay, or two side by side.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/format/replay_reader.h"
#include "replays/showing/page/view_page.h"
#include "replays/showing/shown_expressions.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/reports/view_file.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  FrameFlags frames;
  std::vector<std::string> fields;
  std::vector<std::string> components;
  bool has_no_fields = false;
  bool has_no_layers = false;
  std::string output;
};

absl::StatusOr<ViewRequest> MakeRequest(const Options& options) {
  ViewRequest request = {
      .runs = {},
      .first = options.frames.first,
      .last = options.frames.last,
      .every = options.frames.every,
      .objects = SplitNames(options.frames.objects),
      .page = {.fields = {.has_components = !options.has_no_fields,
                          .components = SplitNames(options.components),
                          .expressions = {}},
               .has_layers = !options.has_no_layers}};
  const absl::Status status = options.frames.Check();
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<std::string>> expressions =
      replays::SplitExpressions(options.fields);
  if (!expressions.ok()) return expressions.status();
  request.page.fields.expressions = *std::move(expressions);
  return request;
}

void Report(const replays::ViewResult& result, const std::string& output,
            size_t run_count, Console& console) {
  std::error_code ignored;
  const uint64_t bytes = std::filesystem::file_size(output, ignored);
  console.Note(fmt::format("{} frame{} in {}: {} bytes", result.frame_count,
                           result.frame_count == 1 ? "" : "s", output, bytes));
  if (result.problem_count > 0) {
    console.Warning(fmt::format(
        "{}; no answer {} time{}, nothing is shown there", result.first_problem,
        result.problem_count, result.problem_count == 1 ? "" : "s"));
  }
  if (result.not_finite_count > 0) {
    console.Warning(
        fmt::format("{}; not a finite number {} time{}, it is shown as a word",
                    result.first_not_finite, result.not_finite_count,
                    result.not_finite_count == 1 ? "" : "s"));
  }
  if (result.unmarked_event_count > 0) {
    console.Warning(fmt::format(
        "{} of {} events have no mark on the timeline: it takes the first "
        "20000 of a run; --from and --to choose",
        result.unmarked_event_count, result.event_count));
  }
  if (run_count < 2) return;
  if (!result.difference) {
    console.Note("the frames of both have the same states");
    return;
  }
  const auto& [tick, lines] = *result.difference;
  console.Note(fmt::format("they differ from tick {} on{}{}", tick,
                           lines.empty() ? "" : ": ",
                           lines.empty() ? "" : lines.front()));
}

absl::StatusOr<ExitCode> View(const Options& options,
                              const std::vector<std::string>& paths,
                              Console& console) {
  absl::StatusOr<ViewRequest> request = MakeRequest(options);
  if (!request.ok()) return request.status();
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.frames.pack);
  if (!pack.ok()) return pack.status();
  std::vector<std::unique_ptr<replays::ReplayReader>> replays;
  for (const std::string& path : paths) {
    absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
        OpenReplayFile(path, console);
    if (!replay.ok()) return replay.status();
    request->runs.push_back({path, replay->get(), *pack ? &**pack : nullptr});
    replays.push_back(*std::move(replay));
  }
  const std::string output =
      options.output.empty()
          ? std::filesystem::path(paths.front()).stem().string() + ".html"
          : options.output;
  const absl::StatusOr<replays::ViewResult> result =
      WriteViewFile(*request, output, &console);
  if (!result.ok()) return result.status();
  Report(*result, output, paths.size(), console);
  return ExitCode::kOk;
}

}  // namespace

Command MakeViewCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "view";
  command.summary = "Makes one HTML file that plays a replay, or two";
  command.description =
      "The file has everything inside and asks no network: it opens from a "
      "disk, a mail or a CI artifact in any browser with WebGL 2. Play, scrub, "
      "pick an object, plot a field; `#t=1841&o=crate_7` behind its name leads "
      "to a tick and an object. Two replays stand side by side, opened at "
      "their first difference. docs/show.md has more.";
  command.arguments = {"FILE [FILE]", 1, 2};
  command.flags = options->frames.flags();
  command.flags.insert(
      command.flags.end(),
      {{"fields", "EXPRESSION,...",
        "What else to show and plot, in the language of queries.",
        &options->fields},
       {"components", "NAME,...",
        "Of which components and tables to show fields, as `describe` calls "
        "them. Of all if unset.",
        &options->components},
       options->frames.objects_flag(),
       {"no-fields", "",
        "Leave out the fields of components: a smaller file, with poses only.",
        &options->has_no_fields},
       {"no-layers", "",
        "Leave out contacts, joints, triggers, regions, paths and spaces.",
        &options->has_no_layers},
       {"output", "FILE",
        "Where to. The name of the first replay with .html, in this folder, "
        "if unset.",
        &options->output}});
  command.examples = {
      {"Look at a run", "reprise view game.mcap"},
      {"Where do two runs part, and how does it look?",
       "reprise view before.mcap after.mcap --output parted.html"},
      {"With a plot of one's own",
       "reprise view game.mcap --fields 'count(bodies.position.y < 0)'"},
  };
  command.run = [options](const std::vector<std::string>& paths,
                          Console& console) {
    return View(*options, paths, console);
  };
  return command;
}

}  // namespace reprise::tools
