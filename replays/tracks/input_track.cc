// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/tracks/input_track.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "fmt/format.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "replays/container/byte_file.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/input.pb.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/base/utf8.h"

namespace reprise::replays {
namespace {

// Nothing in a track nests deeper than a command's arguments.
constexpr int kNestingMax = 16;

// Where something stands in a text, counted from 1.
std::string FormatPlace(std::string_view file_name, int line, int column) {
  return fmt::format("{}:{}:{}", file_name, line + 1, column + 1);
}

// `message` on one line.
std::string FormatLine(const v1::InputTrack& message) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseShortRepeatedPrimitives(true);
  std::string text;
  CHECK(printer.PrintToString(message, &text));
  while (text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

// Keeps the first error; the ones after it are often its consequences.
class FirstError final : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(std::string_view file_name) : file_name_(file_name) {}

  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = absl::StrCat(FormatPlace(file_name_, line, column), ": ", message);
  }

  const std::string& text() const { return text_; }

 private:
  const std::string_view file_name_;
  std::string text_;
};

// Turns a parsed message into a track and says where it contradicts itself.
class TrackBuilder {
 public:
  // `places` of the parts of the message; null where there are none.
  TrackBuilder(const v1::InputTrack& message,
               const google::protobuf::TextFormat::ParseInfoTree* places,
               std::string_view file_name)
      : message_(message), places_(places), file_name_(file_name) {}

  absl::StatusOr<InputTrack> Build() const {
    if (message_.tick_count() > sim::kTickMax) {
      return absl::InvalidArgumentError(
          fmt::format("{}: tick_count {} is more than {}", file_name_,
                      message_.tick_count(), sim::kTickMax));
    }
    if (!sim::IsUtf8(message_.pack()) ||
        !sim::IsUtf8(message_.run().simulation())) {
      return absl::InvalidArgumentError(
          fmt::format("{}: pack or run.simulation isn't UTF-8", file_name_));
    }
    InputTrack track{.pack = message_.pack(),
                     .tick_count = message_.tick_count(),
                     .run = std::nullopt,
                     .ticks = {}};
    if (message_.has_run()) {
      absl::StatusOr<RunDescription> run = BuildRun(message_.run());
      if (!run.ok()) return run.status();
      track.run = *std::move(run);
    }
    for (int i = 0; i < message_.ticks_size(); ++i) {
      const v1::TickInputs& inputs = message_.ticks(i);
      if (i > 0 && inputs.tick() <= track.ticks.back().tick) {
        return ErrorAt(i, fmt::format("follows tick {}; ticks ascend",
                                      track.ticks.back().tick));
      }
      if (inputs.tick() >= track.tick_count) {
        return ErrorAt(
            i, fmt::format("is not below the tick_count {}", track.tick_count));
      }
      absl::StatusOr<std::vector<sim::InputFrame>> frames =
          FromProto(inputs.frames());
      if (!frames.ok())
        return ErrorAt(i, std::string(frames.status().message()));
      if (!std::ranges::all_of(inputs.frames(), &HasUtf8Texts)) {
        return ErrorAt(i, "has a text or a name that isn't UTF-8");
      }
      track.ticks.push_back(
          {.tick = inputs.tick(), .frames = *std::move(frames)});
    }
    return track;
  }

 private:
  absl::StatusOr<RunDescription> BuildRun(
      const v1::RunDescription& message) const {
    const auto refuse = [this](std::string_view reason) {
      return absl::InvalidArgumentError(
          fmt::format("{}: run: {}", PlaceOf("run", -1), reason));
    };
    RunDescription run{.simulation = message.simulation(),
                       .pack_digest = std::nullopt,
                       .seed = message.seed(),
                       .writer = {}};
    if (!message.pack_digest().empty()) {
      const auto digest = sim::ParseContentDigest(message.pack_digest());
      if (!digest.ok()) return refuse("pack_digest is no digest");
      run.pack_digest = *digest;
    }
    ReplayWriterOptions& writer = run.writer;
    if (message.has_digest_stride()) {
      writer.digest_stride = message.digest_stride();
    }
    if (message.has_keyframe_stride()) {
      writer.keyframe_stride = message.keyframe_stride();
    }
    if (message.has_keyframe_bytes_per_tick()) {
      writer.keyframe_bytes_per_tick = message.keyframe_bytes_per_tick();
    }
    if (message.has_batch_ticks()) writer.batch_ticks = message.batch_ticks();
    if (writer.digest_stride == 0) return refuse("digest_stride is 0");
    if (writer.digest_stride > kDigestStrideMax) {
      return refuse(
          fmt::format("digest_stride is at most {}", kDigestStrideMax));
    }
    if (writer.batch_ticks == 0) return refuse("batch_ticks is 0");
    return run;
  }

  absl::Status ErrorAt(int index, std::string_view message) const {
    return absl::InvalidArgumentError(
        fmt::format("{}: tick {} {}", PlaceOf("ticks", index),
                    message_.ticks(index).tick(), message));
  }

  std::string PlaceOf(const char* name, int index) const {
    if (places_ == nullptr) return std::string(file_name_);
    const auto* const field =
        v1::InputTrack::descriptor()->FindFieldByName(name);
    const auto place = places_->GetLocation(field, index);
    return FormatPlace(file_name_, place.line, place.column);
  }

  const v1::InputTrack& message_;
  const google::protobuf::TextFormat::ParseInfoTree* const places_;
  const std::string_view file_name_;
};

absl::Status ParseText(std::string_view text, std::string_view file_name,
                       google::protobuf::TextFormat::ParseInfoTree& places,
                       v1::InputTrack& message) {
  if (text.size() > kInputTrackBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} bytes; a track has at most {}", file_name,
                    text.size(), kInputTrackBytesMax));
  }
  FirstError error(file_name);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(&places);
  parser.SetRecursionLimit(kNestingMax);
  google::protobuf::io::ArrayInputStream stream(text.data(),
                                                static_cast<int>(text.size()));
  if (parser.Parse(&stream, &message)) return absl::OkStatus();
  return absl::InvalidArgumentError(error.text());
}

}  // namespace

absl::StatusOr<InputTrack> ParseInputTrack(std::string_view text,
                                           std::string_view file_name) {
  google::protobuf::TextFormat::ParseInfoTree places;
  v1::InputTrack message;
  const absl::Status status = ParseText(text, file_name, places, message);
  if (!status.ok()) return status;
  return TrackBuilder(message, &places, file_name).Build();
}

absl::StatusOr<v1::InputTrack> ParseTrackMessage(std::string_view text,
                                                 std::string_view file_name) {
  google::protobuf::TextFormat::ParseInfoTree places;
  v1::InputTrack message;
  const absl::Status status = ParseText(text, file_name, places, message);
  if (!status.ok()) return status;
  const absl::StatusOr<InputTrack> track =
      TrackBuilder(message, &places, file_name).Build();
  if (!track.ok()) return track.status();
  return message;
}

absl::StatusOr<InputTrack> ToInputTrack(const v1::InputTrack& message,
                                        std::string_view file_name) {
  return TrackBuilder(message, nullptr, file_name).Build();
}

absl::StatusOr<std::string> ReadInputText(const std::string& path) {
  absl::StatusOr<std::unique_ptr<FileSource>> source = FileSource::Open(path);
  if (!source.ok()) return source.status();
  if ((*source)->size() > kInputTrackBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} bytes; a track has at most {}", path,
                    (*source)->size(), kInputTrackBytesMax));
  }
  if ((*source)->size() == 0) {
    return absl::InvalidArgumentError(fmt::format("{}: empty file", path));
  }
  std::string text((*source)->size(), '\0');
  absl::Status status =
      (*source)->ReadAt(0, std::as_writable_bytes(std::span(text)));
  if (!status.ok()) return status;
  return text;
}

absl::StatusOr<InputTrack> ReadInputTrack(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadInputText(path);
  if (!text.ok()) return text.status();
  return ParseInputTrack(*text, path);
}

std::string FormatInputTrack(const InputTrack& track,
                             const sim::InputGrammar& grammar) {
  std::string text = FormatTrackHead(track);
  text += FormatTrackLength(track.tick_count);
  for (const TickInputs& inputs : track.ticks) {
    v1::TickInputs message;
    message.set_tick(inputs.tick);
    for (const sim::InputFrame& frame : inputs.frames) {
      *message.add_frames() = ToProto(frame, grammar);
    }
    text += FormatTrackTick(message);
  }
  return text;
}

std::string FormatTrackMessage(const v1::InputTrack& track) {
  std::string text;
  if (!track.pack().empty()) {
    v1::InputTrack line;
    line.set_pack(track.pack());
    text += FormatLine(line);
  }
  if (track.has_run()) {
    v1::InputTrack line;
    *line.mutable_run() = track.run();
    text += FormatLine(line);
  }
  text += FormatTrackLength(track.tick_count());
  for (const v1::TickInputs& inputs : track.ticks()) {
    text += FormatTrackTick(inputs);
  }
  return text;
}

std::string FormatTrackHead(const InputTrack& track) {
  std::string text;
  if (!track.pack.empty()) {
    v1::InputTrack line;
    line.set_pack(track.pack);
    text += FormatLine(line);
  }
  if (track.run.has_value()) {
    v1::InputTrack line;
    v1::RunDescription& run = *line.mutable_run();
    run.set_simulation(track.run->simulation);
    if (track.run->pack_digest.has_value()) {
      run.set_pack_digest(sim::FormatDigest(*track.run->pack_digest));
    }
    run.set_seed(track.run->seed);
    const ReplayWriterOptions& writer = track.run->writer;
    run.set_digest_stride(writer.digest_stride);
    run.set_keyframe_stride(writer.keyframe_stride);
    run.set_keyframe_bytes_per_tick(writer.keyframe_bytes_per_tick);
    run.set_batch_ticks(writer.batch_ticks);
    text += FormatLine(line);
  }
  return text;
}

std::string FormatTrackLength(sim::Tick tick_count) {
  return fmt::format("tick_count: {}\n", tick_count);
}

std::string FormatTrackTick(const v1::TickInputs& inputs) {
  v1::InputTrack line;
  *line.add_ticks() = inputs;
  std::string text = FormatLine(line);
  // Protobuf leaves zeros out; who looks for tick 0 should find it.
  constexpr std::string_view kOpening = "ticks { ";
  if (inputs.tick() == 0) text.insert(kOpening.size(), "tick: 0 ");
  return text;
}

absl::StatusOr<std::span<const sim::InputFrame>> TrackInputSource::FramesAt(
    sim::Tick tick) {
  while (next_ < track_.ticks.size() && track_.ticks[next_].tick < tick) {
    ++next_;
  }
  if (next_ == track_.ticks.size() || track_.ticks[next_].tick != tick) {
    return std::span<const sim::InputFrame>();
  }
  return std::span<const sim::InputFrame>(track_.ticks[next_].frames);
}

}  // namespace reprise::replays
