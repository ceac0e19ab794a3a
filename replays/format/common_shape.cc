// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/common_shape.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "replays/format/schema_difference.h"
#include "sim/base/field.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

uint32_t SizeOf(const sim::Field& field) {
  return field.count * sim::ScalarSize(field.scalar);
}

// The same name and type; the places in their rows may differ.
bool AreAlike(const sim::Field& left, const sim::Field& right) {
  return left.name == right.name && left.unit == right.unit &&
         left.scalar == right.scalar && left.shape == right.shape &&
         left.count == right.count;
}

bool HaveTheSameKey(const sim::RowSchema& left, const sim::RowSchema& right) {
  return std::ranges::equal(left.fields().first(left.key_field_count()),
                            right.fields().first(right.key_field_count()),
                            &AreAlike);
}

}  // namespace

CommonShape::CommonShape(const sim::State& expected, const sim::State& actual)
    : is_whole_(expected.CheckSameShape(actual).ok()) {
  for (uint32_t i = 0; i < expected.table_count(); ++i) {
    const sim::TableIndex index{i};
    const auto other = actual.Find(expected.room_of(index).name,
                                   expected.table(index).schema().name());
    if (other.has_value()) AddTable(expected, index, actual, *other);
  }
}

void CommonShape::AddTable(const sim::State& expected,
                           sim::TableIndex expected_table,
                           const sim::State& actual,
                           sim::TableIndex actual_table) {
  const sim::RowSchema& left = expected.table(expected_table).schema();
  const sim::RowSchema& right = actual.table(actual_table).schema();
  if (!HaveTheSameKey(left, right)) return;
  CommonTable table{.expected = {expected_table, {}},
                    .actual = {actual_table, {}}};
  const std::string& room = expected.room_of(expected_table).name;
  const bool is_same = left.fingerprint() == right.fingerprint();
  std::vector<sim::Field> fields;
  uint32_t size = 0;
  for (const sim::Field& field : left.fields()) {
    const auto other = std::ranges::find_if(
        right.fields(),
        [&field](const sim::Field& f) { return AreAlike(field, f); });
    if (other == right.fields().end()) continue;
    if (!is_same && DependsOnSchema(room, field.name)) continue;
    if (!is_same) {
      table.expected.parts.push_back({field.offset, size, SizeOf(field)});
      table.actual.parts.push_back({other->offset, size, SizeOf(field)});
    }
    sim::Field common = field;
    common.offset = size;
    size += SizeOf(field);
    fields.push_back(std::move(common));
  }
  if (fields.empty()) return;
  shape_.AddTable(room,
                  std::make_shared<const sim::RowSchema>(
                      left.name(), left.key_field_count(), std::move(fields)));
  tables_.push_back(std::move(table));
}

void CommonShape::Update(Side side, const sim::State& state,
                         sim::State& common) const {
  std::vector<std::byte> bytes;
  for (uint32_t i = 0; i < tables_.size(); ++i) {
    const Source& source =
        side == Side::kExpected ? tables_[i].expected : tables_[i].actual;
    const sim::Table& from = state.table(source.table);
    sim::Table& to = common.mutable_table(sim::TableIndex{i});
    if (source.parts.empty()) {
      to = from;
      continue;
    }
    if (to.row_count() != from.row_count()) to.Resize(from.row_count());
    bytes.resize(to.schema().row_size());
    for (uint32_t row = 0; row < from.row_count(); ++row) {
      for (const Part& part : source.parts) {
        std::memcpy(bytes.data() + part.to, from.Row(row).data() + part.from,
                    part.size);
      }
      if (std::ranges::equal(to.Row(row), bytes)) continue;
      std::copy_n(bytes.data(), bytes.size(), to.MutableRow(row).data());
    }
  }
}

void CommonShape::Put(Side side, const sim::State& common,
                      sim::State& state) const {
  for (uint32_t i = 0; i < tables_.size(); ++i) {
    const Source& target =
        side == Side::kExpected ? tables_[i].expected : tables_[i].actual;
    const sim::Table& from = common.table(sim::TableIndex{i});
    sim::Table& to = state.mutable_table(target.table);
    const Part whole = {.size = from.schema().row_size()};
    const std::span<const Part> parts =
        target.parts.empty() ? std::span(&whole, 1) : std::span(target.parts);
    to.Resize(from.row_count());
    for (uint32_t row = 0; row < from.row_count(); ++row) {
      const std::span<std::byte> bytes = to.MutableRow(row);
      for (const Part& part : parts) {
        std::memcpy(bytes.data() + part.from, from.Row(row).data() + part.to,
                    part.size);
      }
    }
  }
}

sim::State CommonShape::Take(Side side, const sim::State& state) const {
  sim::State common = shape_;
  Update(side, state, common);
  return common;
}

}  // namespace reprise::replays
