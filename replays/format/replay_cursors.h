// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The cursors that a ReplayReader hands out: messages of one topic, checked
// against each other and against the metadata, as plain structs.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_CURSORS_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_CURSORS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_message_cursor.h"
#include "replays/format/replay_reader.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {

// Batches have to follow each other without a gap up to the replay's last tick.
class ReplayInputCursor final : public InputSource {
 public:
  ReplayInputCursor(const ReplayReader* replay, sim::Tick first_tick);

  absl::StatusOr<std::span<const sim::InputFrame>> FramesAt(
      sim::Tick tick) override;
  std::optional<sim::Tick> tick_count() const override {
    return replay_.tick_count();
  }

  // The next tick that has frames, without a look at those between; nullopt
  // behind the last. Not to be mixed with FramesAt.
  absl::StatusOr<std::optional<TickInputs>> NextTick();

 private:
  absl::Status LoadBatch();
  absl::Status CheckBatch(const v1::InputBatch& batch) const;
  // Those of batch_.ticks(next_).
  absl::StatusOr<std::vector<sim::InputFrame>> ConvertNext() const;

  // That no batch stands behind the one with the last tick of a run that ended.
  absl::Status CheckEnd();

  const ReplayReader& replay_;
  ReplayMessageCursor messages_;
  // Where the next batch has to begin; unset before the first one.
  std::optional<sim::Tick> batch_end_;
  // Frames are much larger than their messages: a tick's at a time.
  v1::InputBatch batch_;
  int next_ = 0;                         // in batch_: what wasn't passed yet
  std::vector<sim::InputFrame> frames_;  // of the last tick that was asked for
};

class ReplayTickInputsCursor final : public ReplayCursor<TickInputs> {
 public:
  explicit ReplayTickInputsCursor(const ReplayReader* replay)
      : inputs_(replay, /*first_tick=*/0) {}

  absl::StatusOr<std::optional<TickInputs>> Next() override {
    return inputs_.NextTick();
  }

 private:
  ReplayInputCursor inputs_;
};

// Entries have to lie a stride apart from tick 0 on.
class ReplayDigestCursor final : public ReplayCursor<DigestEntry> {
 public:
  ReplayDigestCursor(const ReplayReader* replay, sim::Tick first_tick);

  absl::StatusOr<std::optional<DigestEntry>> Next() override;

 private:
  absl::StatusOr<std::optional<DigestEntry>> NextOfAny();
  // The number of entries in batch_, if it may follow the ones before.
  absl::StatusOr<int> CheckBatch() const;

  const ReplayReader& replay_;
  const sim::Tick first_tick_;
  ReplayMessageCursor messages_;
  v1::DigestBatch batch_;
  int count_ = 0;  // of entries in batch_
  int next_ = 0;   // among them
  // Of the entry after the last one given; unset before the first one, unless
  // the cursor starts at the first of all.
  std::optional<sim::Tick> next_tick_;
};

// Batches may leave out ticks without events, but never overlap.
class ReplayEventCursor final : public ReplayCursor<v1::Event> {
 public:
  ReplayEventCursor(const ReplayReader* replay, sim::Tick first_tick);

  absl::StatusOr<std::optional<v1::Event>> Next() override;

 private:
  absl::StatusOr<std::optional<v1::Event>> NextOfAny();
  absl::Status CheckBatch() const;

  const ReplayReader& replay_;
  const sim::Tick first_tick_;
  ReplayMessageCursor messages_;
  v1::EventBatch batch_;
  int next_ = 0;  // in batch_
  sim::Tick batch_end_ = 0;
};

// A state that takes several messages is put together from all of them; one
// that a cut-off file has only the front of isn't there.
class ReplayKeyframeCursor final : public ReplayCursor<ReplayKeyframe> {
 public:
  ReplayKeyframeCursor(const ReplayReader* replay, sim::Tick first_tick);
  // Those that begin in chunk `first_chunk` or behind, and before `end_chunk`.
  ReplayKeyframeCursor(const ReplayReader* replay, sim::Tick first_tick,
                       size_t first_chunk,
                       size_t end_chunk = std::numeric_limits<size_t>::max());

  absl::StatusOr<std::optional<ReplayKeyframe>> Next() override;

 private:
  absl::StatusOr<std::optional<ReplayKeyframe>> NextOfAny();
  // Takes the first message of a keyframe, and one of those behind it.
  absl::Status TakeFirst(v1::Keyframe& message);
  absl::Status TakePart(const v1::Keyframe& message);
  // OK where no message may follow.
  absl::Status CheckEnd() const;

  const ReplayReader& replay_;
  const sim::Tick first_tick_;
  const bool is_from_first_chunk_;
  const size_t end_chunk_;
  ReplayMessageCursor messages_;
  std::optional<sim::Tick> last_tick_;
  std::optional<ReplayKeyframe> keyframe_;  // what there is of the next one
  uint64_t state_bytes_left_ = 0;           // of its state
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_CURSORS_H_
