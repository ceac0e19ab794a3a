// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/tracks/input_json_lines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "google/protobuf/message.h"
#include "google/protobuf/util/json_util.h"
#include "replays/tracks/input_rows.h"
#include "replays/tracks/input_track.h"
#include "sim/base/check.h"
#include "sim/base/utf8.h"

namespace reprise::replays {
namespace {

absl::Status ParseLine(std::string_view line,
                       google::protobuf::Message& message) {
  if (!sim::IsUtf8(line)) {
    return absl::InvalidArgumentError("the line isn't UTF-8");
  }
  const auto status = google::protobuf::util::JsonStringToMessage(
      {line.data(), line.size()}, &message);
  if (status.ok()) return absl::OkStatus();
  // Behind its first line it draws where it is.
  const std::string problem(status.message());
  return absl::InvalidArgumentError(problem.substr(0, problem.find('\n')));
}

std::string ToJson(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  CHECK(google::protobuf::util::MessageToJsonString(message, &text, options)
            .ok());
  return text;
}

// A field that protobuf writes in quotes, or leaves out where it is 0.
void SetNumber(std::string_view name, uint64_t number, std::string& json) {
  const std::string quoted = fmt::format("\"{}\":\"{}\"", name, number);
  const std::string plain = fmt::format("\"{}\":{}", name, number);
  if (const size_t found = json.find(quoted); found != std::string::npos) {
    json.replace(found, quoted.size(), plain);
  } else if (json.find(fmt::format("\"{}\":", name)) == std::string::npos) {
    json.insert(1, json == "{}" ? plain : plain + ",");
  }
}

}  // namespace

absl::StatusOr<v1::InputTrack> ParseInputJsonLines(std::string_view text,
                                                   std::string_view file_name) {
  InputRows rows(file_name);
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    v1::InputTrack head;
    if (number == 1 && ParseLine(line, head).ok()) {
      const absl::StatusOr<InputTrack> track =
          ToInputTrack(head, fmt::format("{}:{}", file_name, number));
      if (!track.ok()) return track.status();
      if (head.ticks_size() > 0) {
        return rows.ErrorAt(number, "ticks: each has a line of its own");
      }
      rows.SetHead(std::move(head));
      continue;
    }
    v1::TickInputs inputs;
    absl::Status status = ParseLine(line, inputs);
    if (!status.ok()) {
      return rows.ErrorAt(number, std::string(status.message()));
    }
    for (const v1::InputFrame& frame : inputs.frames()) {
      status = rows.Add(number, inputs.tick(), frame);
      if (!status.ok()) return status;
    }
  }
  return std::move(rows).Take();
}

std::string FormatInputJsonLines(const v1::InputTrack& track) {
  v1::InputTrack head = track;
  head.clear_ticks();
  std::string line = ToJson(head);
  SetNumber("tick_count", track.tick_count(), line);
  std::string text = line + "\n";
  for (const v1::TickInputs& inputs : track.ticks()) {
    std::string frames;
    for (const v1::InputFrame& frame : inputs.frames()) {
      line = ToJson(frame);
      SetNumber("player", frame.player(), line);
      frames += fmt::format("{}{}", frames.empty() ? "" : ",", line);
    }
    text +=
        fmt::format("{{\"tick\":{},\"frames\":[{}]}}\n", inputs.tick(), frames);
  }
  return text;
}

}  // namespace reprise::replays
