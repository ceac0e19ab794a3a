// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which run an export shows, in the words that all formats have in common.

#ifndef REPRISE_REPLAYS_SHOWING_SOURCE_JSON_H_
#define REPRISE_REPLAYS_SHOWING_SOURCE_JSON_H_

#include "nlohmann/json.hpp"
#include "replays/showing/object_tracks.h"
#include "replays/showing/shown_scene.h"

namespace reprise::replays {

// "replay": the digest of its bytes, "first_tick", and so on.
nlohmann::json DescribeSource(const ShownSource& source);

// The same, with the digests of the first and the last state, and the largest
// errors of the tracks: "position_error_m", "rotation_error_rad".
nlohmann::json DescribeTracks(const FrameStream& stream,
                              const ObjectTracks& tracks);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_SOURCE_JSON_H_
