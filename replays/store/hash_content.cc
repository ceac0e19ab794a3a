// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/hash_content.h"
#include "sim/base/content_digest.h"

#include <algorithm>
#include <cstdint>

namespace reprise::replays {
namespace {

// Large enough that the calls don't count.
constexpr uint64_t kPieceBytes = uint64_t{1} << 20;

}  // namespace

absl::Status ReadContent(
    const ByteSource& source,
    absl::FunctionRef<absl::Status(std::span<const std::byte>)> visit) {
  Bytes buffer(std::min(source.size(), kPieceBytes));
  for (uint64_t offset = 0; offset < source.size();) {
    const std::span<std::byte> piece = std::span(buffer).first(
        std::min<uint64_t>(buffer.size(), source.size() - offset));
    absl::Status status = source.ReadAt(offset, piece);
    if (status.ok()) status = visit(piece);
    if (!status.ok()) return status;
    offset += piece.size();
  }
  return absl::OkStatus();
}

absl::StatusOr<sim::ContentDigest> HashContent(
    const ByteSource& source,
    absl::FunctionRef<absl::Status(std::span<const std::byte>)> visit,
    sim::ContentHash hash) {
  sim::ContentHasher hasher(hash);
  const absl::Status read =
      ReadContent(source, [&](std::span<const std::byte> piece) {
        hasher.Append(piece);
        return visit(piece);
      });
  if (!read.ok()) return read;
  return hasher.digest();
}

absl::StatusOr<sim::ContentDigest> HashContent(const ByteSource& source,
                                               sim::ContentHash hash) {
  return HashContent(
      source, [](std::span<const std::byte>) { return absl::OkStatus(); },
      hash);
}

}  // namespace reprise::replays
