// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A state as people and programs read it: rooms, tables, rows and fields by
// name. Works from schemas alone, so it shows every simulation's state.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_STATE_TREE_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_STATE_TREE_H_

#include <string>

#include "sim/game_description.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// `state` as an indented tree, its numbers with what they stand for by the
// legends of `description`. With `object`, only what is about it: the rows
// whose key names it, those that say so in a field `object` or `unit`, and the
// points of its path; empty where there are none.
std::string FormatStateTree(const sim::State& state,
                            const sim::NameResolver& names,
                            const sim::GameDescription& description,
                            const std::string& object);

// The same as an array of rooms, each {"room", "digest", "tables"}; a table is
// {"table", "units", "rows"}, a row {"key", "fields", "names"}. A vector or
// quaternion is an object of its components, an array an array. "names" are
// what numbers of the row stand for, for fields with a legend.
Json StateTreeToJson(const sim::State& state, const sim::NameResolver& names,
                     const sim::GameDescription& description,
                     const std::string& object);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_STATE_TREE_H_
