// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Digests of state: XXH3-64 over canonical bytes, combined into a tree (pages,
// table, room, root) and a running chain over ticks. Equal bits give equal
// digests on every platform. Not cryptographic: they find accidents, they don't
// withstand forgers; content_digest.h has what does.

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

// XXH3-64, seed 0, of `bytes`.
Digest DigestOf(std::span<const std::byte> bytes);

// Digest of the sequence `parts`, each as eight little-endian bytes: order and
// count matter.
Digest CombineDigests(std::span<const Digest> parts);

// The chain's next link: covers `previous` and the root digest of one tick.
// The chain of a run starts from Digest{} before tick 0's digest enters.
Digest ExtendChain(Digest previous, Digest root);

// Sixteen lower-case hexadecimal digits, most significant first.
std::string FormatDigest(Digest digest);

// Reads what FormatDigest wrote; INVALID_ARGUMENT for anything else.
absl::StatusOr<Digest> ParseDigest(std::string_view text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_DIGEST_H_
