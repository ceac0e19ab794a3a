// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The digest of content that comes in pieces: what sim::ContentDigestOf gives
// for all of them together.

#ifndef REPRISE_REPLAYS_STORE_CONTENT_HASHER_H_
#define REPRISE_REPLAYS_STORE_CONTENT_HASHER_H_

#include <cstddef>
#include <memory>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "sim/base/digest.h"

namespace reprise::replays {

class ContentHasher {
 public:
  ContentHasher();
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void Append(std::span<const std::byte> bytes);

  // Of all that was appended so far.
  sim::ContentDigest digest() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

// Reads `source` once, in pieces of bounded size, each of which `visit` sees.
// Errors are those of either.
absl::Status ReadContent(
    const ByteSource& source,
    absl::FunctionRef<absl::Status(std::span<const std::byte>)> visit);

// As above, and the digest of it all.
absl::StatusOr<sim::ContentDigest> HashContent(
    const ByteSource& source,
    absl::FunctionRef<absl::Status(std::span<const std::byte>)> visit);

// As above, without a visitor.
absl::StatusOr<sim::ContentDigest> HashContent(const ByteSource& source);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_CONTENT_HASHER_H_
