// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A property, found once by its name and from then on by where it lies.

#ifndef REPRISE_SIM_WORLD_COMPONENTS_PROPERTY_REF_H_
#define REPRISE_SIM_WORLD_COMPONENTS_PROPERTY_REF_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/statusor.h"
#include "sim/base/property_type.h"
#include "sim/world/components/component.h"

namespace reprise::sim {

struct PropertyRef {
  uint32_t component = 0;  // index into WorldDefinition::components
  uint32_t property = 0;   // index into ComponentDefinition::properties
  uint32_t offset = 0;     // of its first scalar in the row
  PropertyType type = PropertyType::kDouble;
  // Of a list, how many values it can hold; 0: one value.
  uint32_t capacity = 0;

  // Value `index` of a list, to be read and written as one value.
  // REQUIRES: it is a list, and index < capacity.
  PropertyRef At(uint32_t index) const;
};

// Finds a property of any type among `components`, those of a pack. NOT_FOUND
// says what there is, and what may have been meant.
absl::StatusOr<PropertyRef> FindProperty(
    std::span<const ComponentDefinition> components, std::string_view component,
    std::string_view property);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_COMPONENTS_PROPERTY_REF_H_
