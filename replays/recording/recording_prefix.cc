// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/recording/recording_prefix.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_source.h"
#include "replays/format/digest_batch.h"
#include "replays/format/replay_topics.h"
#include "replays/messages/bounded_message.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {
namespace {

// Only each player's last frame of a batch counts.
void TakeGiven(const v1::InputBatch& batch, RecordingReach& reach) {
  std::map<uint32_t, const v1::InputFrame*> last;
  for (const v1::TickInputs& inputs : batch.ticks()) {
    for (const v1::InputFrame& frame : inputs.frames()) {
      last[frame.player()] = &frame;
    }
  }
  for (const auto& [player, message] : last) {
    absl::StatusOr<sim::InputFrame> frame = FromProto(*message);
    if (!frame.ok() || player >= sim::kPlayersMax) {
      reach.has_unreadable_frame = true;
      return;
    }
    reach.given[player] = std::move(frame->device);
  }
}

absl::Status TakeInputs(const McapMessage& message, RecordingReach& reach) {
  v1::InputBatch batch;
  const absl::Status status = ParseBounded(message.data, batch);
  if (!status.ok()) return status;
  if (batch.first_tick() != reach.tick ||
      batch.tick_count() > sim::kTickMax - reach.tick) {
    return absl::DataLossError("the batch is out of order or range");
  }
  reach.tick += batch.tick_count();
  TakeGiven(batch, reach);
  return absl::OkStatus();
}

absl::Status TakeDigests(const McapMessage& message,
                         const ReplayMetadata& metadata,
                         RecordingReach& reach) {
  v1::DigestBatch batch;
  const absl::Status status = ParseBounded(message.data, batch);
  if (!status.ok()) return status;
  const absl::StatusOr<int> count = CountEntries(batch, metadata);
  if (!count.ok()) return count.status();
  if (batch.first_tick() != reach.next_digest) {
    return absl::DataLossError("the entries are out of order");
  }
  reach.next_digest += static_cast<uint64_t>(*count) * metadata.digest_stride;
  if (*count > 0) {
    reach.proven =
        std::max(reach.proven, reach.next_digest - metadata.digest_stride);
  }
  return absl::OkStatus();
}

absl::Status TakeKeyframe(const McapMessage& message, RecordingReach& reach) {
  v1::Keyframe keyframe;
  const absl::Status status = ParseBounded(message.data, keyframe);
  reach.keyframe_bytes += keyframe.state().size();
  reach.state_bytes_left = keyframe.state_bytes_left();
  if (status.ok() && keyframe.tick() <= reach.tick &&
      reach.state_bytes_left == 0) {
    reach.proven = std::max(reach.proven, keyframe.tick());
  }
  return status;
}

// Events that can't be read lead nowhere, and keep nobody from going on.
void CountEvents(const McapMessage& message, RecordingReach& reach) {
  v1::EventBatch batch;
  if (!ParseBounded(message.data, batch).ok()) return;
  reach.event_count += static_cast<uint64_t>(batch.events_size());
}

absl::Status TakeEnd(const McapMessage& message, RecordingReach& reach) {
  v1::RunEnd end;
  const absl::Status status = ParseBounded(message.data, end);
  if (!status.ok()) return status;
  if (end.tick_count() != reach.tick) {
    return absl::DataLossError("the end is of another tick than the inputs'");
  }
  if (!FromProto(end.outcome()).ok()) {
    return absl::DataLossError("the end has no outcome");
  }
  reach.has_end = true;
  return absl::OkStatus();
}

// Whether all digests up to the last tick are there, and its keyframe isn't a
// part of one, as at a batch's end.
bool IsBatchEnd(const RecordingReach& reach, uint64_t stride) {
  return reach.state_bytes_left == 0 && reach.tick > 0 &&
         reach.next_digest > reach.tick &&
         reach.next_digest - reach.tick <= stride;
}

bool HasAllIndexes(const McapChunkIndex& chunk) {
  return std::ranges::none_of(
      chunk.message_index_offsets,
      [](const auto& entry) { return entry.second == 0; });
}

// The end of the metadata records that stand right behind `offset`: what a
// branch says of itself belongs to the chunk before.
uint64_t EndOfMetadata(const ByteSource& source, uint64_t offset) {
  while (true) {
    const auto prefix = ReadRecordPrefix(source, offset, source.size());
    if (!prefix.ok() || prefix->opcode != McapOpcode::kMetadata) return offset;
    const auto content =
        ReadRecordContent(source, offset, *prefix, kMcapMetadataBytesMax);
    if (!content.ok() || !DecodeMetadata(*content).ok()) return offset;
    offset += prefix->record_length();
  }
}

}  // namespace

absl::StatusOr<RecordingReach> ReachWithChunk(const McapReader& file,
                                              const ReplayMetadata& metadata,
                                              const McapChunkIndex& chunk,
                                              RecordingReach reach) {
  const absl::Status status = file.ForEachMessageInChunk(
      chunk, [&](const McapChannel& channel, const McapMessage& message) {
        reach.has_messages = true;
        absl::Status taken;
        if (reach.has_end) {
          taken = absl::DataLossError("a message behind the end");
        } else if (channel.topic == kInputsTopic) {
          taken = TakeInputs(message, reach);
        } else if (channel.topic == kDigestsTopic) {
          taken = TakeDigests(message, metadata, reach);
        } else if (channel.topic == kKeyframesTopic) {
          taken = TakeKeyframe(message, reach);
        } else if (channel.topic == kEventsTopic) {
          CountEvents(message, reach);
        } else if (channel.topic == kEndTopic) {
          taken = TakeEnd(message, reach);
        }
        if (taken.ok()) return taken;
        return absl::DataLossError(fmt::format("{}, message {}: {}",
                                               channel.topic, message.sequence,
                                               std::string(taken.message())));
      });
  if (!status.ok()) return status;
  return reach;
}

absl::StatusOr<FoundPrefix> FindRecordingPrefix(const ReplayReader& replay,
                                                sim::Tick tick_max) {
  const McapReader& file = replay.file();
  FoundPrefix found;
  RecordingPrefix& prefix = found.prefix;
  prefix.metadata = replay.metadata();
  std::optional<uint64_t> end;
  RecordingReach reach;
  const absl::StatusOr<std::span<const McapChunkIndex>> chunks = file.Chunks();
  if (!chunks.ok()) return chunks.status();
  for (const McapChunkIndex& chunk : *chunks) {
    absl::StatusOr<RecordingReach> next =
        ReachWithChunk(file, prefix.metadata, chunk, reach);
    if (!next.ok() || next->tick > tick_max || next->has_end ||
        next->has_unreadable_frame || !HasAllIndexes(chunk)) {
      break;
    }
    reach = *std::move(next);
    if (reach.has_messages &&
        !IsBatchEnd(reach, prefix.metadata.digest_stride)) {
      continue;
    }
    prefix.tick = reach.tick;
    prefix.keyframe_bytes = reach.keyframe_bytes;
    prefix.event_count = reach.event_count;
    found.given = reach.given;
    end = chunk.chunk_start_offset + chunk.chunk_length +
          chunk.message_index_length;
  }
  if (!end.has_value()) {
    return absl::DataLossError(
        "the recording was cut off before its first chunk: there is nothing to "
        "go on from");
  }
  if (prefix.tick > 0) end = EndOfMetadata(file.source(), *end);
  absl::StatusOr<McapSummary> summary = file.SummaryUpTo(*end);
  if (!summary.ok()) return summary.status();
  const absl::StatusOr<uint32_t> crc = ReadCrc32(file.source(), *end);
  if (!crc.ok()) return crc.status();
  prefix.file = *std::move(summary);
  prefix.crc = *crc;
  return found;
}

}  // namespace reprise::replays
