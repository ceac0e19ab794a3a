// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/page/number_codec.h"

namespace reprise::replays {

void AppendUnsigned(uint64_t value, std::string& bytes) {
  for (; value >= 0x80; value >>= 7) {
    bytes.push_back(static_cast<char>(value | 0x80));
  }
  bytes.push_back(static_cast<char>(value));
}

void AppendSigned(int64_t value, std::string& bytes) {
  const auto bits = static_cast<uint64_t>(value);
  AppendUnsigned(bits << 1 ^ (value < 0 ? ~uint64_t{0} : 0), bytes);
}

uint64_t NumberReader::Unsigned() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (next_ == bytes_.size()) break;
    const auto byte = static_cast<uint8_t>(bytes_[next_++]);
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  is_ok_ = false;
  return 0;
}

int64_t NumberReader::Signed() {
  const uint64_t bits = Unsigned();
  return static_cast<int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
}

}  // namespace reprise::replays
