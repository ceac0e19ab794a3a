// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What changed between two packs, as JSON.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_PACK_CHANGE_OUTPUT_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_PACK_CHANGE_OUTPUT_H_

#include <span>

#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// An array of {path, before, after}; null stands for what isn't there.
Json ToJson(std::span<const PackChange> changes);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_PACK_CHANGE_OUTPUT_H_
