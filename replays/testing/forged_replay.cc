// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/forged_replay.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "absl/status/statusor.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"

namespace reprise::replays {
namespace {

// Of a fuzzer's topics; seldom, for each takes a moment.
constexpr uint8_t kEndsChunkFrom = 0xF0;
constexpr uint8_t kRepeatsFrom = 0xF8;

// In front of a message: its topic, its tick, and how long it is.
constexpr size_t kHeadBytes = 4;

constexpr std::array kTopics = {kInputsTopic, kDigestsTopic, kKeyframesTopic,
                                kEventsTopic, kEndTopic};

std::span<const std::byte> BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// Nothing compresses better.
std::string Repeat(std::string_view data) {
  std::string repeated;
  repeated.reserve(kMcapMessageBytesMax);
  while (repeated.size() + data.size() <= kMcapMessageBytesMax) {
    repeated += data;
  }
  return repeated;
}

// Of messages, as ReplayOfFuzzer reads them.
Bytes ForgeReplay(std::span<const uint8_t> input) {
  ForgedReplay forged;
  while (input.size() >= kHeadBytes) {
    const std::string_view topic = kTopics[input[0] % kTopics.size()];
    const uint64_t tick = input[1];
    const size_t said = input[2] | static_cast<size_t>(input[3]) << 8;
    const size_t size = std::min(said, input.size() - kHeadBytes);
    const std::string_view data = {
        reinterpret_cast<const char*>(input.data()) + kHeadBytes, size};
    if (input[0] >= kEndsChunkFrom) forged.EndChunk();
    if (input[0] < kRepeatsFrom || size == 0) {
      forged.AddBytes(topic, tick, data);
    } else {
      forged.AddBytes(topic, tick, Repeat(data));
    }
    input = input.subspan(kHeadBytes + size);
  }
  return forged.Finish();
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

ForgedReplay& ForgedReplay::EndChunk() {
  CHECK(writer_->FlushChunk().ok());
  return *this;
}

Bytes ForgedReplay::Finish() {
  CHECK(writer_->Finish().ok());
  return std::move(file_);
}

Bytes ReplayOfFuzzer(std::span<const uint8_t> input) {
  if (input.empty()) return {};
  const std::span<const uint8_t> rest = input.subspan(1);
  if (input[0] % 2 != 0) return ForgeReplay(rest);
  const std::span<const std::byte> file = std::as_bytes(rest);
  return Bytes(file.begin(), file.end());
}

}  // namespace reprise::replays
