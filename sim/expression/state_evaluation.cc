// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/state_evaluation.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/id.h"

namespace reprise::sim {
namespace {

using Kind = StateReference::Kind;

// Bounds the memory that names of objects take.
constexpr size_t kObjectNamesMax = size_t{1} << 16;

// The names of what identifies a row, as a person calls it.
std::string FormatRowKey(const Table& table, uint32_t row,
                         const NameResolver& names) {
  const RowSchema& schema = table.schema();
  if (schema.key_field_count() == 0) {
    return table.row_count() == 1 ? "" : fmt::format("[{}]", row);
  }
  std::string text;
  for (uint32_t field = 0; field < schema.key_field_count(); ++field) {
    if (field > 0) text += ' ';
    text += FormatFieldValue(
        ReadScalar(schema, table.Row(row), {.field = field}), names);
  }
  return text;
}

}  // namespace

// Reads for one subject.
class StateEvaluation::SubjectReader final : public ExpressionReader {
 public:
  SubjectReader(StateEvaluation* evaluation, const StateSubject* subject)
      : evaluation_(*evaluation), subject_(*subject) {}

  ExpressionAnswer Read(uint32_t reference) override {
    return evaluation_.Read(reference, subject_);
  }

 private:
  StateEvaluation& evaluation_;
  const StateSubject& subject_;
};

StateEvaluation::StateEvaluation(const StateExpression* expression,
                                 NameResolver names)
    : expression_(*expression),
      names_(std::move(names)),
      subjects_(expression->subject_tables().begin(),
                expression->subject_tables().end()),
      common_(expression->references().size()) {}

void StateEvaluation::Visit(const State& state, ExpressionReader* facts,
                            Visitor visit) {
  if (object_names_.size() > kObjectNamesMax) object_names_.clear();
  state_ = &state;
  facts_ = facts;
  std::ranges::fill(common_, std::nullopt);
  StateSubjects& subjects = subjects_.front();
  subjects.Start(state);
  while (const StateSubject* subject = subjects.Next()) {
    visit(*subject, Run(0, *subject));
  }
}

std::string StateEvaluation::NameOf(const StateSubject& subject) const {
  const SubjectTables& tables = expression_.subject_tables().front();
  for (size_t i = 0; i < tables.size(); ++i) {
    if (!subject.rows[i]) continue;
    return FormatRowKey(state_->table(tables[i]), *subject.rows[i], names_);
  }
  return "";
}

std::vector<uint64_t> StateEvaluation::KeyOf(
    const StateSubject& subject) const {
  const SubjectTables& tables = expression_.subject_tables().front();
  std::vector<uint64_t> key;
  for (size_t i = 0; i < tables.size(); ++i) {
    if (!subject.rows[i]) continue;
    const Table& table = state_->table(tables[i]);
    const uint32_t key_fields = table.schema().key_field_count();
    for (uint32_t field = 0; field < key_fields; ++field) {
      key.push_back(KeyBits(table, *subject.rows[i], field));
    }
    if (key.empty()) key.push_back(*subject.rows[i]);
    return key;
  }
  return key;
}

std::vector<std::pair<std::string, ExpressionAnswer>>
StateEvaluation::CommonValues() const {
  std::vector<std::pair<std::string, ExpressionAnswer>> values;
  for (const ExpressionStep& step : expression_.programs().front().steps) {
    if (step.kind != ExpressionStep::Kind::kReference) continue;
    const std::optional<ExpressionAnswer>& known = common_[step.reference];
    if (!known) continue;
    const std::string& text = expression_.references()[step.reference].text;
    const bool is_listed = std::ranges::any_of(
        values, [&](const auto& value) { return value.first == text; });
    if (!is_listed) values.emplace_back(text, *known);
  }
  return values;
}

ExpressionAnswer StateEvaluation::Run(uint32_t program,
                                      const StateSubject& subject) {
  SubjectReader reader(this, &subject);
  return evaluator_.Evaluate(expression_.programs()[program], reader);
}

ExpressionAnswer StateEvaluation::Read(uint32_t reference,
                                       const StateSubject& subject) {
  const StateReference& field = expression_.references()[reference];
  if (field.kind == Kind::kSubjectField) {
    const std::optional<uint32_t> row = subject.rows[field.index];
    const bool is_apart = field.beside && !subject.rows[field.beside_index];
    if (!row || is_apart) return ExpressionValue(ExpressionAbsence{});
    return ReadField(field.table, *row, field.scalar);
  }
  std::optional<ExpressionAnswer>& known = common_[reference];
  if (!known) known = ReadCommon(field);
  return *known;
}

ExpressionAnswer StateEvaluation::ReadCommon(const StateReference& reference) {
  switch (reference.kind) {
    case Kind::kObjectField:
      return ReadObjectField(reference);
    case Kind::kWorldField:
      return ReadWorldField(reference);
    case Kind::kExists:
      return ExpressionValue(Exists(reference.object));
    case Kind::kCount:
      return Count(reference.index);
    case Kind::kFact:
      return facts_->Read(reference.index);
    case Kind::kSubjectField:
      break;
  }
  return absl::InternalError("no value of all subjects");
}

ExpressionAnswer StateEvaluation::ReadObjectField(
    const StateReference& reference) {
  const std::optional<uint32_t> row =
      FindRow(state_->table(reference.table), reference.object);
  if (!row) return ExpressionValue(ExpressionAbsence{});
  return ReadField(reference.table, *row, reference.scalar);
}

ExpressionAnswer StateEvaluation::ReadWorldField(
    const StateReference& reference) const {
  const Table& table = state_->table(reference.table);
  if (table.row_count() == 0) return ExpressionValue(ExpressionAbsence{});
  if (table.row_count() > 1) {
    return absl::OutOfRangeError(
        fmt::format("{} has {} rows, and nothing says which",
                    table.schema().name(), table.row_count()));
  }
  return ReadField(reference.table, 0, reference.scalar);
}

ExpressionAnswer StateEvaluation::Count(uint32_t program) {
  ExpressionInteger count = 0;
  StateSubjects& subjects = subjects_[program];
  subjects.Start(*state_);
  while (const StateSubject* subject = subjects.Next()) {
    const ExpressionAnswer answer = Run(program, *subject);
    if (!answer.ok()) return answer;
    if (IsBool(*answer, true)) ++count;
  }
  return ExpressionValue(count);
}

bool StateEvaluation::Exists(const std::string& name) {
  for (uint32_t i = 0; i < state_->table_count(); ++i) {
    const Table& table = state_->table({i});
    if (IsKeyedByObject(table.schema()) && FindRow(table, name)) return true;
  }
  return false;
}

std::optional<uint32_t> StateEvaluation::FindRow(const Table& table,
                                                 const std::string& name) {
  if (table.schema().fields()[0].scalar == ScalarType::kId) {
    const std::array<uint64_t, 1> key = {IdOf(name).value};
    const uint32_t row = table.LowerBound(key);
    const bool is_there =
        row < table.row_count() && KeyBits(table, row, 0) == key[0];
    return is_there ? std::optional(row) : std::nullopt;
  }
  const bool is_object = IsKeyedByObject(table.schema());
  if (is_object) {
    // An object keeps its serial, so it is mostly where it was.
    const auto known = serials_.find(name);
    if (known != serials_.end()) {
      const std::array<uint64_t, 1> key = {known->second};
      const uint32_t row = table.LowerBound(key);
      if (row < table.row_count() && KeyBits(table, row, 0) == key[0] &&
          names_.object_name({key[0]}) == name) {
        return row;
      }
    }
  }
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const uint64_t bits = KeyBits(table, row, 0);
    if (is_object ? ObjectName(bits) == name
                  : FormatRowKey(table, row, names_) == name) {
      if (is_object) serials_[name] = bits;
      return row;
    }
  }
  return std::nullopt;
}

ExpressionValue StateEvaluation::ReadField(TableIndex table, uint32_t row,
                                           ScalarPath scalar) const {
  const FieldValue value = ReadScalar(*state_, {table, row, scalar});
  switch (value.type) {
    case ScalarType::kBool:
      return value.bits != 0;
    case ScalarType::kDouble:
      return value.AsDouble();
    case ScalarType::kInt16:
      return static_cast<ExpressionInteger>(static_cast<int16_t>(value.bits));
    case ScalarType::kInt32:
      return static_cast<ExpressionInteger>(static_cast<int32_t>(value.bits));
    case ScalarType::kInt64:
      return static_cast<ExpressionInteger>(static_cast<int64_t>(value.bits));
    case ScalarType::kUint32:
    case ScalarType::kUint64:
      return static_cast<ExpressionInteger>(value.bits);
    case ScalarType::kObject:
      return ObjectName(value.bits);
    case ScalarType::kId:
    case ScalarType::kHandle:
      break;
  }
  return FormatFieldValue(value, names_);
}

const std::string& StateEvaluation::ObjectName(uint64_t serial) const {
  const auto [name, is_new] = object_names_.try_emplace(serial);
  if (is_new) name->second = names_.object_name({serial});
  return name->second;
}

}  // namespace reprise::sim
