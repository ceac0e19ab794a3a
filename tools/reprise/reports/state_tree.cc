// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/state_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/digest.h"
#include "sim/base/field.h"
#include "sim/game_description.h"
#include "sim/scalar_legend.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"
#include "sim/state/table.h"

namespace reprise::tools {
namespace {

using sim::FieldShape;
using sim::ScalarType;

// Reads the rows of one table by name.
class TableView {
 public:
  TableView(std::string_view room, const sim::Table& table,
            const sim::NameResolver& names,
            const sim::GameDescription& description)
      : table_(table), schema_(table.schema()), names_(names) {
    for (const sim::Field& field : schema_.fields()) {
      std::vector<const sim::Legend*>& legends = legends_.emplace_back();
      for (uint32_t i = 0; i < field.count; ++i) {
        legends.push_back(
            sim::FindScalarLegend(description, room, schema_.name(), field, i));
      }
    }
  }

  const sim::RowSchema& schema() const { return schema_; }

  // The names of the row's key fields; its position where it has none.
  std::vector<std::string> KeyOf(uint32_t row) const {
    std::vector<std::string> key;
    for (uint32_t field = 0; field < schema_.key_field_count(); ++field) {
      key.push_back(sim::FormatFieldValue(ValueOf(row, field, 0), names_));
    }
    if (key.empty()) key.push_back(fmt::format("[{}]", row));
    return key;
  }

  // The rows that are about `object`, and those whose first key is one of
  // `numbers`; all where it is empty.
  std::vector<uint32_t> RowsOf(const std::string& object,
                               std::span<const uint64_t> numbers) const {
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < table_.row_count(); ++row) {
      if (object.empty() || std::ranges::count(KeyOf(row), object) > 0 ||
          IsAbout(row, object) ||
          (!numbers.empty() &&
           std::ranges::count(numbers, ValueOf(row, 0, 0).bits) > 0)) {
        rows.push_back(row);
      }
    }
    return rows;
  }

  // The numbers in a field of the rows whose key names `object`, but for 0.
  std::vector<uint64_t> NumbersOf(const std::string& object,
                                  std::string_view field) const {
    std::vector<uint64_t> numbers;
    const std::optional<sim::ScalarPath> path = schema_.Find(field);
    for (uint32_t row = 0; path && row < table_.row_count(); ++row) {
      if (std::ranges::count(KeyOf(row), object) == 0) continue;
      const uint64_t number =
          sim::ReadScalar(schema_, table_.Row(row), *path).bits;
      if (number != 0) numbers.push_back(number);
    }
    return numbers;
  }

  // All scalars of a field, separated by blanks.
  std::string TextOf(uint32_t row, uint32_t field) const {
    std::string text;
    for (uint32_t i = 0; i < schema_.fields()[field].count; ++i) {
      if (i > 0) text += ' ';
      text += TextOf(row, field, i);
    }
    return text;
  }

  // What the numbers of a field stand for; null where that is nothing.
  Json NamesJsonOf(uint32_t row, uint32_t field) const {
    const uint32_t count = schema_.fields()[field].count;
    Json names = Json::array();
    bool has_any = false;
    for (uint32_t i = 0; i < count; ++i) {
      const sim::Legend* const legend = legends_[field][i];
      names.push_back(
          legend == nullptr ? "" : legend->NameOf(ValueOf(row, field, i)));
      has_any |= names.back() != "";
    }
    if (!has_any) return nullptr;
    return count == 1 ? names.front() : names;
  }

  Json JsonOf(uint32_t row, uint32_t field) const {
    const sim::Field& description = schema_.fields()[field];
    switch (description.shape) {
      case FieldShape::kScalar:
        return JsonOf(row, field, 0);
      case FieldShape::kVector2:
      case FieldShape::kVector3:
      case FieldShape::kQuaternion: {
        constexpr std::string_view kComponents = "xyzw";
        Json components = Json::object();
        for (uint32_t i = 0; i < description.count; ++i) {
          components[std::string(1, kComponents[i])] = JsonOf(row, field, i);
        }
        return components;
      }
      case FieldShape::kArray:
      case FieldShape::kMatrix3:
        break;
    }
    Json elements = Json::array();
    for (uint32_t i = 0; i < description.count; ++i) {
      elements.push_back(JsonOf(row, field, i));
    }
    return elements;
  }

 private:
  sim::FieldValue ValueOf(uint32_t row, uint32_t field, uint32_t index) const {
    return sim::ReadScalar(schema_, table_.Row(row), {field, index});
  }

  std::string TextOf(uint32_t row, uint32_t field, uint32_t index) const {
    return sim::FormatFieldValue(ValueOf(row, field, index), names_,
                                 legends_[field][index]);
  }

  Json JsonOf(uint32_t row, uint32_t field, uint32_t index) const {
    const sim::FieldValue value = ValueOf(row, field, index);
    switch (value.type) {
      case ScalarType::kBool:
        return value.bits != 0;
      case ScalarType::kInt16:
      case ScalarType::kInt32:
        return static_cast<int64_t>(value.AsNumber());
      case ScalarType::kUint32:
        return value.bits;
      case ScalarType::kDouble:
        // JSON has no infinity.
        if (std::isfinite(value.AsDouble())) return value.AsDouble();
        break;
      case ScalarType::kInt64:
      case ScalarType::kUint64:
      case ScalarType::kId:
      case ScalarType::kObject:
      case ScalarType::kHandle:
        break;
    }
    return sim::FormatFieldValue(value, names_);
  }

  // Whether it says whose it is behind its key.
  bool IsAbout(uint32_t row, const std::string& object) const {
    const std::span<const sim::Field> fields = schema_.fields();
    for (uint32_t i = schema_.key_field_count(); i < fields.size(); ++i) {
      const bool is_subject =
          (fields[i].name == "object" || fields[i].name == "unit") &&
          (fields[i].scalar == ScalarType::kObject ||
           fields[i].scalar == ScalarType::kHandle);
      if (is_subject && TextOf(row, i) == object) return true;
    }
    return false;
  }

  const sim::Table& table_;
  const sim::RowSchema& schema_;
  const sim::NameResolver& names_;
  // Of each field, of each of its scalars; null for those without one.
  std::vector<std::vector<const sim::Legend*>> legends_;
};

// A table whose first key is a number that the row of an object says.
struct Belonging {
  std::string_view room;
  std::string_view table;
  std::string_view owner_room;
  std::string_view owner_table;
  std::string_view owner_field;
};

constexpr auto kBelongings = std::to_array<Belonging>({
    {"navigation", "path_points", "components", "navigator", "path"},
});

std::vector<uint64_t> NumbersOf(const sim::State& state, std::string_view room,
                                std::string_view table,
                                const sim::NameResolver& names,
                                const sim::GameDescription& description,
                                const std::string& object) {
  for (const Belonging& each : kBelongings) {
    if (object.empty() || each.room != room || each.table != table) continue;
    const auto owner = state.Find(each.owner_room, each.owner_table);
    if (!owner.has_value()) continue;
    return TableView(each.owner_room, state.table(*owner), names, description)
        .NumbersOf(object, each.owner_field);
  }
  return {};
}

std::string FormatRow(const TableView& table, uint32_t row) {
  std::string text = fmt::format("    {}\n", fmt::join(table.KeyOf(row), " "));
  const std::span<const sim::Field> fields = table.schema().fields();
  for (uint32_t i = table.schema().key_field_count(); i < fields.size(); ++i) {
    text +=
        fmt::format("      {}: {}{}{}\n", fields[i].name, table.TextOf(row, i),
                    fields[i].unit.empty() ? "" : " ", fields[i].unit);
  }
  return text;
}

Json RowToJson(const TableView& table, uint32_t row) {
  Json fields = Json::object();
  Json names = Json::object();
  const std::span<const sim::Field> descriptions = table.schema().fields();
  for (uint32_t i = table.schema().key_field_count(); i < descriptions.size();
       ++i) {
    fields[descriptions[i].name] = table.JsonOf(row, i);
    Json name = table.NamesJsonOf(row, i);
    if (!name.is_null()) names[descriptions[i].name] = std::move(name);
  }
  return {{"key", table.KeyOf(row)},
          {"fields", std::move(fields)},
          {"names", std::move(names)}};
}

Json UnitsToJson(const sim::RowSchema& schema) {
  Json units = Json::object();
  for (const sim::Field& field : schema.fields()) {
    if (!field.unit.empty()) units[field.name] = field.unit;
  }
  return units;
}

// Of each key field, whether it is an object.
Json KeyKindsToJson(const sim::RowSchema& schema) {
  Json kinds = Json::array();
  for (uint32_t i = 0; i < schema.key_field_count(); ++i) {
    kinds.push_back(schema.fields()[i].scalar == ScalarType::kObject);
  }
  return kinds;
}

}  // namespace

std::string FormatStateTree(const sim::State& state,
                            const sim::NameResolver& names,
                            const sim::GameDescription& description,
                            const std::string& object) {
  std::string text;
  for (const sim::State::Room& room : state.rooms()) {
    std::string tables;
    for (uint32_t i = 0; i < room.table_count; ++i) {
      const TableView table(room.name, state.table({room.first_table + i}),
                            names, description);
      const std::vector<uint32_t> rows = table.RowsOf(
          object, NumbersOf(state, room.name, table.schema().name(), names,
                            description, object));
      if (rows.empty()) continue;
      tables += fmt::format("  {}\n", table.schema().name());
      for (const uint32_t row : rows) tables += FormatRow(table, row);
    }
    if (tables.empty()) continue;
    text +=
        fmt::format("{}  {}\n{}", room.name,
                    sim::FormatDigest(state.ComputeRoomDigest(room)), tables);
  }
  return text;
}

Json StateTreeToJson(const sim::State& state, const sim::NameResolver& names,
                     const sim::GameDescription& description,
                     const std::string& object) {
  Json rooms = Json::array();
  for (const sim::State::Room& room : state.rooms()) {
    Json tables = Json::array();
    for (uint32_t i = 0; i < room.table_count; ++i) {
      const TableView table(room.name, state.table({room.first_table + i}),
                            names, description);
      Json rows = Json::array();
      const std::vector<uint64_t> numbers = NumbersOf(
          state, room.name, table.schema().name(), names, description, object);
      for (const uint32_t row : table.RowsOf(object, numbers)) {
        rows.push_back(RowToJson(table, row));
      }
      if (rows.empty()) continue;
      tables.push_back({{"table", table.schema().name()},
                        {"is_object_key", KeyKindsToJson(table.schema())},
                        {"units", UnitsToJson(table.schema())},
                        {"rows", std::move(rows)}});
    }
    if (tables.empty()) continue;
    const sim::Digest digest = state.ComputeRoomDigest(room);
    rooms.push_back({{"room", room.name},
                     {"digest", sim::FormatDigest(digest)},
                     {"tables", std::move(tables)}});
  }
  return rooms;
}

}  // namespace reprise::tools
