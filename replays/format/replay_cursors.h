// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The cursors that a ReplayReader hands out: messages of one topic, checked
// against each other and against the metadata, as plain structs.

#ifndef REPRISE_REPLAYS_FORMAT_REPLAY_CURSORS_H_
#define REPRISE_REPLAYS_FORMAT_REPLAY_CURSORS_H_

#include <cstddef>
#include <cstdint>
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

 private:
  absl::Status LoadBatch();
  absl::Status CheckBatch(const v1::InputBatch& batch) const;

  // That no batch stands behind the one with the last tick of a run that ended.
  absl::Status CheckEnd();

  const ReplayReader& replay_;
  ReplayMessageCursor messages_;
  // Where the next batch has to begin; unset before the first one.
  std::optional<sim::Tick> batch_end_;
  std::vector<TickInputs> ticks_;  // of the batch
  size_t next_ = 0;                // in ticks_: what wasn't passed yet
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
  explicit ReplayEventCursor(const ReplayReader* replay);

  absl::StatusOr<std::optional<v1::Event>> Next() override;

 private:
  absl::Status CheckBatch() const;

  const ReplayReader& replay_;
  ReplayMessageCursor messages_;
  v1::EventBatch batch_;
  int next_ = 0;  // in batch_
  sim::Tick batch_end_ = 0;
};

class ReplayKeyframeCursor final : public ReplayCursor<ReplayKeyframe> {
 public:
  ReplayKeyframeCursor(const ReplayReader* replay, sim::Tick first_tick);
  // Those from chunk `first_chunk` on.
  ReplayKeyframeCursor(const ReplayReader* replay, sim::Tick first_tick,
                       size_t first_chunk);

  absl::StatusOr<std::optional<ReplayKeyframe>> Next() override;

 private:
  absl::StatusOr<std::optional<ReplayKeyframe>> NextOfAny();

  const ReplayReader& replay_;
  const sim::Tick first_tick_;
  ReplayMessageCursor messages_;
  std::optional<sim::Tick> last_tick_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FORMAT_REPLAY_CURSORS_H_
