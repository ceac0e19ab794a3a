// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An index of boxes in space, each with the object that it bounds. What a query
// finds depends on the entries alone, to the bit: not on the kind of index, nor
// on the order in which entries came and went. Derived data, never state.

#ifndef REPRISE_SIM_GEOMETRY_SPATIAL_INDEX_H_
#define REPRISE_SIM_GEOMETRY_SPATIAL_INDEX_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "sim/base/object_id.h"
#include "sim/geometry/aabb.h"
#include "sim/geometry/spatial/spatial_bounds.h"
#include "sim/geometry/spatial/spatial_nearest.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

struct SpatialEntry {
  ObjectId object;
  Aabb bounds;  // within reach

  friend bool operator==(const SpatialEntry&, const SpatialEntry&) = default;
};

// Where an index keeps an entry, from Insert to Remove.
using EntrySlot = uint32_t;

// Touching counts as meeting everywhere. Memory is kept when entries go, so an
// index that is built anew with no more than it held before allocates nothing.
// One thread at a time may change an index; any number may query one that
// nobody changes.
class SpatialIndex {
 public:
  virtual ~SpatialIndex() = default;
  SpatialIndex(const SpatialIndex&) = delete;
  SpatialIndex& operator=(const SpatialIndex&) = delete;

  // Replaces all entries; entry i gets slot i.
  // REQUIRES: objects ascend, no two alike.
  void Build(std::span<const SpatialEntry> entries);

  // REQUIRES: the object has no entry yet.
  EntrySlot Insert(const SpatialEntry& entry);

  // REQUIRES, for both: the slot holds an entry.
  void Move(EntrySlot slot, const Aabb& bounds);
  void Remove(EntrySlot slot);

  void Clear() { Build({}); }

  uint32_t size() const { return static_cast<uint32_t>(order_.size()); }
  std::optional<EntrySlot> Find(ObjectId object) const;
  const SpatialEntry& entry(EntrySlot slot) const { return entries_[slot]; }

  // The slots in use, in the order of their objects.
  std::span<const EntrySlot> order() const { return order_; }

  // Replace `found` by the objects, ascending, whose boxes meet: a box; a
  // sphere; a segment. REQUIRES: the box is valid; the rest is within reach.
  void FindInBox(const Aabb& box, std::vector<ObjectId>& found) const;
  void FindInSphere(Vector3 center, double radius,
                    std::vector<ObjectId>& found) const;
  void FindAlong(Vector3 start, Vector3 end,
                 std::vector<ObjectId>& found) const;

  // Replaces `found` by the `count` objects, or all if they are fewer, whose
  // boxes are nearest to the point: by distance, then by object.
  // REQUIRES: the point is within reach.
  void FindNearest(Vector3 point, uint32_t count,
                   std::vector<NearObject>& found) const;

  // What the above are made of. The order of visits is the index's own: what a
  // visitor brings about must not depend on it. Visitors leave the index alone.
  using EntryVisitor = absl::FunctionRef<void(EntrySlot slot)>;
  // Returns how far to go on from here: entries further on than that may still
  // be visited, or not. It never grows from one call to the next.
  using ReachVisitor = absl::FunctionRef<double(EntrySlot slot)>;

  // Visits each entry whose box meets `box`, once. REQUIRES: the box is valid.
  virtual void VisitBox(const Aabb& box, EntryVisitor visitor) const = 0;

  // Visits entries whose boxes the segment meets, perhaps more than once. The
  // reach is the fraction at which the segment enters the box: 1 at first.
  virtual void VisitSegment(const SegmentClipper& segment,
                            ReachVisitor visitor) const = 0;

  // Visits entries, near ones first where that is cheap, each once. The reach
  // is the distance from the point to the box in metres: infinite at first.
  // REQUIRES: the point is within reach.
  virtual void VisitNear(Vector3 point, ReachVisitor visitor) const = 0;

 protected:
  SpatialIndex() = default;

  const Aabb& bounds(EntrySlot slot) const { return entries_[slot].bounds; }

 private:
  // Forgets all entries and makes room for slots below `slot_count`.
  virtual void UnlinkAll(uint32_t slot_count) = 0;
  // The entry in `slot` is new; is about to go; has new bounds.
  virtual void Link(EntrySlot slot) = 0;
  virtual void Unlink(EntrySlot slot) = 0;
  virtual void Relink(EntrySlot slot) = 0;

  // Where `object` is in order_, or would have to be.
  std::vector<EntrySlot>::const_iterator LowerBound(ObjectId object) const;

  std::vector<SpatialEntry> entries_;  // by slot; kNoObject in free ones
  std::vector<EntrySlot> free_slots_;
  std::vector<EntrySlot> order_;
};

// Keeps no structure: each query looks at each entry. What the others must
// equal, and the fastest where entries are few.
class SpatialList final : public SpatialIndex {
 public:
  void VisitBox(const Aabb& box, EntryVisitor visitor) const override;
  void VisitSegment(const SegmentClipper& segment,
                    ReachVisitor visitor) const override;
  void VisitNear(Vector3 point, ReachVisitor visitor) const override;

 private:
  void UnlinkAll(uint32_t /*slot_count*/) override {}
  void Link(EntrySlot /*slot*/) override {}
  void Unlink(EntrySlot /*slot*/) override {}
  void Relink(EntrySlot /*slot*/) override {}
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SPATIAL_INDEX_H_
