// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Questions about where bodies are: rays, sweeps, overlaps, closest points.
// Answers are a function of the bodies' rows at the last Look(), and in a total
// order.

#ifndef REPRISE_SIM_PHYSICS_QUERIES_PHYSICS_QUERIES_H_
#define REPRISE_SIM_PHYSICS_QUERIES_PHYSICS_QUERIES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/queries/primitive_key.h"
#include "sim/state/state.h"

namespace reprise::sim {

// Which bodies are asked about: those on one of the layers.
struct QueryFilter {
  uint32_t layers = ~uint32_t{0};
  bool includes_triggers = false;
  ObjectId ignored;                  // one object that isn't asked about
  ObjectId ignored_too = kNoObject;  // and another
  ObjectId only = kNoObject;         // if set, the one that is asked about
  // If set, only bodies whose masks meet these layers.
  std::optional<uint32_t> layers_of_asker = std::nullopt;
};

// From a point to another, m.
struct RayQuery {
  Vector3 from;
  Vector3 to;
};

// A solid that moves without turning, its origin along a ray.
struct SolidSweep {
  Solid solid;
  RayQuery way;
  Quaternion rotation;  // of any length but 0
};

struct PlacedSolid {
  Solid solid;
  Vector3 position;
  Quaternion rotation;  // of any length but 0
};

struct QueryHit {
  double fraction = 0.0;  // of the way, 0 to 1
  PrimitiveKey what;
  Vector3 point;   // on the body, m
  Vector3 normal;  // out of the body, of length 1

  friend bool operator==(const QueryHit&, const QueryHit&) = default;
};

// Hits come in this order: no two of one query are equal.
constexpr bool ComesBefore(const QueryHit& a, const QueryHit& b) {
  return a.fraction != b.fraction ? a.fraction < b.fraction : a.what < b.what;
}

struct ClosestBodyPoint {
  double distance_m = 0.0;  // 0 inside
  PrimitiveKey what;
  Vector3 point;

  friend bool operator==(const ClosestBodyPoint&,
                         const ClosestBodyPoint&) = default;
};

// A primitive that a solid is close to, or inside of.
struct NearPrimitive {
  double distance_m = 0.0;  // below 0: how deep the solid is inside
  PrimitiveKey what;
  Vector3 point;   // on the body
  Vector3 normal;  // out of the body, of length 1: the shortest way out

  friend bool operator==(const NearPrimitive&, const NearPrimitive&) = default;
};

class QueryScene;

// Used by one thread while it looks; questions may be asked on several.
// REQUIRES: all numbers that go in are finite.
class PhysicsQueries {
 public:
  // REQUIRES: ValidatePhysicsDefinition(*definition).ok().
  PhysicsQueries(std::shared_ptr<const PhysicsDefinition> definition,
                 const PhysicsTables& tables);
  ~PhysicsQueries();

  PhysicsQueries(const PhysicsQueries&) = delete;
  PhysicsQueries& operator=(const PhysicsQueries&) = delete;

  // Takes note of where all bodies of `state` are now, with what the game has
  // written, added and removed since the last step. What is written later isn't
  // seen before the next Look. Rows that aren't finite, which the next step
  // refuses, are left out. Takes n log n of the number of primitives; n of the
  // bodies when they are where they were at the last Look.
  void Look(const State& state);

  // The first primitive that a ray enters; nullopt when there is none. Where
  // it begins inside of one, or on its surface, that one isn't hit.
  std::optional<QueryHit> CastRay(const RayQuery& ray,
                                  const QueryFilter& filter = {}) const;
  // Every primitive that the ray enters, in order.
  std::vector<QueryHit> CastRayThrough(const RayQuery& ray,
                                       const QueryFilter& filter = {}) const;
  // The first primitive that a solid touches on its way, up to a millimetre
  // early, or a hundredth of one late. What it touches at the beginning is hit
  // with a fraction of 0 when the way leads into it, and not at all when it
  // leads out.
  std::optional<QueryHit> CastSolid(const SolidSweep& sweep,
                                    const QueryFilter& filter = {}) const;
  // Every primitive that the solid would touch, if it weren't stopped.
  std::vector<QueryHit> CastSolidThrough(const SolidSweep& sweep,
                                         const QueryFilter& filter = {}) const;

  // The primitives that share a point with a solid, ascending.
  std::vector<PrimitiveKey> FindOverlaps(const PlacedSolid& solid,
                                         const QueryFilter& filter = {}) const;

  // The primitives within `distance_max_m` of a solid, or that it is inside of,
  // ascending.
  std::vector<NearPrimitive> FindNear(const PlacedSolid& solid,
                                      double distance_max_m,
                                      const QueryFilter& filter = {}) const;

  // The closest point of any body within `distance_max_m` of `point`; of
  // equally close ones that of the first (object, primitive).
  std::optional<ClosestBodyPoint> FindClosestPoint(
      Vector3 point, double distance_max_m,
      const QueryFilter& filter = {}) const;

  // Batches: the answers to many questions, in the order of these.
  std::vector<std::optional<QueryHit>> CastRays(
      std::span<const RayQuery> rays, const QueryFilter& filter = {}) const;
  std::vector<std::optional<QueryHit>> CastSolids(
      std::span<const SolidSweep> sweeps, const QueryFilter& filter = {}) const;
  std::vector<std::vector<PrimitiveKey>> FindOverlapsOfEach(
      std::span<const PlacedSolid> solids,
      const QueryFilter& filter = {}) const;
  std::vector<std::optional<ClosestBodyPoint>> FindClosestPoints(
      std::span<const Vector3> points, double distance_max_m,
      const QueryFilter& filter = {}) const;

 private:
  std::shared_ptr<const PhysicsDefinition> definition_;
  PhysicsTables tables_;
  std::unique_ptr<QueryScene> scene_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_QUERIES_PHYSICS_QUERIES_H_
