// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The page that plays a replay in a browser: the one that `reprise view` makes,
// made by a process of its own when somebody asks first, as an operation that
// all know.

#ifndef REPRISE_SERVICES_REPLAY_PAGE_H_
#define REPRISE_SERVICES_REPLAY_PAGE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "services/base/tenant.h"
#include "services/http/http_server.h"
#include "services/operations/operation_registry.h"

namespace reprise::services {

// Where pages of replays are: this and an id.
inline constexpr std::string_view kReplayPagePrefix = "/replays/";

// A larger one is downloaded (DownloadResult): who asks for this waits for
// nobody, but all wait while it is read.
inline constexpr uint64_t kReplayPageBytesMax = uint64_t{64} << 20;

// All that a page shows stands in it; it may run its own scripts, and reach
// nothing. To the browser it is of nobody's origin: a script that a recorded
// text could smuggle in would be no page of this server's.
inline constexpr std::string_view kReplayPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts";

// The page of the tenant's replay `id`, or one that says how far it is and
// looks again.
HttpResponse AnswerReplayPage(OperationRegistry& operations,
                              const Tenant& tenant, std::string_view id);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_REPLAY_PAGE_H_
