// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/layers/layer_system.h"

#include <array>

#include "absl/status/statusor.h"
#include "sim/base/object_id.h"
#include "sim/state/row_schema.h"
#include "sim/systems/layers/layer_events.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kLayerTable = 0;

}  // namespace

const SystemDeclaration& LayerDefinitions::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "groups of things that are switched on and off together",
      .tables = {RowSchema::Of<LayerRow>()},
      .steps = {{.name = "layers", .point = StepPoint::kPresence}},
      .events = kLayerEvents,
      .handles = {kLayerOff, kLayerOn}};
  return declaration;
}

std::unique_ptr<System> LayerDefinitions::Create(
    const SystemPlace& place) const {
  return std::make_unique<Layers>(*this, place);
}

std::span<const LayerDefinition> LayersOf(const LayerDefinitions* system) {
  if (system == nullptr) return {};
  return system->layers;
}

void Layers::Initialize() {
  InitializeLayers(definition_.layers, mutable_table(kLayerTable));
}

absl::Status Layers::CheckRows(const State& snapshot) const {
  return CheckLayerRows(definition_.layers, snapshot.table(index(kLayerTable)));
}

void Layers::Run([[maybe_unused]] uint32_t step) {
  changed_ = ApplyLayers(mutable_table(kLayerTable));
}

bool Layers::OnEvent(uint32_t row, const WorldEvent& event) {
  const absl::StatusOr<Id> layer = event.arguments.GetId(kLayer);
  if (layer.ok() && Ask(*layer, event.type == kLayerOn).ok()) return true;
  const ObjectId object =
      state().table(parts().tables.objects.objects).Get<ObjectRow>(row).object;
  if (layer.ok()) {
    TellObject(parts(), kLayerRefused, object,
               {{kLayer, FieldValue::OfId(*layer)}});
  } else {
    TellObject(parts(), kLayerRefused, object, {});
  }
  return true;
}

std::optional<bool> Layers::Find(Id layer) const {
  const std::optional<uint32_t> row = FindRow(rows(), std::array{layer.value});
  if (!row.has_value()) return std::nullopt;
  return rows().Get<LayerRow>(*row).is_enabled != 0;
}

absl::Status Layers::Ask(Id layer, bool is_enabled) {
  return SetLayer(layer, is_enabled, mutable_table(kLayerTable));
}

const Table& Layers::rows() const { return table(kLayerTable); }

const Table& LayerRowsOf(const Layers* layers) {
  static const Table kNone(RowSchema::Of<LayerRow>());
  return layers == nullptr ? kNone : layers->rows();
}

}  // namespace reprise::sim
