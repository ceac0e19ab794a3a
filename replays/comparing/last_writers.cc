// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/last_writers.h"

#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

// The value at the place of `field`, or, of a whole row, its first key; nullopt
// where the row isn't there.
std::optional<sim::FieldValue> ValueAt(const sim::FieldDifference& field,
                                       const sim::State& state) {
  const sim::Table& table = state.table(field.table);
  const sim::RowSchema& schema = table.schema();
  auto row = static_cast<uint32_t>(field.key.front().bits);
  if (schema.key_field_count() > 0) {
    std::vector<uint64_t> key;
    for (const sim::FieldValue part : field.key) key.push_back(part.bits);
    row = table.LowerBound(key);
    for (uint32_t i = 0; row < table.row_count() && i < key.size(); ++i) {
      if (sim::ReadScalar(schema, table.Row(row), {.field = i}).bits !=
          key[i]) {
        return std::nullopt;
      }
    }
  }
  if (row >= table.row_count()) return std::nullopt;
  if (!field.scalar.has_value()) return field.key.front();
  return sim::ReadScalar(schema, table.Row(row), *field.scalar);
}

}  // namespace

LastWriters::LastWriters(const std::vector<sim::FieldDifference>* fields,
                         const std::vector<std::string>* phase_names,
                         size_t phases_max, const sim::State& before)
    : fields_(*fields),
      phase_names_(*phase_names),
      phases_left_(phases_max),
      writers_(fields->size()) {
  for (const sim::FieldDifference& field : fields_) {
    values_.push_back(ValueAt(field, before));
  }
}

void LastWriters::OnWriter(std::string_view writer, const sim::State& state) {
  if (phases_left_ > 0) Note(writer, state);
}

void LastWriters::OnPhase(uint32_t phase, const sim::State& state) {
  if (phases_left_ == 0) return;
  Note(phase_names_[phase], state);
  --phases_left_;
}

void LastWriters::Note(std::string_view writer, const sim::State& state) {
  for (size_t i = 0; i < fields_.size(); ++i) {
    const std::optional<sim::FieldValue> value = ValueAt(fields_[i], state);
    if (value == values_[i]) continue;
    values_[i] = value;
    writers_[i] = writer;
  }
}

}  // namespace reprise::replays
