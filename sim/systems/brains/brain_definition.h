// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says of brains.

#ifndef REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/decisions/brain_tree.h"
#include "sim/geometry/vector3.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/events/event_effect.h"
#include "sim/world/events/event_expression.h"
#include "sim/world/events/participant.h"

namespace reprise::sim {

inline constexpr size_t kBrainsMax = 256;
inline constexpr uint64_t kBrainNodesPerUpdateDefault = 64;
inline constexpr uint64_t kBrainTransitionsPerTickDefault = 8;
// Sets of facts that the plans of all brains may look at in a tick.
inline constexpr uint64_t kPlanExpansionsPerTickMax = 1u << 15;

// Where a node goes to: one of these.
struct BrainGoing {
  std::optional<Vector3> place;
  std::optional<Participant> object;
  std::optional<PropertyRef> property;  // a vector or a reference
  std::optional<Id> goals;              // a set, the nearest of them
};

struct BrainDefinition {
  Id name;
  BrainTree tree;
  // Its conditions and numbers, lists of effects, and ways.
  std::vector<std::shared_ptr<const EventExpression>> expressions;
  std::vector<std::vector<EventEffect>> effects;
  std::vector<BrainGoing> goings;
  std::vector<Id> heard;  // types of events, ascending
  Tick every = 1;
  uint64_t nodes_per_update = kBrainNodesPerUpdateDefault;
  uint64_t transitions_per_tick = kBrainTransitionsPerTickDefault;
};

// The part of a type whose objects have a brain.
struct BrainUse {
  static constexpr std::string_view kPart = "brain";

  uint32_t component = 0;  // index of the component brain
  uint32_t brain = 0;      // index into the brains
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_BRAINS_BRAIN_DEFINITION_H_
