// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise cat`: a replay as text.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/byte_file.h"
#include "replays/input_track.h"
#include "replays/replay_reader.h"
#include "replays/replay_text.h"
#include "sim/base/digest.h"
#include "tools/reprise/commands.h"
#include "tools/reprise/json_output.h"

namespace reprise::tools {
namespace {

// Soon for a person, seldom for a machine.
constexpr std::chrono::milliseconds kFollowInterval(100);

// What a recorder puts behind the name of a file that isn't finished.
constexpr std::string_view kPartialSuffix = ".partial";

struct Options {
  bool digests = false;
  bool events = false;
  bool follow = false;
};

absl::Status AtPath(const std::string& path, const absl::Status& status) {
  return absl::Status(
      status.code(),
      fmt::format("{}: {}", path, std::string(status.message())));
}

// A recording loses its suffix when it is finished.
std::string PathNow(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  return path.ends_with(kPartialSuffix)
             ? path.substr(0, path.size() - kPartialSuffix.size())
             : path;
}

// Takes over what has been written since.
absl::Status Extend(const std::string& path, replays::ReplayReader& replay) {
  absl::StatusOr<std::unique_ptr<replays::FileSource>> source =
      replays::FileSource::Open(PathNow(path));
  if (!source.ok()) return source.status();
  const absl::Status status = replay.Extend(*std::move(source));
  return status.ok() ? status : AtPath(path, status);
}

absl::StatusOr<ExitCode> PrintReplay(const Options& options,
                                     const std::string& path,
                                     Console& console) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> opened =
      replays::ReplayReader::OpenFile(path);
  if (!opened.ok()) return opened.status();
  replays::ReplayReader& replay = **opened;
  replays::ReplayTextPrinter printer(
      &replay, {.has_digests = options.digests, .has_events = options.events});
  std::ostream& out = console.out();
  out << printer.Head();
  if (!options.follow) out << replays::FormatTrackLength(replay.tick_count());
  while (out) {
    const auto batch = printer.NextBatch();
    if (!batch.ok()) return AtPath(path, batch.status());
    if (batch->has_value()) {
      out << **batch;
      continue;
    }
    if (!options.follow || replay.is_complete()) break;
    out.flush();
    std::this_thread::sleep_for(kFollowInterval);
    const absl::Status status = Extend(path, replay);
    if (!status.ok()) return status;
  }
  if (options.follow) out << replays::FormatTrackLength(replay.tick_count());
  if (options.digests && replay.is_complete()) {
    out << fmt::format("# end: {}, digest {} chain {}\n",
                       FormatOutcome(replay.end()->outcome),
                       sim::FormatDigest(replay.end()->root),
                       sim::FormatDigest(replay.end()->chain));
  }
  if (!replay.is_complete()) {
    console.Warning(fmt::format("{}: the recording was cut off", path));
  }
  return ExitCode::kOk;
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
       "Go on with what is being written to the file, until it is finished.",
       &options->follow},
  };
  command.examples = {
      {"Change one input with an editor",
       "reprise cat game.mcap >game.txtpb; $EDITOR game.txtpb; reprise "
       "assemble game.txtpb --output changed.mcap"},
      {"Watch a recording", "reprise cat --follow --events game.mcap.partial"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return PrintReplay(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
