// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Files that an operator wrote: tokens, certificates, keys.

#ifndef REPRISE_SERVICES_BASE_SMALL_FILE_H_
#define REPRISE_SERVICES_BASE_SMALL_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"

namespace reprise::services {

// Room for every authority that a system trusts, several times.
inline constexpr size_t kSmallFileBytesMax = 4 << 20;

// All that is in the file `path`, which every error names. NOT_FOUND: there is
// none. UNAVAILABLE: it can't be read. INVALID_ARGUMENT: it is larger than
// kSmallFileBytesMax.
absl::StatusOr<std::string> ReadSmallFile(const std::string& path);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_SMALL_FILE_H_
