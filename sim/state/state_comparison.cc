// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/state_comparison.h"

#include <algorithm>
#include <compare>
#include <cstring>
#include <limits>
#include <span>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// Walks two tables of one schema in key order and collects what differs.
class TableComparison {
 public:
  TableComparison(TableIndex index, const Table& expected, const Table& actual,
                  size_t limit, std::vector<FieldDifference>* differences)
      : index_(index),
        expected_(expected),
        actual_(actual),
        schema_(expected.schema()),
        limit_(limit),
        differences_(*differences) {}

  void Run() {
    uint32_t a = 0;
    uint32_t b = 0;
    while (!is_full() &&
           (a < expected_.row_count() || b < actual_.row_count())) {
      if (a == b && SkipEqualPage(a)) {
        a += expected_.rows_per_page();
        b = a;
        continue;
      }
      const std::strong_ordering order = CompareKeys(a, b);
      if (order < 0) {
        AddMissingRow(expected_, a++, /*is_expected=*/true);
      } else if (order > 0) {
        AddMissingRow(actual_, b++, /*is_expected=*/false);
      } else {
        CompareRows(a++, b++);
      }
    }
  }

 private:
  bool is_full() const { return differences_.size() >= limit_; }

  // Whether both sides have the same whole page from row `row` on.
  bool SkipEqualPage(uint32_t row) const {
    const uint32_t rows = expected_.rows_per_page();
    const uint32_t page = row / rows;
    return row % rows == 0 && page < expected_.page_count() &&
           page < actual_.page_count() &&
           expected_.PageBytes(page).size() == actual_.PageBytes(page).size() &&
           expected_.PageDigest(page) == actual_.PageDigest(page);
  }

  // Which side's row comes first; a side that has ended comes last.
  std::strong_ordering CompareKeys(uint32_t a, uint32_t b) const {
    if (a >= expected_.row_count()) return std::strong_ordering::greater;
    if (b >= actual_.row_count()) return std::strong_ordering::less;
    for (uint32_t field = 0; field < schema_.key_field_count(); ++field) {
      const ScalarPath path{.field = field};
      const auto order = ReadScalar(schema_, expected_.Row(a), path).bits <=>
                         ReadScalar(schema_, actual_.Row(b), path).bits;
      if (order != 0) return order;
    }
    return std::strong_ordering::equal;
  }

  void CompareRows(uint32_t a, uint32_t b) {
    const auto expected = expected_.Row(a);
    const auto actual = actual_.Row(b);
    if (std::ranges::equal(expected, actual)) return;
    for (uint32_t field = 0; field < schema_.fields().size(); ++field) {
      for (uint32_t i = 0; i < schema_.fields()[field].count; ++i) {
        const ScalarPath path{.field = field, .index = i};
        const FieldValue left = ReadScalar(schema_, expected, path);
        const FieldValue right = ReadScalar(schema_, actual, path);
        if (left == right || is_full()) continue;
        differences_.push_back({.table = index_,
                                .key = KeyOf(expected, a),
                                .scalar = path,
                                .expected = left,
                                .actual = right});
      }
    }
  }

  void AddMissingRow(const Table& table, uint32_t row, bool is_expected) {
    FieldDifference difference{.table = index_,
                               .key = KeyOf(table.Row(row), row),
                               .scalar = std::nullopt,
                               .expected = std::nullopt,
                               .actual = std::nullopt};
    const FieldValue present = difference.key.front();
    (is_expected ? difference.expected : difference.actual) = present;
    differences_.push_back(std::move(difference));
  }

  std::vector<FieldValue> KeyOf(std::span<const std::byte> row,
                                uint32_t position) const {
    std::vector<FieldValue> key;
    for (uint32_t field = 0; field < schema_.key_field_count(); ++field) {
      key.push_back(ReadScalar(schema_, row, ScalarPath{.field = field}));
    }
    if (key.empty()) key.push_back({ScalarType::kUint32, position});
    return key;
  }

  const TableIndex index_;
  const Table& expected_;
  const Table& actual_;
  const RowSchema& schema_;
  const size_t limit_;
  std::vector<FieldDifference>& differences_;
};

}  // namespace

std::vector<FieldDifference> CompareStates(const State& expected,
                                           const State& actual, size_t limit) {
  CHECK(expected.CheckSameShape(actual).ok());
  std::vector<FieldDifference> differences;
  for (uint32_t i = 0; i < expected.table_count(); ++i) {
    const TableIndex index{i};
    TableComparison(index, expected.table(index), actual.table(index), limit,
                    &differences)
        .Run();
  }
  return differences;
}

bool CountsInUlps(double a, double b) {
  return a != 0 && b != 0 && (a < 0) == (b < 0);
}

std::string FormatDifference(const FieldDifference& difference,
                             const State& state, const NameResolver& names) {
  const RowSchema& schema = state.table(difference.table).schema();
  std::string row;
  for (const FieldValue key : difference.key) {
    if (!row.empty()) row += ' ';
    row += FormatFieldValue(key, names);
  }
  const std::string place = fmt::format(
      "{}.{} {}", state.room_of(difference.table).name, schema.name(), row);
  if (!difference.scalar.has_value()) {
    return fmt::format(
        "{}: {}", place,
        difference.expected ? "present | missing" : "missing | present");
  }
  const Field& field = schema.fields()[difference.scalar->field];
  std::string text = fmt::format("{} {}: {} | {}", place,
                                 field.ScalarName(difference.scalar->index),
                                 FormatFieldValue(*difference.expected, names),
                                 FormatFieldValue(*difference.actual, names));
  if (field.scalar == ScalarType::kDouble &&
      CountsInUlps(difference.expected->AsDouble(),
                   difference.actual->AsDouble())) {
    text += fmt::format(" ({} ulp)",
                        UlpDistance(*difference.expected, *difference.actual));
  }
  if (!field.unit.empty()) text += fmt::format(" [{}]", field.unit);
  return text;
}

}  // namespace reprise::sim
