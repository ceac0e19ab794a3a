// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An expression about the tables of a state: what it reads of them, and of
// which rows it is asked.

#ifndef REPRISE_SIM_EXPRESSION_STATE_EXPRESSION_H_
#define REPRISE_SIM_EXPRESSION_STATE_EXPRESSION_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/expression/expression.h"
#include "sim/expression/scope.h"
#include "sim/expression/state_scope.h"
#include "sim/expression/value.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"

namespace reprise::sim {

// The tables whose rows are the subjects of a program: what their fields are
// read of where no object is named. Of several tables, the rows with equal keys
// belong to one subject. None: it is asked once.
using SubjectTables = std::vector<TableIndex>;

// Immutable; any number of threads may evaluate it, each about a state of the
// shape that it was parsed against.
class StateExpression {
 public:
  // Parses `text` and checks it against `state` as it is now, as StateScope
  // does. INVALID_ARGUMENT: "column 8: ...", with the nearest name where one is
  // near; or the rows that it is about have no key in common.
  static absl::StatusOr<StateExpression> Parse(std::string_view text,
                                               const State& state,
                                               const NameResolver& names,
                                               ExpressionScope* facts);

  const std::string& text() const { return expression_.text(); }
  ExpressionType type() const { return expression_.type(); }

  // The first is the expression; the others are what it counts.
  const std::vector<ExpressionProgram>& programs() const {
    return expression_.programs();
  }
  // Of each program.
  const std::vector<SubjectTables>& subject_tables() const {
    return subject_tables_;
  }
  // What the programs refer to. The index of a kSubjectField is the place of
  // its table among the subject tables of the program that reads it.
  const std::vector<StateReference>& references() const { return references_; }

 private:
  StateExpression(Expression expression,
                  std::vector<StateReference> references);

  absl::Status FindSubjects(const State& state);

  Expression expression_;
  std::vector<StateReference> references_;
  std::vector<SubjectTables> subject_tables_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_STATE_EXPRESSION_H_
