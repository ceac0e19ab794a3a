// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A query that was checked against the tables of a simulation: every name is
// found, every type fits, and what is left is a list of steps for a stack.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_H_
#define REPRISE_REPLAYS_QUERY_QUERY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/query/query_value.h"
#include "sim/base/field_value.h"
#include "sim/base/id.h"
#include "sim/base/row_schema.h"
#include "sim/base/state.h"
#include "sim/simulation.h"

namespace reprise::replays {

// Pushes one value; all but the first kinds of them take some away before.
struct QueryStep {
  enum class Kind {
    kLiteral,
    kTick,
    kOutcome,
    kObjectField,   // of the row that is of the object `name`
    kWorldField,    // of the one row of a table without keys
    kSubjectField,  // of the row of table `index` of the program's
    kEvent,         // how many of type `id` the tick brought
    kExists,        // whether an object called `name` is there
    kCount,         // of how many subjects program `index` holds
    kOperator,      // takes one or two operands
    kMinimum,       // takes `operand_count`
    kMaximum,       // takes `operand_count`
    kAbsolute,      // takes one
    kSquareRoot,    // takes one
  };

  Kind kind = Kind::kLiteral;
  // How the query calls it.
  std::string text;
  QueryValue literal;
  QueryOperator op = QueryOperator::kOr;
  uint32_t operand_count = 0;
  sim::TableIndex table;
  sim::ScalarPath scalar;
  uint32_t index = 0;
  std::string name;
  sim::Id id;

  // Whether it is the same for all subjects of a tick.
  bool is_of_tick() const {
    return kind > Kind::kLiteral && kind < Kind::kOperator &&
           kind != Kind::kSubjectField;
  }
};

struct QueryProgram {
  std::vector<QueryStep> steps;
  // The tables whose rows are the subjects: what their fields are read of when
  // no object is named. Of several tables, the rows with equal keys belong to
  // one subject. Empty: it is asked once a tick.
  std::vector<sim::TableIndex> subject_tables;
};

// Immutable; any number of threads may evaluate it.
class Query {
 public:
  // Parses `text` and checks it against `simulation` as it is now: objects and
  // events are known by name where they are there or where the pack names them.
  // INVALID_ARGUMENT: "column 8: ...", with the nearest name where one is near.
  static absl::StatusOr<Query> Parse(std::string_view text,
                                     const sim::Simulation& simulation);

  const std::string& text() const { return text_; }
  QueryType type() const { return type_; }

  // The first is the query; the others are what it counts.
  const std::vector<QueryProgram>& programs() const { return programs_; }

 private:
  Query(std::string text, QueryType type, std::vector<QueryProgram> programs);

  std::string text_;
  QueryType type_;
  std::vector<QueryProgram> programs_;
};

// The names of rows by what identifies them, as a person calls them.
std::string FormatRowKey(const sim::Table& table, uint32_t row,
                         const sim::NameResolver& names);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_H_
