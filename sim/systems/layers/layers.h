// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Layers: named groups of things that are enabled and disabled together. A
// layer is also the lock of the game: what an objective unlocks is a layer, and
// regions, chunks and doors name the layer they wait for.

#ifndef REPRISE_SIM_SYSTEMS_LAYERS_LAYERS_H_
#define REPRISE_SIM_SYSTEMS_LAYERS_LAYERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/state/table.h"

namespace reprise::sim {

// More groups than an author keeps apart.
inline constexpr size_t kLayersMax = 1024;

struct LayerDefinition {
  Id name;
  bool is_enabled = true;  // at the start
};

struct LayerRow {
  Id layer;
  uint64_t is_enabled = 0;       // 0 or 1
  uint64_t is_enabled_next = 0;  // what was asked for last

  static constexpr std::string_view kTable = "layers";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(LayerRow, layer, ""),
                      REPRISE_FIELD(LayerRow, is_enabled, ""),
                      REPRISE_FIELD(LayerRow, is_enabled_next, "")};
  }
};

// OK, or InvalidArgument or ResourceExhausted naming the first mistake.
absl::Status ValidateLayers(std::span<const LayerDefinition> layers,
                            const NameTable& names);

// OK when `layer` is kNoId or one of `layers`; otherwise InvalidArgument, which
// begins with `user`, the thing that names it.
absl::Status ValidateLayerName(Id layer, std::string_view user,
                               std::span<const LayerDefinition> layers,
                               const NameTable& names);

// Fills the empty table `rows`. REQUIRES: `layers` passed ValidateLayers.
void InitializeLayers(std::span<const LayerDefinition> layers, Table& rows);

// OK, or DataLoss where `rows`, of a snapshot, can't be those of `layers`.
absl::Status CheckLayerRows(std::span<const LayerDefinition> layers,
                            const Table& rows);

// Whether what belongs to `layer` is in effect; kNoId is no layer and always
// enabled. REQUIRES: rows hold the layer.
bool IsLayerEnabled(const Table& rows, Id layer);

// Asks for the layer to be enabled or not from the next ApplyLayers on; of
// several requests the last one counts. Fails with NotFound where there is no
// such layer.
absl::Status SetLayer(Id layer, bool is_enabled, Table& rows);

// Does what was asked; called once a tick. Returns the layers that changed,
// ascending.
std::vector<Id> ApplyLayers(Table& rows);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_LAYERS_LAYERS_H_
