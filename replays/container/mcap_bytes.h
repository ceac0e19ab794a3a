// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// MCAP's basic types to bytes and back: little-endian integers, strings and
// maps behind a length. Reading never passes the end of what it was given,
// whatever the lengths inside say.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_BYTES_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"

namespace reprise::replays {

// Appends one record to `out`: opcode and length first, then what is put, and
// the length is filled in on destruction. `out` must remain live and take
// nothing else meanwhile.
class McapRecordEncoder {
 public:
  McapRecordEncoder(McapOpcode opcode, Bytes* out);
  McapRecordEncoder(const McapRecordEncoder&) = delete;
  McapRecordEncoder& operator=(const McapRecordEncoder&) = delete;
  ~McapRecordEncoder();

  void PutUint8(uint8_t value) { PutInteger(value, 1); }
  void PutUint16(uint16_t value) { PutInteger(value, 2); }
  void PutUint32(uint32_t value) { PutInteger(value, 4); }
  void PutUint64(uint64_t value) { PutInteger(value, 8); }
  void PutBytes(std::span<const std::byte> bytes);
  void PutString(std::string_view text);

  // Leaves room for the 32-bit length of what is put until the matching
  // EndLength(the value returned).
  size_t BeginLength();
  void EndLength(size_t begin);

  // The content put so far. Valid until the next Put.
  std::span<const std::byte> content() const;

 private:
  void PutInteger(uint64_t value, size_t byte_count);
  void SetInteger(size_t at, uint64_t value, size_t byte_count);

  Bytes& out_;
  const size_t content_begin_;
};

// Takes fields off the front of one record's content. After the first field
// that isn't there or passes its limit, ok() is false and every further field
// reads as zero or empty, so that a decoder asks once, at its end.
class McapCursor {
 public:
  explicit McapCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint8_t TakeUint8() { return TakeInteger<uint8_t>(); }
  uint16_t TakeUint16() { return TakeInteger<uint16_t>(); }
  uint32_t TakeUint32() { return TakeInteger<uint32_t>(); }
  uint64_t TakeUint64() { return TakeInteger<uint64_t>(); }
  std::span<const std::byte> TakeBytes(uint64_t byte_count);

  // A 32-bit length and as many bytes, at most `bytes_max`.
  std::span<const std::byte> TakeLengthAndBytes(uint64_t bytes_max);
  std::string TakeString(uint64_t bytes_max = kMcapNameBytesMax);

  // A 32-bit length and a map of as many bytes, at most `bytes_max`.
  McapStringMap TakeStringMap(uint64_t bytes_max);

  // The entries of a map, up to the end. Fails on a key that comes twice: no
  // two readers agree on what that means.
  McapStringMap TakeEntries();

  // Makes ok() false for a reason of the caller's.
  void Fail(std::string_view reason);

  bool ok() const { return failure_.empty(); }
  bool at_end() const { return position_ == bytes_.size(); }
  uint64_t position() const { return position_; }

  // OK, or DATA_LOSS with `record`'s name, the byte of its content where the
  // trouble is, and the reason.
  absl::Status status(std::string_view record) const;

 private:
  // In the header, for the index of a long file takes tens of thousands.
  template <typename Integer>
  Integer TakeInteger() {
    static_assert(std::endian::native == std::endian::little);
    const std::span<const std::byte> bytes = TakeBytes(sizeof(Integer));
    Integer value = 0;
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(Integer));
    return value;
  }

  void FailShort(uint64_t byte_count);

  const std::span<const std::byte> bytes_;
  uint64_t position_ = 0;
  std::string failure_;
};

inline std::span<const std::byte> McapCursor::TakeBytes(uint64_t byte_count) {
  if (byte_count > bytes_.size() - position_) FailShort(byte_count);
  if (!ok()) return {};
  const auto taken = bytes_.subspan(position_, byte_count);
  position_ += byte_count;
  return taken;
}

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_BYTES_H_
