// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Says of an error in which file it is, once, however many layers know the
// name.

#ifndef REPRISE_REPLAYS_CONTAINER_NAMED_ERROR_H_
#define REPRISE_REPLAYS_CONTAINER_NAMED_ERROR_H_

#include <string_view>

#include "absl/status/status.h"

namespace reprise::replays {

// The same error with "name: " before its message, unless its message begins
// with that already, or `name` is empty.
absl::Status NamedError(std::string_view name, const absl::Status& status);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_NAMED_ERROR_H_
