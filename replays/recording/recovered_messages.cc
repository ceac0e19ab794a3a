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
#include "replays/format/keyframe_state.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "replays/messages/bounded_message.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "sim/base/state_schema_codec.h"
#include "sim/input/input_frame.h"

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

std::optional<std::string> RecoveredMessages::Take(std::string_view topic,
                                                   const McapMessage& message) {
  const std::string data(reinterpret_cast<const char*>(message.data.data()),
                         message.data.size());
  if (topic == kInputsTopic) return TakeInputs(data);
  if (topic == kDigestsTopic) return TakeDigests(data);
  if (topic == kEventsTopic) return TakeEvents(message, data);
  if (topic == kKeyframesTopic) return TakeKeyframe(message, data);
  return data;
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
  if (batch_end <= end_) return data;
  batch.set_tick_count(end_ - batch.first_tick());
  auto& events = *batch.mutable_events();
  events.erase(
      std::find_if(events.begin(), events.end(),
                   [this](const auto& event) { return event.tick() >= end_; }),
      events.end());
  return batch.SerializeAsString();
}

std::optional<std::string> RecoveredMessages::TakeKeyframe(
    const McapMessage& message, const std::string& data) {
  v1::Keyframe keyframe;
  absl::Status status = ParseBounded(BytesOf(data), keyframe);
  if (status.ok() && keyframe.tick() > end_) return std::nullopt;
  if (status.ok()) status = CheckKeyframe(message, keyframe);
  if (!status.ok()) {
    Lose(kKeyframesTopic, message, status);
    return std::nullopt;
  }
  // The first one that is left says what the tables are.
  const bool has_schema = !keyframe.schema().empty();
  const bool is_first = !keyframe_tick_.has_value();
  keyframe_tick_ = keyframe.tick();
  if (has_schema == is_first || schema_.empty()) return data;
  keyframe.clear_schema();
  if (is_first) keyframe.set_schema(schema_);
  return keyframe.SerializeAsString();
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
