// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise cat`: a replay as text.

#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/named_error.h"
#include "replays/container/partial_file.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/replay_text.h"
#include "replays/tracks/input_track.h"
#include "sim/base/digest.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

// Soon for a person, seldom for a machine.
constexpr std::chrono::milliseconds kFollowInterval(100);

struct Options {
  bool digests = false;
  bool events = false;
  bool follow = false;
};

// The recording that is under way, or else what has the name: an older replay
// keeps it until the recording is finished.
std::string FollowedPath(const std::string& path) {
  std::string partial = replays::PartialPath(replays::FinishedPath(path));
  if (!replays::IsBeingWritten(partial).value_or(false)) return path;
  return partial;
}

// Calls `open` with the name that the recording has now, and once more where it
// was finished, and lost its suffix, in between.
template <typename Open>
auto OpenNow(const std::string& path, const Open& open) {
  auto opened = open(replays::PathNow(path));
  if (absl::IsNotFound(opened.status())) opened = open(replays::PathNow(path));
  return opened;
}

absl::StatusOr<std::unique_ptr<replays::ReplayReader>> OpenReplay(
    const Options& options, const std::string& path) {
  if (!options.follow) return replays::ReplayReader::OpenFile(path);
  while (true) {
    // A recording that has just begun is no replay yet.
    const bool has_begun =
        replays::IsBeingWritten(replays::PathNow(path)).value_or(false);
    absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
        OpenNow(path, replays::ReplayReader::OpenFile);
    if (replay.ok() || !has_begun) return replay;
    std::this_thread::sleep_for(kFollowInterval);
  }
}

// Takes over what has been written since.
absl::Status Extend(const std::string& path, replays::ReplayReader& replay) {
  absl::StatusOr<std::unique_ptr<replays::FileSource>> source =
      OpenNow(path, replays::FileSource::Open);
  if (!source.ok()) return source.status();
  return replays::NamedError(path, replay.Extend(*std::move(source)));
}

// Prints the batches up to the end: of what is there, or, of a recording that
// is followed, until it is finished or its recorder is gone.
absl::Status PrintBatches(const Options& options, const std::string& path,
                          replays::ReplayReader& replay,
                          replays::ReplayTextPrinter& printer,
                          std::ostream& out) {
  bool is_abandoned = false;
  while (out) {
    const auto batch = printer.NextBatch();
    if (!batch.ok()) return replays::NamedError(path, batch.status());
    if (batch->has_value()) {
      out << **batch;
      continue;
    }
    if (!options.follow || replay.is_complete() || is_abandoned) break;
    out.flush();
    // Asked before the file is looked at again: what was written until then
    // is still read. A file that is being renamed isn't abandoned.
    is_abandoned =
        !replays::IsBeingWritten(replays::PathNow(path)).value_or(true);
    if (!is_abandoned) std::this_thread::sleep_for(kFollowInterval);
    const absl::Status status = Extend(path, replay);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> PrintReplay(const Options& options,
                                     const std::string& name,
                                     Console& console) {
  const std::string path = options.follow ? FollowedPath(name) : name;
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> opened =
      OpenReplay(options, path);
  if (!opened.ok()) return opened.status();
  replays::ReplayReader& replay = **opened;
  replays::ReplayTextPrinter printer(
      &replay, {.has_digests = options.digests, .has_events = options.events});
  std::ostream& out = console.out();
  out << printer.Head();
  if (!options.follow) out << replays::FormatTrackLength(replay.tick_count());
  const absl::Status status = PrintBatches(options, path, replay, printer, out);
  if (!status.ok()) return status;
  if (options.follow) out << replays::FormatTrackLength(replay.tick_count());
  if (options.digests && replay.is_complete()) {
    out << fmt::format("# end: {}, digest {} chain {}\n",
                       FormatOutcome(replay.end()->outcome),
                       sim::FormatDigest(replay.end()->root),
                       sim::FormatDigest(replay.end()->chain));
  }
  if (!options.follow || replay.is_complete()) {
    WarnOfDamage(path, replay, console);
    return ExitCode::kOk;
  }
  console.Error(fmt::format(
      "{}: nobody writes to it any more, and it isn't finished: {} ticks are "
      "left (`reprise run --continue` goes on behind them)",
      replays::PathNow(path), replay.tick_count()));
  return ExitCode::kDifferent;
}

}  // namespace

Command MakeCatCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "cat";
  command.summary = "Prints a replay as text, to read, edit and review";
  command.description =
      "A line says how the run was made, and each tick at which somebody gave "
      "something has a line. `reprise assemble` makes the replay of it again. "
      "Neither pack nor simulation is needed.";
  command.arguments = {"FILE", 1, 1};
  command.flags = {
      {"digests", "", "Add the recorded digests, as comments.",
       &options->digests},
      {"events", "", "Add what happened, as comments.", &options->events},
      {"follow", "",
       "Go on with what is being written to FILE, or to FILE.partial, until it "
       "is finished. If its recorder dies, the exit code is 1.",
       &options->follow},
  };
  command.examples = {
      {"Change one input with an editor",
       "reprise cat game.mcap >game.txtpb; $EDITOR game.txtpb; reprise "
       "assemble game.txtpb --output changed.mcap"},
      {"Watch a recording", "reprise cat --follow --events game.mcap"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return PrintReplay(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
