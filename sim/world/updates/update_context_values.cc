// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Values of properties, as behaviours read and write them.

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/world/components/component.h"
#include "sim/world/components/world_names.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {
namespace {

uint64_t Bits(double value) { return std::bit_cast<uint64_t>(value); }

// The scalar `index` of a property of eight-byte scalars.
template <typename T>
T Load(std::span<const std::byte> row, const PropertyRef& ref,
       uint32_t index = 0) {
  T value;
  std::memcpy(&value, row.data() + ref.offset + index * sizeof(T), sizeof(T));
  return value;
}

Vector2 LoadVector2(std::span<const std::byte> row, const PropertyRef& ref) {
  return {Load<double>(row, ref, 0), Load<double>(row, ref, 1)};
}

Vector3 LoadVector(std::span<const std::byte> row, const PropertyRef& ref) {
  return {Load<double>(row, ref, 0), Load<double>(row, ref, 1),
          Load<double>(row, ref, 2)};
}

Quaternion LoadRotation(std::span<const std::byte> row,
                        const PropertyRef& ref) {
  return {Load<double>(row, ref, 0), Load<double>(row, ref, 1),
          Load<double>(row, ref, 2), Load<double>(row, ref, 3)};
}

// How many values a list has: what stands right before them.
uint32_t LoadSize(std::span<const std::byte> row, const PropertyRef& list) {
  CHECK(list.capacity > 0, "the property is no list");
  uint64_t size;
  std::memcpy(&size, row.data() + list.offset - sizeof(size), sizeof(size));
  return static_cast<uint32_t>(std::min<uint64_t>(size, list.capacity));
}

}  // namespace

std::span<const std::byte> UpdateContext::OwnRow(uint32_t i,
                                                 const PropertyRef& ref) const {
  const uint32_t row = parts_.objects.ComponentRow(rows_[i], ref.component);
  return parts_.state.table(parts_.tables.objects.components[ref.component])
      .Row(row);
}

bool UpdateContext::Bool(uint32_t i, const PropertyRef& property) const {
  return Load<uint8_t>(OwnRow(i, property), property) != 0;
}

int64_t UpdateContext::Int(uint32_t i, const PropertyRef& property) const {
  return Load<int64_t>(OwnRow(i, property), property);
}

double UpdateContext::Number(uint32_t i, const PropertyRef& property) const {
  return Load<double>(OwnRow(i, property), property);
}

Id UpdateContext::Name(uint32_t i, const PropertyRef& property) const {
  return Load<Id>(OwnRow(i, property), property);
}

sim::Vector2 UpdateContext::Vector2(uint32_t i,
                                    const PropertyRef& property) const {
  return LoadVector2(OwnRow(i, property), property);
}

Vector3 UpdateContext::Vector(uint32_t i, const PropertyRef& property) const {
  return LoadVector(OwnRow(i, property), property);
}

Quaternion UpdateContext::Rotation(uint32_t i,
                                   const PropertyRef& property) const {
  return LoadRotation(OwnRow(i, property), property);
}

Handle UpdateContext::Reference(uint32_t i, const PropertyRef& property) const {
  return Load<Handle>(OwnRow(i, property), property);
}

uint32_t UpdateContext::ListSize(uint32_t i, const PropertyRef& list) const {
  return LoadSize(OwnRow(i, list), list);
}

bool UpdateContext::SetBits(uint32_t i, const PropertyRef& ref,
                            std::span<const uint64_t> bits) {
  const PropertyDefinition& property =
      parts_.definition.components[ref.component].properties[ref.property];
  std::array<FieldValue, 4> scalars;
  CHECK(bits.size() <= scalars.size());
  for (size_t k = 0; k < bits.size(); ++k) {
    scalars[k] = {ScalarTypeOf(property.type), bits[k]};
  }
  const std::span<const FieldValue> value(scalars.data(), bits.size());
  if (!CheckPropertyValue(property, value).ok()) {
    TellRefused(i, property);
    return false;
  }
  const uint32_t size = ScalarSize(ScalarTypeOf(property.type));
  const std::span<const std::byte> old = OwnRow(i, ref);
  bool is_same = true;
  for (size_t k = 0; k < bits.size(); ++k) {
    is_same = is_same && std::memcmp(old.data() + ref.offset + k * size,
                                     &bits[k], size) == 0;
  }
  if (is_same) return true;  // a page that isn't written keeps its digest
  const uint32_t row = parts_.objects.ComponentRow(rows_[i], ref.component);
  const std::span<std::byte> bytes =
      parts_.state
          .mutable_table(parts_.tables.objects.components[ref.component])
          .MutableRow(row);
  for (size_t k = 0; k < bits.size(); ++k) {
    std::memcpy(bytes.data() + ref.offset + k * size, &bits[k], size);
  }
  return true;
}

bool UpdateContext::SetBool(uint32_t i, const PropertyRef& property,
                            bool value) {
  return SetBits(i, property, std::array{uint64_t{value}});
}

bool UpdateContext::SetInt(uint32_t i, const PropertyRef& property,
                           int64_t value) {
  return SetBits(i, property, std::array{static_cast<uint64_t>(value)});
}

bool UpdateContext::SetNumber(uint32_t i, const PropertyRef& property,
                              double value) {
  return SetBits(i, property, std::array{Bits(value)});
}

bool UpdateContext::SetName(uint32_t i, const PropertyRef& property, Id value) {
  return SetBits(i, property, std::array{value.value});
}

bool UpdateContext::SetVector2(uint32_t i, const PropertyRef& property,
                               sim::Vector2 value) {
  return SetBits(i, property, std::array{Bits(value.x), Bits(value.y)});
}

bool UpdateContext::SetVector(uint32_t i, const PropertyRef& property,
                              Vector3 value) {
  return SetBits(i, property,
                 std::array{Bits(value.x), Bits(value.y), Bits(value.z)});
}

bool UpdateContext::SetRotation(uint32_t i, const PropertyRef& property,
                                Quaternion value) {
  return SetBits(
      i, property,
      std::array{Bits(value.x), Bits(value.y), Bits(value.z), Bits(value.w)});
}

bool UpdateContext::SetReference(uint32_t i, const PropertyRef& property,
                                 Handle value) {
  return SetBits(i, property, std::array{std::bit_cast<uint64_t>(value)});
}

void UpdateContext::TellRefused(uint32_t i,
                                const PropertyDefinition& property) {
  Tell(i, kPropertyRefused,
       {{kProperty, FieldValue::OfId(IdOf(property.name))}});
}

absl::StatusOr<PropertyRef> UpdateContext::FindProperty(
    std::string_view component, std::string_view property) const {
  return sim::FindProperty(parts_.definition.components, component, property);
}

absl::Status UpdateContext::NoComponent(const PropertyRef& property) const {
  return absl::FailedPreconditionError(
      fmt::format("the object has no component '{}'",
                  parts_.definition.components[property.component].name));
}

absl::StatusOr<PropertyValue> UpdateContext::Get(
    uint32_t i, const PropertyRef& property) const {
  if (parts_.objects.ComponentRow(rows_[i], property.component) == kNoRow) {
    return NoComponent(property);
  }
  return ReadProperty(parts_.definition.components[property.component],
                      property.property, OwnRow(i, property));
}

absl::StatusOr<PropertyValue> UpdateContext::Get(
    uint32_t i, std::string_view component, std::string_view property) const {
  const absl::StatusOr<PropertyRef> found = FindProperty(component, property);
  if (!found.ok()) return found.status();
  return Get(i, *found);
}

absl::Status UpdateContext::Set(uint32_t i, const PropertyRef& property,
                                const PropertyValue& value) {
  const uint32_t row =
      parts_.objects.ComponentRow(rows_[i], property.component);
  if (row == kNoRow) return NoComponent(property);
  const ComponentDefinition& component =
      parts_.definition.components[property.component];
  const PropertyDefinition& definition =
      component.properties[property.property];
  const absl::StatusOr<PropertyValue> fitting = FitValue(definition, value);
  if (!fitting.ok()) {
    if (absl::IsOutOfRange(fitting.status())) TellRefused(i, definition);
    return fitting.status();
  }
  const std::span<const std::byte> old = OwnRow(i, property);
  // A page that isn't written keeps its digest.
  if (ReadProperty(component, property.property, old) == *fitting) {
    return absl::OkStatus();
  }
  WriteProperty(
      component, property.property, fitting->scalars(),
      parts_.state
          .mutable_table(parts_.tables.objects.components[property.component])
          .MutableRow(row));
  return absl::OkStatus();
}

absl::Status UpdateContext::Set(uint32_t i, std::string_view component,
                                std::string_view property,
                                const PropertyValue& value) {
  const absl::StatusOr<PropertyRef> found = FindProperty(component, property);
  if (!found.ok()) return found.status();
  return Set(i, *found, value);
}

std::optional<std::span<const std::byte>> UpdateContext::ReadRow(
    uint32_t i, Handle other, const PropertyRef& property, ReadTime time) {
  uint32_t object_row = kNoRow;
  const State* const state = StateToRead(i, other, time, object_row);
  if (state == nullptr) return std::nullopt;
  const uint32_t row =
      parts_.objects.ComponentRow(object_row, property.component);
  if (row == kNoRow) return std::nullopt;
  return state->table(parts_.tables.objects.components[property.component])
      .Row(row);
}

std::optional<bool> UpdateContext::ReadBool(uint32_t i, Handle other,
                                            const PropertyRef& property,
                                            ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return Load<uint8_t>(*row, property) != 0;
}

std::optional<int64_t> UpdateContext::ReadInt(uint32_t i, Handle other,
                                              const PropertyRef& property,
                                              ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return Load<int64_t>(*row, property);
}

std::optional<double> UpdateContext::ReadNumber(uint32_t i, Handle other,
                                                const PropertyRef& property,
                                                ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return Load<double>(*row, property);
}

std::optional<Id> UpdateContext::ReadName(uint32_t i, Handle other,
                                          const PropertyRef& property,
                                          ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return Load<Id>(*row, property);
}

std::optional<sim::Vector2> UpdateContext::ReadVector2(
    uint32_t i, Handle other, const PropertyRef& property, ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return LoadVector2(*row, property);
}

std::optional<Vector3> UpdateContext::ReadVector(uint32_t i, Handle other,
                                                 const PropertyRef& property,
                                                 ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return LoadVector(*row, property);
}

std::optional<Quaternion> UpdateContext::ReadRotation(
    uint32_t i, Handle other, const PropertyRef& property, ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return LoadRotation(*row, property);
}

std::optional<Handle> UpdateContext::ReadReference(uint32_t i, Handle other,
                                                   const PropertyRef& property,
                                                   ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return Load<Handle>(*row, property);
}

std::optional<uint32_t> UpdateContext::ReadListSize(uint32_t i, Handle other,
                                                    const PropertyRef& property,
                                                    ReadTime time) {
  const auto row = ReadRow(i, other, property, time);
  if (!row.has_value()) return std::nullopt;
  return LoadSize(*row, property);
}

absl::StatusOr<PropertyValue> UpdateContext::Read(uint32_t i, Handle other,
                                                  const PropertyRef& property,
                                                  ReadTime time) {
  if (cached_ == nullptr) {
    return absl::FailedPreconditionError(
        "the behaviour doesn't say that it reads others");
  }
  uint32_t object_row = kNoRow;
  const State* const state = StateToRead(i, other, time, object_row);
  if (object_row == kNoRow) {
    return absl::NotFoundError("the object is gone");
  }
  if (state == nullptr) {
    return absl::FailedPreconditionError(
        "the object isn't updated before this one: it has no values of this "
        "tick yet");
  }
  const uint32_t row =
      parts_.objects.ComponentRow(object_row, property.component);
  if (row == kNoRow) return NoComponent(property);
  return ReadProperty(
      parts_.definition.components[property.component], property.property,
      state->table(parts_.tables.objects.components[property.component])
          .Row(row));
}

absl::StatusOr<PropertyValue> UpdateContext::Read(uint32_t i, Handle other,
                                                  std::string_view component,
                                                  std::string_view property,
                                                  ReadTime time) {
  const absl::StatusOr<PropertyRef> found = FindProperty(component, property);
  if (!found.ok()) return found.status();
  return Read(i, other, *found, time);
}

}  // namespace reprise::sim
