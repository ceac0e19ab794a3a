// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who makes a call of gRPC's, by the metadata that came with it.

#ifndef REPRISE_SERVICES_CALLS_CALL_ACCESS_H_
#define REPRISE_SERVICES_CALLS_CALL_ACCESS_H_

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "grpcpp/server_context.h"
#include "services/base/access.h"
#include "services/base/scope.h"
#include "sim/base/check.h"

namespace reprise::services {

// What the call needs whose requests are of this type: each call has one of its
// own, "FooRequest" of "Foo".
template <typename Request>
Scope ScopeOfRequest() {
  static const Scope scope = [] {
    std::string_view call = Request::descriptor()->name();
    call.remove_suffix(std::string_view("Request").size());
    const std::optional<Scope> needed = ScopeOf(call);
    CHECK(needed.has_value(), "{}", call);
    return *needed;
  }();
  return scope;
}

// Errors are Access::Authorize's.
absl::StatusOr<Caller> AuthorizeCall(const Access& access,
                                     const grpc::CallbackServerContext& context,
                                     Scope scope);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_CALL_ACCESS_H_
