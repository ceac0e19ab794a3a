// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/token.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "services/base/resource_name.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

constexpr std::string_view kTokenPrefix = "reprise_";
constexpr std::string_view kBlanks = " \t\r";

// The parts of `text` between characters of `separators` that aren't empty.
std::vector<std::string_view> Split(std::string_view text,
                                    std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    text.remove_prefix(
        std::min(text.find_first_not_of(separators), text.size()));
    if (text.empty()) return parts;
    const std::string_view part =
        text.substr(0, text.find_first_of(separators));
    parts.push_back(part);
    text.remove_prefix(part.size());
  }
}

std::string ToHex(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// 64 digits, small or large.
bool ParseDigest(std::string_view text, TokenDigest& digest) {
  if (text.size() != 2 * digest.size()) return false;
  for (size_t i = 0; i < digest.size(); ++i) {
    const char* const digits = text.data() + 2 * i;
    const auto [end, error] =
        std::from_chars(digits, digits + 2, digest[i], /*base=*/16);
    if (error != std::errc() || end != digits + 2) return false;
  }
  return true;
}

// A line that isn't empty.
absl::StatusOr<Token> ParseLine(std::string_view line) {
  const std::vector<std::string_view> words = Split(line, kBlanks);
  if (words.size() < 3 || words.size() > 4) {
    return absl::InvalidArgumentError(
        "a token's line is: name, SHA-256 of the token, scope and, if it "
        "belongs to one, its tenant");
  }
  Token token;
  token.name = words[0];
  if (!IsValidId(token.name)) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is no name: it has 1 to {} of a-z, 0-9 and '-'",
                    words[0], kIdBytesMax));
  }
  // What stands there may be a token, which no message repeats.
  if (!ParseDigest(words[1], token.digest)) {
    return absl::InvalidArgumentError(fmt::format(
        "the SHA-256 of token '{}' has 64 hexadecimal digits", token.name));
  }
  for (const std::string_view name : Split(words[2], ",")) {
    const std::optional<Scope> scope = ParseScope(name);
    if (!scope.has_value()) {
      return absl::InvalidArgumentError(
          fmt::format("'{}' is no scope: observe, play or manage", name));
    }
    token.scope = std::max(token.scope, *scope);
  }
  if (words.size() == 4) token.tenant.name = words[3];
  if (words.size() == 4 && !IsValidId(token.tenant.name)) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is no tenant: it has 1 to {} of a-z, 0-9 and '-'",
                    words[3], kIdBytesMax));
  }
  return token;
}

}  // namespace

std::string NewToken() {
  std::array<uint8_t, 32> random = {};
  CHECK(getentropy(random.data(), random.size()) == 0);
  return fmt::format("{}{}", kTokenPrefix, ToHex(random));
}

TokenDigest DigestOf(std::string_view token) {
  TokenDigest digest;
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(),
         digest.data());
  return digest;
}

std::string FormatTokenLine(const Token& token) {
  std::string line = fmt::format("{} {} {}", token.name, ToHex(token.digest),
                                 NameOf(token.scope));
  if (!token.tenant.name.empty()) line += fmt::format(" {}", token.tenant.name);
  return line;
}

absl::StatusOr<TokenTable> TokenTable::Parse(std::string_view path,
                                             std::string_view text) {
  TokenTable table;
  std::set<std::string> names;
  std::set<TokenDigest> digests;
  int number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty() || line.starts_with('#')) continue;
    auto token = ParseLine(line);
    absl::Status status = token.status();
    if (status.ok() && !names.insert(token->name).second) {
      status = absl::InvalidArgumentError(
          fmt::format("a second token is called '{}'", token->name));
    }
    if (status.ok() && !digests.insert(token->digest).second) {
      status = absl::InvalidArgumentError(
          fmt::format("'{}' is a second name of one token", token->name));
    }
    if (status.ok() && names.size() > kTokensMax) {
      status = absl::InvalidArgumentError(
          fmt::format("there are more than {} tokens", kTokensMax));
    }
    if (!status.ok()) {
      return absl::InvalidArgumentError(fmt::format(
          "{}:{}: {}", path, number, std::string(status.message())));
    }
    table.tokens_.push_back(*std::move(token));
  }
  return table;
}

const Token* TokenTable::Find(const TokenDigest& digest) const {
  // The index behind the one that is equal, without a branch on the way.
  size_t found = 0;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    const bool is_equal = CRYPTO_memcmp(tokens_[i].digest.data(), digest.data(),
                                        digest.size()) == 0;
    found |= (i + 1) & (size_t{0} - static_cast<size_t>(is_equal));
  }
  return found == 0 ? nullptr : &tokens_[found - 1];
}

}  // namespace reprise::services
