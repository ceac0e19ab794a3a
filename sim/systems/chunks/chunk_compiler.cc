// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/chunks/chunk_compiler.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fmt/format.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/volume_compiler.h"

namespace reprise::sim {
namespace {

class SpaceCompiler {
 public:
  SpaceCompiler(const v1::Pack& pack, const MessageChecker& checker,
                std::set<std::string>& words, WorldDefinition& world)
      : pack_(pack),
        checker_(checker),
        words_(words),
        rate_(world.info.tick_rate),
        level_(world.level) {}

  void Compile() {
    CompileLayers();
    CompileRegions();
    CompileChunks();
    CompileLoadRegions();
    CompileAirLocks();
    CompilePaths();
  }

 private:
  Id Layer(const std::string& name, const MessageChecker& place) const {
    return ReferToAny("layer", "layer", name, level_.layers, place);
  }

  Tick Ticks(std::string_view field, double seconds,
             const MessageChecker& place) const {
    return CompileSeconds(field, seconds, rate_, place);
  }

  void CompileLayers() {
    DeclaredNames names("layers", words_);
    for (int i = 0; i < pack_.layers_size(); ++i) {
      const v1::Layer& layer = pack_.layers(i);
      const MessageChecker place = checker_.In(layer, "layers", i);
      level_.layers.push_back(
          {.name = names.Declare("name", layer.name(), place),
           .is_enabled = !layer.disabled()});
    }
  }

  RegionDefinition CompileRegion(const v1::Region& region,
                                 const MessageChecker& place,
                                 DeclaredNames& names) const {
    RegionDefinition compiled{
        .name = names.Declare("name", region.name(), place),
        .volume = SphereVolume{.centre = {}, .radius_m = 1.0},
        .margin_m =
            place.Number("margin", region.margin(), 0.0, kVolumeCoordinateMaxM),
        .layer = Layer(region.layer(), place),
        .stay_period = Ticks("stay_period_s", region.stay_period_s(), place)};
    if (region.has_volume()) {
      compiled.volume =
          CompileVolume(region.volume(), place.In(region.volume(), "volume"));
    } else {
      place.Problem("volume", "a region needs one");
    }
    return compiled;
  }

  void CompileRegions() {
    DeclaredNames names("regions", words_);
    for (int i = 0; i < pack_.regions_size(); ++i) {
      const v1::Region& region = pack_.regions(i);
      level_.regions.push_back(
          CompileRegion(region, checker_.In(region, "regions", i), names));
    }
  }

  ChunkDefinition CompileChunk(const v1::Chunk& chunk,
                               const MessageChecker& place,
                               DeclaredNames& names) const {
    ChunkDefinition compiled{.name = names.Declare("name", chunk.name(), place),
                             .priority = chunk.priority(),
                             .layer = Layer(chunk.layer(), place),
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
    const v1::ChunkPlan& message = pack_.chunk_plan();
    const MessageChecker place = checker_.In(message, "chunk_plan");
    ChunkPlan& plan = level_.chunk_plan;
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
    DeclaredNames names("chunks", words_);
    uint64_t present_count = 0;
    for (int i = 0; i < message.chunks_size(); ++i) {
      const v1::Chunk& chunk = message.chunks(i);
      const MessageChecker chunk_place = place.In(chunk, "chunks", i);
      plan.chunks.push_back(CompileChunk(chunk, chunk_place, names));
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
    const v1::ChunkPlan& message = pack_.chunk_plan();
    const MessageChecker plan_place = checker_.In(message, "chunk_plan");
    DeclaredNames names("load regions", words_);
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
          .region = CompileRegion(load_region.region(), region_place, names),
          .chunks = {}};
      if (compiled.region.stay_period != 0) {
        region_place.Problem("stay_period_s", "a load region tells of nobody");
      }
      for (const std::string& chunk : load_region.chunks()) {
        compiled.chunks.push_back(
            ReferTo("chunk", "chunks", chunk, level_.chunk_plan.chunks, place));
      }
      level_.chunk_plan.load_regions.push_back(std::move(compiled));
    }
  }

  AirLockSide CompileSide(const v1::AirLockSide& side,
                          const MessageChecker& place,
                          DeclaredNames& doors) const {
    return {.chunk = ReferTo("chunk", "chunk", side.chunk(),
                             level_.chunk_plan.chunks, place),
            .door = doors.Declare("door", side.door(), place),
            .layer = Layer(side.layer(), place)};
  }

  // Whether a door at the start leads to a chunk that is there.
  bool IsActiveAtStart(Id chunk) const {
    const std::vector<ChunkDefinition>& chunks = level_.chunk_plan.chunks;
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
                                   level_.regions, place);
    compiled.closing_ticks = Ticks("closing_s", air_lock.closing_s(), place);
    compiled.open_side_at_start =
        place.Count("open_side_at_start", air_lock.open_side_at_start(), 0, 2);
    const uint64_t side = compiled.open_side_at_start;
    if ((side == 1 || side == 2) &&
        !IsActiveAtStart(compiled.sides[side - 1].chunk)) {
      place.Problem("open_side_at_start",
                    "the chunk behind that door isn't there at tick 0");
    }
    level_.air_locks.push_back(compiled);
  }

  void CompileAirLocks() {
    DeclaredNames names("air locks", words_);
    DeclaredNames doors("doors", words_);
    for (int i = 0; i < pack_.air_locks_size(); ++i) {
      const v1::AirLock& air_lock = pack_.air_locks(i);
      CompileAirLock(air_lock, checker_.In(air_lock, "air_locks", i), names,
                     doors);
    }
  }

  void CompilePaths() {
    DeclaredNames names("paths", words_);
    for (int i = 0; i < pack_.paths_size(); ++i) {
      const v1::Path& path = pack_.paths(i);
      const MessageChecker place = checker_.In(path, "paths", i);
      PathDefinition compiled{.name = names.Declare("name", path.name(), place),
                              .points = {},
                              .is_closed = path.closed()};
      for (const v1::Vector3& point : path.points()) {
        compiled.points.push_back({point.x(), point.y(), point.z()});
      }
      NameTable own_name;
      own_name.Add(path.name()).IgnoreError();  // reported as a bad name
      const absl::Status status =
          ValidatePaths(std::span(&compiled, 1), own_name);
      if (!status.ok()) place.Problem("points", std::string(status.message()));
      level_.paths.push_back(std::move(compiled));
    }
    // A total order: names are unique in a pack that is accepted.
    std::ranges::stable_sort(level_.paths, {}, &PathDefinition::name);
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  std::set<std::string>& words_;
  TickRate rate_;
  LevelDefinition& level_;
};

}  // namespace

void CompileSpace(const v1::Pack& pack, const MessageChecker& checker,
                  std::set<std::string>& words, WorldDefinition& world) {
  SpaceCompiler(pack, checker, words, world).Compile();
}

void FinishLevel(const MessageChecker& checker, WorldDefinition& world) {
  const LevelDefinition& level = world.level;
  const NameTable& names = world.names;
  std::vector<Id> predicates;
  for (const PredicateDefinition& predicate : level.predicates) {
    predicates.push_back(predicate.name);
  }
  bool is_sound = true;
  const auto check = [&](std::string_view field, const absl::Status& status) {
    if (status.ok()) return;
    checker.Problem(field, std::string(status.message()));
    is_sound = false;
  };
  check("layers", ValidateLayers(level.layers, names));
  check("regions",
        ValidateRegions("region", level.regions, level.layers, names));
  check("chunk_plan", ValidateChunkPlan(level.chunk_plan, level.layers, names));
  check("air_locks", ValidateAirLocks(level.air_locks, level.chunk_plan.chunks,
                                      level.regions, level.layers, names));
  check("paths", ValidatePaths(level.paths, names));
  check("objectives",
        ValidateObjectives(level.objectives, predicates, level.layers, names));
  if (is_sound) world.level_rules.emplace(level);
}

}  // namespace reprise::sim
