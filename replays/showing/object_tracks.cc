// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/object_tracks.h"

#include <algorithm>

namespace reprise::replays {
namespace {

// Through memory: GCC 12 at -O2 takes several of these side by side for nothing
// and leaves doubles as they are.
double Single(double value) {
  const volatile float single = static_cast<float>(value);
  return single;
}

sim::Vector3 Single(const sim::Vector3& v) {
  return {Single(v.x), Single(v.y), Single(v.z)};
}

sim::Quaternion Single(const sim::Quaternion& q) {
  return {Single(q.x), Single(q.y), Single(q.z), Single(q.w)};
}

}  // namespace

double ObjectTracks::TimeOf(sim::Tick tick, double ticks_before) const {
  if (precision_ == Precision::kDouble) {
    return static_cast<double>(tick) - ticks_before;
  }
  const sim::Tick passed = tick - stream_.source().first;
  return Single((static_cast<double>(passed) - ticks_before) /
                stream_.source().tick_rate.ticks_per_second);
}

void ObjectTracks::AddFrame() {
  const ShownFrame& frame = stream_.frame();
  const bool is_first = frame_count_ == 0;
  time_ = TimeOf(frame.tick, frame.ticks_before);
  last_tick_ = frame.tick;
  if (is_first) first_state_ = frame.state;
  last_state_ = frame.state;
  ++frame_count_;
  while (tracks_.size() < stream_.objects().size()) {
    tracks_.push_back(
        {KeyReducer<sim::Vector3>(tolerance_.position_m),
         KeyReducer<sim::Quaternion>(tolerance_.rotation_rad),
         {{is_first ? time_ : TimeOf(stream_.source().first, 0), is_first}}});
    seen_at_.push_back(0);
  }
  const bool is_single = precision_ == Precision::kSingle;
  for (const auto& [object, position, rotation] : frame.poses) {
    ObjectTrack& track = tracks_[object];
    track.positions.Add(time_, position,
                        is_single ? Single(position) : position);
    track.rotations.Add(time_, rotation,
                        is_single ? Single(rotation) : rotation);
    seen_at_[object] = frame_count_;
  }
  for (size_t i = 0; i < tracks_.size(); ++i) {
    const bool is_present = seen_at_[i] == frame_count_;
    std::vector<PresenceKey>& presence = tracks_[i].presence;
    if (presence.back().is_present != is_present) {
      presence.push_back({time_, is_present});
    }
  }
}

void ObjectTracks::Finish() {
  for (ObjectTrack& track : tracks_) {
    track.positions.Finish();
    track.rotations.Finish();
  }
}

PoseTolerance ObjectTracks::error() const {
  PoseTolerance error = {0, 0};
  for (const ObjectTrack& track : tracks_) {
    error.position_m = std::max(error.position_m, track.positions.error());
    error.rotation_rad = std::max(error.rotation_rad, track.rotations.error());
  }
  return error;
}

}  // namespace reprise::replays
