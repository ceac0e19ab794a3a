// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Mistakes of a pack, out of the text that compilers say them in, a line each:
// "pack.txtpb:12:3: objects[0].type: there is no type 'x'".

#ifndef REPRISE_SERVICES_BASE_PACK_MISTAKES_H_
#define REPRISE_SERVICES_BASE_PACK_MISTAKES_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "services/base/status.h"

namespace reprise::services {

// The lines of `text` that name a place, each as "FILE:LINE" and what is wrong
// there; others go to the one before. None where the text says none.
std::vector<Violation> ParseMistakes(std::string_view text);

// INVALID_ARGUMENT with the message of `status`, the reason PACK_INVALID, and
// the mistakes that it names as violations.
absl::Status PackInvalidError(const absl::Status& status);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_PACK_MISTAKES_H_
