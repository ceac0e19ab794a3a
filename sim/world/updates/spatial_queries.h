// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is where: exact questions about objects as spheres and boxes. The answer
// is the same, in the same order and to the bit, whichever index finds the
// candidates. Derived data: built from state whenever it is needed, never a
// part of it.

#ifndef REPRISE_SIM_WORLD_UPDATES_SPATIAL_QUERIES_H_
#define REPRISE_SIM_WORLD_UPDATES_SPATIAL_QUERIES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "sim/base/object_id.h"
#include "sim/geometry/collisions/casts.h"
#include "sim/geometry/shapes.h"
#include "sim/geometry/spatial/spatial_index.h"
#include "sim/geometry/spatial/spatial_shape.h"

namespace reprise::sim {

struct SpatialObject {
  ObjectId object;
  SpatialShape shape;
};

struct SpatialHit {
  ObjectId object;
  Hit hit;  // t in [0, 1] along the segment
};

// Which objects count. Asked about candidates only, in no particular order and
// perhaps more than once, so its answers must not depend on either.
using ObjectFilter = absl::FunctionRef<bool(ObjectId object)>;

inline bool EveryObject(ObjectId /*object*/) { return true; }

// Touching counts as meeting. What is asked about must be within reach (see
// spatial_bounds.h); callers check what comes from outside. One thread at a
// time may change the objects; any number may ask while nobody does.
class SpatialQueries {
 public:
  // An index for few objects is SpatialList; see uniform_grid.h and quadtree.h
  // for many. REQUIRES: the index is empty.
  explicit SpatialQueries(std::unique_ptr<SpatialIndex> index);

  // Replaces all objects. REQUIRES: objects ascend, no two alike; shapes are
  // valid.
  void Build(std::span<const SpatialObject> objects);

  // Adds the object, or gives it another shape. REQUIRES: the shape is valid.
  void Put(const SpatialObject& object);

  // Returns whether there was such an object.
  bool Remove(ObjectId object);

  void Clear() { Build({}); }

  uint32_t size() const { return index_->size(); }

  // The objects that the sphere meets, by their distance from its center, then
  // by object.
  std::vector<NearObject> FindInSphere(const Sphere& sphere,
                                       ObjectFilter filter = EveryObject) const;

  // The objects that the cone meets, by their distance from its apex, then by
  // object.
  std::vector<NearObject> FindInCone(const Cone& cone,
                                     ObjectFilter filter = EveryObject) const;

  // The objects that the box meets, ascending.
  std::vector<ObjectId> FindInBox(const Aabb& box,
                                  ObjectFilter filter = EveryObject) const;
  std::vector<ObjectId> FindInBox(const OrientedBox& box,
                                  ObjectFilter filter = EveryObject) const;

  // The `count` objects, or all if they are fewer, that are nearest to the
  // point: by distance, then by object.
  std::vector<NearObject> FindNearest(Vector3 point, uint32_t count,
                                      ObjectFilter filter = EveryObject) const;

  // Where the segment first hits each object that it meets: near to far, then
  // by object.
  std::vector<SpatialHit> FindAlong(const Segment& segment,
                                    ObjectFilter filter = EveryObject) const;

  // The first of these.
  std::optional<SpatialHit> FindFirstAlong(
      const Segment& segment, ObjectFilter filter = EveryObject) const;

  // The first of each segment, in the order of the segments.
  std::vector<std::optional<SpatialHit>> FindFirstAlongEach(
      std::span<const Segment> segments,
      ObjectFilter filter = EveryObject) const;

  // Whether no object that `blocks` lets through meets the line between the
  // two points. The filter leaves out who looks and who is looked at.
  bool HasLineOfSight(Vector3 from, Vector3 to,
                      ObjectFilter blocks = EveryObject) const;

 private:
  ObjectId ObjectIn(EntrySlot slot) const { return index_->entry(slot).object; }

  // Never less than the distance to the entry's bounds, nor a hit ever before
  // the segment enters them, as computed: so what an index leaves out for its
  // bounds can't matter.
  double DistanceOf(EntrySlot slot, Vector3 point) const;
  std::optional<SpatialHit> HitOf(EntrySlot slot, const Segment& segment,
                                  const SegmentClipper& clipper) const;

  template <typename Shape>
  std::vector<NearObject> FindByDistance(const Shape& shape, const Aabb& bounds,
                                         Vector3 from,
                                         ObjectFilter filter) const;
  template <typename Shape>
  std::vector<ObjectId> FindByObject(const Shape& shape, const Aabb& bounds,
                                     ObjectFilter filter) const;

  std::unique_ptr<SpatialIndex> index_;
  std::vector<SpatialShape> shapes_;   // by slot
  std::vector<SpatialEntry> entries_;  // of the last Build, for its memory
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_SPATIAL_QUERIES_H_
