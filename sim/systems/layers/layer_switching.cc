// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/layers/layer_switching.h"

#include "sim/systems/layers/layer_system.h"
#include "sim/world/systems/systems.h"

namespace reprise::sim {

absl::Status SwitchLayer(UpdateContext& context, Id layer, bool is_on) {
  auto* const layers = context.parts().systems->Find<Layers>();
  if (layers == nullptr) {
    return absl::NotFoundError("the pack has no layers");
  }
  return layers->Ask(layer, is_on);
}

std::optional<bool> IsLayerOn(const UpdateContext& context, Id layer) {
  const auto* const layers = context.parts().systems->Find<Layers>();
  return layers == nullptr ? std::nullopt : layers->Find(layer);
}

}  // namespace reprise::sim
