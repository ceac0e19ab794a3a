// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What only one of two states consists of, as JSON.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_SCHEMA_DIFFERENCE_OUTPUT_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_SCHEMA_DIFFERENCE_OUTPUT_H_

#include <span>

#include "replays/format/schema_difference.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// A list of objects with kind, room, table, field, expected, actual and text.
Json ToJson(std::span<const replays::SchemaDifference> differences);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_SCHEMA_DIFFERENCE_OUTPUT_H_
