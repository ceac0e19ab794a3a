// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What one tenant may have of a server, besides what all of them may have
// together: so that none takes the others' room.

#ifndef REPRISE_SERVICES_BASE_TENANT_QUOTAS_H_
#define REPRISE_SERVICES_BASE_TENANT_QUOTAS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace reprise::services {

// Of each tenant, at a time. 0: as much as the server has.
struct TenantQuotas {
  uint32_t sessions_max = 0;
  uint32_t streams_max = 0;
  // Rows of the states of its sessions and of their snapshots, counted as if
  // they shared nothing.
  uint64_t state_bytes_max = 0;
};

// RESOURCE_EXHAUSTED: the tenant has reached its quota of `what` ("sessions"),
// which the reason names with its limit.
absl::Status QuotaError(std::string_view what, uint64_t limit);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_TENANT_QUOTAS_H_
