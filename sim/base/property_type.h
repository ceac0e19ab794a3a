// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The types of values that people give: properties of components, arguments of
// commands. Each is one or several scalars of one kind.

#ifndef REPRISE_SIM_BASE_PROPERTY_TYPE_H_
#define REPRISE_SIM_BASE_PROPERTY_TYPE_H_

#include <cstdint>
#include <string_view>

#include "sim/base/field.h"

namespace reprise::sim {

enum class PropertyType : uint8_t {
  kBool,
  kInt,      // 64 bits, signed
  kDouble,   // finite
  kName,     // a name of the pack, as its id
  kEnum,     // one of a fixed set of names
  kText,     // any text that stands in the pack, as its id
  kVector2,  // finite, as all numbers below
  kVector3,
  kQuaternion,  // of length 1
  kReference,   // an object, as a handle; or none
};

// How a value of a type lies in a row.
struct PropertyTraits {
  ScalarType scalar = ScalarType::kInt64;
  FieldShape shape = FieldShape::kScalar;
  uint32_t count = 1;     // scalars of one value
  std::string_view name;  // as packs call the type: "vector3"
};

constexpr PropertyTraits TraitsOf(PropertyType type) {
  switch (type) {
    case PropertyType::kBool:
      return {ScalarType::kBool, FieldShape::kScalar, 1, "boolean"};
    case PropertyType::kInt:
      return {ScalarType::kInt64, FieldShape::kScalar, 1, "integer"};
    case PropertyType::kDouble:
      return {ScalarType::kDouble, FieldShape::kScalar, 1, "number"};
    case PropertyType::kName:
      return {ScalarType::kId, FieldShape::kScalar, 1, "name"};
    case PropertyType::kEnum:
      return {ScalarType::kId, FieldShape::kScalar, 1, "choice"};
    case PropertyType::kText:
      return {ScalarType::kId, FieldShape::kScalar, 1, "text"};
    case PropertyType::kVector2:
      return {ScalarType::kDouble, FieldShape::kVector2, 2, "vector2"};
    case PropertyType::kVector3:
      return {ScalarType::kDouble, FieldShape::kVector3, 3, "vector3"};
    case PropertyType::kQuaternion:
      return {ScalarType::kDouble, FieldShape::kQuaternion, 4, "rotation"};
    case PropertyType::kReference:
      return {ScalarType::kHandle, FieldShape::kScalar, 1, "reference"};
  }
  return {};
}

// Scalars that one value of `type` takes, and what they are.
constexpr uint32_t ScalarsOf(PropertyType type) { return TraitsOf(type).count; }
constexpr ScalarType ScalarTypeOf(PropertyType type) {
  return TraitsOf(type).scalar;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_PROPERTY_TYPE_H_
