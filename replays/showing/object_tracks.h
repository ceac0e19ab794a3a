// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The frames of a stream as tracks: of each object the keys of its position and
// rotation, and when it was there.

#ifndef REPRISE_REPLAYS_SHOWING_OBJECT_TRACKS_H_
#define REPRISE_REPLAYS_SHOWING_OBJECT_TRACKS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "replays/showing/frame_stream.h"
#include "replays/showing/key_reduction.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::replays {

// How far an animation may be from the run: what a screen can't show.
struct PoseTolerance {
  double position_m = 0.001;
  double rotation_rad = 0.002;
};

// What numbers a format has. Times are in seconds since the first frame as
// kSingle, and in ticks as kDouble.
enum class Precision { kSingle, kDouble };

// From a time on it is there, or not.
struct PresenceKey {
  double time = 0;
  bool is_present = false;
};

struct ObjectTrack {
  KeyReducer<sim::Vector3> positions;
  KeyReducer<sim::Quaternion> rotations;
  // From the first frame on; alternating.
  std::vector<PresenceKey> presence;
};

class ObjectTracks {
 public:
  // `stream` must remain live while these tracks are in use, and not run
  // backwards.
  ObjectTracks(const FrameStream* stream, PoseTolerance tolerance,
               Precision precision)
      : stream_(*stream), tolerance_(tolerance), precision_(precision) {}

  // Takes over the frame that the stream is at.
  void AddFrame();

  // Adds the last keys; once, when all frames are there.
  void Finish();

  // One for each object of the stream.
  std::span<ObjectTrack> tracks() { return tracks_; }

  // The largest errors that the keys make, rounding included.
  PoseTolerance error() const;

  uint64_t frame_count() const { return frame_count_; }
  double last_time() const { return time_; }
  sim::Tick last_tick() const { return last_tick_; }
  sim::Digest first_state() const { return first_state_; }
  sim::Digest last_state() const { return last_state_; }

 private:
  double TimeOf(sim::Tick tick, double ticks_before) const;

  const FrameStream& stream_;
  const PoseTolerance tolerance_;
  const Precision precision_;
  std::vector<ObjectTrack> tracks_;
  std::vector<uint64_t> seen_at_;  // the number of frames with the last one
  uint64_t frame_count_ = 0;
  double time_ = 0;
  sim::Tick last_tick_ = 0;
  sim::Digest first_state_;
  sim::Digest last_state_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_OBJECT_TRACKS_H_
