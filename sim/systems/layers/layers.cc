// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/layers/layers.h"

#include <algorithm>
#include <array>
#include <optional>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/world/components/named_definitions.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {

absl::Status ValidateLayers(std::span<const LayerDefinition> layers,
                            const NameTable& names) {
  std::vector<Id> ids;
  for (const LayerDefinition& layer : layers) ids.push_back(layer.name);
  return ValidateNames("layer", ids, kLayersMax, names);
}

absl::Status ValidateLayerName(Id layer, std::string_view user,
                               std::span<const LayerDefinition> layers,
                               const NameTable& names) {
  if (layer == kNoId ||
      std::ranges::find(layers, layer, &LayerDefinition::name) !=
          layers.end()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      fmt::format("{}: no layer {}", user, Quoted(names, layer)));
}

void InitializeLayers(std::span<const LayerDefinition> layers, Table& rows) {
  std::vector<LayerRow> initial;
  for (const LayerDefinition& layer : layers) {
    initial.push_back({.layer = layer.name,
                       .is_enabled = layer.is_enabled,
                       .is_enabled_next = layer.is_enabled});
  }
  // A total order: no two layers have the same name.
  std::ranges::sort(initial, {}, &LayerRow::layer);
  WriteTail<LayerRow>(rows, 0, initial);
}

absl::Status CheckLayerRows(std::span<const LayerDefinition> layers,
                            const Table& rows) {
  std::vector<Id> names;
  for (const LayerDefinition& layer : layers) names.push_back(layer.name);
  // A total order: no two layers have the same name.
  std::ranges::sort(names);
  if (!HasKeys(rows, names)) {
    return absl::DataLossError(
        "snapshot: the layers are not those of the pack");
  }
  for (const LayerRow& row : ReadRows<LayerRow>(rows)) {
    if (row.is_enabled > 1 || row.is_enabled_next > 1) {
      return absl::DataLossError("snapshot: a layer is neither on nor off");
    }
  }
  return absl::OkStatus();
}

bool IsLayerEnabled(const Table& rows, Id layer) {
  if (layer == kNoId) return true;
  const std::optional<uint32_t> row = FindRow(rows, std::array{layer.value});
  CHECK(row.has_value(), "no layer {:016x}", layer.value);
  return rows.Get<LayerRow>(*row).is_enabled != 0;
}

absl::Status SetLayer(Id layer, bool is_enabled, Table& rows) {
  const std::optional<uint32_t> row = FindRow(rows, std::array{layer.value});
  if (!row.has_value()) {
    return absl::NotFoundError(fmt::format("no layer #{:016x}", layer.value));
  }
  const uint64_t wanted = is_enabled ? 1 : 0;
  if (rows.Get<LayerRow>(*row).is_enabled_next != wanted) {
    rows.Mutable<LayerRow>(*row).is_enabled_next = wanted;
  }
  return absl::OkStatus();
}

std::vector<Id> ApplyLayers(Table& rows) {
  std::vector<Id> changed;
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    const LayerRow layer = rows.Get<LayerRow>(row);
    if (layer.is_enabled == layer.is_enabled_next) continue;
    rows.Mutable<LayerRow>(row).is_enabled = layer.is_enabled_next;
    changed.push_back(layer.layer);
  }
  return changed;
}

}  // namespace reprise::sim
