// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who may do what: the tokens of a file, which is read anew when it changes.

#ifndef REPRISE_SERVICES_BASE_ACCESS_H_
#define REPRISE_SERVICES_BASE_ACCESS_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/scope.h"
#include "services/base/tenant.h"
#include "services/base/token.h"

namespace reprise::services {

// Whoever makes a call.
struct Caller {
  Tenant tenant;
  // The name of its token; empty where everybody is let in.
  std::string token;
  // By what it was let in, and by which reading of the file; unused where
  // everybody is.
  TokenDigest digest = {};
  uint64_t reading = 0;
};

// Safe to use from any thread.
class Access {
 public:
  // Lets everybody do everything, as one tenant.
  Access() = default;
  // Lets in those who have a token of the file `path`. Errors are
  // ReadSmallFile's and TokenTable::Parse's.
  static absl::StatusOr<std::unique_ptr<Access>> Open(const std::string& path);

  // Who calls with `authorization`, "Bearer TOKEN", for what needs `scope`.
  // UNAUTHENTICATED: that is missing, or no token of the file.
  // PERMISSION_DENIED: the token doesn't allow it.
  absl::StatusOr<Caller> Authorize(
      std::optional<std::string_view> authorization, Scope scope) const;

  // Whether a caller who was let in still would be. Errors as above.
  absl::Status Confirm(Scope scope, Caller& caller) const;

  // Reads the file again. True: it has other tokens now. After an error, which
  // is Open's, those before hold.
  absl::StatusOr<bool> Reload();

 private:
  struct Reading {
    TokenTable tokens;
    uint64_t number = 0;  // from 1 on
  };

  Access(std::string path, std::string text, TokenTable tokens);

  std::shared_ptr<const Reading> reading() const;

  const std::string path_;  // empty: everybody may do everything

  mutable std::mutex mutex_;  // guards what follows
  std::string text_;          // of the file, as it was read last
  std::shared_ptr<const Reading> reading_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_ACCESS_H_
