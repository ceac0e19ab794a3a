// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Components that a type has by what a system makes of it.

#ifndef REPRISE_SIM_COMPILER_CHECKING_TYPE_COMPONENTS_H_
#define REPRISE_SIM_COMPILER_CHECKING_TYPE_COMPONENTS_H_

#include <algorithm>
#include <cstdint>

#include "sim/world/components/component.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {

// Has the objects of a type begin with the component's defaults, unless the
// type has it already.
inline void UseComponent(const WorldDefinition& world, TypeDefinition& type,
                         uint32_t component) {
  const auto found = std::ranges::lower_bound(type.components, component, {},
                                              &ComponentUse::component);
  if (found != type.components.end() && found->component == component) return;
  type.components.insert(
      found,
      {.component = component, .row = DefaultRow(world.components[component])});
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_TYPE_COMPONENTS_H_
