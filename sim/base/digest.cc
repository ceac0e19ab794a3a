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

constexpr size_t kWordDigits = 16;

absl::StatusOr<uint64_t> ParseWord(std::string_view text) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  const bool has_upper_case = text.find_first_of("ABCDEF") != text.npos;
  if (error != std::errc() || stop != end || has_upper_case) {
    return absl::InvalidArgumentError(
        fmt::format("not a digest (lower-case hexadecimal): '{}'", text));
  }
  return value;
}

}  // namespace

Digest DigestOf(std::span<const std::byte> bytes) {
  const Digest digest{XXH3_64bits(bytes.data(), bytes.size())};
  LeaveAvx();
  return digest;
}

ContentDigest ContentDigestOf(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  LeaveAvx();
  return ContentDigest{.high = hash.high64, .low = hash.low64};
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

std::string FormatDigest(const ContentDigest& digest) {
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

absl::StatusOr<Digest> ParseDigest(std::string_view text) {
  if (text.size() != kWordDigits) {
    return absl::InvalidArgumentError(
        fmt::format("a digest has 16 hexadecimal digits: '{}'", text));
  }
  const absl::StatusOr<uint64_t> word = ParseWord(text);
  if (!word.ok()) return word.status();
  return Digest{*word};
}

absl::StatusOr<ContentDigest> ParseContentDigest(std::string_view text) {
  if (text.size() != 2 * kWordDigits) {
    return absl::InvalidArgumentError(
        fmt::format("a content digest has 32 hexadecimal digits: '{}'", text));
  }
  const absl::StatusOr<uint64_t> high = ParseWord(text.substr(0, kWordDigits));
  if (!high.ok()) return high.status();
  const absl::StatusOr<uint64_t> low = ParseWord(text.substr(kWordDigits));
  if (!low.ok()) return low.status();
  return ContentDigest{.high = *high, .low = *low};
}

}  // namespace reprise::sim
