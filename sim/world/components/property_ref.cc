// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/components/property_ref.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/nearest_name.h"

namespace reprise::sim {

PropertyRef PropertyRef::At(uint32_t index) const {
  CHECK(index < capacity, "value {} of {}", index, capacity);
  PropertyRef value = *this;
  value.offset += index * ScalarsOf(type) * ScalarSize(ScalarTypeOf(type));
  value.capacity = 0;
  return value;
}

absl::StatusOr<PropertyRef> FindProperty(
    std::span<const ComponentDefinition> components, std::string_view component,
    std::string_view property) {
  const auto definition =
      std::ranges::find(components, component, &ComponentDefinition::name);
  if (definition == components.end()) {
    std::vector<std::string_view> names;
    for (const ComponentDefinition& each : components) {
      names.push_back(each.name);
    }
    return absl::NotFoundError(fmt::format("the pack has no component '{}'{}",
                                           component,
                                           Suggestion(component, names)));
  }
  const std::optional<uint32_t> index = definition->Find(property);
  if (!index.has_value()) {
    std::vector<std::string_view> names;
    for (const PropertyDefinition& each : definition->properties) {
      names.push_back(each.name);
    }
    return absl::NotFoundError(
        fmt::format("the component '{}' has no property '{}'{}", component,
                    property, Suggestion(property, names)));
  }
  const PropertyDefinition& found = definition->properties[*index];
  return PropertyRef{
      .component = static_cast<uint32_t>(definition - components.begin()),
      .property = *index,
      .offset = definition->schema->fields()[found.field].offset,
      .type = found.type,
      .capacity = found.capacity};
}

}  // namespace reprise::sim
