// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours ask of layers.

#ifndef REPRISE_SIM_SYSTEMS_LAYERS_LAYER_SWITCHING_H_
#define REPRISE_SIM_SYSTEMS_LAYERS_LAYER_SWITCHING_H_

#include <optional>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {

// Asks for a layer to be on or off from the next step of the game on; of
// several requests in a step the last one counts. NOT_FOUND: the pack has no
// such layer. The events `layer_on` and `layer_off` do the same from data.
absl::Status SwitchLayer(UpdateContext& context, Id layer, bool is_on);

// Whether it is on now; nullopt where the pack has no such layer.
std::optional<bool> IsLayerOn(const UpdateContext& context, Id layer);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_LAYERS_LAYER_SWITCHING_H_
