// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Asks an expression about a state as it stands, for every subject that it is
// about.

#ifndef REPRISE_SIM_EXPRESSION_STATE_EVALUATION_H_
#define REPRISE_SIM_EXPRESSION_STATE_EVALUATION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "sim/expression/evaluator.h"
#include "sim/expression/scope.h"
#include "sim/expression/state_expression.h"
#include "sim/expression/state_scope.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::sim {

// A visit makes the steps of the expression once for every subject, and those
// of what it counts once for every subject of that. What it keeps between
// visits is memory and names, and decides nothing.
//
// Used by one thread at a time.
class StateEvaluation {
 public:
  using Visitor =
      absl::FunctionRef<void(const StateSubject&, const ExpressionAnswer&)>;

  // `expression` must remain live while this evaluation is in use. An object
  // that `names` knows keeps its name.
  StateEvaluation(const StateExpression* expression, NameResolver names);

  // Calls `visit` for every subject of `state` in order of keys; an expression
  // without subjects has one. `state` is of the shape that the expression was
  // parsed against, and may be another each time. `facts` reads what the facts
  // of the expression's scope referred to; nullptr where it had none.
  void Visit(const State& state, ExpressionReader* facts, Visitor visit);

  // During a visit, of what `visit` was called with: its name, empty for the
  // whole; and the bits of its key fields, or its row where there are none.
  std::string NameOf(const StateSubject& subject) const;
  std::vector<uint64_t> KeyOf(const StateSubject& subject) const;

  // What the last visit read that is the same for all subjects, as the
  // expression calls it.
  std::vector<std::pair<std::string, ExpressionAnswer>> CommonValues() const;

 private:
  class SubjectReader;

  ExpressionAnswer Run(uint32_t program, const StateSubject& subject);
  ExpressionAnswer Read(uint32_t reference, const StateSubject& subject);
  ExpressionAnswer ReadCommon(const StateReference& reference);
  ExpressionAnswer ReadObjectField(const StateReference& reference);
  ExpressionAnswer ReadWorldField(const StateReference& reference) const;
  ExpressionAnswer Count(uint32_t program);
  bool Exists(const std::string& name);

  std::optional<uint32_t> FindRow(const Table& table, const std::string& name);
  ExpressionValue ReadField(TableIndex table, uint32_t row,
                            ScalarPath scalar) const;
  const std::string& ObjectName(uint64_t serial) const;

  const StateExpression& expression_;
  const NameResolver names_;
  ExpressionEvaluator evaluator_;
  std::vector<StateSubjects> subjects_;  // of each program
  // Of the visit:
  const State* state_ = nullptr;
  ExpressionReader* facts_ = nullptr;
  // By reference, once it has been read.
  std::vector<std::optional<ExpressionAnswer>> common_;
  mutable std::map<uint64_t, std::string> object_names_;
  // What an object's serial was when it was last looked for, by its name.
  std::map<std::string, uint64_t> serials_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_STATE_EVALUATION_H_
