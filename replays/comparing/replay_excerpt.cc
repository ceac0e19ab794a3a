// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/replay_excerpt.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_writer.h"
#include "replays/format/digest_batch.h"
#include "replays/format/keyframe_message.h"
#include "replays/format/replay_topics.h"
#include "replays/format/whole_events.h"
#include "replays/messages/bounded_message.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

class ExcerptWriter {
 public:
  ExcerptWriter(const ReplayExcerpt& excerpt, McapWriter& writer)
      : excerpt_(excerpt), file_(excerpt.replay->file()), writer_(writer) {}

  absl::Status Write() {
    absl::Status status = WriteFront();
    if (status.ok()) status = AddDefinitions();
    const absl::StatusOr<std::span<const McapChunkIndex>> chunks =
        file_.Chunks();
    if (status.ok()) status = chunks.status();
    for (size_t i = 0; status.ok() && i < chunks->size(); ++i) {
      status = CopyChunk((*chunks)[i]);
    }
    if (status.ok() && inputs_end_ < excerpt_.tick_count) {
      status = absl::DataLossError(
          fmt::format("the inputs from tick {} on are missing", inputs_end_));
    }
    if (status.ok()) status = WriteEnd();
    return status.ok() ? writer_.Finish() : status;
  }

 private:
  absl::Status WriteFront() {
    absl::Status status = writer_.AddMetadata(
        {.name = std::string(kReplayMetadataName),
         .entries = EncodeReplayMetadata(excerpt_.metadata)});
    for (const McapMetadata& record : file_.metadata()) {
      if (status.ok() && record.name == kBranchMetadataName) {
        status = writer_.AddMetadata(record);
      }
    }
    const absl::StatusOr<sim::Tick> events_end =
        WholeEventsEnd(*excerpt_.replay);
    if (status.ok()) status = events_end.status();
    if (status.ok()) {
      status = writer_.AddMetadata(
          WholeEventsRecord(std::min(*events_end, excerpt_.keyframe.tick)));
    }
    if (status.ok() && !excerpt_.note.name.empty()) {
      status = writer_.AddMetadata(excerpt_.note);
    }
    if (status.ok() && excerpt_.pack != nullptr) {
      const std::string archive = excerpt_.pack->Encode();
      status = writer_.AddAttachment({.name = std::string(kPackAttachment),
                                      .media_type = std::string(kPackMediaType),
                                      .data = BytesOf(archive)});
    }
    for (const McapAttachment& attachment : excerpt_.attachments) {
      if (status.ok()) status = writer_.AddAttachment(attachment);
    }
    return status;
  }

  // The same schemas and channels, each schema before its first channel.
  absl::Status AddDefinitions() {
    std::map<uint16_t, uint16_t> schemas = {{0, 0}};
    for (const auto& [id, channel] : file_.channels()) {
      if (!schemas.contains(channel.schema_id)) {
        const McapSchema& schema = file_.schemas().at(channel.schema_id);
        const absl::StatusOr<uint16_t> added =
            writer_.AddSchema(schema.name, schema.encoding, schema.data);
        if (!added.ok()) return added.status();
        schemas[channel.schema_id] = *added;
      }
      const absl::StatusOr<uint16_t> added =
          writer_.AddChannel(channel.topic, channel.message_encoding,
                             schemas[channel.schema_id], channel.metadata);
      if (!added.ok()) return added.status();
      channels_[channel.topic] = *added;
    }
    for (const std::string_view topic :
         {kInputsTopic, kDigestsTopic, kKeyframesTopic, kEndTopic}) {
      if (!channels_.contains(std::string(topic))) {
        return absl::DataLossError(
            fmt::format("the replay has no topic {}", topic));
      }
    }
    return writer_.FlushChunk();
  }

  // Up to the keyframe, which ends its chunk; then up to the end.
  absl::Status CopyChunk(const McapChunkIndex& chunk) {
    v1::InputBatch inputs;
    v1::DigestBatch digests;
    v1::EventBatch events;
    if (inputs_end_ >= excerpt_.tick_count) return absl::OkStatus();
    absl::Status status = file_.ForEachMessageInChunk(
        chunk, [&](const McapChannel& channel, const McapMessage& message) {
          if (channel.topic == kInputsTopic) {
            // The batch before, where there are several in a chunk.
            const absl::Status written = WriteParts(inputs, digests, events);
            if (!written.ok()) return written;
            return ParseBounded(message.data, inputs);
          }
          if (channel.topic == kDigestsTopic)
            return ParseBounded(message.data, digests);
          if (channel.topic == kEventsTopic)
            return ParseBounded(message.data, events);
          return absl::OkStatus();
        });
    if (status.ok()) status = WriteParts(inputs, digests, events);
    if (!status.ok() || inputs_end_ >= excerpt_.tick_count) return status;
    return writer_.FlushChunk();
  }

  // Writes what was gathered and forgets it.
  absl::Status WriteParts(v1::InputBatch& inputs, v1::DigestBatch& digests,
                          v1::EventBatch& events) {
    if (inputs.tick_count() == 0) return absl::OkStatus();
    const sim::Tick begin = inputs.first_tick();
    const sim::Tick keyframe = excerpt_.keyframe.tick;
    if (begin != inputs_end_ || inputs.tick_count() > sim::kTickMax) {
      return absl::DataLossError(
          fmt::format("the inputs of tick {} are missing", inputs_end_));
    }
    const sim::Tick end =
        std::min(begin + inputs.tick_count(), excerpt_.tick_count);
    absl::Status status;
    if (begin < keyframe || begin == 0) {
      status = WriteRecorded(digests, events, inputs, begin,
                             std::min(end, keyframe));
    }
    // The keyframe stands behind the inputs that lead to it.
    if (status.ok() && end >= keyframe && !has_keyframe_) {
      has_keyframe_ = true;
      status = AddKeyframe();
      if (status.ok()) status = writer_.FlushChunk();
    }
    if (status.ok() && end > keyframe) {
      status = AddInputs(inputs, std::max(begin, keyframe), end);
    }
    inputs_end_ = end;
    inputs.Clear();
    digests.Clear();
    events.Clear();
    return status;
  }

  absl::Status WriteRecorded(const v1::DigestBatch& digests,
                             const v1::EventBatch& events,
                             const v1::InputBatch& inputs, sim::Tick begin,
                             sim::Tick end) {
    absl::Status status = AddInputs(inputs, begin, end);
    if (status.ok()) status = AddDigests(digests);
    if (status.ok() && channels_.contains(std::string(kEventsTopic))) {
      status = AddEvents(events, begin, end);
    }
    return status;
  }

  absl::Status AddInputs(const v1::InputBatch& batch, sim::Tick begin,
                         sim::Tick end) {
    if (begin >= end) return absl::OkStatus();
    v1::InputBatch part;
    part.set_first_tick(begin);
    part.set_tick_count(end - begin);
    for (const v1::TickInputs& inputs : batch.ticks()) {
      if (inputs.tick() >= begin && inputs.tick() < end) {
        *part.add_ticks() = inputs;
      }
    }
    return Add(kInputsTopic, begin, part);
  }

  // Those up to the keyframe, in the form of the excerpt's revision.
  absl::Status AddDigests(const v1::DigestBatch& batch) {
    if (batch.chains().empty()) return absl::OkStatus();
    const ReplayMetadata& recorded = excerpt_.replay->metadata();
    if (recorded.rooms != excerpt_.metadata.rooms) {
      return absl::DataLossError("the digests are of other rooms");
    }
    const absl::StatusOr<int> count = CountEntries(batch, recorded);
    if (!count.ok()) return count.status();
    v1::DigestBatch part;
    for (int i = 0; i < *count; ++i) {
      const DigestEntry entry = EntryAt(batch, i, recorded);
      if (entry.tick > excerpt_.keyframe.tick) break;
      AddEntry(entry, excerpt_.metadata, part);
    }
    if (part.chains().empty()) return absl::OkStatus();
    return Add(kDigestsTopic, part.first_tick(), part);
  }

  absl::Status AddEvents(const v1::EventBatch& batch, sim::Tick begin,
                         sim::Tick end) {
    v1::EventBatch part;
    part.set_first_tick(begin);
    part.set_tick_count(end - begin);
    for (const v1::Event& event : batch.events()) {
      if (event.tick() >= begin && event.tick() < end) {
        *part.add_events() = event;
      }
    }
    if (part.events_size() == 0) return absl::OkStatus();
    event_count_ += static_cast<uint64_t>(part.events_size());
    return Add(kEventsTopic, begin, part);
  }

  absl::Status AddKeyframe() {
    const ExcerptKeyframe& keyframe = excerpt_.keyframe;
    absl::StatusOr<v1::Keyframe> message =
        MakeKeyframe(keyframe.tick, keyframe.state, keyframe.chain,
                     excerpt_.metadata, /*is_first=*/true);
    if (!message.ok()) return message.status();
    return AddParts(*std::move(message));
  }

  absl::Status AddLastKeyframe(const ReplayKeyframe& keyframe) {
    v1::Keyframe message;
    message.set_tick(keyframe.tick);
    message.set_state(keyframe.state);
    message.set_chain(keyframe.chain.value);
    return AddParts(std::move(message));
  }

  absl::Status AddParts(v1::Keyframe keyframe) {
    const sim::Tick tick = keyframe.tick();
    return WriteKeyframe(std::move(keyframe), excerpt_.metadata.format_revision,
                         kStatePartBytes, [&](const v1::Keyframe& part) {
                           return Add(kKeyframesTopic, tick, part);
                         });
  }

  // What the excerpt says of the ticks behind its keyframe.
  absl::Status WriteEnd() {
    absl::Status status;
    if (!excerpt_.digests.empty()) {
      v1::DigestBatch batch;
      for (const DigestEntry& entry : excerpt_.digests) {
        AddEntry(entry, excerpt_.metadata, batch);
      }
      status = Add(kDigestsTopic, batch.first_tick(), batch);
    }
    if (status.ok() && excerpt_.last_keyframe.has_value()) {
      status = AddLastKeyframe(*excerpt_.last_keyframe);
    }
    if (!status.ok() || !excerpt_.end.has_value()) return status;
    v1::RunEnd message;
    message.set_tick_count(excerpt_.end->tick_count);
    message.set_outcome(ToProto(excerpt_.end->outcome.status));
    message.set_reason(excerpt_.end->outcome.reason);
    message.set_root(excerpt_.end->root.value);
    message.set_chain(excerpt_.end->chain.value);
    if (excerpt_.metadata.format_revision >= kCountedRevisionMin) {
      message.set_event_count(event_count_);
    }
    return Add(kEndTopic, excerpt_.tick_count, message);
  }

  absl::Status Add(std::string_view topic, sim::Tick tick,
                   const google::protobuf::MessageLite& message) {
    const std::string bytes = message.SerializeAsString();
    return writer_.AddMessage(channels_.at(std::string(topic)),
                              sim::LogTimeNs(tick, excerpt_.metadata.tick_rate),
                              BytesOf(bytes));
  }

  const ReplayExcerpt& excerpt_;
  const McapReader& file_;
  McapWriter& writer_;
  std::map<std::string, uint16_t> channels_;  // by topic
  sim::Tick inputs_end_ = 0;                  // of what was copied
  uint64_t event_count_ = 0;
  bool has_keyframe_ = false;
};

}  // namespace

absl::Status WriteExcerpt(const ReplayExcerpt& excerpt, ByteSink* sink) {
  CHECK(excerpt.keyframe.tick < excerpt.tick_count);
  CHECK(excerpt.tick_count <= excerpt.replay->tick_count());
  const absl::StatusOr<std::unique_ptr<McapWriter>> writer =
      McapWriter::Create({.profile = std::string(kReplayProfile),
                          .library = "reprise",
                          .chunk_bytes_target = kMcapMessageBytesMax},
                         sink);
  if (!writer.ok()) return writer.status();
  return ExcerptWriter(excerpt, **writer).Write();
}

}  // namespace reprise::replays
