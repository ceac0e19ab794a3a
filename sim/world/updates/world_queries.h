// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Questions about the objects of a world: by name, type, component and values,
// and by where they are. Answers come in a defined order, and are as of one
// moment: what happens after Look isn't seen before the next one. They are the
// same whichever questions were asked before.

#ifndef REPRISE_SIM_WORLD_UPDATES_WORLD_QUERIES_H_
#define REPRISE_SIM_WORLD_UPDATES_WORLD_QUERIES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/geometry/aabb.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/state/state.h"
#include "sim/world/components/comparison.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/updates/spatial_queries.h"

namespace reprise::sim {

// Whether a number stands so and so; of a bool, false is 0 and true is 1.
struct PropertyTest {
  PropertyRef property;
  Comparison comparison = Comparison::kEqual;
  double value = 0.0;
};

// Which objects are asked about; what isn't set doesn't matter.
struct ObjectCriteria {
  Id type;  // they are of it, or of a type that extends it
  Id component;
  std::optional<PropertyTest> test;  // false for objects without the property
  Handle except;
  bool includes_dormant = false;
};

struct FoundObject {
  ObjectId object;
  Handle handle;
  // From the place, or along the segment as a fraction; 0 where neither counts.
  double distance = 0.0;
};

// A pair of objects of which one may see the other.
struct SightPair {
  Handle from;
  Handle to;
};

// Used by the one thread that steps the world. What answers need is made when
// they are asked for, and only what is new since the last answers.
class WorldQueries {
 public:
  // `definition` outlives this.
  WorldQueries(const WorldDefinition& definition, const PhysicsTables& physics);

  // Takes note of all objects as they are now: a reference to each page. An
  // object is where its bounding sphere is: around the shapes of its body, or a
  // point. Planes are nowhere, and so is what lies beyond 1e49 m. Has to be
  // called again when objects have come or gone.
  void Look(const WorldParts& parts);

  // All that answer to the criteria, in object order. Looks at those of the
  // type, or with the component, alone.
  std::vector<FoundObject> Find(const ObjectCriteria& criteria) const;

  // Those of them that touch a part of space: by distance from its centre or
  // apex, then in object order. REQUIRES: all numbers are finite and below
  // 1e50, radii and lengths not negative, rotations and axes of length 1.
  std::vector<FoundObject> FindInSphere(const Sphere& sphere,
                                        const ObjectCriteria& criteria) const;
  std::vector<FoundObject> FindInCone(const Cone& cone,
                                      const ObjectCriteria& criteria) const;
  // In object order.
  std::vector<FoundObject> FindInBox(const OrientedBox& box,
                                     const ObjectCriteria& criteria) const;
  // Near to far.
  std::vector<FoundObject> FindAlong(const Segment& segment,
                                     const ObjectCriteria& criteria) const;
  std::vector<FoundObject> FindNearest(Vector3 point, uint32_t count,
                                       const ObjectCriteria& criteria) const;

  // Whether no body lies between the places of two objects; false beyond 1e12
  // m. Takes about log n of the number of bodies. Of pairs: for each, in their
  // order.
  bool HasLineOfSight(Handle from, Handle to) const;
  std::vector<bool> HaveLinesOfSight(std::span<const SightPair> pairs) const;

  // What bodies are hit, by their exact shapes.
  const PhysicsQueries& bodies() const;

 private:
  // The bounding sphere of an object; with a radius below 0 it is nowhere.
  struct Entry {
    ObjectId object;
    Vector3 place;
    double radius = 0.0;
  };
  // The types that answer to an id of a type.
  struct TypesOf {
    Id type;
    std::vector<uint32_t> types;  // ascending
  };

  const ObjectRow& ObjectIn(uint32_t row) const;
  bool Answers(uint32_t row, const ObjectCriteria& criteria) const;
  bool HasComponent(uint32_t type, Id component) const;
  template <typename Hits>
  std::vector<FoundObject> Collect(const Hits& hits) const;
  // The first row whose object isn't before this one.
  uint32_t RowOf(ObjectId object) const;

  // Where everything is.
  const SpatialQueries& spatial() const;
  // The entry of row `row` at that place, by the body's kind as it is.
  Entry EntryAt(uint32_t row, Vector3 place) const;
  // Whether the rows are still those of the entries.
  bool HasSameObjects() const;
  // Notes the entries that are not where they were.
  template <typename Row, typename Visit>
  void ForEachChanged(TableIndex table, const Visit& visit) const;
  void FollowBodies() const;
  void FollowPlaces() const;
  void Note(uint32_t row, Vector3 place) const;
  void BuildAll() const;

  const WorldDefinition& definition_;
  PhysicsTables physics_;
  std::vector<double> radii_;   // by kind of body; below 0: nowhere
  std::vector<TypesOf> types_;  // ascending by id
  std::optional<WorldParts> parts_;
  State state_;  // as it was

  // Made when it is asked for.
  mutable PhysicsQueries bodies_;
  mutable bool bodies_are_old_ = false;
  mutable SpatialQueries spatial_;
  mutable bool spatial_is_old_ = false;
  mutable State seen_;                    // what the entries are of
  mutable std::vector<Entry> entries_;    // by row
  mutable std::vector<uint32_t> chosen_;  // rows whose bodies' kinds change
  mutable std::vector<uint32_t> moved_;   // rows, since `seen_`
  mutable std::vector<SpatialObject> spheres_;
};

// Whether a test holds for the object of row `row`.
bool Holds(const WorldParts& parts, const State& state, uint32_t row,
           const PropertyTest& test);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_WORLD_QUERIES_H_
