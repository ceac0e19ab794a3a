// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise convert`: inputs from one form to another.

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/container/named_error.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/replay_text.h"
#include "replays/tracks/input_track.h"
#include "reprise/v1/input.pb.h"
#include "tools/reprise/inputs/input_form.h"
#include "tools/reprise/inputs/input_selection.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string_view from = "auto";
  std::string_view to = "auto";
  std::string output;
  std::string pack;
  std::optional<uint64_t> ticks;
};

InputForm FormOf(std::string_view flag, std::string_view path) {
  if (flag == "csv") return InputForm::kCsv;
  if (flag == "jsonl") return InputForm::kJsonLines;
  return flag == "auto" ? InputFormOf(path) : InputForm::kTrack;
}

// The inputs of a replay, whose text is a track, without running it.
absl::StatusOr<v1::InputTrack> ReadReplay(const std::string& path,
                                          Console& console) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      OpenReplayFile(path, console);
  if (!replay.ok()) return replay.status();
  replays::ReplayTextPrinter printer(replay->get(), {});
  std::string text =
      printer.Head() + replays::FormatTrackLength((*replay)->tick_count());
  while (true) {
    const auto batch = printer.NextBatch();
    if (!batch.ok()) return replays::NamedError(path, batch.status());
    if (!batch->has_value()) break;
    text += **batch;
    if (text.size() > replays::kInputTrackBytesMax) break;
  }
  return replays::ParseTrackMessage(text, path);
}

absl::StatusOr<v1::InputTrack> Read(const Options& options,
                                    const std::string& path, Console& console) {
  if (options.from == "auto") {
    const absl::StatusOr<bool> is_replay = IsReplay(path);
    if (!is_replay.ok()) return is_replay.status();
    if (*is_replay) return ReadReplay(path, console);
  }
  return ReadInputs(path, FormOf(options.from, path));
}

absl::Status SetLength(uint64_t ticks, const std::string& path,
                       v1::InputTrack& track) {
  if (!track.ticks().empty() && track.ticks().rbegin()->tick() >= ticks) {
    return absl::InvalidArgumentError(
        fmt::format("--ticks {}: {} has inputs of tick {}", ticks, path,
                    track.ticks().rbegin()->tick()));
  }
  track.set_tick_count(ticks);
  return absl::OkStatus();
}

absl::Status Write(const std::string& text, const Options& options,
                   Console& console) {
  if (options.output.empty()) {
    console.out() << text;
    return absl::OkStatus();
  }
  std::ofstream file(options.output, std::ios::binary);
  file << text;
  if (file.flush()) return absl::OkStatus();
  return absl::UnavailableError(options.output + ": can't be written");
}

absl::StatusOr<ExitCode> Convert(const Options& options,
                                 const std::string& path, Console& console) {
  absl::StatusOr<v1::InputTrack> track = Read(options, path, console);
  if (!track.ok()) return track.status();
  if (options.ticks.has_value()) {
    const absl::Status status = SetLength(*options.ticks, path, *track);
    if (!status.ok()) return status;
  }
  if (!options.pack.empty()) track->set_pack(options.pack);
  // What the flags made of it has to be a track, too.
  const absl::StatusOr<replays::InputTrack> checked =
      replays::ToInputTrack(*track, path);
  if (!checked.ok()) return checked.status();
  const absl::Status status =
      Write(FormatInputs(*track, FormOf(options.to, options.output)), options,
            console);
  if (!status.ok()) return status;
  return ExitCode::kOk;
}

}  // namespace

Command MakeConvertCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "convert";
  command.summary = "Makes a track of inputs in CSV or JSON lines, and back";
  command.description =
      "FILE is a replay, an input track, a table of comma-separated values "
      "(.csv) with a row for each player and tick at which something changes, "
      "or a file of lines of JSON (.jsonl) with a tick each. Neither pack nor "
      "simulation is needed. `reprise run --inputs` plays all of them.";
  command.arguments = {"FILE", 1, 1};
  command.flags = {
      {"from", "auto|track|csv|jsonl",
       "What FILE is. By itself, what its name ends in.",
       ChoiceTarget{&options->from, {"auto", "track", "csv", "jsonl"}}},
      {"to", "auto|track|csv|jsonl",
       "What to make of it. By itself, what the name of --output ends in, or a "
       "track.",
       ChoiceTarget{&options->to, {"auto", "track", "csv", "jsonl"}}},
      {"output", "FILE", "Where to. Standard output if unset.",
       &options->output},
      {"pack", "NAME", "Say that the inputs are for the pack of this name.",
       &options->pack},
      {"ticks", "N",
       "The length of the run. If unset, what FILE says, or up to its last "
       "inputs.",
       &options->ticks},
  };
  command.examples = {
      {"Make a track of another game's inputs",
       "reprise convert moves.csv --pack marble --ticks 870 --output "
       "moves.txtpb"},
      {"Open a replay's inputs in a spreadsheet",
       "reprise convert game.mcap --output game.csv"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return Convert(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
