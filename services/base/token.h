// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bearer tokens: made from the system's random source, kept as digests. A file
// of them has a line a token:
//
//   # name  SHA-256 of the token  scope  tenant, if it belongs to one
//   ci      9f86d081...           play   red
//
// Who reads the file learns no token.

#ifndef REPRISE_SERVICES_BASE_TOKEN_H_
#define REPRISE_SERVICES_BASE_TOKEN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/base/scope.h"
#include "services/base/tenant.h"

namespace reprise::services {

// Each presented token is compared with all of them.
inline constexpr size_t kTokensMax = 10'000;

using TokenDigest = std::array<uint8_t, 32>;

struct Token {
  std::string name;  // valid as an id; says in logs whose it is
  TokenDigest digest = {};
  Scope scope = Scope::kObserve;
  Tenant tenant;
};

// A token that nobody can guess: 256 random bits, as 64 hexadecimal digits
// behind "reprise_".
std::string NewToken();

// Its SHA-256.
TokenDigest DigestOf(std::string_view token);

// The line of a file of tokens, without its end.
std::string FormatTokenLine(const Token& token);

// The tokens of a file. Safe to use from any thread.
class TokenTable {
 public:
  // INVALID_ARGUMENT, with `path` and the line: a line is no token's, two have
  // one name or one digest, or there are more than kTokensMax.
  static absl::StatusOr<TokenTable> Parse(std::string_view path,
                                          std::string_view text);

  // Null: there is none. Takes as long whichever it is, and however much of a
  // digest is right.
  const Token* Find(const TokenDigest& digest) const;

  size_t size() const { return tokens_.size(); }

 private:
  std::vector<Token> tokens_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_TOKEN_H_
