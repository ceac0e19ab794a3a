// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/state/field_value.h"

#include <bit>
#include <cstring>
#include <limits>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// The scalar's offset in its row.
uint32_t OffsetOf(const RowSchema& schema, ScalarPath path) {
  CHECK(path.field < schema.fields().size());
  const Field& field = schema.fields()[path.field];
  CHECK(path.index < field.count);
  return field.offset + path.index * ScalarSize(field.scalar);
}

// Sign-extends what is stored in two or four bytes.
int64_t SignedValue(FieldValue value) {
  switch (value.type) {
    case ScalarType::kInt16:
      return static_cast<int16_t>(value.bits);
    case ScalarType::kInt32:
      return static_cast<int32_t>(value.bits);
    default:
      return static_cast<int64_t>(value.bits);
  }
}

bool IsSigned(ScalarType type) {
  return type == ScalarType::kInt16 || type == ScalarType::kInt32 ||
         type == ScalarType::kInt64;
}

// Maps doubles to integers in the same order, -0 just below +0.
uint64_t OrderedBits(uint64_t bits) {
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

}  // namespace

FieldValue FieldValue::OfDouble(double value) {
  return {ScalarType::kDouble, std::bit_cast<uint64_t>(value)};
}

FieldValue FieldValue::OfInt64(int64_t value) {
  return {ScalarType::kInt64, static_cast<uint64_t>(value)};
}

FieldValue FieldValue::OfObject(ObjectId object) {
  return {ScalarType::kObject, object.serial};
}

FieldValue FieldValue::OfId(Id id) { return {ScalarType::kId, id.value}; }

FieldValue FieldValue::OfHandle(Handle handle) {
  return {ScalarType::kHandle, std::bit_cast<uint64_t>(handle)};
}

double FieldValue::AsDouble() const {
  CHECK(type == ScalarType::kDouble);
  return std::bit_cast<double>(bits);
}

Handle FieldValue::AsHandle() const {
  CHECK(type == ScalarType::kHandle);
  return std::bit_cast<Handle>(bits);
}

double FieldValue::AsNumber() const {
  if (type == ScalarType::kDouble) return AsDouble();
  if (IsSigned(type)) return static_cast<double>(SignedValue(*this));
  return static_cast<double>(bits);
}

FieldValue ReadScalar(const RowSchema& schema, std::span<const std::byte> row,
                      ScalarPath path) {
  const uint32_t offset = OffsetOf(schema, path);
  FieldValue value{.type = schema.fields()[path.field].scalar};
  std::memcpy(&value.bits, row.data() + offset, ScalarSize(value.type));
  return value;
}

FieldValue ReadScalar(const State& state, const FieldAddress& address) {
  const Table& table = state.table(address.table);
  return ReadScalar(table.schema(), table.Row(address.row), address.scalar);
}

absl::Status WriteScalar(State& state, const FieldAddress& address,
                         FieldValue value) {
  if (address.table.value >= state.table_count()) {
    return absl::OutOfRangeError(
        fmt::format("no table {}", address.table.value));
  }
  Table& table = state.mutable_table(address.table);
  const RowSchema& schema = table.schema();
  if (address.row >= table.row_count() ||
      address.scalar.field >= schema.fields().size() ||
      address.scalar.index >= schema.fields()[address.scalar.field].count) {
    return absl::OutOfRangeError(
        fmt::format("no row {}, field {}, scalar {} in {}", address.row,
                    address.scalar.field, address.scalar.index, schema.name()));
  }
  const Field& field = schema.fields()[address.scalar.field];
  if (field.scalar != value.type) {
    return absl::InvalidArgumentError(fmt::format(
        "{}.{} is of another type than the value", schema.name(), field.name));
  }
  if (value.type == ScalarType::kDouble && IsNan(value.AsDouble())) {
    return absl::InvalidArgumentError(
        fmt::format("{}.{} can't be NaN", schema.name(), field.name));
  }
  const uint32_t offset = OffsetOf(schema, address.scalar);
  std::memcpy(table.MutableRow(address.row).data() + offset, &value.bits,
              ScalarSize(value.type));
  return absl::OkStatus();
}

std::string FormatFieldValue(FieldValue value, const NameResolver& names) {
  switch (value.type) {
    case ScalarType::kBool:
      return value.bits != 0 ? "true" : "false";
    case ScalarType::kDouble:
      return fmt::format("{}", value.AsDouble());
    case ScalarType::kId:
      return names.id_name(Id{value.bits});
    case ScalarType::kObject:
      return names.object_name(ObjectId{value.bits});
    case ScalarType::kHandle:
      return names.handle_name(value.AsHandle());
    default:
      return IsSigned(value.type) ? fmt::format("{}", SignedValue(value))
                                  : fmt::format("{}", value.bits);
  }
}

uint64_t UlpDistance(FieldValue a, FieldValue b) {
  if (a.type != ScalarType::kDouble || b.type != ScalarType::kDouble) {
    return std::numeric_limits<uint64_t>::max();
  }
  const uint64_t low = OrderedBits(a.bits);
  const uint64_t high = OrderedBits(b.bits);
  return low < high ? high - low : low - high;
}

}  // namespace reprise::sim
