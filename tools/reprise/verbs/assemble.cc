// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise assemble`: a replay of its text.

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "fmt/ostream.h"
#include "replays/container/byte_file.h"
#include "replays/container/partial_file.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/replay_text.h"
#include "replays/tracks/input_track.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/input_selection.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/json_output.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string output;
  std::string pack;
  OutputFormat format;
};

// A pack, or the one inside a replay.
absl::StatusOr<sim::PackArchive> OpenPackOrReplay(const std::string& name) {
  const absl::StatusOr<bool> is_replay = IsReplay(name);
  if (!is_replay.ok() || !*is_replay) return OpenPack(name);
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      replays::ReplayReader::OpenFile(name);
  if (!replay.ok()) return replay.status();
  return (*replay)->ReadPack();
}

// The pack of the run, or the one that was named in its place.
absl::StatusOr<sim::PackArchive> FindPack(const Options& options,
                                          const std::string& path,
                                          const replays::InputTrack& track,
                                          Console& console) {
  if (options.pack.empty() && track.pack.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: names no pack; --pack does", path));
  }
  absl::StatusOr<sim::PackArchive> pack =
      OpenPackOrReplay(options.pack.empty() ? track.pack : options.pack);
  if (!pack.ok() || !track.run->pack_digest.has_value()) return pack;
  const sim::ContentDigest digest =
      pack->ComputeDigest(track.run->pack_digest->hash);
  if (digest == *track.run->pack_digest) return pack;
  const std::string difference = fmt::format(
      "{}: made for a pack with digest {}, not {}", path,
      sim::FormatDigest(*track.run->pack_digest), sim::FormatDigest(digest));
  if (options.pack.empty()) {
    return absl::FailedPreconditionError(
        fmt::format("{}; --pack names another one all the same", difference));
  }
  console.Warning(difference);
  return pack;
}

// Errors of the inputs are INVALID_ARGUMENT, and nothing is written; all others
// are the machine's.
absl::StatusOr<replays::ReplayEnd> WriteReplay(const replays::InputTrack& track,
                                               const sim::PackArchive& pack,
                                               sim::Simulation& simulation,
                                               const std::string& output) {
  const std::string partial = replays::UnfinishedPath(output);
  absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
      replays::FileSink::Create(partial);
  if (!sink.ok()) return sink.status();
  absl::StatusOr<replays::ReplayEnd> end =
      replays::AssembleReplay(track, pack, simulation, *std::move(sink));
  std::error_code ignored;
  if (!end.ok()) {
    if (partial != output) std::filesystem::remove(partial, ignored);
    if (absl::IsInvalidArgument(end.status())) return end;
    return absl::UnavailableError(std::string(end.status().message()));
  }
  if (partial == output) return end;
  const absl::Status status = replays::RenameFile(
      partial, output, replays::FileSink::Durability::kProcess);
  if (status.ok()) return end;
  std::filesystem::remove(partial, ignored);
  return status;
}

// Nothing that is read is written over, under neither name of the output.
absl::Status CheckOutput(const Options& options, const std::string& path) {
  if (options.output.empty()) {
    return absl::InvalidArgumentError("--output says where to");
  }
  std::error_code ignored;  // A file that isn't there yet is another one.
  if (std::filesystem::is_directory(options.output, ignored)) {
    return absl::InvalidArgumentError(
        fmt::format("--output names a file; {} is a folder", options.output));
  }
  for (const std::string& input : {path, options.pack}) {
    for (const std::string& output :
         {options.output, replays::PartialPath(options.output)}) {
      if (!std::filesystem::equivalent(input, output, ignored)) continue;
      return absl::InvalidArgumentError(
          fmt::format("--output would overwrite {}", input));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Assemble(const Options& options,
                                  const std::string& path, Console& console) {
  const absl::Status status = CheckOutput(options, path);
  if (!status.ok()) return status;
  const absl::StatusOr<replays::InputTrack> track =
      replays::ReadInputTrack(path);
  if (!track.ok()) return track.status();
  if (!track->run.has_value()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: doesn't say how the run is made; `reprise run --inputs` plays it",
        path));
  }
  const absl::StatusOr<sim::PackArchive> pack =
      FindPack(options, path, *track, console);
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::unique_ptr<sim::Simulation>> simulation =
      CreatePackSimulation(*pack, track->run->seed, track->run->simulation);
  if (!simulation.ok()) return simulation.status();
  const absl::StatusOr<replays::ReplayEnd> end =
      WriteReplay(*track, *pack, **simulation, options.output);
  if (absl::IsInvalidArgument(end.status())) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", path, std::string(end.status().message())));
  }
  if (!end.ok()) return end.status();
  if (options.format.is_json()) {
    Json document = MakeJsonDocument("assemble");
    document["file"] = options.output;
    document["tick_count"] = end->tick_count;
    document["outcome"] = ToJson(end->outcome);
    document["digest"] = sim::FormatDigest(end->root);
    document["chain"] = sim::FormatDigest(end->chain);
    PrintJson(document, console);
    return ExitCode::kOk;
  }
  fmt::print(console.out(), "{}: {} ticks, {}, digest {}\n", options.output,
             end->tick_count, FormatOutcome(end->outcome),
             sim::FormatDigest(end->root));
  return ExitCode::kOk;
}

}  // namespace

Command MakeAssembleCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "assemble";
  command.summary = "Makes a replay of the text that `reprise cat` prints";
  command.description =
      "Plays the inputs and records the run as the text says. Unchanged text "
      "gives the same replay, with the same digest.";
  command.arguments = {"TEXT", 1, 1};
  command.flags = {
      {"output", "FILE", "Where to.", &options->output},
      {"pack", "PACK|FILE",
       "The pack to play on, or a replay that holds it. If unset, the one of "
       "the name that the text says, which has to have its digest.",
       &options->pack},
      options->format.flag(),
  };
  command.examples = {
      {"Make the replay of a text",
       "reprise assemble game.txtpb --output game.mcap"},
      {"The same, on the very pack of the replay that it came from",
       "reprise assemble game.txtpb --pack game.mcap --output changed.mcap"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Assemble(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
