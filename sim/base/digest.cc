// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/digest.h"

#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/cpu_features.h"
#if defined(__x86_64__)
// Chooses by what the CPU has, to the same digests. What Debian builds for any
// x86-64 hashes 4 KiB ten times as slowly as AVX-512 does.
#include "xxh_x86dispatch.h"

#include <immintrin.h>
#else
#include "xxhash.h"
#endif

namespace reprise::sim {

// Digests are hashed and stored as they lie in memory.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Digest) == 8);

namespace {

#if defined(__x86_64__)

__attribute__((target("avx"))) void ZeroUpperHalves() { _mm256_zeroupper(); }

// What the hash leaves in the upper halves of the AVX registers, every SSE
// instruction after it has to carry along: a tick then takes a third longer.
void LeaveAvx() {
  if (HasAvx()) ZeroUpperHalves();
}

#else

void LeaveAvx() {}

#endif

constexpr size_t kDigits = 16;

}  // namespace

Digest DigestOf(std::span<const std::byte> bytes) {
  const Digest digest{XXH3_64bits(bytes.data(), bytes.size())};
  LeaveAvx();
  return digest;
}

Digest CombineDigests(std::span<const Digest> parts) {
  return DigestOf(std::as_bytes(parts));
}

Digest ExtendChain(Digest previous, Digest root) {
  const std::array<Digest, 2> links = {previous, root};
  return CombineDigests(links);
}

std::string FormatDigest(Digest digest) {
  return fmt::format("{:016x}", digest.value);
}

absl::StatusOr<Digest> ParseDigest(std::string_view text) {
  if (text.size() != kDigits) {
    return absl::InvalidArgumentError(
        fmt::format("a digest has 16 hexadecimal digits: '{}'", text));
  }
  Digest digest;
  const char* const end = text.data() + text.size();
  const auto [stop, error] =
      std::from_chars(text.data(), end, digest.value, 16);
  const bool has_upper_case = text.find_first_of("ABCDEF") != text.npos;
  if (error != std::errc() || stop != end || has_upper_case) {
    return absl::InvalidArgumentError(
        fmt::format("not a digest (lower-case hexadecimal): '{}'", text));
  }
  return digest;
}

}  // namespace reprise::sim
