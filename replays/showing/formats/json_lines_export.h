// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A frame as a line of JSON: a reprise.v1.Frame whose keys are those of the
// .proto. Meshes and shapes are told once.

#ifndef REPRISE_REPLAYS_SHOWING_FORMATS_JSON_LINES_EXPORT_H_
#define REPRISE_REPLAYS_SHOWING_FORMATS_JSON_LINES_EXPORT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "replays/showing/frame_stream.h"

namespace reprise::replays {

class JsonLinesExport {
 public:
  // `stream` must remain live while this export is in use.
  explicit JsonLinesExport(const FrameStream* stream) : stream_(*stream) {}

  // The frame that the stream is at, without an end of line.
  absl::StatusOr<std::string> FormatFrame();

 private:
  const FrameStream& stream_;
  uint64_t frame_count_ = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FORMATS_JSON_LINES_EXPORT_H_
