// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_names.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "replays/query/query_token.h"
#include "sim/base/field_value.h"
#include "sim/base/id.h"
#include "sim/base/nearest_name.h"
#include "sim/base/table.h"

namespace reprise::replays {
namespace {

// More would be no help in a message.
constexpr uint32_t kNamesLookedAtMax = 4096;

bool IsKeyedByObject(const sim::RowSchema& schema) {
  return schema.key_field_count() == 1 &&
         schema.fields()[0].scalar == sim::ScalarType::kObject;
}

// The names that the keys of a table have now, of the first rows.
void AddRowNames(const sim::Table& table, const sim::NameResolver& names,
                 std::vector<std::string>& known) {
  const uint32_t rows = std::min(table.row_count(), kNamesLookedAtMax);
  for (uint32_t row = 0; row < rows; ++row) {
    known.push_back(sim::FormatFieldValue(
        sim::ReadScalar(table.schema(), table.Row(row), {}), names));
  }
}

bool IsKnownToPack(const std::string& name, const sim::Simulation& simulation) {
  return simulation.IdName(sim::IdOf(name)) == name;
}

// Of a row of a table with one key field.
absl::Status CheckRowName(size_t column, const std::string& name,
                          const sim::Table& table,
                          const sim::Simulation& simulation) {
  if (IsKeyedByObject(table.schema())) {
    return CheckObjectName(column, name, simulation);
  }
  std::vector<std::string> known;
  AddRowNames(table, sim::NamesOf(simulation), known);
  if (std::ranges::count(known, name) > 0 || IsKnownToPack(name, simulation)) {
    return absl::OkStatus();
  }
  return UnknownQueryName(column, "row of " + table.schema().name(), name,
                          known);
}

// Finds one field, part by part.
class FieldSearch {
 public:
  FieldSearch(const QueryNode& node, const sim::Simulation& simulation)
      : node_(node), simulation_(simulation), state_(simulation.state()) {}

  absl::StatusOr<QueryField> Find() {
    if (node_.is_object_quoted || !BeginsWithTable()) {
      field_.object = node_.path[part_];
      field_.has_object = true;
      ++part_;
    }
    absl::Status status = FindTable();
    if (status.ok()) status = FindScalar();
    if (status.ok() && field_.has_object) status = CheckObject();
    if (!status.ok()) return status;
    return std::move(field_);
  }

 private:
  size_t parts_left() const { return node_.path.size() - part_; }

  std::vector<sim::TableIndex> TablesCalled(std::string_view name) const {
    std::vector<sim::TableIndex> tables;
    for (uint32_t i = 0; i < state_.table_count(); ++i) {
      const sim::TableIndex table{i};
      if (state_.table(table).schema().name() == name) tables.push_back(table);
    }
    return tables;
  }

  // Whether the parts from here on are room and table.
  std::optional<sim::TableIndex> FindInRoom() const {
    if (parts_left() < 2) return std::nullopt;
    return state_.Find(node_.path[part_], node_.path[part_ + 1]);
  }

  bool BeginsWithTable() const {
    return !TablesCalled(node_.path[part_]).empty() || FindInRoom().has_value();
  }

  absl::Status FindTable() {
    if (parts_left() == 0) return UnknownTable(0);
    const std::vector<sim::TableIndex> tables = TablesCalled(node_.path[part_]);
    if (tables.empty()) {
      const std::optional<sim::TableIndex> table = FindInRoom();
      if (!table) return UnknownTable(MistakenPart());
      field_.table = *table;
      part_ += 2;
      return absl::OkStatus();
    }
    if (tables.size() > 1) return Ambiguous(tables);
    field_.table = tables.front();
    ++part_;
    return absl::OkStatus();
  }

  // Where no part is a table, the one that was more likely meant to be: the
  // first may be an object's name or a mistyped table.
  size_t MistakenPart() const {
    if (node_.is_object_quoted) return part_;
    const bool is_first_mistyped = !NearestTable(0).empty();
    return parts_left() == 1 ||
                   (is_first_mistyped && NearestTable(part_).empty())
               ? 0
               : part_;
  }

  std::vector<std::string> TableNames() const {
    std::vector<std::string> names;
    for (uint32_t i = 0; i < state_.table_count(); ++i) {
      names.push_back(state_.table({i}).schema().name());
    }
    return names;
  }

  std::string NearestTable(size_t part) const {
    const std::vector<std::string> names = TableNames();
    const std::vector<std::string_view> views(names.begin(), names.end());
    return std::string(sim::NearestName(node_.path[part], views));
  }

  absl::Status UnknownTable(size_t part) const {
    return UnknownQueryName(node_.path_columns[part], "component",
                            node_.path[part], TableNames());
  }

  absl::Status Ambiguous(const std::vector<sim::TableIndex>& tables) const {
    std::vector<std::string> choices;
    for (const sim::TableIndex table : tables) {
      choices.push_back(
          fmt::format("{}.{}", state_.room_of(table).name, node_.path[part_]));
    }
    return QueryErrorAt(
        node_.path_columns[part_],
        fmt::format("several rooms have '{}': write {}", node_.path[part_],
                    fmt::join(choices, " or ")));
  }

  absl::Status FindScalar() {
    const sim::RowSchema& schema = state_.table(field_.table).schema();
    if (parts_left() == 0) {
      return QueryErrorAt(node_.path_columns.back(),
                          fmt::format("which field of {}? {}", schema.name(),
                                      fmt::join(FieldNames(schema), ", ")));
    }
    const size_t column = node_.path_columns[part_];
    const std::string name = fmt::format(
        "{}", fmt::join(node_.path.begin() + part_, node_.path.end(), "."));
    const std::optional<sim::ScalarPath> scalar = schema.Find(name);
    if (scalar) {
      field_.scalar = *scalar;
      return absl::OkStatus();
    }
    std::vector<std::string> known;
    for (const sim::Field& field : schema.fields()) {
      if (field.name == name) {
        return QueryErrorAt(
            column,
            fmt::format("{} has parts: {} to {}", name, field.ScalarName(0),
                        field.ScalarName(field.count - 1)));
      }
      for (uint32_t i = 0; i < field.count; ++i) {
        known.push_back(field.ScalarName(i));
      }
    }
    return UnknownQueryName(column, "field of " + schema.name(), name, known);
  }

  static std::vector<std::string> FieldNames(const sim::RowSchema& schema) {
    std::vector<std::string> names;
    for (const sim::Field& field : schema.fields()) names.push_back(field.name);
    return names;
  }

  absl::Status CheckObject() const {
    const sim::Table& table = state_.table(field_.table);
    if (table.schema().key_field_count() != 1) {
      return QueryErrorAt(
          node_.column,
          fmt::format("{} has no single row for each object: leave the object "
                      "out, or count(...)",
                      table.schema().name()));
    }
    return CheckRowName(node_.column, field_.object, table, simulation_);
  }

  const QueryNode& node_;
  const sim::Simulation& simulation_;
  const sim::State& state_;
  size_t part_ = 0;
  QueryField field_;
};

}  // namespace

QueryType QueryTypeOf(sim::ScalarType scalar) {
  switch (scalar) {
    case sim::ScalarType::kBool:
      return QueryType::kBool;
    case sim::ScalarType::kId:
    case sim::ScalarType::kObject:
    case sim::ScalarType::kHandle:
      return QueryType::kText;
    default:
      return QueryType::kNumber;
  }
}

absl::StatusOr<QueryField> FindQueryField(const QueryNode& node,
                                          const sim::Simulation& simulation) {
  return FieldSearch(node, simulation).Find();
}

absl::StatusOr<std::optional<QueryNode>> FindOnlyField(
    const QueryNode& name, const sim::Simulation& simulation) {
  const sim::State& state = simulation.state();
  std::optional<QueryNode> found;
  std::vector<std::string> choices;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const sim::RowSchema& schema = state.table({i}).schema();
    const auto fields = schema.fields().subspan(schema.key_field_count());
    if (!std::ranges::count(fields, name.path[0], &sim::Field::name)) continue;
    found = name;
    found->kind = QueryNode::Kind::kField;
    found->path = {state.room_of({i}).name, schema.name(), name.path[0]};
    found->path_columns.assign(found->path.size(), name.column);
    choices.push_back(fmt::format("{}.{}", schema.name(), name.path[0]));
  }
  if (choices.size() <= 1) return found;
  return QueryErrorAt(name.column,
                      fmt::format("several components have '{}': write {}",
                                  name.path[0], fmt::join(choices, " or ")));
}

absl::Status CheckObjectName(size_t column, const std::string& name,
                             const sim::Simulation& simulation) {
  std::vector<std::string> known;
  const sim::NameResolver names = sim::NamesOf(simulation);
  const sim::State& state = simulation.state();
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const sim::Table& table = state.table({i});
    if (!IsKeyedByObject(table.schema())) continue;
    AddRowNames(table, names, known);
    if (std::ranges::count(known, name) > 0) return absl::OkStatus();
    if (known.size() > kNamesLookedAtMax) break;
  }
  const bool is_spawned = name.find('#') != std::string::npos;
  if (is_spawned || IsKnownToPack(name, simulation)) return absl::OkStatus();
  return UnknownQueryName(column, "object", name, known);
}

absl::Status CheckEventName(size_t column, const std::string& name,
                            const sim::Simulation& simulation) {
  if (IsKnownToPack(name, simulation)) return absl::OkStatus();
  return UnknownQueryName(column, "event", name, {});
}

absl::Status UnknownQueryName(size_t column, std::string_view kind,
                              std::string_view name,
                              std::span<const std::string> known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string_view nearest = sim::NearestName(name, views);
  return QueryErrorAt(
      column,
      fmt::format(
          "there is no {} '{}'{}", kind, name,
          nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace reprise::replays
