// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A value of a property outside of its row, of any type: what is read and
// written by name, given to objects that are to come, and to behaviours as a
// parameter. One scalar of it is a FieldValue, as everywhere.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_PROPERTY_VALUE_H_
#define REPRISE_SIM_WORLD_COMPONENTS_PROPERTY_VALUE_H_

#include <cstdint>
#include <initializer_list>
#include <span>

#include "absl/container/inlined_vector.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/property_type.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"
#include "sim/state/field_value.h"

namespace reprise::sim {

// One value, or a list of values of one type.
class PropertyValue {
 public:
  static PropertyValue OfBool(bool value);
  static PropertyValue OfInt(int64_t value);
  static PropertyValue OfNumber(double value);
  // Names, texts and choices are ids all three; each does for the others.
  static PropertyValue OfName(Id name);
  static PropertyValue OfText(Id text);
  static PropertyValue OfChoice(Id choice);
  static PropertyValue OfVector2(Vector2 value);
  static PropertyValue OfVector3(Vector3 value);
  static PropertyValue OfRotation(Quaternion value);
  static PropertyValue OfReference(Handle object);

  // An empty list.
  static PropertyValue ListOf(PropertyType type);

  // Of scalars as they lie in a row. REQUIRES: as many, and of the kind, as
  // values of the type have; of one value or of a list.
  static PropertyValue OfScalars(PropertyType type, bool is_list,
                                 std::span<const FieldValue> scalars);

  PropertyType type() const { return type_; }
  bool is_list() const { return is_list_; }
  // How many values: 1, but of a list.
  uint32_t size() const;
  std::span<const FieldValue> scalars() const { return scalars_; }

  // Value `index`. REQUIRES: it is of that type, and index < size().
  bool AsBool(uint32_t index = 0) const;
  int64_t AsInt(uint32_t index = 0) const;
  double AsNumber(uint32_t index = 0) const;
  Id AsId(uint32_t index = 0) const;  // of names, texts and choices
  Vector2 AsVector2(uint32_t index = 0) const;
  Vector3 AsVector3(uint32_t index = 0) const;
  Quaternion AsRotation(uint32_t index = 0) const;
  Handle AsReference(uint32_t index = 0) const;

  // Value `index` by itself. REQUIRES: index < size().
  PropertyValue At(uint32_t index) const;

  // Puts a value at the end of a list. REQUIRES: `value` is one value of the
  // list's type.
  void Append(const PropertyValue& value);

  friend bool operator==(const PropertyValue&, const PropertyValue&) = default;

 private:
  PropertyValue(PropertyType type, bool is_list)
      : type_(type), is_list_(is_list) {}
  static PropertyValue OfNumbers(PropertyType type,
                                 std::initializer_list<double> numbers);
  const FieldValue& Scalar(PropertyType type, uint32_t index,
                           uint32_t scalar) const;

  PropertyType type_;
  bool is_list_;
  absl::InlinedVector<FieldValue, 4> scalars_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_PROPERTY_VALUE_H_
