// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/source_json.h"

#include "sim/base/digest.h"

namespace reprise::replays {

nlohmann::json DescribeSource(const ShownSource& source) {
  nlohmann::json json = {{"replay", sim::FormatDigest(source.replay_digest)},
                         {"simulation", source.simulation},
                         {"pack", source.pack},
                         {"pack_digest", sim::FormatDigest(source.pack_digest)},
                         {"is_recorded_pack", source.is_recorded_pack},
                         {"seed", source.seed},
                         {"tick_rate", source.tick_rate.ticks_per_second},
                         {"first_tick", source.first},
                         {"last_tick", source.last},
                         {"every", source.every}};
  if (source.rate.has_value()) {
    json["frames"] = source.rate->frames;
    json["frames_seconds"] = source.rate->seconds;
  }
  if (!source.objects.empty()) json["objects"] = source.objects;
  return json;
}

nlohmann::json DescribeTracks(const FrameStream& stream,
                              const ObjectTracks& tracks) {
  nlohmann::json json = DescribeSource(stream.source());
  const PoseTolerance error = tracks.error();
  // The last frame may lie before the last tick: that is of its own.
  if (stream.source().rate.has_value()) json["last_tick"] = tracks.last_tick();
  json["first_state"] = sim::FormatDigest(tracks.first_state());
  json["last_state"] = sim::FormatDigest(tracks.last_state());
  json["position_error_m"] = error.position_m;
  json["rotation_error_rad"] = error.rotation_rad;
  return json;
}

}  // namespace reprise::replays
