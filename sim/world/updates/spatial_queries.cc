// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/updates/spatial_queries.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

void CheckSegment(const Segment& segment) {
  CHECK(IsWithinReach(segment.start));
  CHECK(IsWithinReach(segment.end));
}

// Near before far, and of two at once the lower object. A total order of the
// hits of one segment: no two are of one object.
bool ComesBefore(const SpatialHit& a, const SpatialHit& b) {
  if (a.hit.t != b.hit.t) return a.hit.t < b.hit.t;
  return a.object < b.object;
}

}  // namespace

SpatialQueries::SpatialQueries(std::unique_ptr<SpatialIndex> index)
    : index_(std::move(index)) {
  CHECK(index_ != nullptr);
  CHECK(index_->size() == 0, "{} entries", index_->size());
}

void SpatialQueries::Build(std::span<const SpatialObject> objects) {
  entries_.clear();
  shapes_.clear();
  for (const auto& [object, shape] : objects) {
    CHECK(IsValid(shape), "object {}", object.serial);
    entries_.push_back({.object = object, .bounds = OuterBoundsOf(shape)});
    shapes_.push_back(shape);
  }
  index_->Build(entries_);
}

void SpatialQueries::Put(const SpatialObject& object) {
  CHECK(IsValid(object.shape), "object {}", object.object.serial);
  const Aabb bounds = OuterBoundsOf(object.shape);
  std::optional<EntrySlot> slot = index_->Find(object.object);
  if (slot.has_value()) {
    index_->Move(*slot, bounds);
  } else {
    slot = index_->Insert({.object = object.object, .bounds = bounds});
    if (*slot >= shapes_.size()) shapes_.resize(*slot + 1);
  }
  shapes_[*slot] = object.shape;
}

bool SpatialQueries::Remove(ObjectId object) {
  const std::optional<EntrySlot> slot = index_->Find(object);
  if (!slot.has_value()) return false;
  index_->Remove(*slot);
  return true;
}

double SpatialQueries::DistanceOf(EntrySlot slot, Vector3 point) const {
  return std::max(
      Sqrt(DistanceSquaredToBounds(point, index_->entry(slot).bounds)),
      Distance(shapes_[slot], point));
}

std::optional<SpatialHit> SpatialQueries::HitOf(
    EntrySlot slot, const Segment& segment,
    const SegmentClipper& clipper) const {
  std::optional<Hit> hit = Cast(segment, shapes_[slot]);
  if (!hit.has_value()) return std::nullopt;
  const SpatialEntry& entry = index_->entry(slot);
  hit->t = std::max(hit->t, clipper.Clip(entry.bounds).first);
  return SpatialHit{.object = entry.object, .hit = *hit};
}

template <typename Shape>
std::vector<NearObject> SpatialQueries::FindByDistance(
    const Shape& shape, const Aabb& bounds, Vector3 from,
    ObjectFilter filter) const {
  CHECK(IsWithinReach(from));
  std::vector<NearObject> found;
  index_->VisitBox(bounds, [&](EntrySlot slot) {
    if (!Overlaps(shapes_[slot], shape) || !filter(ObjectIn(slot))) return;
    found.push_back(
        {.distance = DistanceOf(slot, from), .object = ObjectIn(slot)});
  });
  // A total order: no object is found twice.
  std::ranges::sort(found);
  return found;
}

template <typename Shape>
std::vector<ObjectId> SpatialQueries::FindByObject(const Shape& shape,
                                                   const Aabb& bounds,
                                                   ObjectFilter filter) const {
  std::vector<ObjectId> found;
  index_->VisitBox(bounds, [&](EntrySlot slot) {
    if (!Overlaps(shapes_[slot], shape) || !filter(ObjectIn(slot))) return;
    found.push_back(ObjectIn(slot));
  });
  // A total order: equal objects are the same.
  std::ranges::sort(found);
  return found;
}

std::vector<NearObject> SpatialQueries::FindInSphere(
    const Sphere& sphere, ObjectFilter filter) const {
  CHECK(IsValid(SpatialShape(sphere)));
  return FindByDistance(sphere, OuterBoundsOf(sphere), sphere.center, filter);
}

std::vector<NearObject> SpatialQueries::FindInCone(const Cone& cone,
                                                   ObjectFilter filter) const {
  CHECK(cone.length >= 0.0, "{}", cone.length);
  return FindByDistance(cone, OuterBoundsOf(cone), cone.apex, filter);
}

std::vector<ObjectId> SpatialQueries::FindInBox(const Aabb& box,
                                                ObjectFilter filter) const {
  CHECK(IsValid(SpatialShape(box)));
  return FindByObject(box, box, filter);
}

std::vector<ObjectId> SpatialQueries::FindInBox(const OrientedBox& box,
                                                ObjectFilter filter) const {
  CHECK(IsValid(SpatialShape(box)));
  return FindByObject(box, OuterBoundsOf(box), filter);
}

std::vector<NearObject> SpatialQueries::FindNearest(Vector3 point,
                                                    uint32_t count,
                                                    ObjectFilter filter) const {
  CHECK(IsWithinReach(point));
  std::vector<NearObject> found;
  NearestObjects nearest(count, found);
  index_->VisitNear(point, [&](EntrySlot slot) {
    if (!filter(ObjectIn(slot))) return nearest.reach();
    return nearest.Offer(
        {.distance = DistanceOf(slot, point), .object = ObjectIn(slot)});
  });
  nearest.Finish();
  return found;
}

std::vector<SpatialHit> SpatialQueries::FindAlong(const Segment& segment,
                                                  ObjectFilter filter) const {
  CheckSegment(segment);
  const SegmentClipper clipper(segment.start, segment.end);
  std::vector<EntrySlot> met;
  index_->VisitSegment(clipper, [&](EntrySlot slot) {
    met.push_back(slot);
    return 1.0;
  });
  // A total order: equal slots are the same.
  std::ranges::sort(met);
  met.erase(std::unique(met.begin(), met.end()), met.end());

  std::vector<SpatialHit> found;
  for (const EntrySlot slot : met) {
    if (!filter(ObjectIn(slot))) continue;
    const auto hit = HitOf(slot, segment, clipper);
    if (hit.has_value()) found.push_back(*hit);
  }
  // A total order, as ComesBefore says.
  std::ranges::sort(found, ComesBefore);
  return found;
}

std::optional<SpatialHit> SpatialQueries::FindFirstAlong(
    const Segment& segment, ObjectFilter filter) const {
  CheckSegment(segment);
  const SegmentClipper clipper(segment.start, segment.end);
  std::optional<SpatialHit> first;
  index_->VisitSegment(clipper, [&](EntrySlot slot) {
    if (filter(ObjectIn(slot))) {
      const auto hit = HitOf(slot, segment, clipper);
      if (hit.has_value() &&
          (!first.has_value() || ComesBefore(*hit, *first))) {
        first = hit;
      }
    }
    return first.has_value() ? first->hit.t : 1.0;
  });
  return first;
}

std::vector<std::optional<SpatialHit>> SpatialQueries::FindFirstAlongEach(
    std::span<const Segment> segments, ObjectFilter filter) const {
  std::vector<std::optional<SpatialHit>> hits;
  hits.reserve(segments.size());
  for (const Segment& segment : segments) {
    hits.push_back(FindFirstAlong(segment, filter));
  }
  return hits;
}

bool SpatialQueries::HasLineOfSight(Vector3 from, Vector3 to,
                                    ObjectFilter blocks) const {
  const Segment segment = {.start = from, .end = to};
  CheckSegment(segment);
  const SegmentClipper clipper(from, to);
  bool is_blocked = false;
  index_->VisitSegment(clipper, [&](EntrySlot slot) {
    if (!is_blocked && blocks(ObjectIn(slot))) {
      is_blocked = HitOf(slot, segment, clipper).has_value();
    }
    // Nothing more matters once something is in the way.
    return is_blocked ? -1.0 : 1.0;
  });
  return !is_blocked;
}

}  // namespace reprise::sim
