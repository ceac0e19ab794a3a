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

// Who looks at the page.
struct StatusReader {
  Tenant tenant;             // whose sessions and newest replays are shown
  bool may_play = false;     // so that pages of replays are to be had, too
  bool is_operator = false;  // who also sees what is of the whole server
};

// The page for `reader`.
std::string FormatStatusPage(const OperatorView& view,
                             const StatusReader& reader);

// `text` where HTML may stand for itself and for an attribute in quotes.
std::string EscapeHtml(std::string_view text);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STATUS_PAGE_H_
