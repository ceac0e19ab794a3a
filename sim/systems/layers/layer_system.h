// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Layers as a system: what a pack has of them, and those of one world, which
// all others ask here.

#ifndef REPRISE_SIM_SYSTEMS_LAYERS_LAYER_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_LAYERS_LAYER_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/state/state.h"
#include "sim/state/table.h"
#include "sim/systems/layers/layers.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/world_event.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

struct LayerDefinitions final : public SystemDefinition {
  static constexpr std::string_view kSystem = "layers";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  std::vector<LayerDefinition> layers;  // as the pack has them
};

// The layers of a pack: none where `system` is null, which it is in a pack that
// doesn't use them.
std::span<const LayerDefinition> LayersOf(const LayerDefinitions* system);

// The layers of a world.
class Layers final : public System {
 public:
  static constexpr std::string_view kSystem = LayerDefinitions::kSystem;

  // `definition` outlives this.
  Layers(const LayerDefinitions& definition, const SystemPlace& place)
      : System(place), definition_(definition) {}

  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;
  bool OnEvent(uint32_t row, const WorldEvent& event) override;

  // Asks for the layer to be switched on or off in the next step of the game;
  // of several requests the last one counts. Fails with NotFound where there is
  // no such layer.
  absl::Status Ask(Id layer, bool is_enabled);

  // Whether a layer is on now; nullopt where there is no such layer.
  std::optional<bool> Find(Id layer) const;

  // Those that were switched in this step of the game, ascending; after the
  // step "layers".
  std::span<const Id> changed() const { return changed_; }

  // A table of LayerRow.
  const Table& rows() const;

 private:
  const LayerDefinitions& definition_;
  std::vector<Id> changed_;
};

// The rows of a world's layers, for IsLayerEnabled: none where `layers` is
// null.
const Table& LayerRowsOf(const Layers* layers);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_LAYERS_LAYER_SYSTEM_H_
