// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/observations/observed_field.h"

#include <cstring>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/expression/state_subjects.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::services {
namespace {

using Kind = v1::ObservedColumnLayout;

// The most that a number takes in a message.
constexpr uint64_t kNumberBytes = 13;
// What names take, mostly; what longer ones take is counted when they are read.
constexpr uint64_t kTextBytes = 34;
// A text's tag and length.
constexpr uint64_t kTextOverheadBytes = 3;

// How the first part of a field that has several is written, by its shape.
constexpr std::string_view kFirstParts[] = {".x", "[0]", ".xx"};

v1::ObservedColumnLayout::Kind KindOf(sim::ScalarType scalar) {
  switch (scalar) {
    case sim::ScalarType::kBool:
      return Kind::KIND_BOOLEAN;
    case sim::ScalarType::kDouble:
      return Kind::KIND_NUMBER;
    case sim::ScalarType::kUint64:
      return Kind::KIND_UNSIGNED_INTEGER;
    case sim::ScalarType::kInt16:
    case sim::ScalarType::kInt32:
    case sim::ScalarType::kInt64:
    case sim::ScalarType::kUint32:
      return Kind::KIND_INTEGER;
    case sim::ScalarType::kId:
    case sim::ScalarType::kObject:
    case sim::ScalarType::kHandle:
      break;
  }
  return Kind::KIND_TEXT;
}

v1::ObservedColumnLayout::Kind KindOf(sim::ExpressionType type) {
  switch (type) {
    case sim::ExpressionType::kBool:
      return Kind::KIND_BOOLEAN;
    case sim::ExpressionType::kNumber:
      return Kind::KIND_NUMBER;
    case sim::ExpressionType::kText:
      break;
  }
  return Kind::KIND_TEXT;
}

// What the expression reads where it is a field of the state and no more.
const sim::StateReference* FindOnlyField(
    const sim::StateExpression& expression) {
  using Reference = sim::StateReference::Kind;
  const auto& steps = expression.programs().front().steps;
  if (steps.size() != 1 ||
      steps[0].kind != sim::ExpressionStep::Kind::kReference) {
    return nullptr;
  }
  const sim::StateReference& field =
      expression.references()[steps[0].reference];
  const bool is_field = field.kind == Reference::kSubjectField ||
                        field.kind == Reference::kObjectField ||
                        field.kind == Reference::kWorldField;
  // That another table decides whose it is takes an evaluation.
  return is_field && !field.beside ? &field : nullptr;
}

int64_t SignExtended(sim::FieldValue value) {
  switch (value.type) {
    case sim::ScalarType::kInt16:
      return static_cast<int16_t>(value.bits);
    case sim::ScalarType::kInt32:
      return static_cast<int32_t>(value.bits);
    default:
      return static_cast<int64_t>(value.bits);
  }
}

double ToDouble(const sim::ExpressionValue& value) {
  const double* const number = std::get_if<double>(&value);
  if (number != nullptr) return *number;
  return static_cast<double>(std::get<sim::ExpressionInteger>(value));
}

}  // namespace

absl::StatusOr<sim::SubjectTables> KeyedTablesOf(
    const sim::StateExpression& expression, const sim::State& state) {
  const sim::SubjectTables& tables = expression.subject_tables().front();
  if (tables.empty()) return tables;
  const sim::RowSchema& schema = state.table(tables.front()).schema();
  if (schema.key_field_count() == 0) return sim::SubjectTables();
  if (schema.key_field_count() == 1) return tables;
  return absl::InvalidArgumentError(fmt::format(
      "rows of {} have several keys: count(...) those of one", schema.name()));
}

uint64_t KeyOf(const sim::SubjectTables& tables, const sim::State& state,
               const sim::StateSubject& subject) {
  for (size_t i = 0; i < tables.size(); ++i) {
    if (!subject.rows[i].has_value()) continue;
    return sim::KeyBits(state.table(tables[i]), *subject.rows[i], 0);
  }
  return 0;
}

absl::StatusOr<ObservedField> ObservedField::Parse(
    const std::string& text, const sim::Simulation& simulation) {
  absl::StatusOr<replays::Query> query =
      replays::Query::Parse(text, simulation);
  absl::Status mistake = query.status();
  // A whole field is known by its first part.
  bool is_whole = false;
  for (const std::string_view first : kFirstParts) {
    if (query.ok()) break;
    query = replays::Query::Parse(text + std::string(first), simulation);
    is_whole = query.ok() && FindOnlyField(query->expression()) != nullptr;
    if (query.ok() && !is_whole) return mistake;
  }
  if (!query.ok()) return mistake;

  ObservedField field;
  field.text_ = text;
  auto tables = KeyedTablesOf(query->expression(), simulation.state());
  if (!tables.ok()) return tables.status();
  field.keyed_tables_ = *std::move(tables);
  const sim::StateReference* const only = FindOnlyField(query->expression());
  if (only == nullptr) {
    field.kind_ = KindOf(query->type());
    field.parts_.push_back(MakePart(*std::move(query), ""));
    return field;
  }
  const sim::Field& described = simulation.state()
                                    .table(only->table)
                                    .schema()
                                    .fields()[only->scalar.field];
  field.kind_ = KindOf(described.scalar);
  field.unit_ = described.unit;
  field.scalar_ = only->scalar;
  field.is_of_rows_ = !field.keyed_tables_.empty();
  if (!is_whole) {
    field.parts_.push_back(MakePart(*std::move(query), ""));
    return field;
  }
  field.width_ = described.count;
  for (uint32_t i = 0; i < described.count; ++i) {
    const std::string name =
        described.ScalarName(i).substr(described.name.size());
    auto part = replays::Query::Parse(text + name, simulation);
    if (!part.ok()) return part.status();
    field.parts_.push_back(MakePart(*std::move(part), name));
  }
  return field;
}

ObservedField::Part ObservedField::MakePart(replays::Query query,
                                            std::string name) {
  Part part;
  part.query = std::make_unique<const replays::Query>(std::move(query));
  part.evaluation =
      std::make_unique<replays::QueryEvaluation>(part.query.get());
  part.name = std::move(name);
  return part;
}

uint64_t ObservedField::row_bytes() const {
  return width_ * (kind_ == Kind::KIND_TEXT ? kTextBytes : kNumberBytes);
}

v1::ObservedColumnLayout ObservedField::Describe() const {
  v1::ObservedColumnLayout layout;
  layout.set_field(text_);
  layout.set_kind(kind_);
  layout.set_unit(unit_);
  if (parts_.size() > 1 || !parts_.front().name.empty()) {
    const std::string last = text_.substr(text_.rfind('.') + 1);
    for (const Part& part : parts_) layout.add_parts(last + part.name);
  }
  return layout;
}

void ObservedField::Read(const ObservedTick& tick,
                         std::span<const uint64_t> keys,
                         uint64_t& text_bytes_left,
                         v1::ObservedColumn& column) {
  if (is_of_rows_) {
    ReadRows(tick.simulation, keys, text_bytes_left, column);
  } else {
    ReadAnswers(tick, keys, text_bytes_left, column);
  }
}

// Rows and keys ascend both.
void ObservedField::ReadRows(const sim::Simulation& simulation,
                             std::span<const uint64_t> keys,
                             uint64_t& text_bytes_left,
                             v1::ObservedColumn& column) const {
  const sim::Table& table = simulation.state().table(keyed_tables_.front());
  const sim::RowSchema& schema = table.schema();
  const sim::NameResolver names = sim::NamesOf(simulation);
  const uint32_t double_offset =
      schema.fields()[scalar_->field].offset +
      scalar_->index * sim::ScalarSize(sim::ScalarType::kDouble);
  uint32_t row = 0;
  for (const uint64_t key : keys) {
    uint64_t row_key = 0;
    while (row < table.row_count() &&
           (row_key = sim::KeyBits(table, row, 0)) < key) {
      ++row;
    }
    const bool is_there = row < table.row_count() && row_key == key;
    for (uint32_t i = 0; i < width_; ++i) {
      if (!is_there) {
        AppendNothing(column);
      } else if (kind_ == Kind::KIND_NUMBER) {
        // Most fields are doubles, and there are many.
        double number = 0.0;
        std::memcpy(&number,
                    table.Row(row).data() + double_offset + i * sizeof(number),
                    sizeof(number));
        column.add_numbers(number);
      } else {
        Append(sim::ReadScalar(
                   schema, table.Row(row),
                   {.field = scalar_->field, .index = scalar_->index + i}),
               names, text_bytes_left, column);
      }
    }
  }
}

// Rows and expressions come by ascending keys.
void ObservedField::ReadAnswers(const ObservedTick& tick,
                                std::span<const uint64_t> keys,
                                uint64_t& text_bytes_left,
                                v1::ObservedColumn& column) {
  const sim::State& state = tick.simulation.state();
  if (keyed_tables_.empty()) {
    for (Part& part : parts_) {
      // Rows of no key are one, or nothing says which is meant.
      uint32_t count = 0;
      sim::ExpressionAnswer only = sim::ExpressionValue();
      part.evaluation->Visit(
          tick.simulation, tick.events,
          [&](const sim::StateSubject&, const sim::ExpressionAnswer& answer) {
            only = ++count == 1 ? answer : sim::ExpressionValue();
          });
      Append(only, text_bytes_left, column);
    }
    return;
  }
  CHECK(parts_.size() == 1);
  size_t next = 0;
  parts_.front().evaluation->Visit(
      tick.simulation, tick.events,
      [&](const sim::StateSubject& subject,
          const sim::ExpressionAnswer& answer) {
        const uint64_t key = KeyOf(keyed_tables_, state, subject);
        for (; next < keys.size() && keys[next] < key; ++next) {
          AppendNothing(column);
        }
        if (next == keys.size() || keys[next] != key) return;
        Append(answer, text_bytes_left, column);
        ++next;
      });
  for (; next < keys.size(); ++next) AppendNothing(column);
}

void ObservedField::Append(const sim::ExpressionAnswer& answer,
                           uint64_t& text_bytes_left,
                           v1::ObservedColumn& column) const {
  if (!answer.ok() || std::holds_alternative<sim::ExpressionAbsence>(*answer)) {
    AppendNothing(column);
    return;
  }
  switch (kind_) {
    case Kind::KIND_NUMBER:
      column.add_numbers(ToDouble(*answer));
      return;
    case Kind::KIND_INTEGER:
      column.add_integers(
          static_cast<int64_t>(std::get<sim::ExpressionInteger>(*answer)));
      return;
    case Kind::KIND_UNSIGNED_INTEGER:
      column.add_unsigned_integers(
          static_cast<uint64_t>(std::get<sim::ExpressionInteger>(*answer)));
      return;
    case Kind::KIND_BOOLEAN:
      column.add_booleans(std::get<bool>(*answer));
      return;
    default:
      AppendText(std::get<std::string>(*answer), text_bytes_left, column);
  }
}

void ObservedField::Append(sim::FieldValue value,
                           const sim::NameResolver& names,
                           uint64_t& text_bytes_left,
                           v1::ObservedColumn& column) const {
  switch (kind_) {
    case Kind::KIND_INTEGER:
      column.add_integers(SignExtended(value));
      return;
    case Kind::KIND_UNSIGNED_INTEGER:
      column.add_unsigned_integers(value.bits);
      return;
    case Kind::KIND_BOOLEAN:
      column.add_booleans(value.bits != 0);
      return;
    default:
      AppendText(sim::FormatFieldValue(value, names), text_bytes_left, column);
  }
}

void ObservedField::AppendText(std::string text, uint64_t& text_bytes_left,
                               v1::ObservedColumn& column) const {
  const uint64_t bytes = text.size() + kTextOverheadBytes;
  if (bytes > text_bytes_left) {
    AppendNothing(column);
    return;
  }
  text_bytes_left -= bytes;
  column.add_texts(std::move(text));
}

void ObservedField::AppendNothing(v1::ObservedColumn& column) const {
  switch (kind_) {
    case Kind::KIND_NUMBER:
      column.add_absent(column.numbers_size());
      column.add_numbers(0);
      return;
    case Kind::KIND_INTEGER:
      column.add_absent(column.integers_size());
      column.add_integers(0);
      return;
    case Kind::KIND_UNSIGNED_INTEGER:
      column.add_absent(column.unsigned_integers_size());
      column.add_unsigned_integers(0);
      return;
    case Kind::KIND_BOOLEAN:
      column.add_absent(column.booleans_size());
      column.add_booleans(false);
      return;
    default:
      column.add_absent(column.texts_size());
      column.add_texts("");
  }
}

}  // namespace reprise::services
