// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/schema_difference.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "sim/base/field.h"
#include "sim/state/row_schema.h"

namespace reprise::replays {
namespace {

using Kind = SchemaDifference::Kind;

// As many as a sentence can hold.
constexpr size_t kDifferencesInALine = 4;

std::string_view ScalarName(sim::ScalarType type) {
  switch (type) {
    case sim::ScalarType::kBool:
      return "bool";
    case sim::ScalarType::kInt16:
      return "int16";
    case sim::ScalarType::kInt32:
      return "int32";
    case sim::ScalarType::kInt64:
      return "int64";
    case sim::ScalarType::kUint32:
      return "uint32";
    case sim::ScalarType::kUint64:
      return "uint64";
    case sim::ScalarType::kDouble:
      return "double";
    case sim::ScalarType::kId:
      return "id";
    case sim::ScalarType::kObject:
      return "object";
    case sim::ScalarType::kHandle:
      return "handle";
  }
  return "";
}

std::string_view ShapeName(sim::FieldShape shape) {
  switch (shape) {
    case sim::FieldShape::kScalar:
    case sim::FieldShape::kArray:
      return "";
    case sim::FieldShape::kVector2:
      return "vector2";
    case sim::FieldShape::kVector3:
      return "vector3";
    case sim::FieldShape::kQuaternion:
      return "quaternion";
    case sim::FieldShape::kMatrix3:
      return "matrix3";
  }
  return "";
}

// "double [m]", "id[4]", "vector3 [m]".
std::string DescribeType(const sim::Field& field) {
  std::string text(ShapeName(field.shape));
  if (text.empty()) text = ScalarName(field.scalar);
  if (field.shape == sim::FieldShape::kArray) {
    text += fmt::format("[{}]", field.count);
  }
  return field.unit.empty() ? text : fmt::format("{} [{}]", text, field.unit);
}

// "key object object, slot uint64".
std::string DescribeKey(const sim::RowSchema& schema) {
  std::string text;
  for (const sim::Field& field :
       schema.fields().first(schema.key_field_count())) {
    text += fmt::format("{}{} {}", text.empty() ? "key " : ", ", field.name,
                        DescribeType(field));
  }
  return text.empty() ? "no key" : text;
}

const sim::Field* FindField(const sim::RowSchema& schema,
                            const std::string& name) {
  const auto fields = schema.fields();
  const auto found = std::ranges::find(fields, name, &sim::Field::name);
  return found == fields.end() ? nullptr : &*found;
}

class Comparison {
 public:
  Comparison(const sim::State& expected, const sim::State& actual)
      : expected_(expected), actual_(actual) {}

  std::vector<SchemaDifference> Compare() {
    for (uint32_t i = 0; i < expected_.table_count(); ++i) {
      const sim::RowSchema& schema = TableOf(expected_, i);
      const auto& room = expected_.room_of({i}).name;
      const auto other = actual_.Find(room, schema.name());
      if (!other.has_value()) {
        Add(Kind::kRemoved, room, schema.name());
      } else {
        CompareTables(room, schema, actual_.table(*other).schema());
      }
    }
    for (uint32_t i = 0; i < actual_.table_count(); ++i) {
      const auto& room = actual_.room_of({i}).name;
      const std::string& name = TableOf(actual_, i).name();
      if (!expected_.Find(room, name)) Add(Kind::kAdded, room, name);
    }
    if (differences_.empty() && !expected_.CheckSameShape(actual_).ok()) {
      Add(Kind::kReordered, "", "");
    }
    return std::move(differences_);
  }

 private:
  static const sim::RowSchema& TableOf(const sim::State& state, uint32_t i) {
    return state.table(sim::TableIndex{i}).schema();
  }

  SchemaDifference& Add(Kind kind, const std::string& room,
                        const std::string& table, const std::string& field = "",
                        const std::string& expected = "",
                        const std::string& actual = "") {
    return differences_.emplace_back(SchemaDifference{
        .kind = kind,
        .room = room,
        .table = table,
        .field = field,
        .expected = expected,
        .actual = actual,
    });
  }

  void CompareTables(const std::string& room, const sim::RowSchema& expected,
                     const sim::RowSchema& actual) {
    if (expected.fingerprint() == actual.fingerprint()) return;
    const size_t count_before = differences_.size();
    if (DescribeKey(expected) != DescribeKey(actual)) {
      Add(Kind::kRetyped, room, expected.name(), "", DescribeKey(expected),
          DescribeKey(actual));
    }
    for (const sim::Field& field : expected.fields()) {
      const sim::Field* const other = FindField(actual, field.name);
      const std::string type = DescribeType(field);
      if (other == nullptr) {
        Add(Kind::kRemoved, room, expected.name(), field.name, type);
      } else if (type != DescribeType(*other)) {
        Add(Kind::kRetyped, room, expected.name(), field.name, type,
            DescribeType(*other));
      }
    }
    for (const sim::Field& field : actual.fields()) {
      if (FindField(expected, field.name) == nullptr) {
        Add(Kind::kAdded, room, expected.name(), field.name, "",
            DescribeType(field));
      }
    }
    if (differences_.size() == count_before) {
      Add(Kind::kReordered, room, expected.name());
    }
  }

  const sim::State& expected_;
  const sim::State& actual_;
  std::vector<SchemaDifference> differences_;
};

}  // namespace

std::string SchemaDifferenceKindName(Kind kind) {
  switch (kind) {
    case Kind::kRemoved:
      return "removed";
    case Kind::kAdded:
      return "added";
    case Kind::kRetyped:
      return "retyped";
    case Kind::kReordered:
      return "reordered";
  }
  return "";
}

std::vector<SchemaDifference> CompareSchemas(const sim::State& expected,
                                             const sim::State& actual) {
  return Comparison(expected, actual).Compare();
}

bool DependsOnSchema(std::string_view room, std::string_view field) {
  return room == "components" && field == "overridden";
}

std::string FormatSchemaDifference(const SchemaDifference& difference) {
  if (difference.table.empty()) return "tables: in another order";
  const std::string place =
      fmt::format("{}.{}{}{}", difference.room, difference.table,
                  difference.field.empty() ? "" : " ", difference.field);
  const auto with_type = [](std::string text, const std::string& type) {
    return type.empty() ? text : fmt::format("{}, {}", text, type);
  };
  switch (difference.kind) {
    case Kind::kRemoved:
      return with_type(place + ": removed", difference.expected);
    case Kind::kAdded:
      return with_type(place + ": added", difference.actual);
    case Kind::kRetyped:
      return fmt::format("{}: {} | {}", place, difference.expected,
                         difference.actual);
    case Kind::kReordered:
      return place + ": its fields in another order";
  }
  return place;
}

std::string FormatSchemaDifferenceList(
    std::span<const SchemaDifference> differences) {
  std::string text;
  for (size_t i = 0; i < differences.size(); ++i) {
    if (i > 0) text += "; ";
    if (i == kDifferencesInALine) {
      return text + fmt::format("and {} more", differences.size() - i);
    }
    text += FormatSchemaDifference(differences[i]);
  }
  return text;
}

std::string FormatSchemaDifferences(
    std::span<const SchemaDifference> differences) {
  if (differences.empty()) return "";
  std::string text = "the schemas of the states differ:\n";
  for (const SchemaDifference& difference : differences) {
    text += fmt::format("  {}\n", FormatSchemaDifference(difference));
  }
  return text;
}

}  // namespace reprise::replays
