// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Predicates: what a pack asks of the state of a world, by name.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATES_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATES_H_

#include <cstdint>

#include "sim/base/id.h"
#include "sim/world/components/comparison.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// Whether a property of an object compares so with `value`; false while the
// object isn't there.
struct PredicateDefinition {
  Id name;
  Id object;               // by its name
  uint32_t component = 0;  // index into WorldDefinition::components
  uint32_t property = 0;   // of the component: a single number or bool
  Comparison comparison = Comparison::kEqual;
  double value = 0.0;  // in the unit of the property
};

// Whether the predicate holds in the state as it is. Whole numbers are compared
// as doubles. REQUIRES: the index of objects is up to date.
bool Holds(const WorldParts& parts, const PredicateDefinition& predicate);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_PREDICATES_H_
