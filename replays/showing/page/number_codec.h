// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whole numbers as bytes: LEB128, seven bits a byte, and signed ones zigzag, so
// that small ones are short either way. recording.js reads the same.

#ifndef REPRISE_REPLAYS_SHOWING_PAGE_NUMBER_CODEC_H_
#define REPRISE_REPLAYS_SHOWING_PAGE_NUMBER_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace reprise::replays {

void AppendUnsigned(uint64_t value, std::string& bytes);
void AppendSigned(int64_t value, std::string& bytes);

class NumberReader {
 public:
  // `bytes` must remain live.
  explicit NumberReader(std::string_view bytes) : bytes_(bytes) {}

  // 0 behind the end and for what is too long; is_ok() says so.
  uint64_t Unsigned();
  int64_t Signed();

  bool is_ok() const { return is_ok_; }
  bool is_at_end() const { return next_ == bytes_.size(); }

 private:
  const std::string_view bytes_;
  size_t next_ = 0;
  bool is_ok_ = true;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_PAGE_NUMBER_CODEC_H_
