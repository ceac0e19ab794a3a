// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/replay_writer.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "replays/container/mcap_records.h"
#include "replays/format/digest_batch.h"
#include "replays/format/event_batch.h"
#include "replays/format/replay_topics.h"
#include "replays/messages/proto_conversion.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/input/input_grammar.h"

namespace reprise::replays {
namespace {

// Half of a file's chunks may be as short as the strides ask for. The others
// last for 1,200 ticks on average, and all together for fifteen days at 60 Hz.
// One batch a chunk at the default strides uses them up no sooner.
constexpr uint64_t kShortChunks = kMcapChunksMax / 2;
constexpr uint64_t kLongChunkTicks = 2 * kBatchTicksDefault;

// The last revision of the format that knows buttons, axes and commands of
// whole numbers only.
constexpr uint32_t kWholeNumbersRevisionMax = 2;

bool HasWholeNumbersOnly(const ReplayMetadata& metadata) {
  return metadata.format_revision <= kWholeNumbersRevisionMax;
}

// Whether such a revision can hold whatever the players of a pack give.
bool AreWholeNumbersEnough(const sim::InputGrammar& grammar) {
  using Kind = sim::Action::Kind;
  return std::ranges::all_of(grammar.actions, [](const sim::Action& action) {
    return (action.kind == Kind::kButton || action.kind == Kind::kAxis ||
            action.kind == Kind::kCommand) &&
           std::ranges::all_of(
               action.arguments, [](const sim::ActionArgument& argument) {
                 return argument.type == sim::PropertyType::kInt &&
                        argument.capacity == 0;
               });
  });
}

// The arguments of a frame's commands as such a revision holds them.
void UseWholeNumbers(v1::InputFrame& frame) {
  for (v1::Command& command : *frame.mutable_commands()) {
    for (const v1::Value& value : command.values()) {
      command.add_arguments(value.integer());
    }
    command.clear_values();
  }
}

// A chunk of many batches is closed when it passes this. With the largest
// message behind that, it still isn't too large for one.
constexpr uint64_t kLongChunkBytes = uint64_t{16} << 20;
static_assert(kLongChunkBytes + kBatchBytesMax + kMcapMessageBytesMax <
              kMcapChunkBytesMax);

// With a batch before them the events of one tick still are one message.
static_assert(kBatchBytesMax + kTickEventBytesMax < kMcapMessageBytesMax);

std::span<const std::byte> BytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// Adds a file behind the files that it imports, as readers of schemas need it.
void AddFileAndImports(const google::protobuf::FileDescriptor& file,
                       std::set<std::string>& added,
                       google::protobuf::FileDescriptorSet& files) {
  if (!added.insert(file.name()).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) {
    AddFileAndImports(*file.dependency(i), added, files);
  }
  file.CopyTo(files.add_file());
}

absl::StatusOr<uint16_t> AddTopic(McapWriter& file, std::string_view topic,
                                  const google::protobuf::Descriptor& message) {
  google::protobuf::FileDescriptorSet files;
  std::set<std::string> added;
  AddFileAndImports(*message.file(), added, files);
  const absl::StatusOr<uint16_t> schema =
      file.AddSchema(message.full_name(), std::string(kProtobufEncoding),
                     BytesOf(files.SerializeAsString()));
  if (!schema.ok()) return schema.status();
  return file.AddChannel(std::string(topic), std::string(kProtobufEncoding),
                         *schema);
}

// Chunks are closed here, so that each holds whole batches.
McapWriterOptions FileOptions() {
  return {.profile = std::string(kReplayProfile),
          .library = "reprise",
          .chunk_bytes_target = kMcapMessageBytesMax};
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReplayWriter>> ReplayWriter::Create(
    std::unique_ptr<ByteSink> sink, const sim::Simulation& simulation,
    const sim::PackArchive& pack, const ReplayWriterOptions& options) {
  CHECK(options.digest_stride > 0);
  CHECK(options.batch_ticks > 0);
  CHECK(options.pack_bytes_max <= kMcapAttachmentBytesMax);
  CHECK(options.state_part_bytes > 0);
  CHECK(options.state_part_bytes <= kStatePartBytes);
  absl::StatusOr<std::unique_ptr<McapWriter>> file =
      McapWriter::Create(FileOptions(), sink.get());
  if (!file.ok()) return file.status();
  ReplayMetadata metadata = DescribeRun(simulation);
  metadata.digest_stride = options.digest_stride;
  metadata.keyframe_stride = options.keyframe_stride;
  metadata.keyframe_bytes_per_tick = options.keyframe_bytes_per_tick;
  metadata.batch_ticks = options.batch_ticks;
  std::unique_ptr<ReplayWriter> writer(new ReplayWriter(
      std::move(sink), *std::move(file), simulation, std::move(metadata)));
  writer->state_part_bytes_ = options.state_part_bytes;
  absl::Status status = writer->WriteStart(pack, options.pack_bytes_max);
  if (!status.ok()) return status;
  return writer;
}

absl::StatusOr<std::unique_ptr<ReplayWriter>> ReplayWriter::Continue(
    std::unique_ptr<ByteSink> sink, const sim::Simulation& simulation,
    RecordingPrefix prefix) {
  if (prefix.metadata.rooms != DescribeRun(simulation).rooms) {
    return absl::DataLossError("the recording names other rooms of the state");
  }
  if (HasWholeNumbersOnly(prefix.metadata) &&
      !AreWholeNumbersEnough(simulation.info().inputs)) {
    return absl::FailedPreconditionError(fmt::format(
        "the recording is of format revision {}, which can't hold what players "
        "of pack {} may give",
        prefix.metadata.format_revision, prefix.metadata.pack));
  }
  Channels channels;
  for (const auto& [topic, channel] :
       {std::pair(kInputsTopic, &channels.inputs),
        std::pair(kDigestsTopic, &channels.digests),
        std::pair(kKeyframesTopic, &channels.keyframes),
        std::pair(kEventsTopic, &channels.events),
        std::pair(kEndTopic, &channels.end)}) {
    for (const auto& [id, definition] : prefix.file.channels) {
      if (definition.topic == topic) *channel = id;
    }
    if (*channel == 0) {
      return absl::DataLossError(
          fmt::format("the recording has no topic {}", topic));
    }
  }
  std::unique_ptr<McapWriter> file = McapWriter::Continue(
      FileOptions(), std::move(prefix.file), prefix.crc, sink.get());
  std::unique_ptr<ReplayWriter> writer(
      new ReplayWriter(std::move(sink), std::move(file), simulation,
                       std::move(prefix.metadata)));
  writer->channels_ = channels;
  writer->keyframe_bytes_ = prefix.keyframe_bytes;
  writer->event_count_ = prefix.event_count;
  writer->batch_begin_ = prefix.tick;
  writer->tick_ = prefix.tick;
  return writer;
}

absl::Status ReplayWriter::AddMetadata(const McapMetadata& metadata) {
  return file_->AddMetadata(metadata);
}

absl::Status ReplayWriter::AddBranch(const ReplayBranch& branch) {
  return file_->AddMetadata({.name = std::string(kBranchMetadataName),
                             .entries = EncodeReplayBranch(branch)});
}

ReplayWriter::ReplayWriter(std::unique_ptr<ByteSink> sink,
                           std::unique_ptr<McapWriter> file,
                           const sim::Simulation& simulation,
                           ReplayMetadata metadata)
    : sink_(std::move(sink)),
      file_(std::move(file)),
      simulation_(simulation),
      metadata_(std::move(metadata)) {}

absl::Status ReplayWriter::WriteStart(const sim::PackArchive& pack,
                                      uint64_t pack_bytes_max) {
  absl::Status status =
      file_->AddMetadata({.name = std::string(kReplayMetadataName),
                          .entries = EncodeReplayMetadata(metadata_)});
  if (!status.ok()) return status;
  const std::string archive = pack.Encode();
  const sim::ContentDigest digest =
      sim::ContentDigestOf(BytesOf(archive), metadata_.pack_digest.hash);
  CHECK(digest == metadata_.pack_digest, "the simulation is of pack {}, not {}",
        sim::FormatDigest(metadata_.pack_digest), sim::FormatDigest(digest));
  if (archive.size() <= pack_bytes_max) {
    status = file_->AddAttachment({.name = std::string(kPackAttachment),
                                   .media_type = std::string(kPackMediaType),
                                   .data = BytesOf(archive)});
    if (!status.ok()) return status;
  }

  const auto add = [&](std::string_view topic,
                       const google::protobuf::Descriptor* message,
                       uint16_t& channel) {
    if (!status.ok()) return;
    const absl::StatusOr<uint16_t> added = AddTopic(*file_, topic, *message);
    if (added.ok()) channel = *added;
    status = added.status();
  };
  add(kInputsTopic, v1::InputBatch::descriptor(), channels_.inputs);
  add(kDigestsTopic, v1::DigestBatch::descriptor(), channels_.digests);
  add(kKeyframesTopic, v1::Keyframe::descriptor(), channels_.keyframes);
  add(kEventsTopic, v1::EventBatch::descriptor(), channels_.events);
  add(kEndTopic, v1::RunEnd::descriptor(), channels_.end);
  return status.ok() ? CloseChunk() : status;
}

absl::Status ReplayWriter::AddState(sim::Tick tick, const sim::State& state,
                                    sim::Digest root, sim::Digest chain) {
  CHECK(tick == tick_, "state of tick {}, expected {}", tick, tick_);
  if (tick % metadata_.digest_stride == 0) {
    AddEntry(DescribeState(tick, state, root, chain), metadata_, digests_);
    // With the root, stored or not: batches are the same in all revisions.
    batch_bytes_ += (2 + state.rooms().size()) * sizeof(uint64_t);
  }
  if (IsKeyframe(tick)) return AddKeyframe(state, chain);
  const bool is_full = tick - batch_begin_ >= metadata_.batch_ticks ||
                       batch_bytes_ >= kBatchBytesMax;
  if (!is_full) return absl::OkStatus();
  absl::Status status = WriteBatches();
  return status.ok() ? EndBatch() : status;
}

absl::Status ReplayWriter::AddKeyframe(const sim::State& state,
                                       sim::Digest chain) {
  CHECK(keyframe_tick_ != tick_, "tick {} has a keyframe", tick_);
  keyframe_tick_ = tick_;
  absl::Status status = WriteBatches();
  if (!status.ok()) return status;
  absl::StatusOr<v1::Keyframe> keyframe = MakeKeyframe(
      tick_, state, chain, metadata_, /*is_first=*/keyframe_bytes_ == 0);
  if (!keyframe.ok()) return keyframe.status();
  keyframe_bytes_ += keyframe->state().size();
  status = WriteKeyframe(*std::move(keyframe), metadata_.format_revision,
                         state_part_bytes_, [this](const v1::Keyframe& part) {
                           return Write(channels_.keyframes, tick_, part);
                         });
  return status.ok() ? EndBatch() : status;
}

bool ReplayWriter::IsKeyframe(sim::Tick tick) const {
  if (metadata_.keyframe_stride == 0) return false;
  if (tick % metadata_.keyframe_stride != 0) return false;
  const uint64_t budget = metadata_.keyframe_bytes_per_tick;
  // The keyframes before have to be paid for; kept in whole ticks, since their
  // bytes can't overflow and the budget's product could.
  return budget == 0 || keyframe_bytes_ / budget <= tick;
}

bool ReplayWriter::CanSpareChunk() const {
  return file_->chunk_count() < kShortChunks + tick_ / kLongChunkTicks;
}

absl::Status ReplayWriter::AddTick(sim::Tick tick,
                                   std::span<const sim::InputFrame> frames,
                                   std::span<const sim::Event> events) {
  CHECK(tick == tick_, "inputs of tick {}, expected {}", tick, tick_);
  ++tick_;
  if (!frames.empty()) {
    v1::TickInputs& added = *inputs_.add_ticks();
    added.set_tick(tick);
    for (const sim::InputFrame& frame : frames) {
      v1::InputFrame& message = *added.add_frames();
      message = ToProto(frame, simulation_.info().inputs);
      if (HasWholeNumbersOnly(metadata_)) UseWholeNumbers(message);
    }
    batch_bytes_ += added.ByteSizeLong();
  }
  batch_bytes_ += AddEvents(tick, events, simulation_, events_);
  return absl::OkStatus();
}

absl::Status ReplayWriter::WriteBatches() {
  const sim::Tick tick_count = tick_ - batch_begin_;
  // The digest of tick 0 waits for the first ticks.
  if (tick_count == 0) return absl::OkStatus();
  inputs_.set_first_tick(batch_begin_);
  inputs_.set_tick_count(tick_count);
  absl::Status status = Write(channels_.inputs, batch_begin_, inputs_);
  if (status.ok() && !digests_.chains().empty()) {
    status = Write(channels_.digests, digests_.first_tick(), digests_);
  }
  if (status.ok() && !events_.events().empty()) {
    events_.set_first_tick(batch_begin_);
    events_.set_tick_count(tick_count);
    status = Write(channels_.events, batch_begin_, events_);
    event_count_ += static_cast<uint64_t>(events_.events_size());
  }
  inputs_.Clear();
  digests_.Clear();
  events_.Clear();
  batch_begin_ = tick_;
  batch_bytes_ = 0;
  return status;
}

absl::Status ReplayWriter::Write(uint16_t channel, sim::Tick tick,
                                 const google::protobuf::MessageLite& message) {
  const std::string data = message.SerializeAsString();
  chunk_bytes_ += data.size();
  return file_->AddMessage(channel, sim::LogTimeNs(tick, metadata_.tick_rate),
                           BytesOf(data));
}

absl::Status ReplayWriter::EndBatch() {
  if (!CanSpareChunk() && chunk_bytes_ < kLongChunkBytes) {
    return absl::OkStatus();
  }
  return CloseChunk();
}

absl::Status ReplayWriter::CloseChunk() {
  chunk_bytes_ = 0;
  return file_->FlushChunk();
}

absl::Status ReplayWriter::Flush() {
  absl::Status status = WriteBatches();
  return status.ok() ? CloseChunk() : status;
}

absl::Status ReplayWriter::FlushEarly() {
  return CanSpareChunk() ? Flush() : absl::OkStatus();
}

absl::Status ReplayWriter::Finish(const ReplayEnd& end) {
  CHECK(end.tick_count == tick_, "tick {}, expected {}", end.tick_count, tick_);
  absl::Status status = WriteBatches();
  if (!status.ok()) return status;
  v1::RunEnd message;
  message.set_tick_count(end.tick_count);
  message.set_outcome(ToProto(end.outcome.status));
  message.set_reason(end.outcome.reason);
  message.set_root(end.root.value);
  message.set_chain(end.chain.value);
  if (metadata_.format_revision >= kCountedRevisionMin) {
    message.set_event_count(event_count_);
  }
  status = Write(channels_.end, tick_, message);
  if (!status.ok()) return status;
  return file_->Finish();
}

}  // namespace reprise::replays
