// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/spatial/spatial_index.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void CheckEntry(const SpatialEntry& entry) {
  CHECK(entry.object != kNoObject);
  CHECK(IsWithinReach(entry.bounds), "object {}", entry.object.serial);
}

// Returns a box that holds every point whose computed distance from the center
// is no more than the radius: the radius grows by more than what computing
// loses, and by more than what squares lose that vanish.
Aabb BoundsOfSphere(Vector3 center, double radius) {
  constexpr double kGrowth = 1.0 + 0x1p-48;
  return Expanded({center, center}, radius * kGrowth + 0x1p-500);
}

void SortUnique(std::vector<ObjectId>& objects) {
  // A total order: equal objects are the same.
  std::ranges::sort(objects);
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
}

}  // namespace

void SpatialIndex::Build(std::span<const SpatialEntry> entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    CheckEntry(entries[i]);
    CHECK(i == 0 || entries[i - 1].object < entries[i].object, "entry {}", i);
  }
  entries_.assign(entries.begin(), entries.end());
  free_slots_.clear();
  order_.resize(entries.size());
  std::iota(order_.begin(), order_.end(), EntrySlot{0});
  UnlinkAll(static_cast<uint32_t>(entries_.size()));
  for (const EntrySlot slot : order_) Link(slot);
}

EntrySlot SpatialIndex::Insert(const SpatialEntry& entry) {
  CheckEntry(entry);
  const auto place = LowerBound(entry.object);
  CHECK(place == order_.end() || entries_[*place].object != entry.object,
        "object {} has an entry", entry.object.serial);
  EntrySlot slot = static_cast<EntrySlot>(entries_.size());
  if (free_slots_.empty()) {
    entries_.push_back(entry);
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
    entries_[slot] = entry;
  }
  order_.insert(place, slot);
  Link(slot);
  return slot;
}

void SpatialIndex::Move(EntrySlot slot, const Aabb& bounds) {
  CHECK(slot < entries_.size(), "{}", slot);
  SpatialEntry moved = {.object = entries_[slot].object, .bounds = bounds};
  CheckEntry(moved);
  entries_[slot] = moved;
  Relink(slot);
}

void SpatialIndex::Remove(EntrySlot slot) {
  CHECK(slot < entries_.size(), "{}", slot);
  CHECK(entries_[slot].object != kNoObject, "slot {} is free", slot);
  Unlink(slot);
  order_.erase(LowerBound(entries_[slot].object));
  entries_[slot] = {};
  free_slots_.push_back(slot);
}

std::optional<EntrySlot> SpatialIndex::Find(ObjectId object) const {
  const auto place = LowerBound(object);
  if (place == order_.end() || entries_[*place].object != object) {
    return std::nullopt;
  }
  return *place;
}

std::vector<EntrySlot>::const_iterator SpatialIndex::LowerBound(
    ObjectId object) const {
  return std::ranges::lower_bound(order_, object, {}, [this](EntrySlot slot) {
    return entry(slot).object;
  });
}

void SpatialIndex::FindInBox(const Aabb& box,
                             std::vector<ObjectId>& found) const {
  found.clear();
  VisitBox(box,
           [&](EntrySlot slot) { found.push_back(entries_[slot].object); });
  SortUnique(found);
}

void SpatialIndex::FindInSphere(Vector3 center, double radius,
                                std::vector<ObjectId>& found) const {
  CHECK(IsWithinReach(center));
  CHECK(radius >= 0.0 && radius <= kSpatialReach, "{}", radius);
  found.clear();
  VisitBox(BoundsOfSphere(center, radius), [&](EntrySlot slot) {
    if (DistanceSquaredToBounds(center, bounds(slot)) <= radius * radius) {
      found.push_back(entries_[slot].object);
    }
  });
  SortUnique(found);
}

void SpatialIndex::FindAlong(Vector3 start, Vector3 end,
                             std::vector<ObjectId>& found) const {
  CHECK(IsWithinReach(start));
  CHECK(IsWithinReach(end));
  found.clear();
  VisitSegment({start, end}, [&](EntrySlot slot) {
    found.push_back(entries_[slot].object);
    return 1.0;
  });
  SortUnique(found);
}

void SpatialIndex::FindNearest(Vector3 point, uint32_t count,
                               std::vector<NearObject>& found) const {
  CHECK(IsWithinReach(point));
  NearestObjects nearest(count, found);
  VisitNear(point, [&](EntrySlot slot) {
    return nearest.Offer(
        {.distance = Sqrt(DistanceSquaredToBounds(point, bounds(slot))),
         .object = entries_[slot].object});
  });
  nearest.Finish();
}

void SpatialList::VisitBox(const Aabb& box, EntryVisitor visitor) const {
  CHECK(IsValid(box));
  for (const EntrySlot slot : order()) {
    if (Overlaps(bounds(slot), box)) visitor(slot);
  }
}

void SpatialList::VisitSegment(const SegmentClipper& segment,
                               ReachVisitor visitor) const {
  double reach = 1.0;
  for (const EntrySlot slot : order()) {
    const SegmentPart part = segment.Clip(bounds(slot));
    if (!part.is_empty() && part.first <= reach) reach = visitor(slot);
  }
}

void SpatialList::VisitNear(Vector3 point, ReachVisitor visitor) const {
  double reach = kInfinity;
  for (const EntrySlot slot : order()) {
    if (Sqrt(DistanceSquaredToBounds(point, bounds(slot))) <= reach) {
      reach = visitor(slot);
    }
  }
}

}  // namespace reprise::sim
