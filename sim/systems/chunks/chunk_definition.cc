// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/chunks/chunk_definition.h"

#include <algorithm>
#include <string>

#include "fmt/format.h"
#include "sim/world/components/named_definitions.h"

namespace reprise::sim {
namespace {

absl::Status ValidateChunks(std::span<const ChunkDefinition> chunks,
                            std::span<const LayerDefinition> layers,
                            const NameTable& names) {
  std::vector<Id> chunk_names;
  std::vector<Id> object_names;
  for (const ChunkDefinition& chunk : chunks) {
    chunk_names.push_back(chunk.name);
    const std::string place =
        fmt::format("chunk {}", Quoted(names, chunk.name));
    if (absl::Status status =
            ValidateLayerName(chunk.layer, place, layers, names);
        !status.ok()) {
      return status;
    }
    for (const ChunkObject& object : chunk.objects) {
      object_names.push_back(object.name);
      if (absl::Status status = ValidateLayerName(
              object.layer,
              fmt::format("{}: object {}", place, Quoted(names, object.name)),
              layers, names);
          !status.ok()) {
        return status;
      }
    }
  }
  if (absl::Status status =
          ValidateNames("chunk", chunk_names, kChunksMax, names);
      !status.ok()) {
    return status;
  }
  return ValidateNames("object of a chunk", object_names, kChunkObjectsMax,
                       names);
}

absl::Status ValidateLoadRegions(const ChunkPlan& plan,
                                 std::span<const LayerDefinition> layers,
                                 const NameTable& names) {
  std::vector<RegionDefinition> regions;
  for (const auto& [region, chunks] : plan.load_regions) {
    regions.push_back(region);
    for (const Id chunk : chunks) {
      if (std::ranges::find(plan.chunks, chunk, &ChunkDefinition::name) ==
          plan.chunks.end()) {
        return absl::InvalidArgumentError(
            fmt::format("load region {}: no chunk {}",
                        Quoted(names, region.name), Quoted(names, chunk)));
      }
    }
  }
  return ValidateRegions("load region", regions, layers, names);
}

}  // namespace

absl::Status ValidateChunkPlan(const ChunkPlan& plan,
                               std::span<const LayerDefinition> layers,
                               const NameTable& names) {
  if (absl::Status status = ValidateChunks(plan.chunks, layers, names);
      !status.ok()) {
    return status;
  }
  if (absl::Status status = ValidateLoadRegions(plan, layers, names);
      !status.ok()) {
    return status;
  }
  for (const Tick ticks : {plan.activation_delay, plan.deactivation_delay,
                           plan.active_ticks_min}) {
    if (ticks > kTickMax) {
      return absl::InvalidArgumentError(fmt::format(
          "chunks: a delay of {} ticks, at most {}", ticks, kTickMax));
    }
  }
  const auto at_start_count = static_cast<uint64_t>(
      std::ranges::count_if(plan.chunks, &ChunkDefinition::is_active_at_start));
  if (at_start_count > plan.present_chunks_max) {
    return absl::InvalidArgumentError(
        fmt::format("chunks: {} of them are active at the start, at most {}",
                    at_start_count, plan.present_chunks_max));
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
