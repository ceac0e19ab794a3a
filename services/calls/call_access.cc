// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/call_access.h"

#include <iterator>

namespace reprise::services {

absl::StatusOr<Caller> AuthorizeCall(const Access& access,
                                     const grpc::CallbackServerContext& context,
                                     Scope scope) {
  const auto& metadata = context.client_metadata();
  const auto [first, end] = metadata.equal_range("authorization");
  std::optional<std::string_view> authorization;
  // Of two it isn't known which one is meant.
  if (first != end && std::next(first) == end) {
    authorization =
        std::string_view(first->second.data(), first->second.size());
  }
  return access.Authorize(authorization, scope);
}

}  // namespace reprise::services
