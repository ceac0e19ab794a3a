// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run as binary glTF 2.0: a node an object, meshes that shapes share, and one
// animation whose keys lead past every pose within a stated error.

#ifndef REPRISE_REPLAYS_SHOWING_FORMATS_GLTF_EXPORT_H_
#define REPRISE_REPLAYS_SHOWING_FORMATS_GLTF_EXPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "replays/showing/frame_stream.h"
#include "replays/showing/object_tracks.h"

namespace reprise::replays {

// Takes the frames of a stream as it goes on, and keeps their keys. The file
// names in `asset.extras` the run, its first and last tick with the digests of
// their states, and the largest errors that were made: those of `tolerance`,
// or more where a float can't tell places apart (0.5 mm at 8 km).
class GltfExport {
 public:
  // `stream` must remain live while this export is in use.
  GltfExport(const FrameStream* stream, PoseTolerance tolerance)
      : stream_(*stream), tracks_(stream, tolerance, Precision::kSingle) {}

  // Takes over the frame that the stream is at.
  void AddFrame() { tracks_.AddFrame(); }

  // The bytes of the file. RESOURCE_EXHAUSTED: more than its 4 GiB.
  absl::StatusOr<std::string> Finish();

 private:
  const FrameStream& stream_;
  ObjectTracks tracks_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_FORMATS_GLTF_EXPORT_H_
