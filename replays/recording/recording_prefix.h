// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How far the chunks of a recording lead, and the part of it that another one
// can go on from.

#ifndef REPRISE_REPLAYS_RECORDING_RECORDING_PREFIX_H_
#define REPRISE_REPLAYS_RECORDING_RECORDING_PREFIX_H_

#include <cstddef>
#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "replays/container/mcap_reader.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {

// By player, of those who gave a frame: the device of the last one.
using GivenDevices = std::map<uint32_t, sim::DeviceState>;

// What the chunks up to some place hold, if they hold it without a gap.
struct RecordingReach {
  sim::Tick tick = 0;             // the end of the last input batch
  sim::Tick next_digest = 0;      // behind the last digest entry
  sim::Tick proven = 0;           // of the last digest entry or keyframe
  uint64_t keyframe_bytes = 0;    // of states
  uint64_t state_bytes_left = 0;  // of a keyframe whose front is there
  uint64_t event_count = 0;
  GivenDevices given;
  bool has_messages = false;
  bool has_end = false;
  bool has_unreadable_frame = false;  // so that `given` isn't known
};

// What is reached with `chunk` behind `reach`. DATA_LOSS: it is damaged,
// or contradicts what stands before it.
absl::StatusOr<RecordingReach> ReachWithChunk(const McapReader& file,
                                              const ReplayMetadata& metadata,
                                              const McapChunkIndex& chunk,
                                              RecordingReach reach);

struct FoundPrefix {
  RecordingPrefix prefix;
  GivenDevices given;  // up to prefix.tick
};

// The longest part of `replay` that ends with a whole batch, by `tick_max` at
// the latest, and holds no damaged chunk and no end. Its tick is 0 where not
// even one batch is left; only the definitions are kept then. Reads the file up
// to there, each chunk's messages once, however long ago a player gave
// something. DATA_LOSS where it was cut off before its definitions.
absl::StatusOr<FoundPrefix> FindRecordingPrefix(const ReplayReader& replay,
                                                sim::Tick tick_max);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_RECORDING_RECORDING_PREFIX_H_
