// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise export`: what there is to see of a replay, in the formats of others.

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/container/byte_stream.h"
#include "replays/playing/playback_clock.h"
#include "replays/rendering/debug_layers.h"
#include "replays/showing/formats/csv_export.h"
#include "replays/showing/formats/foxglove_export.h"
#include "replays/showing/formats/gltf_export.h"
#include "replays/showing/formats/json_lines_export.h"
#include "replays/showing/formats/usda_export.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/object_tracks.h"
#include "replays/showing/shown_expressions.h"
#include "replays/showing/shown_scene.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/shown_replay.h"
#include "tools/reprise/reports/output_file.h"
#include "tools/reprise/verbs/commands.h"

namespace reprise::tools {
namespace {

// An error is a length that means something: between an atom and a mountain.
constexpr double kErrorMin = 1e-9;
constexpr double kErrorMax = 1e3;

struct Options {
  std::string_view format;  // empty: as --output ends
  std::vector<std::string> fields;
  bool is_long = false;
  std::vector<std::string> layers;
  std::optional<std::string> error;
  FrameFlags frames;
  std::optional<std::string> speed;  // unset: as fast as it goes
  bool reverse = false;
  std::string output;
};

absl::StatusOr<double> ParseNumber(std::string_view flag,
                                   std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) return number;
  return absl::InvalidArgumentError(
      fmt::format("{} takes a number, not '{}'", flag, text));
}

// When each frame is due; nullopt where nobody waits.
absl::StatusOr<std::optional<replays::PlaybackClock>> MakeClock(
    const Options& options, const replays::FrameStream& stream) {
  if (!options.speed.has_value()) return std::nullopt;
  const absl::StatusOr<double> speed = ParseNumber("--speed", *options.speed);
  if (!speed.ok()) return speed.status();
  absl::StatusOr<replays::PlaybackClock> clock = replays::PlaybackClock::Create(
      stream.TickOf(0), stream.TickOf(stream.frame_count() - 1),
      stream.source().tick_rate, *speed);
  if (!clock.ok()) return clock.status();
  return *std::move(clock);
}

absl::StatusOr<replays::PoseTolerance> ToleranceOf(const Options& options) {
  replays::PoseTolerance tolerance;
  if (!options.error.has_value()) return tolerance;
  const absl::StatusOr<double> error = ParseNumber("--error", *options.error);
  if (!error.ok()) return error.status();
  if (!(*error >= kErrorMin && *error <= kErrorMax)) {
    return absl::InvalidArgumentError(fmt::format(
        "--error is a length in metres from {} to {}", kErrorMin, kErrorMax));
  }
  // A turn that moves what is half a metre away by as much.
  return replays::PoseTolerance{*error, 2 * *error};
}

// Makes the file of one format of the frames of a stream.
class Exporter {
 public:
  virtual ~Exporter() = default;
  virtual absl::Status AddFrame() = 0;
  virtual absl::Status Finish() { return absl::OkStatus(); }
};

class JsonLinesExporter final : public Exporter {
 public:
  JsonLinesExporter(const replays::FrameStream* stream, std::ostream* out)
      : lines_(stream), out_(*out) {}

  absl::Status AddFrame() override {
    const absl::StatusOr<std::string> line = lines_.FormatFrame();
    if (!line.ok()) return line.status();
    out_ << *line << '\n';
    return absl::OkStatus();
  }

 private:
  replays::JsonLinesExport lines_;
  std::ostream& out_;
};

void WarnOfNoAnswers(const replays::ShownExpressions& expressions,
                     std::string_view consequence, Console& console) {
  const uint64_t count = expressions.problem_count();
  if (count == 0) return;
  console.Warning(fmt::format("{}; no answer {} time{}, {}",
                              expressions.first_problem(), count,
                              count == 1 ? "" : "s", consequence));
}

void WarnOfNotFinite(const replays::ShownExpressions& expressions,
                     std::string_view consequence, Console& console) {
  const uint64_t count = expressions.not_finite_count();
  if (count == 0) return;
  console.Warning(fmt::format("{}; not a finite number {} time{}, {}",
                              expressions.first_not_finite(), count,
                              count == 1 ? "" : "s", consequence));
}

class CsvExporter final : public Exporter {
 public:
  CsvExporter(std::unique_ptr<replays::CsvExport> csv, Console* console)
      : csv_(std::move(csv)), console_(*console) {}

  absl::Status AddFrame() override { return csv_->AddFrame(); }
  absl::Status Finish() override {
    csv_->Finish();
    WarnOfNoAnswers(csv_->expressions(), "the cells are empty", console_);
    WarnOfNotFinite(csv_->expressions(), "the cells say which", console_);
    return absl::OkStatus();
  }

 private:
  const std::unique_ptr<replays::CsvExport> csv_;
  Console& console_;
};

class GltfExporter final : public Exporter {
 public:
  GltfExporter(const replays::FrameStream* stream,
               replays::PoseTolerance tolerance, std::ostream* out)
      : gltf_(stream, tolerance), out_(*out) {}

  absl::Status AddFrame() override {
    gltf_.AddFrame();
    return absl::OkStatus();
  }
  absl::Status Finish() override {
    const absl::StatusOr<std::string> file = gltf_.Finish();
    if (file.ok()) out_ << *file;
    return file.status();
  }

 private:
  replays::GltfExport gltf_;
  std::ostream& out_;
};

class UsdaExporter final : public Exporter {
 public:
  UsdaExporter(const replays::FrameStream* stream,
               replays::PoseTolerance tolerance, std::ostream* out)
      : usda_(stream, tolerance), out_(*out) {}

  absl::Status AddFrame() override {
    usda_.AddFrame();
    return absl::OkStatus();
  }
  absl::Status Finish() override {
    usda_.Finish(out_);
    return absl::OkStatus();
  }

 private:
  replays::UsdaExport usda_;
  std::ostream& out_;
};

// A stream that fails says so itself, when all is written.
class StreamSink final : public replays::ByteSink {
 public:
  explicit StreamSink(std::ostream* out) : out_(*out) {}

  absl::Status Append(std::span<const std::byte> bytes) override {
    out_.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return absl::OkStatus();
  }
  absl::Status Flush() override {
    out_.flush();
    return absl::OkStatus();
  }

 private:
  std::ostream& out_;
};

class FoxgloveExporter final : public Exporter {
 public:
  static absl::StatusOr<std::unique_ptr<Exporter>> Create(
      const replays::FrameStream& stream,
      const std::vector<std::string>& expressions,
      std::vector<replays::DebugLayer> layers, std::ostream& out,
      Console& console) {
    std::unique_ptr<FoxgloveExporter> made(
        new FoxgloveExporter(stream, std::move(layers), out, console));
    absl::StatusOr<std::unique_ptr<replays::FoxgloveExport>> mcap =
        replays::FoxgloveExport::Create(&stream, expressions, &made->sink_);
    if (!mcap.ok()) return mcap.status();
    made->mcap_ = *std::move(mcap);
    return made;
  }

  absl::Status AddFrame() override {
    absl::Status status = mcap_->AddFrame();
    if (!status.ok() || layers_.empty()) return status;
    return mcap_->AddLines(replays::DrawLayers(layers_, stream_).lines);
  }
  absl::Status Finish() override {
    WarnOfNoAnswers(mcap_->expressions(), "the values are left out", console_);
    WarnOfNotFinite(mcap_->expressions(), "the values are left out", console_);
    return mcap_->Finish();
  }

 private:
  FoxgloveExporter(const replays::FrameStream& stream,
                   std::vector<replays::DebugLayer> layers, std::ostream& out,
                   Console& console)
      : stream_(stream),
        layers_(std::move(layers)),
        sink_(&out),
        console_(console) {}

  const replays::FrameStream& stream_;
  const std::vector<replays::DebugLayer> layers_;
  StreamSink sink_;
  Console& console_;
  std::unique_ptr<replays::FoxgloveExport> mcap_;
};

absl::StatusOr<std::unique_ptr<Exporter>> MakeExporter(
    const Options& options, const replays::FrameStream& stream,
    std::ostream& out, Console& console) {
  if (options.format == "jsonl") {
    return std::make_unique<JsonLinesExporter>(&stream, &out);
  }
  const absl::StatusOr<std::vector<std::string>> expressions =
      replays::SplitExpressions(options.fields);
  if (!expressions.ok()) return expressions.status();
  if (options.format == "mcap") {
    absl::StatusOr<std::vector<replays::DebugLayer>> layers =
        replays::ParseDebugLayers(options.layers);
    if (!layers.ok()) return layers.status();
    return FoxgloveExporter::Create(stream, *expressions, *std::move(layers),
                                    out, console);
  }
  if (options.format == "csv") {
    absl::StatusOr<std::unique_ptr<replays::CsvExport>> csv =
        replays::CsvExport::Create(&stream, *expressions,
                                   options.is_long ? replays::CsvShape::kLong
                                                   : replays::CsvShape::kWide,
                                   &out);
    if (!csv.ok()) return csv.status();
    return std::make_unique<CsvExporter>(*std::move(csv), &console);
  }
  const absl::StatusOr<replays::PoseTolerance> tolerance = ToleranceOf(options);
  if (!tolerance.ok()) return tolerance.status();
  if (options.format == "gltf") {
    return std::make_unique<GltfExporter>(&stream, *tolerance, &out);
  }
  return std::make_unique<UsdaExporter>(&stream, *tolerance, &out);
}

absl::Status CheckOptions(const Options& options) {
  const bool is_csv = options.format == "csv";
  const bool is_mcap = options.format == "mcap";
  const bool has_keys = options.format == "gltf" || options.format == "usda";
  if (!is_csv && options.is_long) {
    return absl::InvalidArgumentError("--long is of --format csv");
  }
  if (!is_csv && !is_mcap && !options.fields.empty()) {
    return absl::InvalidArgumentError("--fields are of --format csv and mcap");
  }
  if (!is_mcap && !options.layers.empty()) {
    return absl::InvalidArgumentError(
        "--layers are of --format mcap, and of render");
  }
  if (!has_keys && options.error.has_value()) {
    return absl::InvalidArgumentError(
        "--error is of --format gltf and usda: the others leave out no pose");
  }
  if ((has_keys || is_mcap) && options.reverse) {
    return absl::InvalidArgumentError(
        "--reverse is of --format jsonl and csv: an animation plays backwards "
        "where it is shown");
  }
  return options.frames.Check();
}

// What is asked for; else what the name of the file stands for.
std::string_view FormatOf(const Options& options) {
  if (!options.format.empty()) return options.format;
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {".csv", "csv"},   {".glb", "gltf"},  {".gltf", "gltf"},
      {".usda", "usda"}, {".mcap", "mcap"},
  };
  for (const auto& [ending, format] : kEndings) {
    if (options.output.ends_with(ending)) return format;
  }
  return "jsonl";
}

// What is no text goes into a file whoever asks.
std::string OutputOf(const Options& options, const std::string& path) {
  if (!options.output.empty()) return options.output;
  const std::string stem = std::filesystem::path(path).stem().string();
  if (options.format == "gltf") return stem + ".glb";
  if (options.format == "mcap") return stem + ".frames.mcap";
  return "";
}

absl::Status WriteFrames(const Options& options, replays::FrameStream& stream,
                         std::ostream& out, Console& console) {
  const auto clock = MakeClock(options, stream);
  if (!clock.ok()) return clock.status();
  const absl::StatusOr<std::unique_ptr<Exporter>> exporter =
      MakeExporter(options, stream, out, console);
  if (!exporter.ok()) return exporter.status();
  ProgressBar progress(console, "exporting", stream.frame_count());
  const auto start = std::chrono::steady_clock::now();
  for (uint64_t i = 0; i < stream.frame_count() && out; ++i) {
    const absl::StatusOr<bool> is_there = stream.Next();
    if (!is_there.ok()) return is_there.status();
    if (clock->has_value()) {
      const replays::ShownFrame& frame = stream.frame();
      std::this_thread::sleep_until(
          start + (*clock)->TimeOf(frame.tick, std::abs(frame.ticks_before)));
    }
    absl::Status status = (*exporter)->AddFrame();
    if (!status.ok()) return status;
    if (clock->has_value()) out.flush();
    progress.Update(i);
  }
  return (*exporter)->Finish();
}

// Lines that somebody waits for, and what is printed, are there as they come;
// any other file when it is whole.
absl::Status WriteOutput(const Options& options, const std::string& output,
                         replays::FrameStream& stream, Console& console) {
  if (!output.empty() && !options.speed.has_value()) {
    OutputFile file(output);
    const absl::Status status =
        file.out() ? WriteFrames(options, stream, file.out(), console)
                   : absl::OkStatus();
    return status.ok() ? file.Finish() : status;
  }
  std::ofstream file;
  if (!output.empty()) file.open(output, std::ios::binary);
  std::ostream& out = output.empty() ? console.out() : file;
  if (out) {
    const absl::Status status = WriteFrames(options, stream, out, console);
    if (!status.ok()) return status;
    out.flush();
  }
  if (out) return absl::OkStatus();
  return absl::UnavailableError(fmt::format(
      "{} can't be written", output.empty() ? "standard output" : output));
}

absl::StatusOr<ExitCode> ExportReplay(Options options, const std::string& path,
                                      Console& console) {
  options.format = FormatOf(options);
  absl::Status status = CheckOptions(options);
  if (!status.ok()) return status;
  const std::string output = OutputOf(options, path);
  std::error_code ignored;  // A file that isn't there yet is another one.
  if (std::filesystem::equivalent(path, output, ignored)) {
    return absl::InvalidArgumentError("--output would overwrite the replay");
  }
  absl::StatusOr<ShownReplay> shown = ShownReplay::Open(
      path, options.frames,
      {.reverse = options.reverse, .keeps_events = options.format == "mcap"},
      console);
  if (!shown.ok()) return shown.status();
  replays::FrameStream& stream = shown->stream();

  status = WriteOutput(options, output, stream, console);
  if (!status.ok()) return status;
  // Values are there whether anything is drawn or not.
  if (stream.objects().empty() && options.fields.empty()) {
    console.Note(options.frames.objects.empty()
                     ? "the simulation shows no objects: there is nothing to "
                       "see"
                     : "no object is called so, or of a type that is: there is "
                       "nothing to see");
  }
  console.Note(fmt::format(
      "{} frame{}{}", stream.frame_count(),
      stream.frame_count() == 1 ? "" : "s",
      options.output.empty() && !output.empty() ? " in " + output : ""));
  return ExitCode::kOk;
}

std::vector<Flag> MakeFlags(Options& options) {
  std::vector<Flag> flags = {
      {"format", "FORMAT",
       "How to write frames: jsonl, csv, gltf (binary glTF 2.0), usda (USD "
       "text) or mcap (for Foxglove and its kin). If unset, what --output ends "
       "in (.csv, .glb or .gltf, .usda, .mcap), else jsonl.",
       ChoiceTarget{&options.format, {"jsonl", "csv", "gltf", "usda", "mcap"}}},
      {"fields", "EXPRESSION,...",
       "The columns of a csv, or the topics of an mcap to plot, in the "
       "language "
       "of queries. In a csv the pose of each object, a row each, if unset.",
       &options.fields},
      {"layers", "LAYER,...",
       "Lines of an mcap: contacts, joints, triggers, regions, paths, spaces, "
       "axes, velocities.",
       &options.layers},
      {"long", "", "A csv with a row for each value, not for each frame.",
       &options.is_long},
      {"error", "METRES",
       "How far what a gltf or usda shows may be from the run; rotations by "
       "twice as many radians. 0.001 if unset.",
       &options.error},
      {"reverse", "", "Backwards: from the last frame to the first.",
       &options.reverse},
      {"speed", "X",
       "Write each frame when it is due at this many times real time (0.001 to "
       "1000000), for whoever watches. As fast as it goes if unset.",
       &options.speed},
      {"output", "FILE",
       "Where to. Standard output if unset; of a gltf, the replay's name with "
       ".glb, and of an mcap with .frames.mcap.",
       &options.output},
  };
  const std::vector<Flag> frames = options.frames.flags();
  flags.insert(flags.end(), frames.begin(), frames.end());
  flags.push_back(options.frames.rate_flag());
  flags.push_back(options.frames.objects_flag());
  return flags;
}

}  // namespace

Command MakeExportCommand() {
  const auto options = std::make_shared<Options>();
  Command command;
  command.name = "export";
  command.summary = "Writes what a replay looks like, for other programs";
  command.description =
      "A frame is what there is to draw before the inputs of a tick. In jsonl "
      "each is a line with a reprise.v1.Frame message as JSON; triangles come "
      "with the first one, shapes with an object's first. A gltf or usda is an "
      "animation whose keys lead past every pose within --error. All name the "
      "replay's digest, ticks, and digests of states. docs/show.md has more.";
  command.arguments = {"FILE", 1, 1};
  command.flags = MakeFlags(*options);
  command.examples = {
      {"All frames of a replay",
       "reprise export game.mcap --output game.jsonl"},
      {"Look at it in Blender", "reprise export game.mcap --output game.glb"},
      {"Look at it in Foxglove, with a plot",
       "reprise export game.mcap --format mcap --fields "
       "'player.bodies.position.y'"},
      {"Two values at each tick, for a spreadsheet",
       "reprise export game.mcap --fields 'player.bodies.position.y, outcome' "
       "--output game.csv"},
      {"Watch the end again, backwards at half the speed",
       "reprise export game.mcap --from 3000 --reverse --speed 0.5 | viewer"},
      {"Two frames a second of the first minute at 60 Hz",
       "reprise export game.mcap --to 3600 --every 30"},
      {"As smooth as a screen of 144 Hz, whatever the ticks are",
       "reprise export game.mcap --rate 144 --output game.glb"},
  };
  command.run = [options](const std::vector<std::string>& arguments,
                          Console& console) {
    return ExportReplay(*options, arguments.front(), console);
  };
  return command;
}

}  // namespace reprise::tools
