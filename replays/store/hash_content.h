// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The digest of what a source holds, which may be more than fits into memory.

#ifndef REPRISE_REPLAYS_STORE_HASH_CONTENT_H_
#define REPRISE_REPLAYS_STORE_HASH_CONTENT_H_

#include <cstddef>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {

// Reads `source` once, in pieces of bounded size, each of which `visit` sees.
// Errors are those of either.
absl::Status ReadContent(
    const ByteSource& source,
    absl::FunctionRef<absl::Status(std::span<const std::byte>)> visit);

// As above, and the digest of it all.
absl::StatusOr<sim::ContentDigest> HashContent(
    const ByteSource& source,
    absl::FunctionRef<absl::Status(std::span<const std::byte>)> visit,
    sim::ContentHash hash = sim::ContentHash::kSha256);

// As above, without a visitor.
absl::StatusOr<sim::ContentDigest> HashContent(
    const ByteSource& source,
    sim::ContentHash hash = sim::ContentHash::kSha256);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_HASH_CONTENT_H_
