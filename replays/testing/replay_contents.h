// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// All that a replay holds, read through every cursor of its reader, as one
// value to compare with another.

#ifndef REPRISE_REPLAYS_TESTING_REPLAY_CONTENTS_H_
#define REPRISE_REPLAYS_TESTING_REPLAY_CONTENTS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "sim/base/tick.h"

namespace reprise::replays {

struct ReplayContents {
  ReplayMetadata metadata;
  std::string pack;  // its archive; empty where the file was cut off before it
  sim::Tick tick_count = 0;
  std::vector<TickInputs> inputs;
  std::vector<DigestEntry> digests;
  std::vector<ReplayKeyframe> keyframes;
  std::vector<std::string> events;  // serialised
  std::optional<ReplayEnd> end;

  friend bool operator==(const ReplayContents&,
                         const ReplayContents&) = default;
};

// Errors are the reader's.
absl::StatusOr<ReplayContents> ReadContents(const ReplayReader& replay);

// Whether `part` is what is left of `whole` when its file is cut off: all of
// `whole` up to some place, and nothing else.
bool IsPrefix(const ReplayContents& part, const ReplayContents& whole);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_REPLAY_CONTENTS_H_
