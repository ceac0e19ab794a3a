// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Digests of state: XXH3-64 over canonical bytes, combined into a tree (pages,
// table, room, root) and a running chain over ticks. Equal bits give equal
// digests on every platform. Not cryptographic: they find accidents, they don't
// withstand forgers.

#ifndef REPRISE_SIM_BASE_DIGEST_H_
#define REPRISE_SIM_BASE_DIGEST_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace reprise::sim {

struct Digest {
  uint64_t value = 0;

  friend auto operator<=>(const Digest&, const Digest&) = default;
};

// The identity of content that is kept (a pack, a file): XXH3-128.
struct ContentDigest {
  uint64_t high = 0;
  uint64_t low = 0;

  friend auto operator<=>(const ContentDigest&, const ContentDigest&) = default;
};

// XXH3-64, seed 0, of `bytes`.
Digest DigestOf(std::span<const std::byte> bytes);

// XXH3-128, seed 0, of `bytes`.
ContentDigest ContentDigestOf(std::span<const std::byte> bytes);

// Digest of the sequence `parts`, each as eight little-endian bytes: order and
// count matter.
Digest CombineDigests(std::span<const Digest> parts);

// The chain's next link: covers `previous` and the root digest of one tick.
// The chain of a run starts from Digest{} before tick 0's digest enters.
Digest ExtendChain(Digest previous, Digest root);

// Sixteen (or thirty-two) lower-case hexadecimal digits, most significant
// first.
std::string FormatDigest(Digest digest);
std::string FormatDigest(const ContentDigest& digest);

// Reads what FormatDigest wrote; INVALID_ARGUMENT for anything else.
absl::StatusOr<Digest> ParseDigest(std::string_view text);
absl::StatusOr<ContentDigest> ParseContentDigest(std::string_view text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_DIGEST_H_
