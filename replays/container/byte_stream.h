// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where recordings are written to and read from: append-only sinks and sources
// that are read at any offset. Nothing above this header knows what a file is.

#ifndef REPRISE_REPLAYS_CONTAINER_BYTE_STREAM_H_
#define REPRISE_REPLAYS_CONTAINER_BYTE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"

namespace reprise::replays {

using Bytes = std::vector<std::byte>;

// Takes bytes in order. Used by one thread at a time.
class ByteSink {
 public:
  virtual ~ByteSink() = default;

  // Appends all of `bytes`. On an error an unknown part of them has been
  // written, and the sink is of no further use.
  virtual absl::Status Append(std::span<const std::byte> bytes) = 0;

  // Returns once everything appended so far would outlive this process, and,
  // where the sink was asked for that, the machine's next power cut.
  virtual absl::Status Flush() = 0;
};

// Bytes of a fixed number. Safe for concurrent access without external
// synchronization.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  virtual uint64_t size() const = 0;

  // Fills all of `out` with the bytes from `offset` on. OUT_OF_RANGE if they
  // pass the end; `out` is then unspecified.
  virtual absl::Status ReadAt(uint64_t offset,
                              std::span<std::byte> out) const = 0;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_BYTE_STREAM_H_
