// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/placement_bounds.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/physics/definition/physics_bounds.h"

namespace reprise::sim {
namespace {

constexpr Id kSpawner = IdOf("spawner");

// How far the farthest component goes. NaN, which is reported already, is not
// seen.
double ReachOf(Vector3 v) { return std::max({Abs(v.x), Abs(v.y), Abs(v.z)}); }

class PlacementChecker {
 public:
  PlacementChecker(const v1::Pack& pack, const MessageChecker& checker,
                   const WorldDefinition& world)
      : pack_(pack),
        checker_(checker),
        world_(world),
        spawner_(world.FindComponent(kSpawner)) {
    for (int i = 0; i < pack.objects_size(); ++i) {
      indexes_.emplace(pack.objects(i).name(), i);
    }
  }

  void Check(const ObjectDefinition& object) {
    const TypeDefinition& type =
        world_.types[world_.archetypes[object.archetype].type];
    if (!type.body_kind.has_value() && !IsSpawner(type)) return;
    Require(object, object.place.position, kPositionMaxM, "position", "m");
    Require(object, object.linear_velocity_m_s, kSpeedMax, "linear_velocity",
            "m/s");
    Require(object, object.angular_velocity_rad_s, kSpeedMax,
            "angular_velocity_degrees", "rad/s");
  }

 private:
  bool IsSpawner(const TypeDefinition& type) const {
    return spawner_.has_value() &&
           std::ranges::any_of(type.components, [this](const auto& use) {
             return use.component == *spawner_;
           });
  }

  void Require(const ObjectDefinition& object, Vector3 value, double limit,
               std::string_view field, std::string_view unit) {
    const double reach = ReachOf(value);
    if (!(reach > limit)) return;
    const std::optional<int> index = FindInManifest(object.name);
    // Of many copies the first is enough.
    if (!reported_.insert({index, field}).second) return;
    std::string text = fmt::format("{} {} ('{}') is not within +-{}", reach,
                                   unit, object.name, limit);
    if (!index.has_value()) {
      checker_.Problem("objects", std::move(text));
      return;
    }
    checker_.In(pack_.objects(*index), "objects", *index)
        .Problem(field, std::move(text));
  }

  // The object itself, or the one whose grid it is a copy in: "crate_7".
  std::optional<int> FindInManifest(const std::string& name) const {
    auto found = indexes_.find(name);
    if (found == indexes_.end()) {
      found = indexes_.find(name.substr(0, name.rfind('_')));
    }
    if (found == indexes_.end()) return std::nullopt;
    return found->second;
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  const WorldDefinition& world_;
  std::optional<uint32_t> spawner_;
  std::map<std::string, int> indexes_;
  std::set<std::pair<std::optional<int>, std::string_view>> reported_;
};

}  // namespace

void CheckPlacements(const v1::Pack& pack, const MessageChecker& checker,
                     const WorldDefinition& world) {
  PlacementChecker placements(pack, checker, world);
  for (const ObjectDefinition& object : world.objects) {
    if (object.presence.chunk == kNoId) placements.Check(object);
  }
  for (const ObjectDefinition& object : world.passing_objects) {
    placements.Check(object);
  }
}

}  // namespace reprise::sim
