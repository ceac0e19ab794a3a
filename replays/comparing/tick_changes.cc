// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/comparing/tick_changes.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/check.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

// The row of `table` that a difference speaks of. REQUIRES: it is there.
uint32_t RowOf(const sim::FieldDifference& difference,
               const sim::Table& table) {
  if (table.schema().key_field_count() == 0) {
    return static_cast<uint32_t>(difference.key.front().bits);
  }
  std::vector<uint64_t> key;
  for (const sim::FieldValue part : difference.key) key.push_back(part.bits);
  const uint32_t row = table.LowerBound(key);
  CHECK(row < table.row_count());
  return row;
}

// Each scalar of a row that has come, keys left out.
void AddNewRow(const sim::FieldDifference& difference, const sim::State& state,
               const std::string& writer, std::vector<FieldChange>& changes) {
  const sim::Table& table = state.table(difference.table);
  const sim::RowSchema& schema = table.schema();
  const std::span<const std::byte> row = table.Row(RowOf(difference, table));
  for (uint32_t field = schema.key_field_count();
       field < schema.fields().size(); ++field) {
    for (uint32_t i = 0; i < schema.fields()[field].count; ++i) {
      FieldChange change = {difference, writer};
      change.difference.scalar = {.field = field, .index = i};
      change.difference.expected = std::nullopt;
      change.difference.actual =
          sim::ReadScalar(schema, row, *change.difference.scalar);
      changes.push_back(std::move(change));
    }
  }
}

}  // namespace

TickChanges::TickChanges(const std::vector<std::string>* phase_names,
                         sim::State before)
    : phase_names_(*phase_names), last_(std::move(before)) {}

void TickChanges::OnWriter(std::string_view writer, const sim::State& state) {
  if (state.ComputeRootDigest() == last_.ComputeRootDigest()) return;
  const std::string name(writer);
  for (sim::FieldDifference& difference :
       sim::CompareStates(last_, state, std::numeric_limits<size_t>::max())) {
    if (!difference.scalar.has_value() && difference.actual.has_value()) {
      AddNewRow(difference, state, name, gathered_);
    } else {
      gathered_.push_back({std::move(difference), name});
    }
  }
  last_ = state;
}

void TickChanges::OnPhase(uint32_t phase, const sim::State& state) {
  OnWriter(phase_names_[phase], state);
  phases_.push_back({.phase = phase,
                     .root = state.ComputeRootDigest(),
                     .changes = std::exchange(gathered_, {})});
}

}  // namespace reprise::replays
