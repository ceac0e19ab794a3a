// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One scalar of state, taken out of its row: a type and its bits.

#ifndef REPRISE_SIM_STATE_FIELD_VALUE_H_
#define REPRISE_SIM_STATE_FIELD_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"

namespace reprise::sim {

struct FieldValue {
  ScalarType type = ScalarType::kUint64;
  // The scalar as stored, zero-extended to eight bytes.
  uint64_t bits = 0;

  static FieldValue OfDouble(double value);
  static FieldValue OfInt64(int64_t value);
  static FieldValue OfObject(ObjectId object);
  static FieldValue OfId(Id id);
  static FieldValue OfHandle(Handle handle);

  // REQUIRES: type is kDouble.
  double AsDouble() const;
  // REQUIRES: type is kHandle.
  Handle AsHandle() const;
  // The number as a double, whatever its numeric type.
  double AsNumber() const;

  friend bool operator==(const FieldValue&, const FieldValue&) = default;
};

// One scalar of one row of a state.
struct FieldAddress {
  TableIndex table;
  uint32_t row = 0;
  ScalarPath scalar;
};

// Turns what state holds as numbers back into the names that a pack gave.
struct NameResolver {
  std::function<std::string(ObjectId)> object_name;
  std::function<std::string(Id)> id_name;
  std::function<std::string(Handle)> handle_name;
};

// The scalar at `path` of a row's bytes.
FieldValue ReadScalar(const RowSchema& schema, std::span<const std::byte> row,
                      ScalarPath path);

// The scalar at `address`. REQUIRES: the address is within the state.
FieldValue ReadScalar(const State& state, const FieldAddress& address);

// Writes a scalar. INVALID_ARGUMENT, and nothing is written, when the types
// differ or a double is NaN; OUT_OF_RANGE when there is no such field.
absl::Status WriteScalar(State& state, const FieldAddress& address,
                         FieldValue value);

// As a person reads it, and so that the bits can be had back: doubles are
// printed with as many digits as tell them apart.
std::string FormatFieldValue(FieldValue value, const NameResolver& names);

// Steps between two doubles in units in the last place, counting through zero
// (-0 and +0 are one step apart); 2^64-1 where the types aren't doubles.
uint64_t UlpDistance(FieldValue a, FieldValue b);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_FIELD_VALUE_H_
