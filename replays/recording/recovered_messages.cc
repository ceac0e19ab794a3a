// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/recording/recovered_messages.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/format/event_batch.h"
#include "replays/format/keyframe_message.h"
#include "replays/format/keyframe_state.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "replays/messages/bounded_message.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/base/check.h"
#include "sim/input/input_frame.h"
#include "sim/state/state_schema_codec.h"

namespace reprise::replays {
namespace {

// The first revision of the format whose keyframes have a schema.
constexpr uint32_t kSchemaRevisionMin = 3;

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

absl::Status CheckTime(const McapMessage& message, sim::Tick tick,
                       const ReplayMetadata& metadata) {
  if (tick <= sim::kTickMax &&
      message.log_time_ns == sim::LogTimeNs(tick, metadata.tick_rate)) {
    return absl::OkStatus();
  }
  return absl::DataLossError("its time is not that of its first tick");
}

bool AreTicksInOrder(const v1::InputBatch& batch) {
  sim::Tick lowest = batch.first_tick();
  for (const v1::TickInputs& inputs : batch.ticks()) {
    if (inputs.tick() < lowest ||
        inputs.tick() - batch.first_tick() >= batch.tick_count()) {
      return false;
    }
    lowest = inputs.tick() + 1;
  }
  return true;
}

bool AreEventsInOrder(const v1::EventBatch& batch) {
  sim::Tick lowest = batch.first_tick();
  for (const v1::Event& event : batch.events()) {
    if (!IsInBatch(event, batch, lowest)) return false;
    lowest = event.tick();
  }
  return true;
}

}  // namespace

absl::Status CheckPlayable(std::string_view topic, const McapMessage& message,
                           const ReplayMetadata& metadata) {
  if (topic == kDigestsTopic) {
    v1::DigestBatch batch;
    absl::Status status = ParseBounded(message.data, batch);
    if (status.ok()) status = CheckTime(message, batch.first_tick(), metadata);
    if (!status.ok() || batch.chains_size() > 0) return status;
    return absl::DataLossError("no entries");
  }
  if (topic != kInputsTopic) return absl::OkStatus();
  v1::InputBatch batch;
  absl::Status status = ParseBounded(message.data, batch);
  if (status.ok()) status = CheckTime(message, batch.first_tick(), metadata);
  if (!status.ok()) return status;
  if (batch.tick_count() == 0 || batch.tick_count() > sim::kTickMax ||
      !AreTicksInOrder(batch)) {
    return absl::DataLossError("its ticks are out of order or range");
  }
  for (const v1::TickInputs& inputs : batch.ticks()) {
    const auto frames = FromProto(inputs.frames());
    if (!frames.ok()) {
      return absl::DataLossError(
          fmt::format("tick {}: {}", inputs.tick(),
                      std::string(frames.status().message())));
    }
  }
  return absl::OkStatus();
}

std::vector<std::string> RecoveredMessages::Take(std::string_view topic,
                                                 const McapMessage& message) {
  const std::string data(reinterpret_cast<const char*>(message.data.data()),
                         message.data.size());
  if (topic == kKeyframesTopic) return TakeKeyframe(message, data);
  std::optional<std::string> taken = data;
  if (topic == kInputsTopic) taken = TakeInputs(data);
  if (topic == kDigestsTopic) taken = TakeDigests(data);
  if (topic == kEventsTopic) taken = TakeEvents(message, data);
  if (topic == kEndTopic) taken = TakeEnd(message, data);
  if (!taken.has_value()) return {};
  return {*std::move(taken)};
}

void RecoveredMessages::End() {
  if (parts_.empty()) return;
  losses_.push_back(fmt::format(
      "{}: the last {} bytes of the state of tick {} "
      "are missing",
      kKeyframesTopic, keyframe_.state_bytes_left(), keyframe_.tick()));
  parts_.clear();
}

std::optional<std::string> RecoveredMessages::TakeInputs(
    const std::string& data) const {
  v1::InputBatch batch;
  const absl::Status status = ParseBounded(BytesOf(data), batch);
  if (!status.ok() || batch.first_tick() >= end_) return std::nullopt;
  if (batch.tick_count() <= end_ - batch.first_tick()) return data;
  batch.set_tick_count(end_ - batch.first_tick());
  auto& ticks = *batch.mutable_ticks();
  ticks.erase(
      std::find_if(ticks.begin(), ticks.end(),
                   [this](const auto& tick) { return tick.tick() >= end_; }),
      ticks.end());
  return batch.SerializeAsString();
}

// An entry behind the inputs is of a state that nobody can reach.
std::optional<std::string> RecoveredMessages::TakeDigests(
    const std::string& data) const {
  v1::DigestBatch batch;
  const absl::Status status = ParseBounded(BytesOf(data), batch);
  if (!status.ok() || batch.first_tick() > end_) return std::nullopt;
  const uint64_t entries_max =
      (end_ - batch.first_tick()) / metadata_.digest_stride + 1;
  const auto entries = static_cast<uint64_t>(batch.chains_size());
  if (entries <= entries_max) return data;
  const int kept = static_cast<int>(entries_max);
  batch.mutable_rooms()->Truncate(batch.rooms_size() / batch.chains_size() *
                                  kept);
  batch.mutable_chains()->Truncate(kept);
  if (!batch.roots().empty()) batch.mutable_roots()->Truncate(kept);
  return batch.SerializeAsString();
}

std::optional<std::string> RecoveredMessages::TakeEvents(
    const McapMessage& message, const std::string& data) {
  v1::EventBatch batch;
  absl::Status status = ParseBounded(BytesOf(data), batch);
  if (status.ok()) status = CheckTime(message, batch.first_tick(), metadata_);
  if (status.ok() && batch.first_tick() >= end_) return std::nullopt;
  if (status.ok() &&
      (batch.first_tick() < events_end_ || batch.tick_count() == 0 ||
       batch.tick_count() > sim::kTickMax || !AreEventsInOrder(batch))) {
    status = absl::DataLossError("its ticks are out of order or range");
  }
  if (!status.ok()) {
    if (!whole_events_end_.has_value()) whole_events_end_ = events_end_;
    Lose(kEventsTopic, message, status);
    return std::nullopt;
  }
  const sim::Tick batch_end = batch.first_tick() + batch.tick_count();
  events_end_ = std::min(batch_end, end_);
  if (batch_end <= end_) {
    event_count_ += static_cast<uint64_t>(batch.events_size());
    return data;
  }
  batch.set_tick_count(end_ - batch.first_tick());
  auto& events = *batch.mutable_events();
  events.erase(
      std::find_if(events.begin(), events.end(),
                   [this](const auto& event) { return event.tick() >= end_; }),
      events.end());
  event_count_ += static_cast<uint64_t>(events.size());
  return batch.SerializeAsString();
}

// The end counts what was saved.
std::optional<std::string> RecoveredMessages::TakeEnd(
    const McapMessage& message, const std::string& data) {
  v1::RunEnd end;
  if (metadata_.format_revision < kCountedRevisionMin ||
      !ParseBounded(BytesOf(data), end).ok() ||
      end.event_count() == event_count_) {
    return data;
  }
  if (!whole_events_end_.has_value()) {
    whole_events_end_ = 0;
    Lose(
        kEndTopic, message,
        absl::DataLossError(fmt::format("it counts {} events, and there are {}",
                                        end.event_count(), event_count_)));
  }
  end.set_event_count(event_count_);
  return end.SerializeAsString();
}

std::vector<std::string> RecoveredMessages::TakeKeyframe(
    const McapMessage& message, const std::string& data) {
  v1::Keyframe part;
  absl::Status status = ParseBounded(BytesOf(data), part);
  if (status.ok() && part.tick() > end_) return {};
  if (status.ok()) status = TakeStatePart(std::move(part));
  if (status.ok()) {
    parts_.push_back(data);
    if (keyframe_.state_bytes_left() > 0) return {};
    status = CheckKeyframe(message, keyframe_);
  }
  std::vector<std::string> parts = std::exchange(parts_, {});
  if (!status.ok()) {
    Lose(kKeyframesTopic, message, status);
    return {};
  }
  // The first one that is left says what the tables are.
  const bool is_first = !keyframe_tick_.has_value();
  keyframe_tick_ = keyframe_.tick();
  if (keyframe_.schema().empty() != is_first || schema_.empty()) return parts;
  v1::Keyframe front;
  CHECK(front.ParseFromString(parts.front()));
  front.clear_schema();
  if (is_first) front.set_schema(schema_);
  parts.front() = front.SerializeAsString();
  return parts;
}

absl::Status RecoveredMessages::TakeStatePart(v1::Keyframe part) {
  const uint64_t size = part.state().size();
  const uint64_t left = part.state_bytes_left();
  if (part.state_offset() == 0) {
    End();
    keyframe_ = std::move(part);
    const bool is_right =
        left == 0 || (size > 0 && left <= kReadStateBytesMax - size);
    return is_right ? absl::OkStatus()
                    : absl::DataLossError("it is too large, or its part empty");
  }
  if (parts_.empty() || part.tick() != keyframe_.tick() ||
      part.chain() != keyframe_.chain() || !part.schema().empty() ||
      part.state_offset() != keyframe_.state().size() || size == 0 ||
      size > keyframe_.state_bytes_left() ||
      left != keyframe_.state_bytes_left() - size) {
    return absl::DataLossError("it isn't the next part of a state");
  }
  keyframe_.mutable_state()->append(part.state());
  keyframe_.set_state_bytes_left(left);
  return absl::OkStatus();
}

absl::Status RecoveredMessages::CheckKeyframe(const McapMessage& message,
                                              const v1::Keyframe& keyframe) {
  absl::Status status = CheckTime(message, keyframe.tick(), metadata_);
  if (!status.ok()) return status;
  if (!keyframe.schema().empty() && shape_ == nullptr) {
    absl::StatusOr<sim::State> shape =
        sim::DecodeStateSchema(BytesOf(keyframe.schema()));
    if (!shape.ok()) return shape.status();
    if (!std::ranges::equal(shape->rooms(), metadata_.rooms, {},
                            &sim::State::Room::name)) {
      return absl::DataLossError("its rooms are not those of the metadata");
    }
    schema_ = keyframe.schema();
    shape_ = std::make_shared<const sim::State>(*std::move(shape));
  }
  if (keyframe_tick_.has_value() && keyframe.tick() <= *keyframe_tick_) {
    return absl::DataLossError("it is out of order");
  }
  if (shape_ == nullptr) {
    return metadata_.format_revision < kSchemaRevisionMin
               ? absl::OkStatus()
               : absl::DataLossError("nothing says what its tables are");
  }
  return DecodeRecordedState({.tick = keyframe.tick(),
                              .chain = {keyframe.chain()},
                              .state = keyframe.state(),
                              .shape = shape_})
      .status();
}

void RecoveredMessages::Lose(std::string_view topic, const McapMessage& message,
                             const absl::Status& reason) {
  losses_.push_back(fmt::format("{}, message {}: {}", topic, message.sequence,
                                std::string(reason.message())));
}

}  // namespace reprise::replays
