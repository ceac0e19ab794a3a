// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds what the names in a query mean in a simulation: tables, fields, objects
// and events. A name that means nothing is an error with the nearest that does.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_NAMES_H_
#define REPRISE_REPLAYS_QUERY_QUERY_NAMES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/query/query_tree.h"
#include "replays/query/query_value.h"
#include "sim/base/field.h"
#include "sim/base/row_schema.h"
#include "sim/base/state.h"
#include "sim/simulation.h"

namespace reprise::replays {

// Where a field is kept.
struct QueryField {
  std::string object;  // empty: of whatever has it
  bool has_object = false;
  sim::TableIndex table;
  sim::ScalarPath scalar;
};

// What a scalar is to a query: ids, objects and handles are texts, their names.
QueryType QueryTypeOf(sim::ScalarType scalar);

// `object.table.field`, `object.room.table.field`, `table.field` or
// `room.table.field`. INVALID_ARGUMENT names the column of the part that is not
// found, that two rooms have, or that has parts itself.
absl::StatusOr<QueryField> FindQueryField(const QueryNode& node,
                                          const sim::Simulation& simulation);

// The field that a name alone stands for, as a node with room and table: the
// only field of all tables that is called so. nullopt: there is none.
// INVALID_ARGUMENT: there are several; names them.
absl::StatusOr<std::optional<QueryNode>> FindOnlyField(
    const QueryNode& name, const sim::Simulation& simulation);

// Whether an object could be called so: it is there now, the pack has that
// name, or it is of the form that spawned objects have. INVALID_ARGUMENT.
absl::Status CheckObjectName(size_t column, const std::string& name,
                             const sim::Simulation& simulation);

// Whether the simulation knows events of that name. INVALID_ARGUMENT.
absl::Status CheckEventName(size_t column, const std::string& name,
                            const sim::Simulation& simulation);

// "column 3: there is no component 'bodys'; did you mean 'bodies'?".
absl::Status UnknownQueryName(size_t column, std::string_view kind,
                              std::string_view name,
                              std::span<const std::string> known);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_NAMES_H_
