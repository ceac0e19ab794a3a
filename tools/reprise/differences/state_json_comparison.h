// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compares states and changes of states in the JSON that `reprise inspect`
// prints: by name, so that the builds that printed them may differ in what
// their states consist of.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_STATE_JSON_COMPARISON_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_STATE_JSON_COMPARISON_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/comparing/divergence_growth.h"
#include "replays/format/schema_difference.h"
#include "replays/verifying/divergence.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

struct StateJsonComparison {
  std::string phase;  // of changes: the first after which the states differ
  std::vector<replays::FieldDivergence> fields;  // at most as many as asked for
  bool has_more_fields = false;
  // Tables and fields that only one side has; of fields, as far as both tables
  // have rows, which name them. Nothing of these is in `fields`.
  std::vector<replays::SchemaDifference> schema_differences;
};

// Two lists of phases, as TickChangesToJson makes them, of ticks that began
// with equal states. INVALID_ARGUMENT: not such lists.
absl::StatusOr<StateJsonComparison> CompareChanges(const Json& expected,
                                                   const Json& actual,
                                                   size_t fields_max);

// Two lists of rooms, as StateTreeToJson makes them. Errors as above.
absl::StatusOr<StateJsonComparison> CompareStateTrees(const Json& expected,
                                                      const Json& actual,
                                                      size_t fields_max);

// How far two lists of rooms are apart, as replays::MeasureDistance says it.
// Tables and fields that only one side has don't count. Errors as above.
absl::StatusOr<replays::StateDistance> MeasureStateTrees(const Json& expected,
                                                         const Json& actual);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_STATE_JSON_COMPARISON_H_
