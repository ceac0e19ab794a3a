// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_example.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_writer.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

constexpr uint64_t kTickNs = 16'666'666;

std::span<const std::byte> AsBytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

void CheckOk(const absl::Status& status) {
  CHECK(status.ok(), "{}", status.ToString());
}

std::unique_ptr<McapWriter> StartExample(ByteSink* sink) {
  auto writer = McapWriter::Create(
      {.profile = std::string(kMcapExampleProfile), .library = "example"},
      sink);
  CheckOk(writer.status());
  CheckOk((*writer)->AddMetadata(
      {.name = "run", .entries = {{"pack", "marble"}, {"seed", "7"}}}));
  CheckOk((*writer)->AddAttachment({.name = "pack",
                                    .media_type = "application/octet-stream",
                                    .data = AsBytes("bytes of a pack")}));
  return *std::move(writer);
}

void AddMessages(McapWriter& writer) {
  const auto schema =
      writer.AddSchema("Tick", "jsonschema", AsBytes(R"({"type":"object"})"));
  CheckOk(schema.status());
  const auto inputs = writer.AddChannel("/inputs", "json", *schema);
  const auto digests =
      writer.AddChannel("/digests", "json", 0, {{"stride", "2"}});
  CheckOk(inputs.status());
  CheckOk(digests.status());
  constexpr uint64_t kTicksPerChunk = 3;
  for (uint64_t tick = 0; tick < 3 * kTicksPerChunk; ++tick) {
    const std::string input = fmt::format(R"({{"tick":{}}})", tick);
    CheckOk(writer.AddMessage(*inputs, tick * kTickNs, AsBytes(input)));
    const bool is_second_chunk = tick / kTicksPerChunk == 1;
    if (tick % 2 == 0 && !is_second_chunk) {
      const std::string digest = fmt::format(R"({{"root":{}}})", tick * tick);
      CheckOk(writer.AddMessage(*digests, tick * kTickNs, AsBytes(digest)));
    }
    if (tick % kTicksPerChunk == kTicksPerChunk - 1) {
      CheckOk(writer.FlushChunk());
    }
  }
}

}  // namespace

Bytes WriteMcapExample() {
  Bytes bytes;
  MemorySink sink(&bytes);
  const auto writer = StartExample(&sink);
  AddMessages(*writer);
  CheckOk(writer->Finish());
  return bytes;
}

Bytes WriteUnfinishedMcapExample() {
  Bytes bytes;
  MemorySink sink(&bytes);
  AddMessages(*StartExample(&sink));
  return bytes;
}

}  // namespace reprise::replays
