// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/state_expression.h"

#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

const RowSchema& SchemaOf(const State& state, TableIndex table) {
  return state.table(table).schema();
}

// Whether one key of the one is a key of the other.
bool CanJoin(const RowSchema& a, const RowSchema& b) {
  return a.key_field_count() == 1 && b.key_field_count() == 1 &&
         a.fields()[0].scalar == b.fields()[0].scalar;
}

// The fields without an object that `program` reads.
std::vector<StateReference*> SubjectFieldsOf(
    const ExpressionProgram& program, std::vector<StateReference>& references) {
  std::vector<StateReference*> fields;
  for (const ExpressionStep& step : program.steps) {
    if (step.kind != ExpressionStep::Kind::kReference) continue;
    StateReference& reference = references[step.reference];
    if (reference.kind == StateReference::Kind::kSubjectField) {
      fields.push_back(&reference);
    }
  }
  return fields;
}

}  // namespace

StateExpression::StateExpression(Expression expression,
                                 std::vector<StateReference> references)
    : expression_(std::move(expression)), references_(std::move(references)) {}

absl::StatusOr<StateExpression> StateExpression::Parse(
    std::string_view text, const State& state, const NameResolver& names,
    ExpressionScope* facts) {
  StateScope scope(&state, &names, facts);
  absl::StatusOr<Expression> parsed = Expression::Parse(text, scope);
  if (!parsed.ok()) return parsed.status();
  StateExpression expression(*std::move(parsed), scope.references());
  const absl::Status status = expression.FindSubjects(state);
  if (!status.ok()) return status;
  return expression;
}

// Whose rows the fields without an object are of. The fields of tables without
// keys are the world's, unless there is nothing else.
absl::Status StateExpression::FindSubjects(const State& state) {
  for (const ExpressionProgram& program : programs()) {
    const std::vector<StateReference*> fields =
        SubjectFieldsOf(program, references_);
    std::set<uint32_t> keyed;
    std::set<uint32_t> keyless;
    for (const StateReference* const field : fields) {
      const bool has_key = SchemaOf(state, field->table).key_field_count() > 0;
      (has_key ? keyed : keyless).insert(field->table.value);
      if (field->beside) keyed.insert(field->beside->value);
    }
    if (keyed.empty() && keyless.size() == 1) std::swap(keyed, keyless);
    SubjectTables& tables = subject_tables_.emplace_back();
    for (const uint32_t table : keyed) {
      tables.push_back({table});
      const RowSchema& first = SchemaOf(state, tables.front());
      const RowSchema& other = SchemaOf(state, {table});
      if (tables.size() > 1 && !CanJoin(first, other)) {
        return absl::InvalidArgumentError(fmt::format(
            "the rows of {} and {} have no key in common: name an object, or "
            "count(...) those of one",
            first.name(), other.name()));
      }
    }
    for (StateReference* const field : fields) {
      if (keyless.contains(field->table.value)) {
        field->kind = StateReference::Kind::kWorldField;
      } else {
        field->index = static_cast<uint32_t>(
            std::distance(keyed.begin(), keyed.find(field->table.value)));
      }
      if (!field->beside) continue;
      field->beside_index = static_cast<uint32_t>(
          std::distance(keyed.begin(), keyed.find(field->beside->value)));
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
