// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a plug-in says that the numbers of a table stand for, checked and
// copied.

#ifndef REPRISE_SIM_PLUGINS_PLUGIN_LEGENDS_H_
#define REPRISE_SIM_PLUGINS_PLUGIN_LEGENDS_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "include/reprise/simulation.h"
#include "sim/game_description.h"
#include "sim/state/row_schema.h"

namespace reprise::sim {

// The legends (of reprise_legend) of the table in `room` whose rows are
// `schema`, as they come. INVALID_ARGUMENT names the legend that can't be, and
// the entry: of no field with whole numbers, of one that has another, with
// names that can't be, with a name or a number twice, or with a number that the
// field can't hold.
absl::StatusOr<std::vector<Legend>> ReadPluginLegends(
    std::string_view room, const RowSchema& schema,
    const reprise_list& legends);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_PLUGIN_LEGENDS_H_
