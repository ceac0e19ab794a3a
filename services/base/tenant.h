// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whom sessions and replays belong to: nobody finds what is another tenant's.

#ifndef REPRISE_SERVICES_BASE_TENANT_H_
#define REPRISE_SERVICES_BASE_TENANT_H_

#include <compare>
#include <string>

namespace reprise::services {

struct Tenant {
  // Valid as an id; empty for callers that belong to nobody in particular, who
  // are one tenant, too.
  std::string name;

  friend auto operator<=>(const Tenant&, const Tenant&) = default;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_TENANT_H_
