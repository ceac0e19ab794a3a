// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The page for people: how a server stands, as HTML without a script, which
// looks again by itself.

#ifndef REPRISE_SERVICES_STATUS_PAGE_H_
#define REPRISE_SERVICES_STATUS_PAGE_H_

#include <string>
#include <string_view>

#include "services/base/tenant.h"
#include "services/operator_metrics.h"

namespace reprise::services {

// All that the page shows stands in it; nothing is loaded.
inline constexpr std::string_view kStatusPagePolicy =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

// The most rows of a list; how many there are besides is said.
inline constexpr size_t kStatusRowsMax = 200;

// The page for a caller of `tenant`: its sessions and its newest replays; for
// `is_operator` also what is of the whole server.
std::string FormatStatusPage(const OperatorView& view, const Tenant& tenant,
                             bool is_operator);

// `text` where HTML may stand for itself and for an attribute in quotes.
std::string EscapeHtml(std::string_view text);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STATUS_PAGE_H_
