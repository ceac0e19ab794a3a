// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/replay_reader.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_cursors.h"
#include "replays/format/replay_message_cursor.h"
#include "replays/format/replay_topics.h"
#include "replays/messages/bounded_message.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/base/content_digest.h"
#include "sim/state/state_schema_codec.h"

namespace reprise::replays {
namespace {

// The last chunk with messages of `topic`, or nullptr. Where that is the file's
// last, or nowhere, the others' indexes aren't read.
absl::StatusOr<const McapChunkIndex*> FindLastChunk(const McapReader& file,
                                                    std::string_view topic) {
  const McapChunkIndex* const last = file.LastChunk();
  if (last == nullptr || HasTopic(file, *last, topic)) return last;
  if (!HasTopic(file, topic)) return nullptr;
  const absl::StatusOr<std::span<const McapChunkIndex>> chunks = file.Chunks();
  if (!chunks.ok()) return chunks.status();
  const auto found = std::find_if(chunks->rbegin(), chunks->rend(),
                                  [&](const McapChunkIndex& chunk) {
                                    return HasTopic(file, chunk, topic);
                                  });
  return found == chunks->rend() ? nullptr : &*found;
}

// Parses the last message of `topic` into `message`; false where there is none.
absl::StatusOr<bool> ReadLast(const McapReader& file, std::string_view topic,
                              google::protobuf::Message& message) {
  const absl::StatusOr<const McapChunkIndex*> chunk =
      FindLastChunk(file, topic);
  if (!chunk.ok()) return chunk.status();
  if (*chunk == nullptr) return false;
  Bytes last;
  uint32_t sequence = 0;
  const absl::Status status = file.ForEachMessageInChunk(
      **chunk, [&](const McapChannel& channel, const McapMessage& found) {
        if (channel.topic == topic) {
          last.assign(found.data.begin(), found.data.end());
          sequence = found.sequence;
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  const absl::Status parsed = ParseBounded(last, message);
  if (!parsed.ok()) {
    return absl::DataLossError(fmt::format(
        "{}, message {}: {}", topic, sequence, std::string(parsed.message())));
  }
  return true;
}

// The ticks from one digest or keyframe to the next, at most. What contradicts
// itself reaches nowhere; who reads it says so.
class ProvenTicks {
 public:
  absl::Status Take(std::string_view topic, std::span<const std::byte> data) {
    if (topic == kDigestsTopic) {
      v1::DigestBatch batch;
      absl::Status status = ParseBounded(data, batch);
      if (!status.ok()) return status;
      const auto count = static_cast<uint64_t>(batch.chains_size());
      if (count == 0 || batch.first_tick() > sim::kTickMax) return status;
      Reach(batch.first_tick());
      if (batch.stride() > (sim::kTickMax - batch.first_tick()) / count) {
        return status;
      }
      if (count > 1) longest_gap_ = std::max(longest_gap_, batch.stride());
      last_ =
          std::max(last_, batch.first_tick() + (count - 1) * batch.stride());
      return status;
    }
    if (topic != kKeyframesTopic) return absl::OkStatus();
    v1::Keyframe keyframe;
    absl::Status status = ParseBounded(data, keyframe);
    if (status.ok()) Reach(keyframe.tick());
    return status;
  }

  void Reach(sim::Tick tick) {
    if (tick <= last_) return;
    longest_gap_ = std::max(longest_gap_, tick - last_);
    last_ = tick;
  }

  sim::Tick longest_gap() const { return longest_gap_; }

 private:
  sim::Tick last_ = 0;
  sim::Tick longest_gap_ = 0;
};

// Whether the chunks with digests and keyframes lie so close that no gap in
// them can be too long. False says nothing.
absl::StatusOr<bool> HasCloseProof(const McapReader& file,
                                   const ReplayMetadata& metadata,
                                   sim::Tick tick_count) {
  constexpr sim::Tick kGapMax = kUnprovenTicksMax / 4;
  if (metadata.digest_stride > kGapMax) return false;
  const absl::StatusOr<std::span<const McapChunkIndex>> chunks = file.Chunks();
  if (!chunks.ok()) return chunks.status();
  const uint64_t gap_max_ns = sim::LogTimeNs(kGapMax, metadata.tick_rate);
  uint64_t last_ns = 0;
  for (const McapChunkIndex& chunk : *chunks) {
    if (!HasTopic(file, chunk, kDigestsTopic) &&
        !HasTopic(file, chunk, kKeyframesTopic)) {
      continue;
    }
    // All of it lies close behind what came before.
    if (chunk.message_end_time_ns > last_ns &&
        chunk.message_end_time_ns - last_ns > gap_max_ns) {
      return false;
    }
    last_ns = std::max(last_ns, chunk.message_end_time_ns);
  }
  const uint64_t end_ns = sim::LogTimeNs(tick_count, metadata.tick_rate);
  // Behind the last time that there is, all ticks have the same.
  if (end_ns == std::numeric_limits<uint64_t>::max()) return false;
  return end_ns <= last_ns || end_ns - last_ns <= gap_max_ns;
}

absl::StatusOr<ReplayEnd> EndFromProto(const v1::RunEnd& message) {
  const absl::StatusOr<sim::Outcome::Status> outcome =
      FromProto(message.outcome());
  if (!outcome.ok()) {
    return absl::DataLossError(fmt::format(
        "{}: {}", kEndTopic, std::string(outcome.status().message())));
  }
  if (message.tick_count() > sim::kTickMax) {
    return absl::DataLossError(
        fmt::format("{}: it passes tick {}", kEndTopic, sim::kTickMax));
  }
  return ReplayEnd{.tick_count = message.tick_count(),
                   .outcome = {.status = *outcome, .reason = message.reason()},
                   .root = {message.root()},
                   .chain = {message.chain()}};
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReplayReader>> ReplayReader::Open(
    std::unique_ptr<const ByteSource> source) {
  return OpenNamed(std::move(source), /*name=*/"");
}

absl::StatusOr<std::unique_ptr<ReplayReader>> ReplayReader::OpenFile(
    const std::string& path) {
  // Asked first: what is finished meanwhile isn't taken for cut off.
  const bool is_being_written = IsBeingWritten(path).value_or(false);
  absl::StatusOr<std::unique_ptr<FileSource>> source = FileSource::Open(path);
  if (!source.ok()) return source.status();
  absl::StatusOr<std::unique_ptr<ReplayReader>> reader =
      OpenNamed(*std::move(source), path);
  if (reader.ok()) (*reader)->is_being_written_ = is_being_written;
  return reader;
}

absl::StatusOr<std::unique_ptr<ReplayReader>> ReplayReader::OpenNamed(
    std::unique_ptr<const ByteSource> source, const std::string& name) {
  absl::StatusOr<std::unique_ptr<McapReader>> file = McapReader::Open(
      std::move(source), {.profile = std::string(kReplayProfile),
                          .name = name,
                          .on_problem = nullptr});
  if (!file.ok()) return file.status();
  const McapMetadata* const entries =
      (*file)->FindMetadata(kReplayMetadataName);
  if (entries == nullptr) {
    return (*file)->Named(absl::DataLossError(
        "the replay doesn't say what was run: cut off before its metadata"));
  }
  absl::StatusOr<ReplayMetadata> metadata =
      DecodeReplayMetadata(entries->entries);
  if (!metadata.ok()) return (*file)->Named(metadata.status());
  std::unique_ptr<ReplayReader> reader(
      new ReplayReader(*std::move(file), *std::move(metadata)));
  absl::Status status = reader->CheckOnce();
  if (status.ok()) status = reader->ReadLastTick();
  if (!status.ok()) return reader->file().Named(status);
  return reader;
}

ReplayReader::ReplayReader(std::unique_ptr<McapReader> file,
                           ReplayMetadata metadata)
    : file_(std::move(file)), metadata_(std::move(metadata)) {}

absl::Status ReplayReader::CheckOnce() const {
  const absl::Status status = file_->CheckSingle(kReplayMetadataName);
  return status.ok() ? file_->CheckSingle(kPackAttachment) : status;
}

absl::Status ReplayReader::ReadLastTick() {
  v1::RunEnd message;
  const absl::StatusOr<bool> has_end = ReadLast(*file_, kEndTopic, message);
  if (!has_end.ok()) return has_end.status();
  if (*has_end) {
    absl::StatusOr<ReplayEnd> end = EndFromProto(message);
    if (!end.ok()) return end.status();
    // That the inputs end there is checked by who reads them, if there are any
    // to read.
    if (end->tick_count == 0 && HasTopic(*file_, kInputsTopic)) {
      return absl::DataLossError(fmt::format(
          "{}: the run ended at tick 0, and there are inputs", kEndTopic));
    }
    if (metadata_.format_revision >= kCountedRevisionMin) {
      event_count_ = message.event_count();
    }
    tick_count_ = end->tick_count;
    end_ = *std::move(end);
    return CheckUnprovenTicks();
  }
  v1::InputBatch last_batch;
  const absl::StatusOr<bool> has_inputs =
      ReadLast(*file_, kInputsTopic, last_batch);
  if (!has_inputs.ok() || !*has_inputs) return has_inputs.status();
  if (last_batch.first_tick() > sim::kTickMax ||
      last_batch.tick_count() > sim::kTickMax - last_batch.first_tick()) {
    return absl::DataLossError(fmt::format("{}: the last batch passes tick {}",
                                           kInputsTopic, sim::kTickMax));
  }
  tick_count_ = last_batch.first_tick() + last_batch.tick_count();
  return CheckUnprovenTicks();
}

// Short runs, which is to say nearly all, need no look; of the others the times
// of their chunks are enough, unless batches are long.
absl::Status ReplayReader::CheckUnprovenTicks() const {
  if (tick_count_ <= kUnprovenTicksMax) return absl::OkStatus();
  const absl::StatusOr<bool> has_close_chunks =
      HasCloseProof(*file_, metadata_, tick_count_);
  if (!has_close_chunks.ok()) return has_close_chunks.status();
  if (*has_close_chunks) return absl::OkStatus();
  ProvenTicks proven;
  absl::Status status = file_->ForEachMessage(
      [&](const McapChannel& channel, const McapMessage& message) {
        return proven.Take(channel.topic, message.data);
      });
  if (!status.ok()) return status;
  proven.Reach(tick_count_);
  if (proven.longest_gap() <= kUnprovenTicksMax) return absl::OkStatus();
  return absl::DataLossError(fmt::format(
      "{}: {} ticks are claimed, and no digest or keyframe stands for {} of "
      "them in a row; at most {} may",
      kInputsTopic, tick_count_, proven.longest_gap(), kUnprovenTicksMax));
}

absl::Status ReplayReader::Extend(std::unique_ptr<const ByteSource> source) {
  absl::Status status = file_->Extend(std::move(source));
  if (status.ok()) status = CheckOnce();
  if (status.ok()) status = ReadLastTick();
  return file_->Named(status);
}

absl::StatusOr<std::vector<ReplayBranch>> ReplayReader::ReadBranches() const {
  std::vector<ReplayBranch> branches;
  for (const McapMetadata& record : file_->metadata()) {
    if (record.name != kBranchMetadataName) continue;
    absl::StatusOr<ReplayBranch> branch = DecodeReplayBranch(record.entries);
    if (!branch.ok()) return file_->Named(branch.status());
    branches.push_back(*std::move(branch));
  }
  return branches;
}

absl::StatusOr<sim::PackArchive> ReplayReader::ReadPack() const {
  const McapAttachmentIndex* const attachment =
      file_->FindAttachment(kPackAttachment);
  if (attachment == nullptr) {
    return file_->Named(absl::NotFoundError(
        fmt::format("the replay does not carry its pack, \"{}\" with digest {}",
                    metadata_.pack, sim::FormatDigest(metadata_.pack_digest))));
  }
  const absl::StatusOr<Bytes> archive = file_->ReadAttachment(*attachment);
  if (!archive.ok()) return archive.status();
  const sim::ContentDigest digest =
      sim::ContentDigestOf(*archive, metadata_.pack_digest.hash);
  if (digest != metadata_.pack_digest) {
    return file_->Named(absl::DataLossError(fmt::format(
        "{}: its digest is {}, the metadata says {}", kPackAttachment,
        sim::FormatDigest(digest), sim::FormatDigest(metadata_.pack_digest))));
  }
  absl::StatusOr<sim::PackArchive> pack = sim::PackArchive::Decode(*archive);
  if (!pack.ok()) return file_->Named(pack.status());
  return pack;
}

std::unique_ptr<InputSource> ReplayReader::ReadInputs(
    sim::Tick first_tick) const {
  return std::make_unique<ReplayInputCursor>(this, first_tick);
}

std::unique_ptr<ReplayCursor<TickInputs>> ReplayReader::ReadTickInputs() const {
  return std::make_unique<ReplayTickInputsCursor>(this);
}

std::unique_ptr<ReplayCursor<DigestEntry>> ReplayReader::ReadDigests(
    sim::Tick first_tick) const {
  return std::make_unique<ReplayDigestCursor>(this, first_tick);
}

std::unique_ptr<ReplayCursor<v1::Event>> ReplayReader::ReadEvents(
    sim::Tick first_tick) const {
  return std::make_unique<ReplayEventCursor>(this, first_tick);
}

std::unique_ptr<ReplayCursor<ReplayKeyframe>> ReplayReader::ReadKeyframes(
    sim::Tick first_tick) const {
  return std::make_unique<ReplayKeyframeCursor>(this, first_tick);
}

absl::StatusOr<std::optional<ReplayKeyframe>> ReplayReader::FindKeyframe(
    sim::Tick tick) const {
  const uint64_t time_ns = sim::LogTimeNs(tick, metadata_.tick_rate);
  const absl::StatusOr<std::span<const McapChunkIndex>> chunks =
      file_->Chunks();
  if (!chunks.ok()) return chunks.status();
  for (size_t chunk = chunks->size(); chunk > 0; --chunk) {
    const McapChunkIndex& index = (*chunks)[chunk - 1];
    if (index.message_start_time_ns > time_ns ||
        !HasTopic(*file_, index, kKeyframesTopic)) {
      continue;
    }
    // Those that begin behind it were looked at, or are too late.
    ReplayKeyframeCursor cursor(this, /*first_tick=*/0, chunk - 1, chunk);
    std::optional<ReplayKeyframe> found;
    while (true) {
      absl::StatusOr<std::optional<ReplayKeyframe>> next = cursor.Next();
      if (!next.ok()) return next.status();
      if (!next->has_value() || (*next)->tick > tick) break;
      found = *std::move(next);
    }
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

absl::StatusOr<std::shared_ptr<const sim::State>> ReplayReader::ReadShape()
    const {
  const std::scoped_lock lock(shape_mutex_);
  if (shape_.has_value()) return *shape_;
  ReplayMessageCursor messages(file_.get(), kKeyframesTopic);
  v1::Keyframe first;
  const absl::StatusOr<bool> found = messages.Next(first);
  if (!found.ok()) return found.status();
  if (!*found) return nullptr;
  if (first.schema().empty()) {
    shape_ = nullptr;
    return *shape_;
  }
  absl::StatusOr<sim::State> shape =
      sim::DecodeStateSchema(std::as_bytes(std::span(first.schema())));
  if (!shape.ok()) {
    return messages.Contradiction(std::string(shape.status().message()));
  }
  if (!std::ranges::equal(shape->rooms(), metadata_.rooms, {},
                          &sim::State::Room::name)) {
    return messages.Contradiction(
        "schema: its rooms are not those of the metadata");
  }
  shape_ = std::make_shared<const sim::State>(*std::move(shape));
  return *shape_;
}

}  // namespace reprise::replays
