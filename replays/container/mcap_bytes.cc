// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_bytes.h"

#include <utility>

#include "fmt/format.h"

namespace reprise::replays {

McapRecordEncoder::McapRecordEncoder(McapOpcode opcode, Bytes* out)
    : out_(*out), content_begin_(out->size() + kMcapRecordPrefixBytes) {
  PutUint8(static_cast<uint8_t>(opcode));
  PutUint64(0);
}

McapRecordEncoder::~McapRecordEncoder() {
  SetInteger(content_begin_ - 8, content().size(), 8);
}

void McapRecordEncoder::PutBytes(std::span<const std::byte> bytes) {
  out_.insert(out_.end(), bytes.begin(), bytes.end());
}

void McapRecordEncoder::PutString(std::string_view text) {
  PutUint32(static_cast<uint32_t>(text.size()));
  PutBytes(std::as_bytes(std::span(text)));
}

size_t McapRecordEncoder::BeginLength() {
  PutUint32(0);
  return out_.size();
}

void McapRecordEncoder::EndLength(size_t begin) {
  SetInteger(begin - 4, out_.size() - begin, 4);
}

std::span<const std::byte> McapRecordEncoder::content() const {
  return std::span(out_).subspan(content_begin_);
}

void McapRecordEncoder::PutInteger(uint64_t value, size_t byte_count) {
  out_.resize(out_.size() + byte_count);
  SetInteger(out_.size() - byte_count, value, byte_count);
}

void McapRecordEncoder::SetInteger(size_t at, uint64_t value,
                                   size_t byte_count) {
  for (size_t i = 0; i < byte_count; ++i) {
    out_[at + i] = static_cast<std::byte>(value >> (8 * i));
  }
}

void McapCursor::FailShort(uint64_t byte_count) {
  Fail(fmt::format("needs {} bytes, has {}", byte_count,
                   bytes_.size() - position_));
}

std::span<const std::byte> McapCursor::TakeLengthAndBytes(uint64_t bytes_max) {
  const uint32_t length = TakeUint32();
  if (length > bytes_max) {
    Fail(fmt::format("{} bytes, at most {} are allowed", length, bytes_max));
  }
  return TakeBytes(length);
}

std::string McapCursor::TakeString(uint64_t bytes_max) {
  const auto bytes = TakeLengthAndBytes(bytes_max);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

McapStringMap McapCursor::TakeStringMap(uint64_t bytes_max) {
  McapCursor entries(TakeLengthAndBytes(bytes_max));
  McapStringMap map = entries.TakeEntries();
  if (!entries.ok()) Fail("map: " + entries.failure_);
  return map;
}

McapStringMap McapCursor::TakeEntries() {
  McapStringMap map;
  while (ok() && !at_end()) {
    std::string key = TakeString();
    std::string value = TakeString(bytes_.size());
    const bool added = map.emplace(std::move(key), std::move(value)).second;
    if (!added) Fail("a key that comes twice");
    if (map.size() > kMcapMapEntriesMax) Fail("too many entries");
  }
  return map;
}

void McapCursor::Fail(std::string_view reason) {
  if (ok()) failure_ = std::string(reason);
}

absl::Status McapCursor::status(std::string_view record) const {
  if (ok()) return absl::OkStatus();
  return absl::DataLossError(
      fmt::format("{}, byte {}: {}", record, position_, failure_));
}

}  // namespace reprise::replays
