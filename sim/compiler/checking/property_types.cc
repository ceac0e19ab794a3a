// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/property_types.h"

namespace reprise::sim {

std::optional<PropertyType> PropertyTypeOf(v1::Property::Type type) {
  switch (type) {
    case v1::Property::TYPE_BOOLEAN:
      return PropertyType::kBool;
    case v1::Property::TYPE_INTEGER:
      return PropertyType::kInt;
    case v1::Property::TYPE_NUMBER:
      return PropertyType::kDouble;
    case v1::Property::TYPE_NAME:
      return PropertyType::kName;
    case v1::Property::TYPE_CHOICE:
      return PropertyType::kEnum;
    case v1::Property::TYPE_TEXT:
      return PropertyType::kText;
    case v1::Property::TYPE_VECTOR2:
      return PropertyType::kVector2;
    case v1::Property::TYPE_VECTOR3:
      return PropertyType::kVector3;
    case v1::Property::TYPE_ROTATION:
      return PropertyType::kQuaternion;
    case v1::Property::TYPE_REFERENCE:
      return PropertyType::kReference;
    default:
      return std::nullopt;
  }
}

}  // namespace reprise::sim
