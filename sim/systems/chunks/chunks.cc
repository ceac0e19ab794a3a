// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/chunks/chunks.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/base/check.h"
#include "sim/systems/chunks/chunk_events.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

ChunkStatus StatusOf(const ChunkRow& row) {
  return static_cast<ChunkStatus>(row.status);
}

void SetStatus(ChunkStatus status, Tick due, ChunkRow& row) {
  row.status = static_cast<uint64_t>(status);
  row.due = due;
}

bool IsLoaded(const ChunkRow& row) {
  return StatusOf(row) == ChunkStatus::kActive ||
         StatusOf(row) == ChunkStatus::kLeaving;
}

bool IsEnabled(std::span<const LayerRow> layers, Id layer) {
  if (layer == kNoId) return true;
  return std::ranges::lower_bound(layers, layer, {}, &LayerRow::layer)
             ->is_enabled != 0;
}

// All that an object of a chunk does is said here.
Presence PresenceOf(const ChunkObject& object, UnloadPolicy policy,
                    const ChunkRow& chunk, std::span<const LayerRow> layers) {
  if (chunk.activation_count == 0) return Presence::kAbsent;
  if (!IsLoaded(chunk)) {
    if (policy == UnloadPolicy::kDestroy) return Presence::kAbsent;
    if (policy == UnloadPolicy::kDormant || object.is_fixed) {
      return Presence::kDormant;
    }
  }
  return IsEnabled(layers, object.layer) ? Presence::kPresent
                                         : Presence::kDormant;
}

// The rows that decide who is present, at one moment.
struct Moment {
  std::vector<ChunkRow> chunks;
  std::vector<LayerRow> layers;
};

// The rows of layers before those of `changed` were switched.
std::vector<LayerRow> LayersBefore(std::vector<LayerRow> now,
                                   std::span<const Id> changed) {
  for (LayerRow& row : now) {
    if (!std::ranges::binary_search(changed, row.layer)) continue;
    row.is_enabled = row.is_enabled != 0 ? 0 : 1;
  }
  return now;
}

std::vector<PresenceChange> ComparePresence(
    std::span<const ChunkDefinition> chunks, const Moment& before,
    const Moment& after, bool layers_differ) {
  std::vector<PresenceChange> changes;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const ChunkDefinition& chunk = chunks[i];
    if (!layers_differ &&
        IsLoaded(before.chunks[i]) == IsLoaded(after.chunks[i])) {
      continue;
    }
    for (const ChunkObject& object : chunk.objects) {
      const Presence from = PresenceOf(object, chunk.when_unloaded,
                                       before.chunks[i], before.layers);
      const Presence to = PresenceOf(object, chunk.when_unloaded,
                                     after.chunks[i], after.layers);
      if (from != to) changes.push_back({chunk.name, object.name, from, to});
    }
  }
  return changes;
}

// In every order of declaration the same.
ChunkPlan Sorted(ChunkPlan plan) {
  // A total order: no two chunks and no two objects have the same name.
  std::ranges::sort(plan.chunks, {}, &ChunkDefinition::name);
  for (ChunkDefinition& chunk : plan.chunks) {
    // A total order, as above.
    std::ranges::sort(chunk.objects, {}, &ChunkObject::name);
  }
  // A total order, as above.
  std::ranges::sort(plan.load_regions, {}, [](const auto& load_region) {
    return load_region.region.name;
  });
  return plan;
}

Regions RegionsOf(const ChunkPlan& plan) {
  std::vector<RegionDefinition> regions;
  for (const LoadRegionDefinition& load_region : plan.load_regions) {
    regions.push_back(load_region.region);
  }
  return Regions(regions);
}

}  // namespace

ChunkStatus StatusOfChunk(const Table& rows, Id chunk) {
  const std::optional<uint32_t> row = FindRow(rows, std::array{chunk.value});
  CHECK(row.has_value(), "no chunk {:016x}", chunk.value);
  return StatusOf(rows.Get<ChunkRow>(*row));
}

ChunkLoader::ChunkLoader(ChunkPlan plan)
    : plan_(Sorted(std::move(plan))),
      regions_(RegionsOf(plan_)),
      by_priority_(plan_.chunks.size()) {
  std::iota(by_priority_.begin(), by_priority_.end(), size_t{0});
  std::ranges::stable_sort(by_priority_, {}, [this](size_t chunk) {
    return plan_.chunks[chunk].priority;
  });
}

void ChunkLoader::Initialize(Table& chunks) const {
  std::vector<ChunkRow> rows;
  for (const ChunkDefinition& chunk : plan_.chunks) {
    ChunkRow row = {.chunk = chunk.name};
    if (chunk.is_active_at_start) {
      SetStatus(ChunkStatus::kActive, 0, row);
      row.activation_count = 1;
    }
    rows.push_back(row);
  }
  WriteTail<ChunkRow>(chunks, 0, rows);
}

absl::Status ChunkLoader::CheckRows(const Table& chunks,
                                    const Table& region_visits) const {
  std::vector<Id> names;
  for (const ChunkDefinition& chunk : plan_.chunks) names.push_back(chunk.name);
  if (!HasKeys(chunks, names)) {
    return absl::DataLossError(
        "snapshot: the chunks are not those of the pack");
  }
  uint64_t present_count = 0;
  for (const ChunkRow& row : ReadRows<ChunkRow>(chunks)) {
    const bool is_sound = StatusOf(row) <= ChunkStatus::kLeaving &&
                          row.is_refused <= 1 && row.due <= 2 * kTickMax &&
                          row.active_since <= kTickMax &&
                          (!IsLoaded(row) || row.activation_count > 0);
    if (!is_sound) {
      return absl::DataLossError("snapshot: a chunk is in no possible state");
    }
    present_count += StatusOf(row) == ChunkStatus::kAbsent ? 0 : 1;
  }
  if (present_count > plan_.present_chunks_max) {
    return absl::DataLossError("snapshot: more chunks than there may be");
  }
  return regions_.CheckRows(region_visits);
}

std::vector<PresenceChange> ChunkLoader::PresentObjects(
    const Table& chunks, const Table& layers) const {
  const Moment before = {.chunks = std::vector<ChunkRow>(plan_.chunks.size()),
                         .layers = ReadRows<LayerRow>(layers)};
  const Moment now = {.chunks = ReadRows<ChunkRow>(chunks),
                      .layers = before.layers};
  return ComparePresence(plan_.chunks, before, now, /*layers_differ=*/true);
}

ChunkUpdate ChunkLoader::Update(std::span<const ObjectPoint> viewers,
                                std::span<const Id> held,
                                std::span<const Id> changed_layers, Tick tick,
                                ChunkTables tables) const {
  const std::vector<LayerRow> layers = ReadRows<LayerRow>(tables.layers);
  const Moment before = {.chunks = ReadRows<ChunkRow>(tables.chunks),
                         .layers = LayersBefore(layers, changed_layers)};
  CHECK(before.chunks.size() == plan_.chunks.size());
  const std::vector<bool> wanted = FindWanted(viewers, held, tick, tables);

  ChunkUpdate update;
  Moment after = {.chunks = before.chunks, .layers = layers};
  Release(wanted, tick, after.chunks, update.events);
  Admit(wanted, tick, after.chunks, update.events);
  std::ranges::stable_sort(update.events, {}, &ChunkEvent::chunk);

  for (size_t i = 0; i < plan_.chunks.size(); ++i) {
    const bool was_loaded = IsLoaded(before.chunks[i]);
    if (was_loaded == IsLoaded(after.chunks[i])) continue;
    (was_loaded ? update.deactivated : update.activated)
        .push_back(plan_.chunks[i].name);
  }
  update.objects = ComparePresence(plan_.chunks, before, after,
                                   /*layers_differ=*/!changed_layers.empty());
  WriteTail<ChunkRow>(tables.chunks, 0, after.chunks);
  return update;
}

std::vector<bool> ChunkLoader::FindWanted(std::span<const ObjectPoint> viewers,
                                          std::span<const Id> held, Tick tick,
                                          ChunkTables tables) const {
  regions_.Update(viewers, tick, tables.layers, tables.region_visits);
  std::vector<bool> wanted(plan_.chunks.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = plan_.chunks[i].is_always_wanted;
  }
  Id previous = kNoId;
  for (uint32_t row = 0; row < tables.region_visits.row_count(); ++row) {
    // Rows of one region lie side by side; the first one says it all.
    const Id region = tables.region_visits.Get<RegionVisitRow>(row).region;
    if (region == previous) continue;
    previous = region;
    const auto load_region = std::ranges::lower_bound(
        plan_.load_regions, region, {},
        [](const auto& candidate) { return candidate.region.name; });
    for (const Id chunk : load_region->chunks) wanted[IndexOf(chunk)] = true;
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!IsLayerEnabled(tables.layers, plan_.chunks[i].layer)) {
      wanted[i] = false;
    }
  }
  for (const Id chunk : held) wanted[IndexOf(chunk)] = true;
  return wanted;
}

void ChunkLoader::Release(const std::vector<bool>& wanted, Tick tick,
                          std::vector<ChunkRow>& rows,
                          std::vector<ChunkEvent>& events) const {
  for (size_t i = 0; i < rows.size(); ++i) {
    ChunkRow& row = rows[i];
    const auto report = [&](Id type) { events.push_back({type, row.chunk}); };
    if (wanted[i]) {
      if (StatusOf(row) == ChunkStatus::kLeaving) {
        SetStatus(ChunkStatus::kActive, 0, row);
        report(kChunkKept);
      }
      continue;
    }
    row.is_refused = 0;
    if (StatusOf(row) == ChunkStatus::kScheduled) {
      SetStatus(ChunkStatus::kAbsent, 0, row);
      report(kChunkCancelled);
    }
    if (StatusOf(row) == ChunkStatus::kActive) {
      SetStatus(ChunkStatus::kLeaving,
                std::max(tick + plan_.deactivation_delay,
                         row.active_since + plan_.active_ticks_min),
                row);
      report(kChunkLeaving);
    }
    if (StatusOf(row) == ChunkStatus::kLeaving && row.due <= tick) {
      SetStatus(ChunkStatus::kAbsent, 0, row);
      report(kChunkDeactivated);
    }
  }
}

void ChunkLoader::Admit(const std::vector<bool>& wanted, Tick tick,
                        std::vector<ChunkRow>& rows,
                        std::vector<ChunkEvent>& events) const {
  const auto is_present = [](const ChunkRow& row) {
    return StatusOf(row) != ChunkStatus::kAbsent;
  };
  auto present_count =
      static_cast<uint64_t>(std::ranges::count_if(rows, is_present));
  for (const size_t i : by_priority_) {
    ChunkRow& row = rows[i];
    const auto report = [&](Id type) { events.push_back({type, row.chunk}); };
    if (wanted[i] && StatusOf(row) == ChunkStatus::kAbsent) {
      if (present_count >= plan_.present_chunks_max) {
        if (row.is_refused == 0) report(kChunkBudgetExceeded);
        row.is_refused = 1;
        continue;
      }
      ++present_count;
      row.is_refused = 0;
      SetStatus(ChunkStatus::kScheduled, tick + plan_.activation_delay, row);
      report(kChunkScheduled);
    }
    if (StatusOf(row) == ChunkStatus::kScheduled && row.due <= tick) {
      SetStatus(ChunkStatus::kActive, 0, row);
      row.active_since = tick;
      ++row.activation_count;
      report(kChunkActivated);
    }
  }
}

size_t ChunkLoader::IndexOf(Id chunk) const {
  const auto found =
      std::ranges::lower_bound(plan_.chunks, chunk, {}, &ChunkDefinition::name);
  CHECK(found != plan_.chunks.end() && found->name == chunk, "no chunk {:016x}",
        chunk.value);
  return static_cast<size_t>(found - plan_.chunks.begin());
}

}  // namespace reprise::sim
