// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/content_hasher.h"

#include <algorithm>
#include <cstdint>

#include "sim/base/check.h"
#if defined(__x86_64__)
// As in sim/base/digest.cc.
#include "xxh_x86dispatch.h"
#else
#include "xxhash.h"
#endif

namespace reprise::replays {
namespace {

// Large enough that the calls don't count.
constexpr uint64_t kPieceBytes = uint64_t{1} << 20;

}  // namespace

struct ContentHasher::State {
  struct Freer {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Freer> xxh{XXH3_createState()};
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) {
  CHECK(state_->xxh != nullptr);
  CHECK(XXH3_128bits_reset(state_->xxh.get()) == XXH_OK);
}

ContentHasher::~ContentHasher() = default;

void ContentHasher::Append(std::span<const std::byte> bytes) {
  CHECK(XXH3_128bits_update(state_->xxh.get(), bytes.data(), bytes.size()) ==
        XXH_OK);
}

sim::ContentDigest ContentHasher::digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh.get());
  return {.high = hash.high64, .low = hash.low64};
}

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
    absl::FunctionRef<absl::Status(std::span<const std::byte>)> visit) {
  ContentHasher hasher;
  const absl::Status read =
      ReadContent(source, [&](std::span<const std::byte> piece) {
        hasher.Append(piece);
        return visit(piece);
      });
  if (!read.ok()) return read;
  return hasher.digest();
}

absl::StatusOr<sim::ContentDigest> HashContent(const ByteSource& source) {
  return HashContent(
      source, [](std::span<const std::byte>) { return absl::OkStatus(); });
}

}  // namespace reprise::replays
