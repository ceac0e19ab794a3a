// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Regions as a system: what a pack has of them, and who is in those of one
// world, as events.

#ifndef REPRISE_SIM_SYSTEMS_REGIONS_REGION_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_REGIONS_REGION_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/handle.h"
#include "sim/base/object_id.h"
#include "sim/state/state.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/regions/regions.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

struct RegionDefinitions final : public SystemDefinition {
  static constexpr std::string_view kSystem = "regions";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;

  std::vector<RegionDefinition> regions;  // as the pack has them
  std::optional<Regions> rules;           // there once the pack is compiled
};

// The regions of a pack: none where `system` is null, which it is in a pack
// that doesn't use them.
std::span<const RegionDefinition> RegionsOf(const RegionDefinitions* system);

// Who is in the regions of a world.
class RegionVisits final : public System {
 public:
  static constexpr std::string_view kSystem = RegionDefinitions::kSystem;

  // `definition` outlives this.
  RegionVisits(const RegionDefinitions& definition, const SystemPlace& place)
      : System(place), definition_(definition) {}

  void Connect(const Systems& systems) override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;
  void AddToDebugFrame(DebugFrame& frame) const override;

  // Who came, stays and left in this step of the game; after the step
  // "regions".
  std::span<const RegionEvent> events() const { return events_; }

 private:
  // Null when the object is gone.
  Handle HandleOf(ObjectId object) const;

  const RegionDefinitions& definition_;
  const Layers* layers_ = nullptr;
  std::vector<RegionEvent> events_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_REGIONS_REGION_SYSTEM_H_
