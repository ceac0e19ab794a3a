// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/replay_cursors.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "replays/format/digest_batch.h"
#include "replays/format/event_batch.h"
#include "replays/format/keyframe_message.h"
#include "replays/format/replay_topics.h"
#include "replays/messages/proto_conversion.h"

namespace reprise::replays {
namespace {

// A number of ticks that a file claims, where it can be one.
std::string FormatClaim(uint64_t ticks) {
  return ticks <= sim::kTickMax ? fmt::format("{}", ticks)
                                : fmt::format("beyond {}", sim::kTickMax);
}

// OK if the message that `messages` gave last carries the time of `tick`.
absl::Status CheckTime(const ReplayMessageCursor& messages, sim::Tick tick,
                       const ReplayReader& replay) {
  const uint64_t time_ns = sim::LogTimeNs(tick, replay.metadata().tick_rate);
  if (messages.log_time_ns() == time_ns) return absl::OkStatus();
  return messages.Contradiction(
      fmt::format("its time is {} ns; tick {} is at {} ns",
                  messages.log_time_ns(), tick, time_ns));
}

// OK if the ticks from `first` on, `count` of them, are at least one and end by
// the replay's end.
absl::Status CheckRange(const ReplayMessageCursor& messages, sim::Tick first,
                        uint64_t count, const ReplayReader& replay) {
  if (count > 0 && first <= replay.tick_count() &&
      count <= replay.tick_count() - first) {
    return absl::OkStatus();
  }
  return messages.Contradiction(
      fmt::format("{} ticks from tick {} on; the replay has {}",
                  FormatClaim(count), FormatClaim(first), replay.tick_count()));
}

// The chunk from which on to look for the batch of `topic` that covers `tick`,
// or the next one: the last whose first batch starts early enough. `Batch` is
// the topic's message.
template <typename Batch>
size_t FindBatchChunk(const ReplayReader& replay, std::string_view topic,
                      sim::Tick tick) {
  const McapReader& file = replay.file();
  const uint64_t time_ns = sim::LogTimeNs(tick, replay.metadata().tick_rate);
  const absl::StatusOr<std::span<const McapChunkIndex>> chunks = file.Chunks();
  // What is damaged here is reported when the cursor comes to it.
  if (!chunks.ok()) return 0;
  for (size_t chunk = chunks->size(); chunk > 0; --chunk) {
    const McapChunkIndex& index = (*chunks)[chunk - 1];
    if (index.message_start_time_ns > time_ns ||
        !HasTopic(file, index, topic)) {
      continue;
    }
    ReplayMessageCursor messages(&file, topic, chunk - 1);
    Batch batch;
    const absl::StatusOr<bool> found = messages.Next(batch);
    if (!found.ok() || batch.first_tick() <= tick) return chunk - 1;
  }
  return 0;
}

// The chunk from which on to look for what was recorded of the states from
// `tick` on: that of a batch's end stands in the batch's chunk, so the last
// chunk that starts before the tick.
size_t FindStateChunk(const ReplayReader& replay, sim::Tick tick) {
  const McapReader& file = replay.file();
  const uint64_t time_ns = sim::LogTimeNs(tick, replay.metadata().tick_rate);
  const absl::StatusOr<std::span<const McapChunkIndex>> chunks = file.Chunks();
  if (!chunks.ok()) return 0;  // reported by the cursor, too
  for (size_t chunk = chunks->size(); chunk > 0; --chunk) {
    const McapChunkIndex& index = (*chunks)[chunk - 1];
    if (index.message_start_time_ns < time_ns &&
        HasTopic(file, index, kInputsTopic)) {
      return chunk - 1;
    }
  }
  return 0;
}

}  // namespace

ReplayInputCursor::ReplayInputCursor(const ReplayReader* replay,
                                     sim::Tick first_tick)
    : replay_(*replay),
      messages_(&replay->file(), kInputsTopic,
                first_tick == 0 ? 0
                                : FindBatchChunk<v1::InputBatch>(
                                      *replay, kInputsTopic, first_tick)) {
  if (first_tick == 0) batch_end_ = 0;
}

absl::StatusOr<std::span<const sim::InputFrame>> ReplayInputCursor::FramesAt(
    sim::Tick tick) {
  if (tick >= replay_.tick_count()) return std::span<const sim::InputFrame>();
  while (!batch_end_.has_value() || tick >= *batch_end_) {
    absl::Status status = LoadBatch();
    if (!status.ok()) return status;
  }
  while (next_ < batch_.ticks_size() && batch_.ticks(next_).tick() < tick) {
    ++next_;
  }
  if (next_ == batch_.ticks_size() || batch_.ticks(next_).tick() != tick) {
    return std::span<const sim::InputFrame>();
  }
  absl::StatusOr<std::vector<sim::InputFrame>> frames = ConvertNext();
  if (!frames.ok()) return frames.status();
  frames_ = *std::move(frames);
  return std::span<const sim::InputFrame>(frames_);
}

absl::StatusOr<std::optional<TickInputs>> ReplayInputCursor::NextTick() {
  while (next_ == batch_.ticks_size()) {
    if (batch_end_.value_or(0) >= replay_.tick_count()) return std::nullopt;
    absl::Status status = LoadBatch();
    if (!status.ok()) return status;
  }
  absl::StatusOr<std::vector<sim::InputFrame>> frames = ConvertNext();
  if (!frames.ok()) return frames.status();
  return TickInputs{.tick = batch_.ticks(next_++).tick(),
                    .frames = *std::move(frames)};
}

absl::StatusOr<std::vector<sim::InputFrame>> ReplayInputCursor::ConvertNext()
    const {
  const v1::TickInputs& inputs = batch_.ticks(next_);
  absl::StatusOr<std::vector<sim::InputFrame>> frames =
      FromProto(inputs.frames());
  if (frames.ok()) return frames;
  return messages_.Contradiction(fmt::format(
      "tick {}: {}", inputs.tick(), std::string(frames.status().message())));
}

absl::Status ReplayInputCursor::LoadBatch() {
  // What is left of a batch that can't be used is never handed out.
  next_ = 0;
  batch_.Clear();
  v1::InputBatch batch;
  const absl::StatusOr<bool> found = messages_.Next(batch);
  if (!found.ok()) return found.status();
  if (!*found) {
    return replay_.file().Named(absl::DataLossError(
        fmt::format("{}: no batch covers tick {} of {}", kInputsTopic,
                    batch_end_.value_or(0), replay_.tick_count())));
  }
  absl::Status status = CheckBatch(batch);
  if (!status.ok()) return status;
  batch_end_ = batch.first_tick() + batch.tick_count();
  batch_ = std::move(batch);
  return CheckEnd();
}

absl::Status ReplayInputCursor::CheckEnd() {
  if (!replay_.is_complete() || *batch_end_ != replay_.tick_count()) {
    return absl::OkStatus();
  }
  v1::InputBatch batch;
  const absl::StatusOr<bool> found = messages_.Next(batch);
  if (!found.ok() || !*found) return found.status();
  return messages_.Contradiction(fmt::format(
      "a batch behind the run's end, tick {}", replay_.tick_count()));
}

absl::Status ReplayInputCursor::CheckBatch(const v1::InputBatch& batch) const {
  if (batch_end_.has_value() && batch.first_tick() != *batch_end_) {
    return messages_.Contradiction(fmt::format(
        "the batch begins at tick {}, the one before ended at tick {}",
        FormatClaim(batch.first_tick()), *batch_end_));
  }
  absl::Status status =
      CheckRange(messages_, batch.first_tick(), batch.tick_count(), replay_);
  if (status.ok()) status = CheckTime(messages_, batch.first_tick(), replay_);
  if (!status.ok()) return status;
  sim::Tick lowest = batch.first_tick();
  for (const v1::TickInputs& inputs : batch.ticks()) {
    if (inputs.tick() < lowest ||
        inputs.tick() - batch.first_tick() >= batch.tick_count()) {
      return messages_.Contradiction(fmt::format(
          "tick {} is out of order or range", FormatClaim(inputs.tick())));
    }
    lowest = inputs.tick() + 1;
  }
  return absl::OkStatus();
}

ReplayDigestCursor::ReplayDigestCursor(const ReplayReader* replay,
                                       sim::Tick first_tick)
    : replay_(*replay),
      first_tick_(first_tick),
      messages_(&replay->file(), kDigestsTopic,
                FindStateChunk(*replay, first_tick)) {
  if (first_tick == 0) next_tick_ = 0;
}

absl::StatusOr<std::optional<DigestEntry>> ReplayDigestCursor::Next() {
  while (true) {
    absl::StatusOr<std::optional<DigestEntry>> entry = NextOfAny();
    if (!entry.ok() || !entry->has_value() || (*entry)->tick >= first_tick_) {
      return entry;
    }
  }
}

absl::StatusOr<std::optional<DigestEntry>> ReplayDigestCursor::NextOfAny() {
  while (next_ == count_) {
    const absl::StatusOr<bool> found = messages_.Next(batch_);
    if (!found.ok()) return found.status();
    if (!*found) return std::nullopt;
    next_ = 0;
    count_ = 0;
    const absl::StatusOr<int> count = CheckBatch();
    if (!count.ok()) return count.status();
    count_ = *count;
  }
  DigestEntry entry = EntryAt(batch_, next_++, replay_.metadata());
  next_tick_ = entry.tick + batch_.stride();
  return entry;
}

absl::StatusOr<int> ReplayDigestCursor::CheckBatch() const {
  const absl::StatusOr<int> count = CountEntries(batch_, replay_.metadata());
  if (!count.ok()) {
    return messages_.Contradiction(std::string(count.status().message()));
  }
  const uint64_t stride = batch_.stride();
  if (batch_.first_tick() % stride != 0 ||
      batch_.first_tick() != next_tick_.value_or(batch_.first_tick())) {
    return messages_.Contradiction(
        fmt::format("entries from tick {} on; expected from tick {} on",
                    FormatClaim(batch_.first_tick()), next_tick_.value_or(0)));
  }
  if (*count == 0) return messages_.Contradiction("no entries");
  const sim::Tick tick_count = replay_.tick_count();
  if (batch_.first_tick() > tick_count ||
      static_cast<uint64_t>(*count - 1) >
          (tick_count - batch_.first_tick()) / stride) {
    return messages_.Contradiction(
        fmt::format("entries past the last tick {}", tick_count));
  }
  absl::Status status = CheckTime(messages_, batch_.first_tick(), replay_);
  if (!status.ok()) return status;
  return count;
}

ReplayEventCursor::ReplayEventCursor(const ReplayReader* replay,
                                     sim::Tick first_tick)
    : replay_(*replay),
      first_tick_(first_tick),
      messages_(&replay->file(), kEventsTopic,
                first_tick == 0 ? 0
                                : FindBatchChunk<v1::EventBatch>(
                                      *replay, kEventsTopic, first_tick)) {}

absl::StatusOr<std::optional<v1::Event>> ReplayEventCursor::Next() {
  while (true) {
    absl::StatusOr<std::optional<v1::Event>> event = NextOfAny();
    if (!event.ok() || !event->has_value() || (*event)->tick() >= first_tick_) {
      return event;
    }
  }
}

absl::StatusOr<std::optional<v1::Event>> ReplayEventCursor::NextOfAny() {
  while (next_ == batch_.events_size()) {
    const absl::StatusOr<bool> found = messages_.Next(batch_);
    if (!found.ok()) return found.status();
    if (!*found) return std::nullopt;
    next_ = 0;
    absl::Status status = CheckBatch();
    if (!status.ok()) return status;
    batch_end_ = batch_.first_tick() + batch_.tick_count();
  }
  v1::Event event = batch_.events(next_++);
  event.set_tick(std::min(event.tick(), batch_end_ - 1));
  return event;
}

absl::Status ReplayEventCursor::CheckBatch() const {
  if (batch_.first_tick() < batch_end_) {
    return messages_.Contradiction(
        fmt::format("the batch begins at tick {}, the one before ended at {}",
                    FormatClaim(batch_.first_tick()), batch_end_));
  }
  absl::Status status =
      CheckRange(messages_, batch_.first_tick(), batch_.tick_count(), replay_);
  if (status.ok()) status = CheckTime(messages_, batch_.first_tick(), replay_);
  if (!status.ok()) return status;
  sim::Tick lowest = batch_.first_tick();
  for (const v1::Event& event : batch_.events()) {
    if (!IsInBatch(event, batch_, lowest)) {
      return messages_.Contradiction(
          fmt::format("an event of tick {} is out of order or range",
                      FormatClaim(event.tick())));
    }
    lowest = event.tick();
  }
  return absl::OkStatus();
}

ReplayKeyframeCursor::ReplayKeyframeCursor(const ReplayReader* replay,
                                           sim::Tick first_tick)
    : ReplayKeyframeCursor(replay, first_tick,
                           FindStateChunk(*replay, first_tick)) {}

ReplayKeyframeCursor::ReplayKeyframeCursor(const ReplayReader* replay,
                                           sim::Tick first_tick,
                                           size_t first_chunk, size_t end_chunk)
    : replay_(*replay),
      first_tick_(first_tick),
      is_from_first_chunk_(first_chunk == 0),
      end_chunk_(end_chunk),
      messages_(&replay->file(), kKeyframesTopic, first_chunk) {}

absl::StatusOr<std::optional<ReplayKeyframe>> ReplayKeyframeCursor::Next() {
  while (true) {
    absl::StatusOr<std::optional<ReplayKeyframe>> keyframe = NextOfAny();
    if (!keyframe.ok() || !keyframe->has_value() ||
        (*keyframe)->tick >= first_tick_) {
      return keyframe;
    }
  }
}

absl::StatusOr<std::optional<ReplayKeyframe>>
ReplayKeyframeCursor::NextOfAny() {
  while (!keyframe_.has_value() || state_bytes_left_ > 0) {
    v1::Keyframe message;
    const absl::StatusOr<bool> found = messages_.Next(message);
    if (!found.ok()) return found.status();
    if (!*found) {
      absl::Status status = CheckEnd();
      if (!status.ok()) return status;
      return std::nullopt;
    }
    if (!keyframe_.has_value() && messages_.chunk() >= end_chunk_) {
      return std::nullopt;
    }
    // The front of this one stands in a chunk before those that are read.
    const bool is_passed_over = !is_from_first_chunk_ &&
                                !last_tick_.has_value() &&
                                message.state_offset() > 0;
    if (is_passed_over) continue;
    absl::Status status =
        keyframe_.has_value() ? TakePart(message) : TakeFirst(message);
    if (!status.ok()) return status;
  }
  return std::exchange(keyframe_, std::nullopt);
}

absl::Status ReplayKeyframeCursor::TakeFirst(v1::Keyframe& message) {
  const sim::Tick tick = message.tick();
  if (tick > replay_.tick_count() ||
      (last_tick_.has_value() && tick <= *last_tick_)) {
    return messages_.Contradiction(
        fmt::format("tick {} is out of order or range", FormatClaim(tick)));
  }
  absl::Status status = CheckTime(messages_, tick, replay_);
  if (!status.ok()) return status;
  const uint64_t size = message.state().size();
  const uint64_t left = message.state_bytes_left();
  if (message.state_offset() > 0) {
    return messages_.Contradiction(
        "a part of a state, and nothing of it stands before");
  }
  if (left > 0 && (size == 0 || left > kReadStateBytesMax - size)) {
    return messages_.Contradiction(fmt::format(
        "a part of {} bytes of a state, with {} more behind it; at most {} are "
        "read",
        size, left, kReadStateBytesMax));
  }
  const bool is_first = messages_.sequence() == 0;
  if (!is_first && !message.schema().empty()) {
    return messages_.Contradiction("a second schema");
  }
  absl::StatusOr<std::shared_ptr<const sim::State>> shape = replay_.ReadShape();
  // Where the first keyframe is damaged, whoever has the same tables can still
  // read the others.
  if (!shape.ok()) {
    if (is_first) return shape.status();
    shape = nullptr;
  }
  last_tick_ = tick;
  state_bytes_left_ = left;
  keyframe_ = ReplayKeyframe{.tick = tick,
                             .chain = {message.chain()},
                             .state = std::move(*message.mutable_state()),
                             .shape = *std::move(shape)};
  return absl::OkStatus();
}

absl::Status ReplayKeyframeCursor::TakePart(const v1::Keyframe& message) {
  const uint64_t size = message.state().size();
  const bool is_next = message.tick() == keyframe_->tick &&
                       message.chain() == keyframe_->chain.value &&
                       message.state_offset() == keyframe_->state.size() &&
                       size > 0 && size <= state_bytes_left_ &&
                       message.state_bytes_left() == state_bytes_left_ - size;
  if (!is_next || !message.schema().empty()) {
    return messages_.Contradiction(fmt::format(
        "it isn't the next part of the state of tick {}, of which {} bytes "
        "are missing",
        keyframe_->tick, state_bytes_left_));
  }
  absl::Status status = CheckTime(messages_, keyframe_->tick, replay_);
  if (!status.ok()) return status;
  keyframe_->state += message.state();
  state_bytes_left_ -= size;
  return absl::OkStatus();
}

absl::Status ReplayKeyframeCursor::CheckEnd() const {
  if (!keyframe_.has_value() || !replay_.is_complete()) return absl::OkStatus();
  return replay_.file().Named(absl::DataLossError(
      fmt::format("{}: the last {} bytes of the state of tick {} are missing",
                  kKeyframesTopic, state_bytes_left_, keyframe_->tick)));
}

}  // namespace reprise::replays
