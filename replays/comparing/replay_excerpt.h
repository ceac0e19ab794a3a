// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Copies the part of a replay that leads to a tick into a replay of its own,
// with a keyframe just before the last ticks. Nothing is run.

#ifndef REPRISE_REPLAYS_COMPARING_REPLAY_EXCERPT_H_
#define REPRISE_REPLAYS_COMPARING_REPLAY_EXCERPT_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_writer.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/state/state.h"

namespace reprise::replays {

// A state that is put into an excerpt.
struct ExcerptKeyframe {
  sim::Tick tick = 0;
  sim::Digest chain;  // over the roots of ticks 0 to `tick`, both included
  sim::State state;
};

// What is copied, and what takes the place of the rest.
struct ReplayExcerpt {
  // The inputs up to the end, and digests and events up to the keyframe, are
  // this replay's; other keyframes are left out. The excerpt says that it has
  // no events behind the keyframe.
  const ReplayReader* replay = nullptr;
  // What was run, as it is to stand in the excerpt.
  ReplayMetadata metadata;
  // Null: it is left outside. REQUIRES: it is the one of `metadata`.
  const sim::PackArchive* pack = nullptr;
  // From here on all is of the excerpt's own.
  ExcerptKeyframe keyframe;
  // Behind the keyframe, at the metadata's stride.
  std::vector<DigestEntry> digests;
  // The state at the end, where it is known, in the form of the metadata's
  // revision.
  std::optional<ReplayKeyframe> last_keyframe;
  // Unset: the excerpt is cut off at its end, as its replay would be.
  std::optional<ReplayEnd> end;
  sim::Tick tick_count = 0;
  // Written behind the pack. Their data must remain live.
  std::vector<McapAttachment> attachments;
  // One more metadata record, if it has a name.
  McapMetadata note;
};

// DATA_LOSS: the replay is damaged before its end. Other errors are the sink's.
// REQUIRES: keyframe.tick < tick_count <= replay.tick_count(); the last
// keyframe and the end are of tick_count.
absl::Status WriteExcerpt(const ReplayExcerpt& excerpt, ByteSink* sink);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_REPLAY_EXCERPT_H_
