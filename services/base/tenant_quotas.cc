// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/tenant_quotas.h"

#include <string>

#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {

absl::Status QuotaError(std::string_view what, uint64_t limit) {
  const std::string limit_text = fmt::to_string(limit);
  return WithReason(
      absl::ResourceExhaustedError(fmt::format(
          "a tenant of this server may have {} {}, and yours has them", limit,
          what)),
      "QUOTA_REACHED", {{"quota", what}, {"limit", limit_text}});
}

}  // namespace reprise::services
