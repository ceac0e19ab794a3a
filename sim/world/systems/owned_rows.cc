// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/systems/owned_rows.h"

#include <array>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/world/objects/objects.h"

namespace reprise::sim {

ObjectId OwnerOf(const Table& table, uint32_t row) {
  return {ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits};
}

std::optional<uint32_t> FindOwnedRow(const Table& table, ObjectId object) {
  const bool has_second_key = table.schema().key_field_count() == 2;
  const std::array<uint64_t, 2> key = {object.serial, 0};
  const uint32_t row =
      table.LowerBound(std::span(key).first(has_second_key ? 2 : 1));
  if (row == table.row_count() || OwnerOf(table, row) != object) {
    return std::nullopt;
  }
  return row;
}

uint32_t TypeOfOwner(const WorldParts& parts, ObjectId object) {
  const uint32_t row = parts.objects.RowOf(parts.state, object);
  CHECK(row != kNoRow, "object {} has rows, but doesn't exist", object.serial);
  return parts.objects.TypeOf(row);
}

bool AreOwnedBy(std::span<const RowOwner> owners, const Table& table) {
  if (table.row_count() != owners.size()) return false;
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    if (OwnerOf(table, row) != owners[row].object) return false;
  }
  return true;
}

bool HasUsableNumbers(const Table& table) {
  // Above all that a tick leaves in a row, and far below what overflows.
  constexpr double kNumberMax = 1e9;
  const RowSchema& schema = table.schema();
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    for (uint32_t field = 0; field < schema.fields().size(); ++field) {
      if (schema.fields()[field].scalar != ScalarType::kDouble) continue;
      for (uint32_t i = 0; i < schema.fields()[field].count; ++i) {
        const FieldValue value =
            ReadScalar(schema, table.Row(row), {.field = field, .index = i});
        if (!(Abs(value.AsNumber()) <= kNumberMax)) return false;  // NaN, too
      }
    }
  }
  return true;
}

}  // namespace reprise::sim
