// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// File descriptors: how many this process may have, and what it is told when it
// has them all.

#ifndef REPRISE_SERVICES_BASE_DESCRIPTOR_LIMIT_H_
#define REPRISE_SERVICES_BASE_DESCRIPTOR_LIMIT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"

namespace reprise::services {

// Raises this process's limit to `needed` where it is lower.
// FAILED_PRECONDITION: the system allows fewer.
absl::Status RequireDescriptors(uint64_t needed);

// Whether `error` says that the process, or the machine, has no more.
bool IsOutOfDescriptors(const std::error_code& error);

// RESOURCE_EXHAUSTED, with its reason, when `error` says so; UNAVAILABLE
// otherwise. `what` is what could not be read. REQUIRES: `error` is one.
absl::Status ReadError(std::string_view what, const std::error_code& error);

// What a client is told of a store that can't be read or written, of `cause`,
// which is the system's: RESOURCE_EXHAUSTED where no descriptor is free,
// UNAVAILABLE otherwise, with the system's words and without the path.
absl::Status StoreError(const absl::Status& cause);

// The system's words for an error that absl::ErrnoToStatus made, without the
// path that may stand before them: "No space left on device".
std::string SystemTextOf(const absl::Status& cause);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_DESCRIPTOR_LIMIT_H_
