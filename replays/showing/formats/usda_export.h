// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run as USD text: an Xform an object with its solids beneath it, and time
// samples by tick, whose keys lead past every pose within a stated error.

#ifndef REPRISE_REPLAYS_SHOWING_FORMATS_USDA_EXPORT_H_
#define REPRISE_REPLAYS_SHOWING_FORMATS_USDA_EXPORT_H_

#include <ostream>
#include <string>
#include <string_view>

#include "replays/showing/frame_stream.h"
#include "replays/showing/object_tracks.h"

namespace reprise::replays {

// Takes the frames of a stream as it goes on, and keeps their keys. Values are
// doubles, to the last bit; time codes are ticks. The layer's custom data names
// the run, the digests of its first and last state, and the errors.
class UsdaExport {
 public:
  // `stream` must remain live while this export is in use.
  UsdaExport(const FrameStream* stream, PoseTolerance tolerance)
      : stream_(*stream), tracks_(stream, tolerance, Precision::kDouble) {}

  // Takes over the frame that the stream is at.
  void AddFrame() { tracks_.AddFrame(); }

  void Finish(std::ostream& out);

 private:
  const FrameStream& stream_;
  ObjectTracks tracks_;
};

// What an object is called within USD, where names are identifiers: "crate_7"
// stays as it is; of other names, the letters that fit, and the serial.
std::string UsdName(std::string_view name, uint64_t serial);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FORMATS_USDA_EXPORT_H_
