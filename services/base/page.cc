// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/page.h"

#include <algorithm>

#include "fmt/format.h"
#include "services/base/status.h"

namespace reprise::services {

absl::StatusOr<size_t> ParsePageSize(int32_t page_size, size_t items_max) {
  if (page_size < 0) {
    return WithReason(absl::InvalidArgumentError(
                          fmt::format("page_size is {}, below 0", page_size)),
                      "PAGE_SIZE_NEGATIVE");
  }
  if (page_size == 0) return items_max;
  return std::min(static_cast<size_t>(page_size), items_max);
}

absl::Status PageTokenError() {
  return WithReason(
      absl::InvalidArgumentError("page_token is not one that a list returned"),
      "PAGE_TOKEN_MALFORMED");
}

}  // namespace reprise::services
