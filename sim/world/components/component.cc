// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/components/component.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// A quaternion farther from length 1 than this is a mistake, not rounding.
constexpr double kUnitTolerance = 1e-6;

std::optional<PropertyType> PropertyTypeOf(const Field& field) {
  switch (field.shape) {
    case FieldShape::kVector2:
      return PropertyType::kVector2;
    case FieldShape::kVector3:
      return PropertyType::kVector3;
    case FieldShape::kQuaternion:
      return PropertyType::kQuaternion;
    case FieldShape::kScalar:
      break;
    default:
      return std::nullopt;
  }
  switch (field.scalar) {
    case ScalarType::kInt64:
      return PropertyType::kInt;
    case ScalarType::kDouble:
      return PropertyType::kDouble;
    case ScalarType::kId:
      return PropertyType::kName;
    case ScalarType::kHandle:
      return PropertyType::kReference;
    default:
      return std::nullopt;
  }
}

// Appends a field behind those that are there.
void AddField(std::string name, std::string unit, ScalarType scalar,
              FieldShape shape, uint32_t count, std::vector<Field>& fields) {
  uint32_t offset = 0;
  if (!fields.empty()) {
    offset = fields.back().offset +
             fields.back().count * ScalarSize(fields.back().scalar);
  }
  fields.push_back({.name = std::move(name),
                    .unit = std::move(unit),
                    .scalar = scalar,
                    .shape = shape,
                    .count = count,
                    .offset = offset});
}

// The fields of a component's row; sets the field of each property.
std::vector<Field> LayOut(std::span<PropertyDefinition> properties) {
  std::vector<Field> fields;
  AddField("object", "", ScalarType::kObject, FieldShape::kScalar, 1, fields);
  AddField("overridden", "", ScalarType::kUint64, FieldShape::kScalar, 1,
           fields);
  for (PropertyDefinition& property : properties) {
    const PropertyTraits traits = TraitsOf(property.type);
    if (property.capacity > 0) {
      AddField(property.name + "_count", "", ScalarType::kUint64,
               FieldShape::kScalar, 1, fields);
    }
    property.field = static_cast<uint32_t>(fields.size());
    if (property.capacity > 0) {
      AddField(property.name, property.unit, traits.scalar, FieldShape::kArray,
               property.capacity * traits.count, fields);
    } else {
      AddField(property.name, property.unit, traits.scalar, traits.shape,
               traits.count, fields);
    }
  }
  return fields;
}

// As it was given: not each whole number is a double.
std::string TextOf(FieldValue number) {
  return number.type == ScalarType::kInt64
             ? fmt::format("{}", static_cast<int64_t>(number.bits))
             : fmt::format("{}", number.AsNumber());
}

absl::Status CheckNumber(const PropertyDefinition& property,
                         FieldValue scalar) {
  const double number = scalar.AsNumber();
  if (!IsFinite(number)) {
    return absl::InvalidArgumentError("the number isn't finite");
  }
  if (property.minimum.has_value() && number < *property.minimum) {
    return absl::InvalidArgumentError(fmt::format(
        "{} is below the minimum {}", TextOf(scalar), *property.minimum));
  }
  if (property.maximum.has_value() && number > *property.maximum) {
    return absl::InvalidArgumentError(fmt::format(
        "{} is above the maximum {}", TextOf(scalar), *property.maximum));
  }
  return absl::OkStatus();
}

absl::Status CheckScalar(const PropertyDefinition& property,
                         FieldValue scalar) {
  const ScalarType type = ScalarTypeOf(property.type);
  if (scalar.type != type) {
    return absl::InvalidArgumentError("the value is of another type");
  }
  if (type == ScalarType::kBool && scalar.bits > 1) {
    return absl::InvalidArgumentError("a bool is 0 or 1");
  }
  if (type == ScalarType::kInt64 || type == ScalarType::kDouble) {
    return CheckNumber(property, scalar);
  }
  if (property.type == PropertyType::kEnum &&
      std::ranges::find(property.choices, Id{scalar.bits}) ==
          property.choices.end()) {
    return absl::InvalidArgumentError("the value isn't one of the choices");
  }
  return absl::OkStatus();
}

// "a value of the kind vector3".
std::string KindOf(PropertyType type, bool is_list) {
  const std::string_view name = TraitsOf(type).name;
  return is_list ? fmt::format("a list of values of the kind {}", name)
                 : fmt::format("a value of the kind {}", name);
}

// Whether values of type `given` do for a property of type `wanted`.
bool FitsType(PropertyType wanted, PropertyType given) {
  if (wanted == given) return true;
  if (wanted == PropertyType::kDouble) return given == PropertyType::kInt;
  return ScalarTypeOf(wanted) == ScalarType::kId &&
         ScalarTypeOf(given) == ScalarType::kId;
}

uint32_t CountField(const PropertyDefinition& property) {
  CHECK(property.capacity > 0, "{} is no list", property.name);
  return property.field - 1;
}

}  // namespace

std::optional<uint32_t> ComponentDefinition::Find(
    std::string_view property) const {
  const auto found =
      std::ranges::find(properties, property, &PropertyDefinition::name);
  if (found == properties.end()) return std::nullopt;
  return static_cast<uint32_t>(found - properties.begin());
}

ComponentDefinition MakeComponent(std::string name, std::string help,
                                  std::vector<PropertyDefinition> properties) {
  CHECK(properties.size() <= kPropertiesMax);
  std::vector<Field> fields = LayOut(properties);
  auto schema =
      std::make_shared<const RowSchema>(name, /*key_field_count=*/1, fields);
  const Id id = IdOf(name);
  return {.name = std::move(name),
          .id = id,
          .help = std::move(help),
          .schema = std::move(schema),
          .properties = std::move(properties)};
}

uint32_t ComponentRowSize(std::span<const PropertyDefinition> properties) {
  uint32_t size = 2 * ScalarSize(ScalarType::kUint64);
  for (const PropertyDefinition& property : properties) {
    const PropertyTraits traits = TraitsOf(property.type);
    const uint32_t value_size = traits.count * ScalarSize(traits.scalar);
    size += property.capacity == 0 ? value_size
                                   : ScalarSize(ScalarType::kUint64) +
                                         property.capacity * value_size;
  }
  return size;
}

ComponentDefinition MakeNativeComponent(std::string help,
                                        std::shared_ptr<const RowSchema> schema,
                                        std::span<const std::byte> initial_row,
                                        std::span<const PropertyNote> notes) {
  const std::span<const Field> fields = schema->fields();
  CHECK(schema->key_field_count() == 1 && fields.size() >= 2 &&
            fields[kComponentObjectField].scalar == ScalarType::kObject &&
            fields[kComponentOverriddenField].name == "overridden",
        "{} doesn't begin with object and overridden", schema->name());
  CHECK(notes.size() <= kPropertiesMax);
  ComponentDefinition component{.name = schema->name(),
                                .id = IdOf(schema->name()),
                                .help = std::move(help),
                                .properties = {}};
  for (const PropertyNote& note : notes) {
    const auto field = std::ranges::find(fields, note.member, &Field::name);
    CHECK(field != fields.end(), "{} has no member {}", schema->name(),
          note.member);
    const std::optional<PropertyType> type = PropertyTypeOf(*field);
    CHECK(type.has_value(), "{}.{} can't be a property", schema->name(),
          note.member);
    PropertyDefinition property{
        .name = field->name,
        .type = *type,
        .unit = field->unit,
        .minimum = note.minimum,
        .maximum = note.maximum,
        .value_names = note.value_names,
        .help = std::string(note.help),
        .field = static_cast<uint32_t>(field - fields.begin())};
    for (uint32_t i = 0; i < field->count; ++i) {
      property.default_value.push_back(
          ReadScalar(*schema, initial_row, {property.field, i}));
    }
    const absl::Status status =
        CheckPropertyValue(property, property.default_value);
    CHECK(status.ok(), "{}.{}: {}", schema->name(), note.member,
          status.ToString());
    component.properties.push_back(std::move(property));
  }
  component.schema = std::move(schema);
  return component;
}

absl::Status CheckPropertyValue(const PropertyDefinition& property,
                                std::span<const FieldValue> scalars) {
  const uint32_t count = ScalarsOf(property.type);
  if (property.capacity > 0) {
    if (scalars.size() > size_t{property.capacity} * count) {
      return absl::InvalidArgumentError(
          fmt::format("{} values, but the list holds {}",
                      scalars.size() / count, property.capacity));
    }
    if (scalars.size() % count != 0) {
      return absl::InvalidArgumentError("the last value of the list is cut");
    }
  } else if (scalars.size() != count) {
    return absl::InvalidArgumentError(
        fmt::format("{} numbers instead of {}", scalars.size(), count));
  }
  for (const FieldValue& scalar : scalars) {
    absl::Status status = CheckScalar(property, scalar);
    if (!status.ok()) return status;
  }
  if (property.type == PropertyType::kQuaternion) {
    for (size_t first = 0; first < scalars.size(); first += count) {
      const Quaternion rotation = {
          scalars[first].AsDouble(), scalars[first + 1].AsDouble(),
          scalars[first + 2].AsDouble(), scalars[first + 3].AsDouble()};
      if (!IsOfLengthOne(rotation)) {
        return absl::InvalidArgumentError("the quaternion isn't of length 1");
      }
    }
  }
  return absl::OkStatus();
}

bool IsOfLengthOne(const Quaternion& rotation) {
  const double square = rotation.x * rotation.x + rotation.y * rotation.y +
                        rotation.z * rotation.z + rotation.w * rotation.w;
  return Abs(square - 1.0) <= kUnitTolerance;
}

absl::StatusOr<PropertyValue> FitValue(const PropertyDefinition& property,
                                       const PropertyValue& value) {
  const bool is_list = property.capacity > 0;
  if (value.is_list() != is_list || !FitsType(property.type, value.type())) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' wants {}, not {}", property.name, KindOf(property.type, is_list),
        KindOf(value.type(), value.is_list())));
  }
  absl::InlinedVector<FieldValue, 4> scalars(value.scalars().begin(),
                                             value.scalars().end());
  if (property.type == PropertyType::kDouble) {
    for (FieldValue& scalar : scalars) {
      scalar = FieldValue::OfDouble(scalar.AsNumber());
    }
  }
  if (absl::Status status = CheckPropertyValue(property, scalars);
      !status.ok()) {
    return absl::OutOfRangeError(
        fmt::format("'{}': {}", property.name, std::string(status.message())));
  }
  return PropertyValue::OfScalars(property.type, is_list, scalars);
}

std::vector<std::byte> DefaultRow(const ComponentDefinition& component) {
  std::vector<std::byte> row(component.schema->row_size());
  for (uint32_t i = 0; i < component.properties.size(); ++i) {
    WriteProperty(component, i, component.properties[i].default_value, row);
  }
  return row;
}

PropertyValue ReadProperty(const ComponentDefinition& component,
                           uint32_t property, std::span<const std::byte> row) {
  const PropertyDefinition& definition = component.properties[property];
  uint64_t count = ScalarsOf(definition.type);
  if (definition.capacity > 0) {
    const uint64_t length =
        ReadScalar(*component.schema, row, {CountField(definition), 0}).bits;
    count *= std::min<uint64_t>(length, definition.capacity);
  }
  absl::InlinedVector<FieldValue, 4> scalars;
  scalars.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    scalars.push_back(
        ReadScalar(*component.schema, row, {definition.field, i}));
  }
  return PropertyValue::OfScalars(definition.type, definition.capacity > 0,
                                  scalars);
}

void WriteProperty(const ComponentDefinition& component, uint32_t property,
                   std::span<const FieldValue> scalars,
                   std::span<std::byte> row) {
  const PropertyDefinition& definition = component.properties[property];
  const Field& field = component.schema->fields()[definition.field];
  const uint32_t size = ScalarSize(field.scalar);
  CHECK(scalars.size() <= field.count);
  for (uint32_t i = 0; i < field.count; ++i) {
    const uint64_t bits = i < scalars.size() ? scalars[i].bits : 0;
    std::memcpy(row.data() + field.offset + i * size, &bits, size);
  }
  if (definition.capacity == 0) return;
  const uint64_t length = scalars.size() / ScalarsOf(definition.type);
  const Field& count = component.schema->fields()[CountField(definition)];
  std::memcpy(row.data() + count.offset, &length, sizeof(length));
}

void MarkOverridden(uint32_t property, std::span<std::byte> row) {
  // Behind the owner.
  constexpr size_t kOffset = sizeof(ObjectId);
  uint64_t overridden;
  std::memcpy(&overridden, row.data() + kOffset, sizeof(overridden));
  overridden |= uint64_t{1} << property;
  std::memcpy(row.data() + kOffset, &overridden, sizeof(overridden));
}

}  // namespace reprise::sim
