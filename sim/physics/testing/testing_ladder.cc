// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/testing/testing_ladder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state_comparison.h"

namespace reprise::sim {
namespace {

// What is left out: some scalars of a field; without one, rows.
struct Rung {
  TableIndex table;
  std::optional<uint32_t> field;
  uint32_t first = 0;  // scalars of the field
  uint32_t count = 0;
};

std::string NameOf(const State& state, const Rung& rung) {
  const RowSchema& schema = state.table(rung.table).schema();
  if (!rung.field.has_value()) return schema.name();
  const Field& field = schema.fields()[*rung.field];
  return schema.name() + "." +
         (rung.count == field.count ? field.name
                                    : field.ScalarName(rung.first));
}

std::vector<Rung> RungsOf(const State& state, TableIndex table) {
  const RowSchema& schema = state.table(table).schema();
  std::vector<Rung> rungs = {{.table = table, .field = std::nullopt}};
  for (uint32_t field = schema.key_field_count();
       field < schema.fields().size(); ++field) {
    const uint32_t all = schema.fields()[field].count;
    const uint32_t count =
        schema.fields()[field].shape == FieldShape::kMatrix3 ? all : 1;
    for (uint32_t first = 0; first < all; first += count) {
      rungs.push_back({table, field, first, count});
    }
  }
  return rungs;
}

// The row of `table` with the key of row `row` of `of`.
std::optional<uint32_t> FindSameKey(const Table& table, const Table& of,
                                    uint32_t row) {
  std::vector<uint64_t> key;
  for (uint32_t field = 0; field < of.schema().key_field_count(); ++field) {
    key.push_back(ReadScalar(of.schema(), of.Row(row), {.field = field}).bits);
  }
  const uint32_t found = table.LowerBound(key);
  if (found == table.row_count()) return std::nullopt;
  for (uint32_t field = 0; field < key.size(); ++field) {
    if (ReadScalar(table.schema(), table.Row(found), {.field = field}).bits !=
        key[field]) {
      return std::nullopt;
    }
  }
  return found;
}

// The first difference that isn't what `rung` left out.
std::optional<std::string> FirstOtherDifference(const State& whole,
                                                const State& lacking,
                                                const Rung& rung) {
  if (whole.ComputeRootDigest() == lacking.ComputeRootDigest()) {
    return std::nullopt;
  }
  constexpr size_t kDifferencesMax = 1 << 20;
  for (const FieldDifference& found :
       CompareStates(whole, lacking, kDifferencesMax)) {
    const RowSchema& schema = whole.table(found.table).schema();
    if (!found.scalar.has_value()) return schema.name();
    const bool is_left_out = found.table == rung.table &&
                             found.scalar->field == rung.field &&
                             found.scalar->index >= rung.first &&
                             found.scalar->index < rung.first + rung.count;
    if (is_left_out) continue;
    return schema.name() + "." +
           schema.fields()[found.scalar->field].ScalarName(found.scalar->index);
  }
  return std::nullopt;
}

// Makes what `rung` names what it is in `fresh`, or 0 in rows that that hasn't.
void LeaveOut(const Rung& rung, const State& fresh, const RowFilter& filter,
              State& state) {
  const Table& fresh_rows = fresh.table(rung.table);
  Table& rows = state.mutable_table(rung.table);
  std::vector<uint32_t> gone;
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    if (!filter(rows, row)) continue;
    const std::optional<uint32_t> same = FindSameKey(fresh_rows, rows, row);
    if (!rung.field.has_value()) {
      if (!same.has_value()) gone.push_back(row);
      continue;
    }
    for (uint32_t i = rung.first; i < rung.first + rung.count; ++i) {
      const FieldAddress address = {
          .table = rung.table, .row = row, .scalar = {*rung.field, i}};
      const FieldValue before = ReadScalar(state, address);
      const FieldValue value =
          same.has_value() ? ReadScalar(fresh_rows.schema(),
                                        fresh_rows.Row(*same), address.scalar)
                           : FieldValue{.type = before.type, .bits = 0};
      if (value == before) continue;
      EXPECT_TRUE(WriteScalar(state, address, value).ok());
    }
  }
  rows.Erase(gone);
}

std::string FateOf(const LadderRun& run, const Rung& rung,
                   const RowFilter& filter) {
  std::string fate = kNeverSet;
  for (const uint32_t save : run.saves) {
    State lacking = run.states[save];
    LeaveOut(rung, run.states[0], filter, lacking);
    if (lacking.ComputeRootDigest() == run.states[save].ComputeRootDigest()) {
      continue;
    }
    fate = kOnlyTold;
    std::optional<std::string> where;
    const absl::Status status =
        run.go_on(lacking, save, [&](uint32_t tick, const State& state) {
          where = FirstOtherDifference(run.states[tick], state, rung);
          return !where.has_value() && tick < save + run.ticks_after;
        });
    if (!status.ok()) return kRefused;
    if (where.has_value()) return *where;
  }
  return fate;
}

}  // namespace

bool AllRows(const Table& /*table*/, uint32_t /*row*/) { return true; }

Fates FatesOf(const LadderRun& run, const std::vector<TableIndex>& tables,
              const RowFilter& filter) {
  Fates fates;
  for (const TableIndex table : tables) {
    for (const Rung& rung : RungsOf(run.states[0], table)) {
      fates[NameOf(run.states[0], rung)] = FateOf(run, rung, filter);
    }
  }
  return fates;
}

testing::AssertionResult AreFates(const Fates& actual, const Fates& expected) {
  testing::AssertionResult result = testing::AssertionSuccess();
  if (actual == expected) return result;
  result = testing::AssertionFailure();
  for (const auto& [name, fate] : actual) {
    const auto found = expected.find(name);
    if (found != expected.end() && found->second == fate) continue;
    result << "\n{\"" << name << "\", \"" << fate << "\"},";
    if (found != expected.end()) result << "  // not " << found->second;
  }
  for (const auto& [name, fate] : expected) {
    if (!actual.contains(name)) result << "\n" << name << " is no more";
  }
  return result;
}

}  // namespace reprise::sim
