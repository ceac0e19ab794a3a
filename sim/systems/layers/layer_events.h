// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The events of layers, and their ids.

#ifndef REPRISE_SIM_SYSTEMS_LAYERS_LAYER_EVENTS_H_
#define REPRISE_SIM_SYSTEMS_LAYERS_LAYER_EVENTS_H_

#include <array>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/components/event_declaration.h"

namespace reprise::sim {

// In ascending order of names.
inline constexpr auto kLayerEvents = std::to_array<EventDeclaration>({
    {.name = "layer_off",
     .sender = kByPack,
     .receiver = "any object",
     .when = "the layer is to be switched off in the next tick",
     .arguments = {{{"layer"}}}},
    {.name = "layer_on",
     .sender = kByPack,
     .receiver = "any object",
     .when = "the layer is to be switched on in the next tick",
     .arguments = {{{"layer"}}}},
    {.name = "layer_refused",
     .sender = kByItself,
     .receiver = kToItself,
     .when = "it was to switch a layer that the pack doesn't have, or didn't "
             "say which",
     .arguments = {{{"layer", ScalarType::kId, "", true}}}},
});

inline constexpr Id kLayerOff = EventIdIn(kLayerEvents, "layer_off");
inline constexpr Id kLayerOn = EventIdIn(kLayerEvents, "layer_on");
inline constexpr Id kLayerRefused = EventIdIn(kLayerEvents, "layer_refused");
inline constexpr Id kLayer = WordIdIn(kLayerEvents, "layer");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_LAYERS_LAYER_EVENTS_H_
