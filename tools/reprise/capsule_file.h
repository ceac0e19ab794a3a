// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Capsules on disk.

#ifndef REPRISE_TOOLS_REPRISE_CAPSULE_FILE_H_
#define REPRISE_TOOLS_REPRISE_CAPSULE_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "replays/capsule.h"
#include "tools/reprise/json_output.h"

namespace reprise::tools {

// Writes `capsule` with `report` to `path`, in place of what may be there.
// Errors name the path.
absl::Status WriteCapsuleFile(const replays::Capsule& capsule,
                              const Json& report, const std::string& path);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CAPSULE_FILE_H_
