// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Pages of lists: how much a client may ask for, and where it goes on.

#ifndef REPRISE_SERVICES_BASE_PAGE_H_
#define REPRISE_SERVICES_BASE_PAGE_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace reprise::services {

// How many items a page holds: `page_size`, or as many as there may be where
// that is 0 or more. INVALID_ARGUMENT: it is negative.
absl::StatusOr<size_t> ParsePageSize(int32_t page_size, size_t items_max);

// INVALID_ARGUMENT: a page_token that no list returned.
absl::Status PageTokenError();

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_PAGE_H_
