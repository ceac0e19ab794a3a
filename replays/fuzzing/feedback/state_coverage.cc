// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/fuzzing/feedback/state_coverage.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <span>
#include <string>

#include "sim/base/field.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"

namespace reprise::replays {
namespace {

// What simulations call the fields that are asked for, and the room of tables
// with an object's properties, each named after its component.
constexpr std::string_view kNameFields[] = {"region", "type"};
constexpr std::string_view kComponentsRoom = "components";

uint64_t LoadWord(const std::byte* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The row of the object `serial`, which is most often at `guess`; nullptr where
// there is none.
const std::byte* FindRow(const sim::Table& table, uint64_t serial,
                         uint32_t guess) {
  if (guess < table.row_count()) {
    const std::byte* const bytes = table.Row(guess).data();
    if (LoadWord(bytes) == serial) return bytes;
  }
  const uint32_t row = table.LowerBound({&serial, 1});
  if (row == table.row_count()) return nullptr;
  const std::byte* const bytes = table.Row(row).data();
  return LoadWord(bytes) == serial ? bytes : nullptr;
}

bool HasDefault(const sim::Table& table, std::span<const std::byte> row,
                uint32_t field, const sim::PropertyDescription& description) {
  for (uint32_t i = 0; i < description.default_value.size(); ++i) {
    if (ReadScalar(table.schema(), row, {.field = field, .index = i}).bits !=
        description.default_value[i].bits) {
      return false;
    }
  }
  return true;
}

}  // namespace

StateCoverage::StateCoverage(const sim::Simulation& start)
    : start_(start.state()) {
  FindNames(start_);
  FindProperties(start.description());
  for (const NameColumn& column : name_columns_) {
    const sim::Table& table = start_.table(column.table);
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      std::ranges::find(seen_, column.field, &SeenField::name)
          ->ids.insert(LoadWord(table.Row(row).data() + column.offset));
    }
  }
}

void StateCoverage::FindNames(const sim::State& state) {
  for (uint32_t t = 0; t < state.table_count(); ++t) {
    const sim::RowSchema& schema = state.table({t}).schema();
    if (schema.key_field_count() == 0) continue;
    const bool is_of_objects =
        schema.key_field_count() == 1 &&
        schema.fields()[0].scalar == sim::ScalarType::kObject;
    for (const sim::Field& field : schema.fields()) {
      if (field.scalar != sim::ScalarType::kId || field.count != 1) continue;
      // Elsewhere, as in queues of events, a name may be that of anything.
      if (!is_of_objects && field.offset > 0) continue;
      const auto name = std::ranges::find(kNameFields, field.name);
      if (name == std::end(kNameFields)) continue;
      name_columns_.push_back(
          {.field = *name, .table = {t}, .offset = field.offset});
      if (!HasField(*name)) seen_.push_back({.name = *name, .ids = {}});
    }
  }
}

void StateCoverage::FindProperties(const sim::GameDescription& description) {
  std::set<std::string_view> used;
  for (const sim::TypeDescription& type : description.types) {
    used.insert(type.components.begin(), type.components.end());
  }
  for (const sim::ComponentDescription& component : description.components) {
    if (!used.contains(component.name)) continue;
    const auto table = start_.Find(kComponentsRoom, component.name);
    if (!table.has_value()) continue;
    const sim::RowSchema& schema = start_.table(*table).schema();
    if (schema.key_field_count() != 1) continue;
    for (const sim::PropertyDescription& property : component.properties) {
      const auto field =
          std::ranges::find(schema.fields(), property.name, &sim::Field::name);
      if (field == schema.fields().end()) continue;
      properties_.push_back({.component = component.name,
                             .description = &property,
                             .has_changed = false});
      property_columns_.push_back(
          {.table = *table,
           .field = static_cast<uint32_t>(field - schema.fields().begin())});
    }
  }
}

bool StateCoverage::HasField(std::string_view field) const {
  return std::ranges::find(seen_, field, &SeenField::name) != seen_.end();
}

bool StateCoverage::HasHeld(std::string_view field, sim::Id id) const {
  const auto seen = std::ranges::find(seen_, field, &SeenField::name);
  return seen != seen_.end() && seen->ids.contains(id.value);
}

void StateCoverage::Look(const sim::State& state) {
  for (const NameColumn& column : name_columns_) {
    const sim::Table& table = state.table(column.table);
    std::unordered_set<uint64_t>& ids =
        std::ranges::find(seen_, column.field, &SeenField::name)->ids;
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      if (IsAsAtStart(table, column.table, page)) continue;
      const std::span<const std::byte> bytes = table.PageBytes(page);
      for (size_t at = column.offset; at < bytes.size();
           at += table.row_size()) {
        ids.insert(LoadWord(bytes.data() + at));
      }
    }
  }
  for (size_t i = 0; i < properties_.size(); ++i) {
    Property& property = properties_[i];
    property.has_changed =
        property.has_changed ||
        HasChanged(state, property_columns_[i], *property.description);
  }
}

bool StateCoverage::IsAsAtStart(const sim::Table& table, sim::TableIndex index,
                                uint32_t page) const {
  // The start is kept, so what lies where its page does is its page.
  const sim::Table& before = start_.table(index);
  return page < before.page_count() &&
         before.PageBytes(page).data() == table.PageBytes(page).data();
}

bool StateCoverage::HasChanged(
    const sim::State& state, const PropertyColumn& column,
    const sim::PropertyDescription& description) const {
  const sim::Table& table = state.table(column.table);
  const sim::Table& before = start_.table(column.table);
  const sim::Field& field = table.schema().fields()[column.field];
  const size_t size = size_t{field.count} * sim::ScalarSize(field.scalar);
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    if (IsAsAtStart(table, column.table, page)) continue;
    const uint32_t first = page * table.rows_per_page();
    const uint32_t last =
        std::min(first + table.rows_per_page(), table.row_count());
    for (uint32_t row = first; row < last; ++row) {
      const std::span<const std::byte> bytes = table.Row(row);
      const std::byte* const was = FindRow(before, LoadWord(bytes.data()), row);
      const bool is_same =
          was == nullptr ? HasDefault(table, bytes, column.field, description)
                         : std::memcmp(bytes.data() + field.offset,
                                       was + field.offset, size) == 0;
      if (!is_same) return true;
    }
  }
  return false;
}

}  // namespace reprise::replays
