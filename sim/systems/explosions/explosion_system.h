// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Blows away from a point.

#ifndef REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSION_SYSTEM_H_
#define REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSION_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/systems/explosions/explosive_definition.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/events/world_event.h"
#include "sim/world/systems/system.h"

namespace reprise::sim {

const SystemDeclaration& ExplosionsDeclaration();

// Of a pack with types whose objects explode; how they do stands in the types.
class ExplosionsDefinition final : public SystemDefinition {
 public:
  static constexpr std::string_view kSystem = "explosions";

  const SystemDeclaration& declaration() const override {
    return ExplosionsDeclaration();
  }
  std::unique_ptr<System> Create(const SystemPlace& place) const override;
};

class Explosions final : public System {
 public:
  static constexpr std::string_view kSystem = ExplosionsDefinition::kSystem;

  explicit Explosions(const SystemPlace& place);

  // Has `explode` blow an active object that is an explosive, where it is or
  // where the event says.
  bool OnEvent(uint32_t row, const WorldEvent& event) override;

 private:
  // Where a blow meets a body.
  struct Blow {
    Vector3 point;
    double distance_m = 0.0;
  };

  // Blows at `centre`, by object `source`: each dynamic body whose closest
  // point is within the radius gets impulse * (1 - distance / radius)^falloff
  // there, away from the centre; one that holds the centre, away from the
  // centre to its own. With needs_sight, only if nothing but itself, triggers
  // aside, is on the way to that point. All of them, and destructible objects
  // of any shape, planes and surfaces too, get `blast`, in object order. What
  // one body gets doesn't depend on the others.
  void Explode(ObjectId source, Vector3 centre,
               const ExplosiveDefinition& explosive);

  // The bodies within reach, ascending, each once.
  std::vector<ObjectId> FindNear(Vector3 centre, double radius_m) const;
  // Nullopt if a plane or a surface is out of reach.
  std::optional<Blow> BlowOn(const BodyRow& body, Vector3 centre,
                             double radius_m) const;
  bool IsInSight(ObjectId object, Vector3 centre, Vector3 point) const;

  static Vector3 DirectionOf(const Blow& blow, const BodyRow& body,
                             Vector3 centre);

  PhysicsQueries queries_;
  // Of the definition's types; null for those that don't explode.
  std::vector<const ExplosiveDefinition*> explosives_;
  std::vector<bool> breaks_;  // of each type
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_EXPLOSIONS_EXPLOSION_SYSTEM_H_
