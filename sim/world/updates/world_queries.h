// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Questions about the objects of a world: by name, type, component and values,
// and by where they are. Answers come in a defined order, and are as of one
// moment: what happens after Look isn't seen before the next one.

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
#include "sim/base/state.h"
#include "sim/geometry/aabb.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/world/components/comparison.h"
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

class WorldQueries {
 public:
  // `definition` outlives this.
  WorldQueries(const WorldDefinition& definition, const PhysicsTables& physics);

  // Takes note of all objects as they are now. An object is where its bounding
  // sphere is: around the shapes of its body, or a point. Planes are nowhere.
  void Look(const WorldParts& parts);

  // All that answer to the criteria, in object order.
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

  // Whether no body lies between the places of two objects.
  bool HasLineOfSight(Handle from, Handle to) const;

  // What bodies are hit, by their exact shapes.
  const PhysicsQueries& bodies() const { return bodies_; }

 private:
  // An object as it was when looked at.
  struct Entry {
    ObjectId object;
    Handle handle;
    uint32_t row = 0;
    Vector3 place;
  };

  const Entry* EntryOf(ObjectId object) const;
  const Entry* EntryOf(Handle handle) const;
  bool Answers(const Entry& entry, const ObjectCriteria& criteria) const;
  template <typename Hits>
  std::vector<FoundObject> Collect(const Hits& hits) const;

  const WorldDefinition& definition_;
  PhysicsQueries bodies_;
  SpatialQueries spatial_;
  std::vector<double> radii_;   // by kind of body; below 0: nowhere
  std::vector<Entry> entries_;  // in object order
  std::vector<SpatialObject> spheres_;
  State state_;  // as it was
  std::optional<WorldParts> parts_;
};

// Whether a test holds for the object of row `row`.
bool Holds(const WorldParts& parts, const State& state, uint32_t row,
           const PropertyTest& test);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_WORLD_QUERIES_H_
