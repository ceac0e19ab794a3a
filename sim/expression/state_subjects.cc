// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/state_subjects.h"

#include <algorithm>
#include <utility>

#include "sim/state/field_value.h"

namespace reprise::sim {

StateSubjects::StateSubjects(std::vector<TableIndex> tables)
    : tables_(std::move(tables)), next_rows_(tables_.size(), 0) {
  subject_.rows.resize(tables_.size());
}

void StateSubjects::Start(const State& state) {
  state_ = &state;
  std::ranges::fill(next_rows_, 0);
  is_whole_left_ = tables_.empty();
}

const StateSubject* StateSubjects::Next() {
  if (std::exchange(is_whole_left_, false)) return &subject_;
  if (tables_.size() == 1) return NextOfOneTable();
  std::optional<uint64_t> least;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const std::optional<uint64_t> key = KeyOf(i);
    if (key && (!least || *key < *least)) least = key;
  }
  if (!least) return nullptr;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const bool is_of_subject = KeyOf(i) == least;
    subject_.rows[i] =
        is_of_subject ? std::optional(next_rows_[i]) : std::nullopt;
    if (is_of_subject) ++next_rows_[i];
  }
  return &subject_;
}

const StateSubject* StateSubjects::NextOfOneTable() {
  const uint32_t row = next_rows_[0];
  if (row == state_->table(tables_[0]).row_count()) return nullptr;
  subject_.rows[0] = row;
  next_rows_[0] = row + 1;
  return &subject_;
}

std::optional<uint64_t> StateSubjects::KeyOf(size_t table) const {
  const Table& rows = state_->table(tables_[table]);
  if (next_rows_[table] == rows.row_count()) return std::nullopt;
  return KeyBits(rows, next_rows_[table], 0);
}

uint64_t KeyBits(const Table& table, uint32_t row, uint32_t field) {
  return ReadScalar(table.schema(), table.Row(row), {.field = field}).bits;
}

}  // namespace reprise::sim
