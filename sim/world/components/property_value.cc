// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/components/property_value.h"

#include <algorithm>

#include "sim/base/check.h"

namespace reprise::sim {

PropertyValue PropertyValue::OfNumbers(PropertyType type,
                                       std::initializer_list<double> numbers) {
  PropertyValue value(type, /*is_list=*/false);
  for (const double number : numbers) {
    value.scalars_.push_back(FieldValue::OfDouble(number));
  }
  return value;
}

PropertyValue PropertyValue::OfBool(bool value) {
  const FieldValue scalar{ScalarType::kBool, value ? 1u : 0u};
  return OfScalars(PropertyType::kBool, false, {&scalar, 1});
}

PropertyValue PropertyValue::OfInt(int64_t value) {
  const FieldValue scalar = FieldValue::OfInt64(value);
  return OfScalars(PropertyType::kInt, false, {&scalar, 1});
}

PropertyValue PropertyValue::OfNumber(double value) {
  return OfNumbers(PropertyType::kDouble, {value});
}

PropertyValue PropertyValue::OfName(Id name) {
  const FieldValue scalar = FieldValue::OfId(name);
  return OfScalars(PropertyType::kName, false, {&scalar, 1});
}

PropertyValue PropertyValue::OfText(Id text) {
  const FieldValue scalar = FieldValue::OfId(text);
  return OfScalars(PropertyType::kText, false, {&scalar, 1});
}

PropertyValue PropertyValue::OfChoice(Id choice) {
  const FieldValue scalar = FieldValue::OfId(choice);
  return OfScalars(PropertyType::kEnum, false, {&scalar, 1});
}

PropertyValue PropertyValue::OfVector2(Vector2 value) {
  return OfNumbers(PropertyType::kVector2, {value.x, value.y});
}

PropertyValue PropertyValue::OfVector3(Vector3 value) {
  return OfNumbers(PropertyType::kVector3, {value.x, value.y, value.z});
}

PropertyValue PropertyValue::OfRotation(Quaternion value) {
  return OfNumbers(PropertyType::kQuaternion,
                   {value.x, value.y, value.z, value.w});
}

PropertyValue PropertyValue::OfReference(Handle object) {
  const FieldValue scalar = FieldValue::OfHandle(object);
  return OfScalars(PropertyType::kReference, false, {&scalar, 1});
}

PropertyValue PropertyValue::ListOf(PropertyType type) {
  return {type, /*is_list=*/true};
}

PropertyValue PropertyValue::OfScalars(PropertyType type, bool is_list,
                                       std::span<const FieldValue> scalars) {
  const PropertyTraits traits = TraitsOf(type);
  CHECK(is_list ? scalars.size() % traits.count == 0
                : scalars.size() == traits.count,
        "{} scalars", scalars.size());
  PropertyValue value(type, is_list);
  for (const FieldValue& scalar : scalars) {
    CHECK(scalar.type == traits.scalar);
    value.scalars_.push_back(scalar);
  }
  return value;
}

uint32_t PropertyValue::size() const {
  return static_cast<uint32_t>(scalars_.size()) / ScalarsOf(type_);
}

const FieldValue& PropertyValue::Scalar(PropertyType type, uint32_t index,
                                        uint32_t scalar) const {
  CHECK(type == type_);
  CHECK(index < size(), "value {} of {}", index, size());
  return scalars_[index * ScalarsOf(type_) + scalar];
}

bool PropertyValue::AsBool(uint32_t index) const {
  return Scalar(PropertyType::kBool, index, 0).bits != 0;
}

int64_t PropertyValue::AsInt(uint32_t index) const {
  return static_cast<int64_t>(Scalar(PropertyType::kInt, index, 0).bits);
}

double PropertyValue::AsNumber(uint32_t index) const {
  return Scalar(PropertyType::kDouble, index, 0).AsDouble();
}

Id PropertyValue::AsId(uint32_t index) const {
  CHECK(ScalarTypeOf(type_) == ScalarType::kId);
  return Id{Scalar(type_, index, 0).bits};
}

Vector2 PropertyValue::AsVector2(uint32_t index) const {
  const auto number = [&](uint32_t scalar) {
    return Scalar(PropertyType::kVector2, index, scalar).AsDouble();
  };
  return {number(0), number(1)};
}

Vector3 PropertyValue::AsVector3(uint32_t index) const {
  const auto number = [&](uint32_t scalar) {
    return Scalar(PropertyType::kVector3, index, scalar).AsDouble();
  };
  return {number(0), number(1), number(2)};
}

Quaternion PropertyValue::AsRotation(uint32_t index) const {
  const auto number = [&](uint32_t scalar) {
    return Scalar(PropertyType::kQuaternion, index, scalar).AsDouble();
  };
  return {number(0), number(1), number(2), number(3)};
}

Handle PropertyValue::AsReference(uint32_t index) const {
  return Scalar(PropertyType::kReference, index, 0).AsHandle();
}

PropertyValue PropertyValue::At(uint32_t index) const {
  CHECK(index < size(), "value {} of {}", index, size());
  const uint32_t count = ScalarsOf(type_);
  return OfScalars(type_, /*is_list=*/false,
                   scalars().subspan(size_t{index} * count, count));
}

void PropertyValue::Append(const PropertyValue& value) {
  CHECK(is_list_ && !value.is_list_ && value.type_ == type_);
  scalars_.insert(scalars_.end(), value.scalars_.begin(), value.scalars_.end());
}

}  // namespace reprise::sim
