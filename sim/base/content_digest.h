// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The identity of content that is kept: of packs, of replays, of results. It is
// trusted across machines, so it is SHA-256, which nobody can make a second
// content for. What was written before knows content by XXH3-128; that is read
// and compared, and never given to anything new.

#ifndef REPRISE_SIM_BASE_CONTENT_DIGEST_H_
#define REPRISE_SIM_BASE_CONTENT_DIGEST_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace reprise::sim {

enum class ContentHash : uint8_t {
  kXxh3,    // XXH3-128, seed 0
  kSha256,  // FIPS 180-4
};

// Ordered as its text is.
struct ContentDigest {
  // Of XXH3-128 the first half; the other one is 0.
  std::array<uint8_t, 32> bytes = {};
  ContentHash hash = ContentHash::kSha256;

  friend auto operator<=>(const ContentDigest&, const ContentDigest&) = default;
};

ContentDigest ContentDigestOf(std::span<const std::byte> bytes,
                              ContentHash hash = ContentHash::kSha256);

// The digest of content that comes in pieces.
class ContentHasher {
 public:
  explicit ContentHasher(ContentHash hash = ContentHash::kSha256);
  ~ContentHasher();
  ContentHasher(const ContentHasher&) = delete;
  ContentHasher& operator=(const ContentHasher&) = delete;

  void Append(std::span<const std::byte> bytes);

  // Of all that was appended so far.
  ContentDigest digest() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

// Lower-case hexadecimal digits: 64 of SHA-256, 32 of XXH3-128.
std::string FormatDigest(const ContentDigest& digest);

// Reads what FormatDigest wrote; INVALID_ARGUMENT for anything else.
absl::StatusOr<ContentDigest> ParseContentDigest(std::string_view text);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_CONTENT_DIGEST_H_
