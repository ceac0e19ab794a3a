// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/scope.h"

#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/expression/token.h"

namespace reprise::sim {

absl::StatusOr<ExpressionMeaning> ExpressionScope::FindCall(
    const ScopeCall& call) {
  return absl::InternalError(
      fmt::format("{} is a function of no scope", call.function));
}

absl::Status UnknownNameAt(size_t column, std::string_view kind,
                           std::string_view name,
                           std::span<const std::string> known) {
  std::vector<std::string_view> views(known.begin(), known.end());
  // One that is known and can't be meant here is no slip.
  std::erase(views, name);
  return ExpressionErrorAt(column, fmt::format("there is no {} '{}'{}", kind,
                                               name, DidYouMean(name, views)));
}

}  // namespace reprise::sim
