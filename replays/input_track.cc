// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/input_track.h"

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
#include "replays/byte_file.h"
#include "replays/proto_conversion.h"
#include "reprise/v1/input.pb.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// Nothing in a track nests deeper than a command's arguments.
constexpr int kNestingMax = 16;

// Where something stands in a text, counted from 1.
std::string FormatPlace(std::string_view file_name, int line, int column) {
  return fmt::format("{}:{}:{}", file_name, line + 1, column + 1);
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
  TrackBuilder(const v1::InputTrack& message,
               const google::protobuf::TextFormat::ParseInfoTree& places,
               std::string_view file_name)
      : message_(message), places_(places), file_name_(file_name) {}

  absl::StatusOr<InputTrack> Build() const {
    if (message_.tick_count() > sim::kTickMax) {
      return absl::InvalidArgumentError(
          fmt::format("{}: tick_count {} is more than {}", file_name_,
                      message_.tick_count(), sim::kTickMax));
    }
    InputTrack track{.pack = message_.pack(),
                     .tick_count = message_.tick_count(),
                     .ticks = {}};
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
      track.ticks.push_back(
          {.tick = inputs.tick(), .frames = *std::move(frames)});
    }
    return track;
  }

 private:
  absl::Status ErrorAt(int index, std::string_view message) const {
    const auto* const field =
        v1::InputTrack::descriptor()->FindFieldByName("ticks");
    const auto place = places_.GetLocation(field, index);
    return absl::InvalidArgumentError(fmt::format(
        "{}: tick {} {}", FormatPlace(file_name_, place.line, place.column),
        message_.ticks(index).tick(), message));
  }

  const v1::InputTrack& message_;
  const google::protobuf::TextFormat::ParseInfoTree& places_;
  const std::string_view file_name_;
};

}  // namespace

absl::StatusOr<InputTrack> ParseInputTrack(std::string_view text,
                                           std::string_view file_name) {
  if (text.size() > kInputTrackBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} bytes; a track has at most {}", file_name,
                    text.size(), kInputTrackBytesMax));
  }
  FirstError error(file_name);
  google::protobuf::TextFormat::ParseInfoTree places;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(&places);
  parser.SetRecursionLimit(kNestingMax);
  google::protobuf::io::ArrayInputStream stream(text.data(),
                                                static_cast<int>(text.size()));
  v1::InputTrack message;
  if (!parser.Parse(&stream, &message)) {
    return absl::InvalidArgumentError(error.text());
  }
  return TrackBuilder(message, places, file_name).Build();
}

absl::StatusOr<InputTrack> ReadInputTrack(const std::string& path) {
  absl::StatusOr<std::unique_ptr<FileSource>> source = FileSource::Open(path);
  if (!source.ok()) return source.status();
  if ((*source)->size() > kInputTrackBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {} bytes; a track has at most {}", path,
                    (*source)->size(), kInputTrackBytesMax));
  }
  std::string text((*source)->size(), '\0');
  absl::Status status =
      (*source)->ReadAt(0, std::as_writable_bytes(std::span(text)));
  if (!status.ok()) return status;
  return ParseInputTrack(text, path);
}

std::string FormatInputTrack(const InputTrack& track,
                             const sim::InputGrammar& grammar) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseShortRepeatedPrimitives(true);
  v1::InputTrack head;
  head.set_pack(track.pack);
  std::string text;
  if (!track.pack.empty()) {
    CHECK(printer.PrintToString(head, &text));
    absl::StrAppend(&text, "\n");
  }
  absl::StrAppend(&text, "tick_count: ", track.tick_count, "\n");
  for (const TickInputs& inputs : track.ticks) {
    // A line of its own, so that one change is one line of a diff.
    v1::InputTrack line;
    v1::TickInputs& message = *line.add_ticks();
    message.set_tick(inputs.tick);
    for (const sim::InputFrame& frame : inputs.frames) {
      *message.add_frames() = ToProto(frame, grammar);
    }
    std::string line_text;
    CHECK(printer.PrintToString(line, &line_text));
    absl::StrAppend(&text, line_text, "\n");
  }
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
