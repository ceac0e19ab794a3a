// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/access.h"

#include <utility>

#include "fmt/format.h"
#include "services/base/small_file.h"
#include "services/base/status.h"

namespace reprise::services {
namespace {

constexpr std::string_view kScheme = "bearer ";

// What stands behind "Bearer ", which may be written small; nullopt without it.
std::optional<std::string_view> TokenOf(
    std::optional<std::string_view> authorization) {
  if (!authorization.has_value() || authorization->size() < kScheme.size()) {
    return std::nullopt;
  }
  for (size_t i = 0; i < kScheme.size(); ++i) {
    const char character = (*authorization)[i];
    const bool is_capital = character >= 'A' && character <= 'Z';
    if ((is_capital ? character - 'A' + 'a' : character) != kScheme[i]) {
      return std::nullopt;
    }
  }
  return authorization->substr(kScheme.size());
}

absl::Status UnknownTokenError() {
  return WithReason(
      absl::UnauthenticatedError("this server knows no such token"),
      "TOKEN_UNKNOWN");
}

absl::Status CheckScope(const Token& token, Scope scope) {
  if (token.scope >= scope) return absl::OkStatus();
  return WithReason(absl::PermissionDeniedError(fmt::format(
                        "token '{}' allows to {}; this call takes one that "
                        "allows to {}",
                        token.name, NameOf(token.scope), NameOf(scope))),
                    "SCOPE_MISSING", {{"scope", NameOf(scope)}});
}

}  // namespace

absl::StatusOr<std::unique_ptr<Access>> Access::Open(const std::string& path) {
  auto text = ReadSmallFile(path);
  if (!text.ok()) return text.status();
  auto tokens = TokenTable::Parse(path, *text);
  if (!tokens.ok()) return tokens.status();
  return std::unique_ptr<Access>(
      new Access(path, *std::move(text), *std::move(tokens)));
}

Access::Access(std::string path, std::string text, TokenTable tokens)
    : path_(std::move(path)),
      text_(std::move(text)),
      reading_(std::make_shared<Reading>(
          Reading{.tokens = std::move(tokens), .number = 1})) {}

absl::StatusOr<Caller> Access::Authorize(
    std::optional<std::string_view> authorization, Scope scope) const {
  const std::shared_ptr<const Reading> reading = this->reading();
  if (reading == nullptr) return Caller();
  const std::optional<std::string_view> presented = TokenOf(authorization);
  if (!presented.has_value()) {
    return WithReason(absl::UnauthenticatedError(
                          "this server wants a token with each call, as the "
                          "metadata 'authorization: Bearer TOKEN'"),
                      "TOKEN_MISSING");
  }
  const TokenDigest digest = DigestOf(*presented);
  const Token* token = reading->tokens.Find(digest);
  if (token == nullptr) return UnknownTokenError();
  if (absl::Status allowed = CheckScope(*token, scope); !allowed.ok()) {
    return allowed;
  }
  return Caller{.tenant = token->tenant,
                .token = token->name,
                .digest = digest,
                .reading = reading->number};
}

absl::Status Access::Confirm(Scope scope, Caller& caller) const {
  const std::shared_ptr<const Reading> reading = this->reading();
  if (reading == nullptr || reading->number == caller.reading) {
    return absl::OkStatus();
  }
  const Token* token = reading->tokens.Find(caller.digest);
  if (token == nullptr || token->tenant != caller.tenant) {
    return UnknownTokenError();
  }
  if (absl::Status allowed = CheckScope(*token, scope); !allowed.ok()) {
    return allowed;
  }
  caller.reading = reading->number;
  return absl::OkStatus();
}

absl::StatusOr<bool> Access::Reload() {
  if (path_.empty()) return false;
  auto text = ReadSmallFile(path_);
  if (!text.ok()) return text.status();
  const std::scoped_lock lock(mutex_);
  if (*text == text_) return false;
  auto tokens = TokenTable::Parse(path_, *text);
  if (!tokens.ok()) return tokens.status();
  text_ = *std::move(text);
  reading_ = std::make_shared<Reading>(
      Reading{.tokens = *std::move(tokens), .number = reading_->number + 1});
  return true;
}

std::shared_ptr<const Access::Reading> Access::reading() const {
  const std::scoped_lock lock(mutex_);
  return reading_;
}

}  // namespace reprise::services
