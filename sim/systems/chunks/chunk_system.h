// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Chunks and air locks as a system: what a pack has of them, and those of one
// world.

#ifndef REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/state/state.h"
#include "sim/systems/chunks/air_locks.h"
#include "sim/systems/chunks/chunk_definition.h"
#include "sim/systems/chunks/chunks.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/regions/region_system.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

// Of a type for whose objects chunks come and go.
struct Viewer {
  static constexpr std::string_view kPart = "viewer";
};

struct ChunkDefinitions final : public SystemDefinition {
  static constexpr std::string_view kSystem = "chunks";
  static const SystemDeclaration& Declaration();

  const SystemDeclaration& declaration() const override {
    return Declaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
  std::vector<Id> heard_events() const override;

  // As the pack has them; the objects of the chunks once objects are compiled.
  ChunkPlan plan;
  std::vector<AirLockDefinition> air_locks;
  // There once the pack is compiled.
  std::optional<ChunkLoader> loader;
  std::optional<AirLocks> doors;
};

// The chunks and air locks of a world.
class Chunks final : public System {
 public:
  static constexpr std::string_view kSystem = ChunkDefinitions::kSystem;

  // `definition` outlives this.
  Chunks(const ChunkDefinitions& definition, const SystemPlace& place);

  void Connect(const Systems& systems) override;
  void Initialize() override;
  absl::Status CheckRows(const State& snapshot) const override;
  void Run(uint32_t step) override;

 private:
  // Brings chunks and doors up to this step of the game and posts what changed.
  // Returns what has to become of objects.
  std::vector<PresenceChange> Update() const;
  void Move() const;
  // Has doors follow those who came into air locks.
  void FollowVisitors() const;
  // Asks for the doors that events of this step named; they move in the next
  // one.
  void AskForDoors() const;

  const ChunkDefinitions& definition_;
  std::vector<uint32_t> viewer_types_;  // indices
  const Layers* layers_ = nullptr;
  const RegionVisits* visits_ = nullptr;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_CHUNKS_CHUNK_SYSTEM_H_
