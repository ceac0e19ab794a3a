// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise export`: what a renderer needs of every tick of a replay.

#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "google/protobuf/util/json_util.h"
#include "replays/format/proto_conversion.h"
#include "replays/format/replay_reader.h"
#include "replays/playing/playback_clock.h"
#include "replays/playing/replay_player.h"
#include "reprise/v1/frame.pb.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/inputs/replay_file.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

struct Options {
  std::string_view format = "jsonl";
  uint64_t first = 0;
  std::optional<uint64_t> last;
  uint64_t every = 1;
  std::string pack;
  std::string speed;  // empty: as fast as it goes
  bool reverse = false;
  std::string output;
};

// One Frame message on one line, its keys as in the .proto. Zeros are written
// out: readers need no schema to know that they are there. The first one has
// the meshes that all refer to.
absl::StatusOr<std::string> FrameToJson(const sim::Simulation& simulation,
                                        bool is_first) {
  google::protobuf::util::JsonPrintOptions print_options;
  print_options.preserve_proto_field_names = true;
  print_options.always_print_primitive_fields = true;
  v1::Frame frame =
      replays::ToProto(simulation.ProduceFrame(), simulation.info().tick_rate);
  if (is_first) replays::AddMeshes(simulation.FrameMeshes(), frame);
  std::string json;
  const auto status =
      google::protobuf::util::MessageToJsonString(frame, &json, print_options);
  if (!status.ok()) {
    return absl::InternalError(fmt::format("frame of tick {}: {}",
                                           simulation.tick(),
                                           std::string(status.message())));
  }
  return json;
}

// When each frame is due; nullopt where nobody waits.
absl::StatusOr<std::optional<replays::PlaybackClock>> MakeClock(
    const Options& options, sim::Tick first, sim::Tick last,
    sim::TickRate rate) {
  if (options.speed.empty()) return std::nullopt;
  double speed = 0;
  const char* const end = options.speed.data() + options.speed.size();
  const auto parsed = std::from_chars(options.speed.data(), end, speed);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    return absl::InvalidArgumentError(
        fmt::format("--speed takes a number, not '{}'", options.speed));
  }
  absl::StatusOr<replays::PlaybackClock> clock =
      replays::PlaybackClock::Create(first, last, rate, speed);
  if (!clock.ok()) return clock.status();
  return *std::move(clock);
}

absl::StatusOr<uint64_t> WriteFrames(const Options& options, sim::Tick last,
                                     replays::ReplayPlayer& player,
                                     std::ostream& out, Console& console) {
  const sim::Tick low = options.first;
  const sim::Tick count = (last - low) / options.every + 1;
  const auto tick_of = [&](sim::Tick i) {
    return options.reverse ? last - i * options.every : low + i * options.every;
  };
  const auto clock = MakeClock(options, tick_of(0), tick_of(count - 1),
                               player.simulation().info().tick_rate);
  if (!clock.ok()) return clock.status();
  ProgressBar progress(console, "exporting", count);
  const auto start = std::chrono::steady_clock::now();
  for (sim::Tick i = 0; i < count && out; ++i) {
    const sim::Tick tick = tick_of(i);
    const absl::Status status = player.SeekTo(tick);
    if (!status.ok()) return status;
    const absl::StatusOr<std::string> json =
        FrameToJson(player.simulation(), /*is_first=*/i == 0);
    if (!json.ok()) return json.status();
    if (clock->has_value()) {
      std::this_thread::sleep_until(start + (*clock)->TimeOf(tick));
    }
    out << *json << '\n';
    if (clock->has_value()) out.flush();
    progress.Update(i);
  }
  return count;
}

absl::StatusOr<ExitCode> ExportReplay(const Options& options,
                                      const std::string& path,
                                      Console& console) {
  const absl::StatusOr<std::unique_ptr<replays::ReplayReader>> replay =
      OpenReplayFile(path, console);
  if (!replay.ok()) return replay.status();
  const sim::Tick tick_count = (*replay)->tick_count();
  const sim::Tick last = options.last.value_or(tick_count);
  if (last > tick_count || options.first > last) {
    return absl::InvalidArgumentError(
        fmt::format("{} has the ticks 0 to {}, not {} to {}", path, tick_count,
                    options.first, last));
  }
  if (options.every == 0) {
    return absl::InvalidArgumentError("--every takes 1 or more");
  }
  std::error_code ignored;  // A file that isn't there yet is another one.
  if (std::filesystem::equivalent(path, options.output, ignored)) {
    return absl::InvalidArgumentError("--output would overwrite the replay");
  }
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  const absl::StatusOr<std::unique_ptr<replays::ReplayPlayer>> player =
      replays::ReplayPlayer::Create(replay->get(), *pack ? &**pack : nullptr);
  if (!player.ok()) return player.status();
  NoteOtherPack(path, **replay, (*player)->simulation(), console);

  std::ofstream file;
  if (!options.output.empty()) file.open(options.output, std::ios::binary);
  std::ostream& out = options.output.empty() ? console.out() : file;
  const absl::StatusOr<uint64_t> count =
      WriteFrames(options, last, **player, out, console);
  if (!count.ok()) return count.status();
  out.flush();
  if (!out) {
    return absl::UnavailableError(fmt::format(
        "{} can't be written",
        options.output.empty() ? "standard output" : options.output));
  }
  console.Note(fmt::format("{} frames", *count));
  return ExitCode::kOk;
}

}  // namespace

Command MakeExportCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "export";
  command.summary = "Writes the frames of a replay, for renderers";
  command.description =
      "A frame is what there is to draw before the inputs of a tick. In jsonl "
      "each is a line with a reprise.v1.Frame message as JSON; the triangles "
      "of "
      "hulls and surfaces come with the first one.";
  command.arguments = {"FILE", 1, 1};
  command.flags = {
      {"format", "jsonl", "How to write frames. jsonl if unset.",
       ChoiceTarget{&options->format, {"jsonl"}}},
      {"from", "TICK", "The first frame. 0 if unset.", &options->first},
      {"to", "TICK", "The last frame. The end of the replay if unset.",
       &options->last},
      {"every", "N", "Only every Nth tick, from the first on. 1 if unset.",
       &options->every},
      {"reverse", "", "Backwards: from the last frame to the first.",
       &options->reverse},
      {"speed", "X",
       "Write each frame when it is due at this many times real time (0.001 to "
       "1000000), for whoever watches. As fast as it goes if unset.",
       &options->speed},
      {"pack", "PACK", "The pack of a replay that doesn't hold it.",
       &options->pack},
      {"output", "FILE", "Where to. Standard output if unset.",
       &options->output},
  };
  command.examples = {
      {"All frames of a replay",
       "reprise export game.mcap --output game.jsonl"},
      {"Watch the end again, backwards at half the speed",
       "reprise export game.mcap --from 3000 --reverse --speed 0.5 | viewer"},
      {"Two frames a second of the first minute at 60 Hz",
       "reprise export game.mcap --to 3600 --every 30"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return ExportReplay(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
