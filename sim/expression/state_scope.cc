// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/state_scope.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/nearest_name.h"
#include "sim/expression/token.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

// More would be no help in a message.
constexpr uint32_t kNamesLookedAtMax = 4096;

// The functions that take an object, or a condition for one.
constexpr ScopeFunction kExists = {"exists", ScopeFunction::Argument::kName};
constexpr ScopeFunction kCount = {"count", ScopeFunction::Argument::kCondition};

// What a scalar is to an expression: ids, objects and handles are texts, their
// names.
ExpressionType TypeOf(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::kBool:
      return ExpressionType::kBool;
    case ScalarType::kId:
    case ScalarType::kObject:
    case ScalarType::kHandle:
      return ExpressionType::kText;
    default:
      return ExpressionType::kNumber;
  }
}

// The names that the keys of a table have now, of the first rows.
void AddRowNames(const Table& table, const NameResolver& names,
                 std::vector<std::string>& known) {
  const uint32_t rows = std::min(table.row_count(), kNamesLookedAtMax);
  for (uint32_t row = 0; row < rows; ++row) {
    known.push_back(FormatFieldValue(
        ReadScalar(table.schema(), table.Row(row), {}), names));
  }
}

// Whether an object is called so now.
bool IsObjectNow(const std::string& name, const State& state,
                 const NameResolver& names) {
  std::vector<std::string> known;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const Table& table = state.table({i});
    if (!IsKeyedByObject(table.schema())) continue;
    known.clear();
    AddRowNames(table, names, known);
    if (std::ranges::count(known, name) > 0) return true;
  }
  return false;
}

bool IsKnownName(const std::string& name, const NameResolver& names) {
  return names.id_name(IdOf(name)) == name;
}

// Whether an object could be called so: it is there now, its name is known, or
// it is of the form that spawned objects have.
absl::Status CheckObjectName(size_t column, const std::string& name,
                             const State& state, const NameResolver& names) {
  std::vector<std::string> known;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const Table& table = state.table({i});
    if (!IsKeyedByObject(table.schema())) continue;
    AddRowNames(table, names, known);
    if (std::ranges::count(known, name) > 0) return absl::OkStatus();
    if (known.size() > kNamesLookedAtMax) break;
  }
  const bool is_spawned = name.find('#') != std::string::npos;
  if (is_spawned || IsKnownName(name, names)) return absl::OkStatus();
  return UnknownNameAt(column, "object", name, known);
}

// Of a row of a table with one key field.
absl::Status CheckRowName(size_t column, const std::string& name,
                          const Table& table, const State& state,
                          const NameResolver& names) {
  if (IsKeyedByObject(table.schema())) {
    return CheckObjectName(column, name, state, names);
  }
  std::vector<std::string> known;
  AddRowNames(table, names, known);
  if (std::ranges::count(known, name) > 0 || IsKnownName(name, names)) {
    return absl::OkStatus();
  }
  return UnknownNameAt(column, "row of " + table.schema().name(), name, known);
}

// Of all rooms.
std::vector<TableIndex> TablesCalled(std::string_view name,
                                     const State& state) {
  std::vector<TableIndex> tables;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const TableIndex table{i};
    if (state.table(table).schema().name() == name) tables.push_back(table);
  }
  return tables;
}

// Where a field is kept.
struct FieldPlace {
  std::string object;
  bool has_object = false;  // or of whatever has it
  TableIndex table;
  ScalarPath scalar;
  std::optional<TableIndex> beside;  // as of StateReference
};

// Finds one field, part by part.
class FieldSearch {
 public:
  FieldSearch(const ExpressionNode& node, const State& state,
              const NameResolver& names)
      : node_(node), state_(state), names_(names) {}

  // INVALID_ARGUMENT names the column of the part that is not found, that two
  // rooms have, or that has parts itself.
  absl::StatusOr<FieldPlace> Find() {
    if (IsTableBesideAnother()) {
      field_.beside = TablesCalled(node_.path[part_], state_).front();
      ++part_;
    } else if (node_.is_object_quoted || !BeginsWithTable() ||
               IsObjectCalledLikeATable()) {
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

  // Whether the parts from here on are room and table.
  std::optional<TableIndex> FindInRoom() const {
    if (parts_left() < 2) return std::nullopt;
    return state_.Find(node_.path[part_], node_.path[part_ + 1]);
  }

  bool BeginsWithTable() const {
    return !TablesCalled(node_.path[part_], state_).empty() ||
           FindInRoom().has_value();
  }

  // Whether the first part is a table, but the others are no field of it and
  // begin with a table themselves.
  bool HasTwoTables() const {
    const std::vector<TableIndex> tables = TablesCalled(node_.path[0], state_);
    if (node_.is_object_quoted || tables.size() != 1 || node_.path.size() < 3) {
      return false;
    }
    const std::string rest = fmt::format(
        "{}", fmt::join(node_.path.begin() + 1, node_.path.end(), "."));
    if (state_.table(tables.front()).schema().Find(rest)) return false;
    return !TablesCalled(node_.path[1], state_).empty() ||
           state_.Find(node_.path[1], node_.path[2]).has_value();
  }

  bool IsObjectCalledLikeATable() const {
    return HasTwoTables() && IsObjectNow(node_.path[0], state_, names_);
  }

  bool IsTableBesideAnother() const {
    return HasTwoTables() && !IsObjectNow(node_.path[0], state_, names_) &&
           IsKeyedByObject(
               state_.table(TablesCalled(node_.path[0], state_).front())
                   .schema());
  }

  absl::Status FindTable() {
    if (parts_left() == 0) return UnknownTable(0);
    const std::vector<TableIndex> tables =
        TablesCalled(node_.path[part_], state_);
    if (tables.empty()) {
      const std::optional<TableIndex> table = FindInRoom();
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
    return std::string(NearestName(node_.path[part], views));
  }

  absl::Status UnknownTable(size_t part) const {
    return UnknownNameAt(node_.path_columns[part], "component",
                         node_.path[part], TableNames());
  }

  absl::Status Ambiguous(const std::vector<TableIndex>& tables) const {
    std::vector<std::string> choices;
    for (const TableIndex table : tables) {
      choices.push_back(
          fmt::format("{}.{}", state_.room_of(table).name, node_.path[part_]));
    }
    return ExpressionErrorAt(
        node_.path_columns[part_],
        fmt::format("several rooms have '{}': write {}", node_.path[part_],
                    fmt::join(choices, " or ")));
  }

  absl::Status FindScalar() {
    const RowSchema& schema = state_.table(field_.table).schema();
    if (parts_left() == 0) {
      return ExpressionErrorAt(
          node_.path_columns.back(),
          fmt::format("which field of {}? {}", schema.name(),
                      fmt::join(FieldNames(schema), ", ")));
    }
    const size_t column = node_.path_columns[part_];
    const std::string name = fmt::format(
        "{}", fmt::join(node_.path.begin() + part_, node_.path.end(), "."));
    const std::optional<ScalarPath> scalar = schema.Find(name);
    if (scalar) {
      field_.scalar = *scalar;
      return absl::OkStatus();
    }
    std::vector<std::string> known;
    for (const Field& field : schema.fields()) {
      if (field.name == name) {
        return ExpressionErrorAt(
            column,
            fmt::format("{} has parts: {} to {}", name, field.ScalarName(0),
                        field.ScalarName(field.count - 1)));
      }
      for (uint32_t i = 0; i < field.count; ++i) {
        known.push_back(field.ScalarName(i));
      }
    }
    return UnknownNameAt(column, "field of " + schema.name(), name, known);
  }

  static std::vector<std::string> FieldNames(const RowSchema& schema) {
    std::vector<std::string> names;
    for (const Field& field : schema.fields()) names.push_back(field.name);
    return names;
  }

  absl::Status CheckObject() const {
    const Table& table = state_.table(field_.table);
    if (table.schema().key_field_count() != 1) {
      return ExpressionErrorAt(
          node_.column,
          fmt::format("{} has no single row for each object: leave the object "
                      "out, or count(...)",
                      table.schema().name()));
    }
    return CheckRowName(node_.column, field_.object, table, state_, names_);
  }

  const ExpressionNode& node_;
  const State& state_;
  const NameResolver& names_;
  size_t part_ = 0;
  FieldPlace field_;
};

// The field that a name alone stands for, as a node with room and table: the
// only field of all tables that is called so. nullopt: there is none.
// INVALID_ARGUMENT: there are several; name them.
absl::StatusOr<std::optional<ExpressionNode>> FindOnlyField(
    const ExpressionNode& name, const State& state) {
  std::optional<ExpressionNode> found;
  std::vector<std::string> choices;
  for (uint32_t i = 0; i < state.table_count(); ++i) {
    const RowSchema& schema = state.table({i}).schema();
    const auto fields = schema.fields().subspan(schema.key_field_count());
    if (!std::ranges::count(fields, name.path[0], &Field::name)) continue;
    found = name;
    found->kind = ExpressionNode::Kind::kField;
    found->path = {state.room_of({i}).name, schema.name(), name.path[0]};
    found->path_columns.assign(found->path.size(), name.column);
    const bool is_in_one_room = TablesCalled(schema.name(), state).size() == 1;
    choices.push_back(is_in_one_room
                          ? fmt::format("{}.{}", schema.name(), name.path[0])
                          : found->FullName());
  }
  if (choices.size() <= 1) return found;
  return ExpressionErrorAt(
      name.column, fmt::format("several components have '{}': write {}",
                               name.path[0], fmt::join(choices, " or ")));
}

}  // namespace

StateScope::StateScope(const State* state, const NameResolver* names,
                       ExpressionScope* facts)
    : state_(*state),
      names_(*names),
      facts_(facts),
      functions_({kCount, kExists}) {
  if (facts == nullptr) return;
  for (const ScopeFunction& function : facts->functions()) {
    CHECK(function.argument == ScopeFunction::Argument::kName);
    functions_.push_back(function);
  }
}

absl::StatusOr<std::optional<ExpressionMeaning>> StateScope::FindName(
    const ExpressionNode& node) {
  if (facts_ != nullptr) {
    const absl::StatusOr<std::optional<ExpressionMeaning>> fact =
        facts_->FindName(node);
    if (!fact.ok()) return fact.status();
    if (fact->has_value()) return OfFact(**fact, node.FullName());
  }
  if (node.kind == ExpressionNode::Kind::kField) return FindField(node);
  const absl::StatusOr<std::optional<ExpressionNode>> field =
      FindOnlyField(node, state_);
  if (!field.ok()) return field.status();
  if (field->has_value()) return FindField(**field);
  const absl::Status status =
      UnknownNameAt(node.column, "fact", node.path[0], KnownNames());
  return absl::InvalidArgumentError(fmt::format(
      "{} (a field is component.field)", std::string(status.message())));
}

std::vector<std::string> StateScope::KnownNames() const {
  return facts_ == nullptr ? std::vector<std::string>() : facts_->KnownNames();
}

absl::StatusOr<ExpressionMeaning> StateScope::FindCall(const ScopeCall& call) {
  if (call.function == kCount.name) {
    return ExpressionMeaning{
        .type = ExpressionType::kNumber,
        .reference = Add({.kind = StateReference::Kind::kCount,
                          .text = call.text,
                          .object = {},
                          .index = call.program})};
  }
  if (call.function == kExists.name) {
    const absl::Status status =
        CheckObjectName(call.argument_column, call.name, state_, names_);
    if (!status.ok()) return status;
    return ExpressionMeaning{
        .type = ExpressionType::kBool,
        .reference = Add({.kind = StateReference::Kind::kExists,
                          .text = call.text,
                          .object = call.name})};
  }
  const absl::StatusOr<ExpressionMeaning> fact = facts_->FindCall(call);
  if (!fact.ok()) return fact.status();
  return OfFact(*fact, call.text);
}

absl::StatusOr<ExpressionMeaning> StateScope::FindField(
    const ExpressionNode& node) {
  absl::StatusOr<FieldPlace> place = FieldSearch(node, state_, names_).Find();
  if (!place.ok()) return place.status();
  const RowSchema& schema = state_.table(place->table).schema();
  return ExpressionMeaning{
      .type = TypeOf(schema.fields()[place->scalar.field].scalar),
      .reference =
          Add({.kind = place->has_object ? StateReference::Kind::kObjectField
                                         : StateReference::Kind::kSubjectField,
               .text = node.FullName(),
               .object = std::move(place->object),
               .table = place->table,
               .scalar = place->scalar,
               .beside = place->beside})};
}

ExpressionMeaning StateScope::OfFact(const ExpressionMeaning& fact,
                                     std::string text) {
  ExpressionMeaning meaning = fact;
  if (meaning.constant) return meaning;
  meaning.reference = Add({.kind = StateReference::Kind::kFact,
                           .text = std::move(text),
                           .object = {},
                           .index = fact.reference});
  return meaning;
}

uint32_t StateScope::Add(StateReference reference) {
  references_.push_back(std::move(reference));
  return static_cast<uint32_t>(references_.size() - 1);
}

bool IsKeyedByObject(const RowSchema& schema) {
  return schema.key_field_count() == 1 &&
         schema.fields()[0].scalar == ScalarType::kObject;
}

}  // namespace reprise::sim
