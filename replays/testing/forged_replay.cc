// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/forged_replay.h"

#include <span>
#include <utility>

#include "absl/status/statusor.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"

namespace reprise::replays {
namespace {

std::span<const std::byte> BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

ForgedReplay::ForgedReplay(const std::map<std::string, std::string>& changes)
    : sink_(&file_) {
  absl::StatusOr<std::unique_ptr<McapWriter>> writer = McapWriter::Create(
      {.profile = std::string(kReplayProfile), .library = "forged"}, &sink_);
  CHECK(writer.ok());
  writer_ = *std::move(writer);
  ReplayMetadata metadata = DescribeRun(*MakeTiny());
  metadata.digest_stride = 10;
  std::map<std::string, std::string> entries = EncodeReplayMetadata(metadata);
  for (const auto& [key, value] : changes) entries[key] = value;
  CHECK(writer_
            ->AddMetadata(
                {.name = std::string(kReplayMetadataName), .entries = entries})
            .ok());
  const std::string pack = MakeTinyPack().Encode();
  CHECK(writer_
            ->AddAttachment({.name = std::string(kPackAttachment),
                             .media_type = std::string(kPackMediaType),
                             .data = BytesOf(pack)})
            .ok());
}

ForgedReplay& ForgedReplay::Add(std::string_view topic, uint64_t tick,
                                const google::protobuf::MessageLite& message) {
  return AddBytes(topic, tick, message.SerializeAsString());
}

ForgedReplay& ForgedReplay::AddBytes(std::string_view topic, uint64_t tick,
                                     std::string_view data) {
  auto channel = channels_.find(topic);
  if (channel == channels_.end()) {
    const absl::StatusOr<uint16_t> added = writer_->AddChannel(
        std::string(topic), std::string(kProtobufEncoding), /*schema_id=*/0);
    CHECK(added.ok());
    channel = channels_.emplace(topic, *added).first;
  }
  CHECK(writer_
            ->AddMessage(channel->second,
                         sim::LogTimeNs(tick, {.ticks_per_second = 60}),
                         BytesOf(data))
            .ok());
  return *this;
}

Bytes ForgedReplay::Finish() {
  CHECK(writer_->Finish().ok());
  return std::move(file_);
}

}  // namespace reprise::replays
