// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Components: aspects of objects, each a table with a row for every object that
// has it. A pack declares them in data, or a program in C++ as a described row;
// from then on both are the same thing.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_COMPONENT_H_
#define REPRISE_SIM_WORLD_COMPONENTS_COMPONENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/base/property_type.h"
#include "sim/base/value_name.h"
#include "sim/geometry/quaternion.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/world/components/property_value.h"

namespace reprise::sim {

// A value of a component that a pack can set and behaviours can read and write.
struct PropertyDefinition {
  std::string name;
  PropertyType type = PropertyType::kDouble;
  std::string unit;
  // 0: one value. Otherwise a list of up to this many, whose length is the
  // field `<name>_count` before it; what lies beyond the length is zero.
  uint32_t capacity = 0;
  // The scalars of the value, or of all values that the list begins with.
  std::vector<FieldValue> default_value;
  // Inclusive bounds of each scalar, for kInt and kDouble and vectors.
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::vector<Id> choices;  // of an enum
  // What numbers stand for, where a component in C++ says so.
  std::span<const ValueName> value_names = {};
  std::string help;
  // Which field of the row it is; of a list, that of the values.
  uint32_t field = 0;
};

struct ComponentDefinition {
  std::string name;
  Id id;
  std::string help;
  // The fields `object` (the key), `overridden`, and those of the properties.
  std::shared_ptr<const RowSchema> schema;
  std::vector<PropertyDefinition> properties;

  // Finds a property by its name; nullopt when there is none.
  std::optional<uint32_t> Find(std::string_view property) const;
};

// The fields that every component's row begins with. Bit p of `overridden` says
// that property p was set for this very object, and doesn't follow its type.
inline constexpr uint32_t kComponentObjectField = 0;
inline constexpr uint32_t kComponentOverriddenField = 1;
inline constexpr uint32_t kPropertiesMax = 64;  // of a component
inline constexpr uint32_t kListCapacityMax = 256;

// A component declared in data. Sets the field of each property.
// REQUIRES: at most kPropertiesMax properties; the row fits a page.
ComponentDefinition MakeComponent(std::string name, std::string help,
                                  std::vector<PropertyDefinition> properties);

// Bytes that a row of such a component takes.
uint32_t ComponentRowSize(std::span<const PropertyDefinition> properties);

// What a C++ row doesn't say of a property by its type and initial value.
struct PropertyNote {
  std::string_view member;
  std::string_view help;
  std::optional<double> minimum = std::nullopt;
  std::optional<double> maximum = std::nullopt;
  std::span<const ValueName> value_names = {};  // of an enumeration
};

// A component declared in C++: `schema` describes its rows, whose first members
// are `ObjectId object` and `uint64_t overridden`; each further member that has
// a note is a property, and its value in `initial_row` is its default.
ComponentDefinition MakeNativeComponent(std::string help,
                                        std::shared_ptr<const RowSchema> schema,
                                        std::span<const std::byte> initial_row,
                                        std::span<const PropertyNote> notes);

// The same for a row type; the component has the name of its table.
template <typename Row>
ComponentDefinition NativeComponent(std::string help,
                                    std::span<const PropertyNote> notes) {
  const Row initial = {};
  return MakeNativeComponent(std::move(help), RowSchema::Of<Row>(),
                             std::as_bytes(std::span(&initial, 1)), notes);
}

// Whether `scalars` may be the value of `property` (or all values of a list).
// INVALID_ARGUMENT says what is wrong and what is allowed.
absl::Status CheckPropertyValue(const PropertyDefinition& property,
                                std::span<const FieldValue> scalars);

// Whether a rotation is of length 1, but for what rounding adds up to.
bool IsOfLengthOne(const Quaternion& rotation);

// `value` as one of `property`'s: a whole number does for a number, names,
// texts and choices for each other. INVALID_ARGUMENT, with both types, when it
// is of another; OUT_OF_RANGE when the property doesn't allow it.
absl::StatusOr<PropertyValue> FitValue(const PropertyDefinition& property,
                                       const PropertyValue& value);

// The row of an object that overrides nothing, with `object` unset.
std::vector<std::byte> DefaultRow(const ComponentDefinition& component);

// Reads or writes a property of a row. Writing does not look at `overridden`.
// REQUIRES: CheckPropertyValue(...).ok() for what is written.
PropertyValue ReadProperty(const ComponentDefinition& component,
                           uint32_t property, std::span<const std::byte> row);
void WriteProperty(const ComponentDefinition& component, uint32_t property,
                   std::span<const FieldValue> scalars,
                   std::span<std::byte> row);

// Notes that the property was set for the row's object.
void MarkOverridden(uint32_t property, std::span<std::byte> row);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_COMPONENT_H_
