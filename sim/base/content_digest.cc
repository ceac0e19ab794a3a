// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/base/content_digest.h"

#include <algorithm>
#include <charconv>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "nettle/sha2.h"
#include "sim/base/check.h"
#include "xxhash.h"

namespace reprise::sim {
namespace {

constexpr size_t kDigitsOfByte = 2;
constexpr size_t kXxh3Bytes = sizeof(XXH128_canonical_t);

static_assert(std::tuple_size_v<decltype(ContentDigest::bytes)> ==
              SHA256_DIGEST_SIZE);

// How much of a digest's bytes it has.
size_t SizeOf(ContentHash hash) {
  return hash == ContentHash::kSha256 ? SHA256_DIGEST_SIZE : kXxh3Bytes;
}

const uint8_t* AsUnsigned(std::span<const std::byte> bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

ContentDigest FromXxh3(XXH128_hash_t hash) {
  XXH128_canonical_t canonical;  // its bytes, most significant first
  XXH128_canonicalFromHash(&canonical, hash);
  ContentDigest digest{.hash = ContentHash::kXxh3};
  std::ranges::copy(canonical.digest, digest.bytes.begin());
  return digest;
}

struct Xxh3Freer {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

using Xxh3State = std::unique_ptr<XXH3_state_t, Xxh3Freer>;

}  // namespace

struct ContentHasher::State {
  std::variant<sha256_ctx, Xxh3State> hash;
};

ContentHasher::ContentHasher(ContentHash hash)
    : state_(std::make_unique<State>()) {
  if (hash == ContentHash::kSha256) {
    sha256_init(&state_->hash.emplace<sha256_ctx>());
    return;
  }
  Xxh3State xxh3(XXH3_createState());
  CHECK(xxh3 != nullptr);
  CHECK(XXH3_128bits_reset(xxh3.get()) == XXH_OK);
  state_->hash = std::move(xxh3);
}

ContentHasher::~ContentHasher() = default;

void ContentHasher::Append(std::span<const std::byte> bytes) {
  if (auto* const sha256 = std::get_if<sha256_ctx>(&state_->hash)) {
    sha256_update(sha256, bytes.size(), AsUnsigned(bytes));
    return;
  }
  XXH3_state_t* const xxh3 = std::get<Xxh3State>(state_->hash).get();
  CHECK(XXH3_128bits_update(xxh3, bytes.data(), bytes.size()) == XXH_OK);
}

ContentDigest ContentHasher::digest() const {
  if (const auto* const sha256 = std::get_if<sha256_ctx>(&state_->hash)) {
    sha256_ctx ended = *sha256;  // asking for a digest begins another one
    ContentDigest digest;
    sha256_digest(&ended, digest.bytes.size(), digest.bytes.data());
    return digest;
  }
  return FromXxh3(XXH3_128bits_digest(std::get<Xxh3State>(state_->hash).get()));
}

ContentDigest ContentDigestOf(std::span<const std::byte> bytes,
                              ContentHash hash) {
  ContentHasher hasher(hash);
  hasher.Append(bytes);
  return hasher.digest();
}

std::string FormatDigest(const ContentDigest& digest) {
  std::string text;
  for (const uint8_t byte :
       std::span(digest.bytes).first(SizeOf(digest.hash))) {
    fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  }
  return text;
}

absl::StatusOr<ContentDigest> ParseContentDigest(std::string_view text) {
  ContentDigest digest;
  if (text.size() == kXxh3Bytes * kDigitsOfByte) {
    digest.hash = ContentHash::kXxh3;
  } else if (text.size() != SHA256_DIGEST_SIZE * kDigitsOfByte) {
    return absl::InvalidArgumentError(fmt::format(
        "a content digest has 64 hexadecimal digits, or 32: '{}'", text));
  }
  for (size_t i = 0; i * kDigitsOfByte < text.size(); ++i) {
    const std::string_view digits =
        text.substr(i * kDigitsOfByte, kDigitsOfByte);
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] =
        std::from_chars(digits.data(), end, digest.bytes[i], 16);
    const bool has_upper_case =
        digits.find_first_of("ABCDEF") != std::string_view::npos;
    if (error != std::errc() || stop != end || has_upper_case) {
      return absl::InvalidArgumentError(
          fmt::format("not a digest (lower-case hexadecimal): '{}'", text));
    }
  }
  return digest;
}

}  // namespace reprise::sim
