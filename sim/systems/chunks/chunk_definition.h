// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says about its chunks: the separately loaded parts of a world,
// and the regions that decide which of them are there.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_DEFINITION_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_DEFINITION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/systems/layers/layers.h"
#include "sim/systems/regions/regions.h"

namespace reprise::sim {

inline constexpr size_t kChunksMax = 4096;
inline constexpr size_t kChunkObjectsMax = size_t{1} << 20;  // of all chunks

// What becomes of a chunk's objects when it goes. Those of fixed motion, its
// static geometry, go with it in any case.
enum class UnloadPolicy : uint8_t {
  kDestroy,  // and made anew, as the pack has them, when the chunk comes back
  kDormant,  // kept as they are, out of the world
  kKeep,     // kept in the world
};

struct ChunkObject {
  Id name;
  Id layer = kNoId;       // dormant while this is disabled
  bool is_fixed = false;  // of fixed motion
};

struct ChunkDefinition {
  Id name;
  std::vector<ChunkObject> objects;
  UnloadPolicy when_unloaded = UnloadPolicy::kDestroy;
  // Of the chunks that want the last places, the ones with the smallest numbers
  // get them, and among equals the first by name.
  uint64_t priority = 0;
  // While it is disabled, the chunk isn't wanted.
  Id layer = kNoId;
  bool is_active_at_start = false;
  bool is_always_wanted = false;
};

// While a viewer is in the region, its chunks are wanted. The region's margin
// keeps a viewer on the boundary from loading and unloading all the time.
struct LoadRegionDefinition {
  RegionDefinition region;
  std::vector<Id> chunks;
};

struct ChunkPlan {
  std::vector<ChunkDefinition> chunks;
  std::vector<LoadRegionDefinition> load_regions;
  // How long after it is first wanted a chunk becomes active: the time that a
  // player of the real game would wait for the disk, and never less or more.
  Tick activation_delay = 0;
  Tick deactivation_delay = 0;
  // A chunk stays active for at least this.
  Tick active_ticks_min = 0;
  // How many chunks may be other than absent.
  uint64_t present_chunks_max = kChunksMax;
};

// OK, or InvalidArgument or ResourceExhausted naming the chunk or load region
// and what is wrong with it: a name twice, an object in two chunks, an unknown
// chunk or layer, a region as ValidateRegions refuses it, a delay beyond
// kTickMax, more chunks at the start than there may be.
absl::Status ValidateChunkPlan(const ChunkPlan& plan,
                               std::span<const LayerDefinition> layers,
                               const NameTable& names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_DEFINITION_H_
