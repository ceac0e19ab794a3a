// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/recording/replay_recovery.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_scan.h"
#include "replays/container/mcap_writer.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/format/replay_topics.h"
#include "replays/format/whole_events.h"
#include "replays/messages/bounded_message.h"
#include "replays/recording/recording_prefix.h"
#include "replays/recording/recovered_messages.h"
#include "reprise/v1/input_batch.pb.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

class Recovery {
 public:
  Recovery(const McapReader& file, const ReplayMetadata& metadata,
           const RecoveryOptions& options, McapWriter& writer,
           RecoveryReport& report)
      : file_(file),
        metadata_(metadata),
        options_(options),
        writer_(writer),
        report_(report) {}

  absl::Status Run() {
    absl::Status status = CopyFront();
    if (status.ok()) status = AddDefinitions();
    if (status.ok()) status = CopyChunks();
    if (!status.ok()) return status;
    report_.tick_count = end_;
    report_.has_end = reach_.has_end;
    if (reach_.has_end) report_.tick_count_before = reach_.tick;
    return writer_.Finish();
  }

 private:
  absl::Status CopyFront() {
    bool has_metadata = false;
    for (const McapMetadata& record : file_.metadata()) {
      // Only what is the same twice has come here.
      const bool is_what_was_run = record.name == kReplayMetadataName;
      if (is_what_was_run && has_metadata) continue;
      has_metadata |= is_what_was_run;
      absl::Status status = writer_.AddMetadata(record);
      if (!status.ok()) return status;
    }
    for (const McapAttachmentIndex& index : file_.attachments()) {
      const absl::StatusOr<Bytes> data = file_.ReadAttachment(index);
      if (absl::IsDataLoss(data.status())) {
        report_.losses.push_back(fmt::format(
            "{}: {}", index.name, std::string(data.status().message())));
        continue;
      }
      if (!data.ok()) return data.status();
      if (index.name == kPackAttachment && !IsPackToSave(index, *data)) {
        continue;
      }
      absl::Status status =
          writer_.AddAttachment({.log_time_ns = index.log_time_ns,
                                 .create_time_ns = index.create_time_ns,
                                 .name = index.name,
                                 .media_type = index.media_type,
                                 .data = *data});
      if (!status.ok()) return status;
      report_.has_pack |= index.name == kPackAttachment;
    }
    report_.is_pack_lost =
        !report_.has_pack &&
        std::ranges::any_of(file_.attachments(), [](const auto& index) {
          return index.name == kPackAttachment;
        });
    return absl::OkStatus();
  }

  // Whether it is the pack that was played, and the first. Else it is lost.
  bool IsPackToSave(const McapAttachmentIndex& index, const Bytes& data) {
    const sim::ContentDigest digest =
        sim::ContentDigestOf(data, metadata_.pack_digest.hash);
    if (!report_.has_pack && digest == metadata_.pack_digest) return true;
    report_.losses.push_back(fmt::format(
        "offset {}: {}: {}", index.offset, index.name,
        digest == metadata_.pack_digest
            ? "a second one"
            : fmt::format("its digest is {}, the metadata says {}",
                          sim::FormatDigest(digest),
                          sim::FormatDigest(metadata_.pack_digest))));
    return false;
  }

  // Each schema before the first channel that names it, as recorders do.
  absl::Status AddDefinitions() {
    std::map<uint16_t, uint16_t> schemas = {{0, 0}};
    for (const auto& [id, channel] : file_.channels()) {
      const uint16_t schema_id = channel.schema_id;
      if (!schemas.contains(schema_id)) {
        const McapSchema& schema = file_.schemas().at(schema_id);
        const absl::StatusOr<uint16_t> added =
            writer_.AddSchema(schema.name, schema.encoding, schema.data);
        if (!added.ok()) return added.status();
        schemas[schema_id] = *added;
      }
      const absl::StatusOr<uint16_t> added =
          writer_.AddChannel(channel.topic, channel.message_encoding,
                             schemas[schema_id], channel.metadata);
      if (!added.ok()) return added.status();
      channels_[id] = *added;
    }
    return writer_.FlushChunk();
  }

  // Chunk by chunk, each looked at as a whole, before any is written: how far
  // the inputs lead, and what stands for it.
  absl::Status FindReach(std::span<const McapChunkIndex> chunks) {
    for (; chunks_kept_ < chunks.size(); ++chunks_kept_) {
      const McapChunkIndex& chunk = chunks[chunks_kept_];
      absl::StatusOr<RecordingReach> reach =
          ReachWithChunk(file_, metadata_, chunk, reach_);
      const absl::Status messages = CheckMessages(chunk);
      if (reach.ok() && !messages.ok()) reach = messages;
      if (absl::IsDataLoss(reach.status()) ||
          absl::IsUnimplemented(reach.status())) {
        NoteLostChunks(chunks, chunks_kept_, reach.status());
        break;
      }
      if (!reach.ok()) return reach.status();
      reach_ = *reach;
    }
    end_ = reach_.tick;
    // No reader takes an end so far behind anything that was recorded.
    if (reach_.tick > kUnprovenTicksMax &&
        reach_.proven < reach_.tick - kUnprovenTicksMax) {
      reach_.has_end = false;
      end_ = reach_.proven + kUnprovenTicksMax;
    }
    if (reach_.has_end || reach_.proven >= reach_.tick) return absl::OkStatus();
    if (!options_.keep_unproven) end_ = reach_.proven;
    report_.losses.push_back(fmt::format(
        "{} ticks from tick {} on have inputs, and nothing recorded says what "
        "they led to{}",
        reach_.tick - reach_.proven, reach_.proven,
        options_.keep_unproven ? "; they are kept" : ""));
    report_.unproven_ticks = reach_.tick - reach_.proven;
    return absl::OkStatus();
  }

  absl::Status CheckMessages(const McapChunkIndex& chunk) const {
    return file_.ForEachMessageInChunk(
        chunk, [&](const McapChannel& channel, const McapMessage& message) {
          const absl::Status status =
              CheckPlayable(channel.topic, message, metadata_);
          if (status.ok()) return status;
          return absl::DataLossError(
              fmt::format("{}, message {}: {}", channel.topic, message.sequence,
                          std::string(status.message())));
        });
  }

  absl::Status CopyChunks() {
    const absl::StatusOr<std::span<const McapChunkIndex>> chunks =
        file_.Chunks();
    if (!chunks.ok()) return chunks.status();
    absl::Status status = FindReach(*chunks);
    RecoveredMessages messages(&metadata_, end_, &report_.losses);
    for (size_t i = 0; status.ok() && i < chunks_kept_; ++i) {
      status = file_.ForEachMessageInChunk(
          (*chunks)[i],
          [&](const McapChannel& channel, const McapMessage& message) {
            const bool is_lost_end =
                channel.topic == kEndTopic && !reach_.has_end;
            if (is_lost_end) return absl::OkStatus();
            absl::Status added;
            for (const std::string& data :
                 messages.Take(channel.topic, message)) {
              if (!added.ok()) break;
              added =
                  writer_.AddMessage(channels_[channel.id], message.log_time_ns,
                                     std::as_bytes(std::span(data)));
            }
            return added;
          });
      if (status.ok()) status = writer_.FlushChunk();
    }
    messages.End();
    const std::optional<sim::Tick> whole_events_end =
        messages.whole_events_end();
    if (status.ok() && whole_events_end.has_value()) {
      status = writer_.AddMetadata(WholeEventsRecord(*whole_events_end));
    }
    return status;
  }

  void NoteLostChunks(std::span<const McapChunkIndex> chunks, size_t first,
                      const absl::Status& reason) {
    report_.losses.push_back(
        fmt::format("chunk {} of {}, with the ticks from {} on: {}", first + 1,
                    chunks.size(), reach_.tick, std::string(reason.message())));
    sim::Tick last_tick = 0;
    for (const McapChunkIndex& chunk : chunks.subspan(first)) {
      last_tick = std::max(last_tick, LastTickIn(chunk));
    }
    if (last_tick <= reach_.tick) return;
    report_.tick_count_before = last_tick;
    report_.losses.push_back(fmt::format(
        "the chunks behind it lead up to tick {}, and can't be reached without "
        "it",
        last_tick));
  }

  // The highest tick that a chunk's inputs reach; 0 where it can't be read.
  sim::Tick LastTickIn(const McapChunkIndex& chunk) const {
    sim::Tick last = 0;
    const absl::Status ignored = file_.ForEachMessageInChunk(
        chunk, [&](const McapChannel& channel, const McapMessage& message) {
          // What says more than it can mean is no number to tell.
          v1::InputBatch batch;
          if (channel.topic == kInputsTopic &&
              CheckPlayable(channel.topic, message, metadata_).ok() &&
              ParseBounded(message.data, batch).ok() &&
              batch.tick_count() <= kUnprovenTicksMax) {
            last = std::max(last, batch.first_tick() + batch.tick_count());
          }
          return absl::OkStatus();
        });
    return ignored.ok() ? last : 0;
  }

  const McapReader& file_;
  const ReplayMetadata& metadata_;
  const RecoveryOptions& options_;
  McapWriter& writer_;
  RecoveryReport& report_;
  std::map<uint16_t, uint16_t> channels_;  // by their ids in the damaged file
  size_t chunks_kept_ = 0;
  RecordingReach reach_;
  sim::Tick end_ = 0;  // of what is saved
};

}  // namespace

absl::StatusOr<RecoveryReport> RecoverReplay(
    std::unique_ptr<const ByteSource> source, ByteSink* sink,
    const RecoveryOptions& options) {
  CHECK(sink != nullptr);
  RecoveryReport report;
  const absl::StatusOr<std::unique_ptr<McapReader>> file = McapReader::Open(
      std::move(source), {.profile = std::string(kReplayProfile),
                          .mode = McapScanMode::kSalvage,
                          .on_problem = [&report](const absl::Status& problem) {
                            report.losses.emplace_back(problem.message());
                          }});
  if (!file.ok()) return file.status();
  size_t losses_at_end = 0;
  if ((*file)->recovery().has_value()) {
    report.bytes_lost = (*file)->recovery()->bytes_lost;
    losses_at_end = (*file)->recovery()->data_problem.ok() ? 1 : 2;
  }
  const McapMetadata* const entries =
      (*file)->FindMetadata(kReplayMetadataName);
  if (entries == nullptr) {
    return absl::DataLossError(
        "nothing can be saved: the file no longer says what was run");
  }
  const absl::Status twice = (*file)->CheckSingle(kReplayMetadataName);
  if (!twice.ok()) report.losses.emplace_back(twice.message());
  for (const McapMetadata& record : (*file)->metadata()) {
    if (record.name == kReplayMetadataName &&
        record.entries != entries->entries) {
      return absl::DataLossError(fmt::format(
          "nothing can be saved: the file says in two ways what was run ({})",
          std::string(twice.message())));
    }
  }
  const absl::StatusOr<ReplayMetadata> metadata =
      DecodeReplayMetadata(entries->entries);
  if (!metadata.ok()) return metadata.status();
  const absl::StatusOr<std::unique_ptr<McapWriter>> writer =
      McapWriter::Create({.profile = std::string(kReplayProfile),
                          .library = "reprise",
                          .chunk_bytes_target = kMcapMessageBytesMax},
                         sink);
  if (!writer.ok()) return writer.status();
  absl::Status status =
      Recovery(**file, *metadata, options, **writer, report).Run();
  if (!status.ok()) return status;
  report.is_damaged = report.losses.size() > losses_at_end;
  return report;
}

}  // namespace reprise::replays
