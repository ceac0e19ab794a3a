// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles chunks, load regions and air locks, and which objects come and go
// with a chunk.

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/chunks/air_locks.h"
#include "sim/systems/chunks/chunk_definition.h"
#include "sim/systems/chunks/chunk_system.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/layers/layers.h"
#include "sim/systems/regions/region_compiler.h"
#include "sim/systems/regions/region_system.h"

namespace reprise::sim {
namespace {

class ChunkCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompileType(const v1::Type& message,
                   [[maybe_unused]] const MessageChecker& checker,
                   TypeDefinition& type) override {
    // What a type inherits stays.
    if (message.viewer()) type.parts.Set(Viewer{});
  }

  void CompilePack() override {
    CompileChunks();
    CompileLoadRegions();
    CompileAirLocks();
  }

  void CompileObject(const v1::Object& message, const MessageChecker& checker,
                     ObjectPresence& presence) override {
    if (message.chunk().empty()) {
      if (!message.layer().empty()) {
        checker.Problem("layer", "only an object of a chunk has one");
      }
      return;
    }
    presence.layer = FindLayer(message.layer(), checker);
    const ChunkDefinition* const chunk = FindChunk(IdOf(message.chunk()));
    if (chunk == nullptr) {
      checker.NoSuch("chunk", "chunk", message.chunk());
      return;
    }
    presence.chunk = chunk->name;
    presence.is_there = chunk->is_active_at_start;
    presence.is_away = IsOffAtStart(presence.layer);
  }

  void CompileObjects() override {
    for (const ObjectDefinition& object : world().passing_objects) {
      ChunkDefinition* const chunk = FindChunk(object.presence.chunk);
      CHECK(chunk != nullptr, "object {} of no chunk", object.name);
      chunk->objects.push_back({.name = object.name_id,
                                .layer = object.presence.layer,
                                .is_fixed = IsFixed(object)});
    }
  }

  void Finish() override {
    const absl::Status plan =
        ValidateChunkPlan(definition_->plan, LayersOf(layers()), world().names);
    const absl::Status air_locks = ValidateAirLocks(
        definition_->air_locks, definition_->plan.chunks, RegionsOf(regions()),
        LayersOf(layers()), world().names);
    if (!plan.ok()) {
      checker().Problem("chunk_plan", std::string(plan.message()));
    }
    if (!air_locks.ok()) {
      checker().Problem("air_locks", std::string(air_locks.message()));
    }
    if (!plan.ok() || !air_locks.ok()) return;
    definition_->loader.emplace(definition_->plan);
    definition_->doors.emplace(definition_->air_locks);
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    // Without chunks there is nothing to load, and no air lock.
    if (definition_->plan.chunks.empty()) return nullptr;
    return definition_;
  }

 private:
  const LayerDefinitions* layers() const {
    return compilation().Find<LayerDefinitions>();
  }
  const RegionDefinitions* regions() const {
    return compilation().Find<RegionDefinitions>();
  }

  Id FindLayer(const std::string& name, const MessageChecker& place) const {
    return ReferToAny("layer", "layer", name, LayersOf(layers()), place);
  }

  Tick Ticks(std::string_view field, double seconds,
             const MessageChecker& place) const {
    return CompileSeconds(field, seconds, world().info.tick_rate, place);
  }

  // Null when there is none.
  ChunkDefinition* FindChunk(Id name) {
    const auto found = chunk_indices_.find(name);
    if (found == chunk_indices_.end()) return nullptr;
    return &definition_->plan.chunks[found->second];
  }

  bool IsOffAtStart(Id layer) const {
    return std::ranges::any_of(LayersOf(layers()),
                               [&](const LayerDefinition& each) {
                                 return each.name == layer && !each.is_enabled;
                               });
  }

  bool IsFixed(const ObjectDefinition& object) const {
    const TypeDefinition& type =
        world().types[world().archetypes[object.archetype].type];
    return type.body_kind.has_value() &&
           world().physics.kinds[*type.body_kind].motion == Motion::kFixed;
  }

  ChunkDefinition CompileChunk(const v1::Chunk& chunk,
                               const MessageChecker& place,
                               DeclaredNames& names) const {
    ChunkDefinition compiled{.name = names.Declare("name", chunk.name(), place),
                             .objects = {},
                             .priority = chunk.priority(),
                             .layer = FindLayer(chunk.layer(), place),
                             .is_active_at_start = chunk.active_at_start(),
                             .is_always_wanted = chunk.always_wanted()};
    if (chunk.when_unloaded() == v1::Chunk::UNLOAD_DORMANT) {
      compiled.when_unloaded = UnloadPolicy::kDormant;
    } else if (chunk.when_unloaded() == v1::Chunk::UNLOAD_KEEP) {
      compiled.when_unloaded = UnloadPolicy::kKeep;
    }
    return compiled;
  }

  void CompileChunks() {
    const v1::ChunkPlan& message = pack().chunk_plan();
    const MessageChecker place = checker().In(message, "chunk_plan");
    ChunkPlan& plan = definition_->plan;
    plan.activation_delay =
        Ticks("activation_delay_s", message.activation_delay_s(), place);
    plan.deactivation_delay =
        Ticks("deactivation_delay_s", message.deactivation_delay_s(), place);
    plan.active_ticks_min =
        Ticks("active_min_s", message.active_min_s(), place);
    if (message.chunks_max() != 0) {
      plan.present_chunks_max =
          place.Count("chunks_max", message.chunks_max(), 1, kChunksMax);
    }
    DeclaredNames names("chunks", words());
    uint64_t present_count = 0;
    for (int i = 0; i < message.chunks_size(); ++i) {
      const v1::Chunk& chunk = message.chunks(i);
      const MessageChecker chunk_place = place.In(chunk, "chunks", i);
      plan.chunks.push_back(CompileChunk(chunk, chunk_place, names));
      chunk_indices_.emplace(plan.chunks.back().name, plan.chunks.size() - 1);
      present_count += chunk.active_at_start() ? 1 : 0;
      if (chunk.active_at_start() &&
          present_count == plan.present_chunks_max + 1) {
        chunk_place.Problem("active_at_start",
                            fmt::format("more than {} chunks at tick 0",
                                        plan.present_chunks_max));
      }
    }
  }

  void CompileLoadRegions() {
    const v1::ChunkPlan& message = pack().chunk_plan();
    const MessageChecker plan_place = checker().In(message, "chunk_plan");
    DeclaredNames names("load regions", words());
    for (int i = 0; i < message.load_regions_size(); ++i) {
      const v1::LoadRegion& load_region = message.load_regions(i);
      const MessageChecker place =
          plan_place.In(load_region, "load_regions", i);
      if (!load_region.has_region()) {
        place.Problem("region", "a load region needs one");
        continue;
      }
      const MessageChecker region_place =
          place.In(load_region.region(), "region");
      LoadRegionDefinition compiled{
          .region = CompileRegion(load_region.region(), world().info.tick_rate,
                                  layers(), region_place, names),
          .chunks = {}};
      if (compiled.region.stay_period != 0) {
        region_place.Problem("stay_period_s", "a load region tells of nobody");
      }
      for (const std::string& chunk : load_region.chunks()) {
        compiled.chunks.push_back(
            ReferTo("chunk", "chunks", chunk, definition_->plan.chunks, place));
      }
      definition_->plan.load_regions.push_back(std::move(compiled));
    }
  }

  AirLockSide CompileSide(const v1::AirLockSide& side,
                          const MessageChecker& place,
                          DeclaredNames& doors) const {
    return {.chunk = ReferTo("chunk", "chunk", side.chunk(),
                             definition_->plan.chunks, place),
            .door = doors.Declare("door", side.door(), place),
            .layer = FindLayer(side.layer(), place)};
  }

  // Whether a door at the start leads to a chunk that is there.
  bool IsActiveAtStart(Id chunk) const {
    const std::vector<ChunkDefinition>& chunks = definition_->plan.chunks;
    const auto found = std::ranges::find(chunks, chunk, &ChunkDefinition::name);
    return found == chunks.end() || found->is_active_at_start;
  }

  void CompileAirLock(const v1::AirLock& air_lock, const MessageChecker& place,
                      DeclaredNames& names, DeclaredNames& doors) {
    if (!air_lock.has_first() || !air_lock.has_second()) {
      place.Problem(air_lock.has_first() ? "second" : "first",
                    "an air lock has two ends");
      return;
    }
    const MessageChecker second = place.In(air_lock.second(), "second");
    AirLockDefinition compiled;
    compiled.name = names.Declare("name", air_lock.name(), place);
    compiled.sides[0] = CompileSide(air_lock.first(),
                                    place.In(air_lock.first(), "first"), doors);
    compiled.sides[1] = CompileSide(air_lock.second(), second, doors);
    if (air_lock.first().chunk() == air_lock.second().chunk()) {
      second.Problem("chunk", "the same on both ends");
    }
    compiled.interior = ReferToAny("region", "interior", air_lock.interior(),
                                   RegionsOf(regions()), place);
    compiled.closing_ticks = Ticks("closing_s", air_lock.closing_s(), place);
    compiled.open_side_at_start =
        place.Count("open_side_at_start", air_lock.open_side_at_start(), 0, 2);
    const uint64_t side = compiled.open_side_at_start;
    if ((side == 1 || side == 2) &&
        !IsActiveAtStart(compiled.sides[side - 1].chunk)) {
      place.Problem("open_side_at_start",
                    "the chunk behind that door isn't there at tick 0");
    }
    definition_->air_locks.push_back(compiled);
  }

  void CompileAirLocks() {
    DeclaredNames names("air locks", words());
    DeclaredNames doors("doors", words());
    for (int i = 0; i < pack().air_locks_size(); ++i) {
      const v1::AirLock& air_lock = pack().air_locks(i);
      CompileAirLock(air_lock, checker().In(air_lock, "air_locks", i), names,
                     doors);
    }
  }

  std::shared_ptr<ChunkDefinitions> definition_ =
      std::make_shared<ChunkDefinitions>();
  // By name; of two with one name, which is reported, the first.
  std::map<Id, size_t> chunk_indices_;
};

REPRISE_REGISTER_SYSTEM(
    chunks,
    MakeSystemModule<ChunkCompiler>(
        ChunkDefinitions::Declaration(),
        {"Pack.chunk_plan", "Pack.air_locks", "Type.viewer", "Object.chunk",
         "Object.layer"},
        /*reads=*/{LayerDefinitions::kSystem, RegionDefinitions::kSystem}));

}  // namespace
}  // namespace reprise::sim
