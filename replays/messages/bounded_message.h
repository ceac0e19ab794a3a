// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Parses the messages of a file in memory that their size bounds: an entry of
// two bytes may unpack into hundreds, and millions of them fit into a chunk
// that compresses to nothing. What they come to is counted before it is taken.

#ifndef REPRISE_REPLAYS_MESSAGES_BOUNDED_MESSAGE_H_
#define REPRISE_REPLAYS_MESSAGES_BOUNDED_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "google/protobuf/message.h"

namespace reprise::replays {

// What a message of n bytes may take in memory: this, and so many times n. A
// recorder's fullest batch of inputs comes to half of the first, and events of
// the smallest kind to 13 times their bytes.
inline constexpr uint64_t kMessageMemoryBytes = uint64_t{64} << 20;
inline constexpr uint64_t kMessageMemoryFactor = 16;

// Replaces `message` by what `data` says. DATA_LOSS: that is no such message,
// or would take more memory than that; `message` is then empty.
absl::Status ParseBounded(std::span<const std::byte> data,
                          google::protobuf::Message& message);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_MESSAGES_BOUNDED_MESSAGE_H_
