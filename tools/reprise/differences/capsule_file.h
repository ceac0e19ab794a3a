// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Capsules on disk. A file that is there already is never overwritten: it holds
// the same capsule, or the new one isn't written.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_CAPSULE_FILE_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_CAPSULE_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/comparing/capsule.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// Writes `capsule` with `report` to `path`. ALREADY_EXISTS: something else is
// there. Errors name the path.
absl::Status WriteCapsuleFile(const replays::Capsule& capsule,
                              const Json& report, const std::string& path);

// Writes it into `folder`, which is created where it is missing, and returns
// the path. The name is made of `stem`, the last equal tick and a digest of all
// that is in the file: each failure has its own, and the same one again has the
// same. Errors as above.
absl::StatusOr<std::string> KeepCapsule(const replays::Capsule& capsule,
                                        const Json& report,
                                        const std::string& folder,
                                        std::string_view stem);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_CAPSULE_FILE_H_
