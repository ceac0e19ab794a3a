// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/spatial/quadtree.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The children to go into, nearest first; those equally near in their order.
template <typename Step>
class Steps {
 public:
  void Add(Step step) {
    int place = count_++;
    for (; place > 0 && step.distance < steps_[place - 1].distance; --place) {
      steps_[place] = steps_[place - 1];
    }
    steps_[place] = step;
  }

  const Step* begin() const { return steps_.data(); }
  const Step* end() const { return steps_.data() + count_; }

 private:
  std::array<Step, 4> steps_;
  int count_ = 0;
};

}  // namespace

bool Quadtree::IsValidOptions(const QuadtreeOptions& options) {
  return (!options.bounds.has_value() || IsWithinReach(*options.bounds)) &&
         options.depth_max <= kDepthMax && options.leaf_width_m > 0.0 &&
         options.leaf_capacity >= 1;
}

Quadtree::Quadtree(const QuadtreeOptions& options) : options_(options) {
  CHECK(IsValidOptions(options));
  UnlinkAll(0);
}

Quadtree::NodeIndex Quadtree::ChildFor(const Node& node, Vector3 center) const {
  return node.first_child + (center.x >= node.center_x ? 1 : 0) +
         (center.z >= node.center_z ? 2 : 0);
}

Quadtree::NodeIndex Quadtree::LeafFor(Vector3 center) const {
  NodeIndex index = kRoot;
  while (!nodes_[index].is_leaf()) index = ChildFor(nodes_[index], center);
  return index;
}

void Quadtree::UnlinkAll(uint32_t slot_count) {
  places_.resize(slot_count);
  if (options_.bounds.has_value()) {
    reach_ = *options_.bounds;
  } else {
    bool is_first = true;
    for (const EntrySlot slot : order()) {
      const Vector3 center = Center(bounds(slot));
      reach_ =
          is_first ? Aabb{center, center} : Union(reach_, Aabb{center, center});
      is_first = false;
    }
    if (is_first) reach_ = {};
  }
  MakeRoot();
}

void Quadtree::MakeRoot() {
  const Vector3 center = Center(reach_);
  const Vector3 half = HalfExtents(reach_);
  nodes_.clear();
  nodes_.push_back({.center_x = center.x,
                    .center_z = center.z,
                    .half_x = half.x,
                    .half_z = half.z});
  free_fours_.clear();
}

bool Quadtree::Reaches(Vector3 center) const {
  return options_.bounds.has_value() ||
         (center.x >= reach_.minimum.x && center.x <= reach_.maximum.x &&
          center.z >= reach_.minimum.z && center.z <= reach_.maximum.z);
}

void Quadtree::Grow(Vector3 center) {
  const auto grow = [&](double at, double& low, double& high) {
    const double width = std::max(high - low, options_.leaf_width_m);
    // Twice as far as it was at least, so that what moves on and on has the
    // tree made anew ever more rarely.
    if (at < low) low = std::min(at, low - width);
    if (at > high) high = std::max(at, high + width);
  };
  grow(center.x, reach_.minimum.x, reach_.maximum.x);
  grow(center.z, reach_.minimum.z, reach_.maximum.z);
  MakeRoot();
  for (const EntrySlot slot : order()) LinkInside(slot);
}

void Quadtree::Link(EntrySlot slot) {
  if (slot >= places_.size()) places_.resize(slot + 1);
  const Vector3 center = Center(bounds(slot));
  if (Reaches(center)) {
    LinkInside(slot);
  } else {
    Grow(center);
  }
}

void Quadtree::LinkInside(EntrySlot slot) {
  const Aabb& box = bounds(slot);
  const NodeIndex leaf = LeafFor(Center(box));
  for (NodeIndex index = leaf; index != kNone; index = nodes_[index].parent) {
    Node& node = nodes_[index];
    node.box = node.entry_count == 0 ? box : Union(node.box, box);
    ++node.entry_count;
  }
  PushEntry(leaf, slot);
  Divide(leaf);
}

void Quadtree::Unlink(EntrySlot slot) {
  const NodeIndex leaf = places_[slot].leaf;
  DropEntry(slot);
  // Merging at half of what divides keeps entries that come and go from
  // dividing and merging all the time.
  const uint32_t merged_max = options_.leaf_capacity / 2;
  NodeIndex lowest = leaf;
  for (NodeIndex index = leaf; index != kNone; index = nodes_[index].parent) {
    --nodes_[index].entry_count;
    if (!nodes_[index].is_leaf() && nodes_[index].entry_count <= merged_max) {
      Merge(index);
      lowest = index;
    }
  }
  FitUpwards(lowest);
}

void Quadtree::Relink(EntrySlot slot) {
  const NodeIndex leaf = places_[slot].leaf;
  const Vector3 center = Center(bounds(slot));
  if (Reaches(center) && LeafFor(center) == leaf) {
    FitUpwards(leaf);
  } else {
    Unlink(slot);
    Link(slot);
  }
}

void Quadtree::PushEntry(NodeIndex leaf, EntrySlot slot) {
  const EntrySlot next = nodes_[leaf].first_entry;
  places_[slot] = {.leaf = leaf, .next = next, .previous = kNone};
  if (next != kNone) places_[next].previous = slot;
  nodes_[leaf].first_entry = slot;
}

void Quadtree::DropEntry(EntrySlot slot) {
  const auto [leaf, next, previous] = places_[slot];
  if (previous == kNone) {
    nodes_[leaf].first_entry = next;
  } else {
    places_[previous].next = next;
  }
  if (next != kNone) places_[next].previous = previous;
}

bool Quadtree::MayDivide(const Node& node) const {
  if (options_.bounds.has_value()) return node.depth < options_.depth_max;
  return 2.0 * std::max(node.half_x, node.half_z) > options_.leaf_width_m;
}

void Quadtree::Divide(NodeIndex index) {
  if (nodes_[index].entry_count <= options_.leaf_capacity) return;
  if (!MayDivide(nodes_[index])) return;
  NodeIndex first_child = static_cast<NodeIndex>(nodes_.size());
  if (free_fours_.empty()) {
    nodes_.resize(nodes_.size() + 4);
  } else {
    first_child = free_fours_.back();
    free_fours_.pop_back();
  }
  Node& node = nodes_[index];
  const double half_x = 0.5 * node.half_x;
  const double half_z = 0.5 * node.half_z;
  for (uint32_t i = 0; i < 4; ++i) {
    const bool is_right = i % 2 == 1;
    const bool is_far = i / 2 == 1;
    nodes_[first_child + i] = {
        .parent = index,
        .depth = node.depth + 1,
        .center_x = node.center_x + (is_right ? half_x : -half_x),
        .center_z = node.center_z + (is_far ? half_z : -half_z),
        .half_x = half_x,
        .half_z = half_z};
  }
  node.first_child = first_child;
  EntrySlot slot = node.first_entry;
  node.first_entry = kNone;
  while (slot != kNone) {
    const EntrySlot next = places_[slot].next;
    const Aabb& box = bounds(slot);
    const NodeIndex child_index = ChildFor(node, Center(box));
    Node& child = nodes_[child_index];
    child.box = child.entry_count == 0 ? box : Union(child.box, box);
    ++child.entry_count;
    PushEntry(child_index, slot);
    slot = next;
  }
  for (uint32_t i = 0; i < 4; ++i) Divide(first_child + i);
}

void Quadtree::Merge(NodeIndex index) {
  const NodeIndex first_child = nodes_[index].first_child;
  for (uint32_t i = 0; i < 4; ++i) {
    CHECK(nodes_[first_child + i].is_leaf());
    EntrySlot slot = nodes_[first_child + i].first_entry;
    while (slot != kNone) {
      const EntrySlot next = places_[slot].next;
      PushEntry(index, slot);
      slot = next;
    }
  }
  nodes_[index].first_child = kNone;
  free_fours_.push_back(first_child);
}

void Quadtree::Fit(NodeIndex index) {
  Node& node = nodes_[index];
  bool is_first = true;
  const auto include = [&](const Aabb& box) {
    node.box = is_first ? box : Union(node.box, box);
    is_first = false;
  };
  if (node.is_leaf()) {
    for (EntrySlot slot = node.first_entry; slot != kNone;
         slot = places_[slot].next) {
      include(bounds(slot));
    }
    return;
  }
  for (uint32_t i = 0; i < 4; ++i) {
    const Node& child = nodes_[node.first_child + i];
    if (child.entry_count > 0) include(child.box);
  }
}

void Quadtree::FitUpwards(NodeIndex index) {
  for (; index != kNone; index = nodes_[index].parent) {
    const Aabb before = nodes_[index].box;
    Fit(index);
    // An empty node keeps its box, but its parent no longer counts it.
    if (nodes_[index].entry_count > 0 && nodes_[index].box == before) return;
  }
}

void Quadtree::VisitBox(const Aabb& box, EntryVisitor visitor) const {
  CHECK(IsValid(box));
  VisitBoxIn(kRoot, box, visitor);
}

void Quadtree::VisitBoxIn(NodeIndex index, const Aabb& box,
                          EntryVisitor visitor) const {
  const Node& node = nodes_[index];
  if (node.entry_count == 0 || !Overlaps(node.box, box)) return;
  if (node.is_leaf()) {
    for (EntrySlot slot = node.first_entry; slot != kNone;
         slot = places_[slot].next) {
      if (Overlaps(bounds(slot), box)) visitor(slot);
    }
    return;
  }
  for (uint32_t i = 0; i < 4; ++i) {
    VisitBoxIn(node.first_child + i, box, visitor);
  }
}

void Quadtree::VisitSegment(const SegmentClipper& segment,
                            ReachVisitor visitor) const {
  if (size() > 0) VisitSegmentIn(kRoot, segment, 1.0, visitor);
}

double Quadtree::VisitSegmentIn(NodeIndex index, const SegmentClipper& segment,
                                double reach, ReachVisitor visitor) const {
  const Node& node = nodes_[index];
  if (node.is_leaf()) {
    for (EntrySlot slot = node.first_entry; slot != kNone;
         slot = places_[slot].next) {
      const SegmentPart part = segment.Clip(bounds(slot));
      if (!part.is_empty() && part.first <= reach) reach = visitor(slot);
    }
    return reach;
  }
  Steps<Step> steps;
  for (uint32_t i = 0; i < 4; ++i) {
    const Node& child = nodes_[node.first_child + i];
    if (child.entry_count == 0) continue;
    const SegmentPart part = segment.Clip(child.box);
    if (!part.is_empty()) steps.Add({part.first, node.first_child + i});
  }
  for (const auto& [begins, child] : steps) {
    if (begins > reach) break;
    reach = VisitSegmentIn(child, segment, reach, visitor);
  }
  return reach;
}

void Quadtree::VisitNear(Vector3 point, ReachVisitor visitor) const {
  if (size() > 0) VisitNearIn(kRoot, point, kInfinity, visitor);
}

double Quadtree::VisitNearIn(NodeIndex index, Vector3 point, double reach,
                             ReachVisitor visitor) const {
  const Node& node = nodes_[index];
  if (node.is_leaf()) {
    for (EntrySlot slot = node.first_entry; slot != kNone;
         slot = places_[slot].next) {
      if (Sqrt(DistanceSquaredToBounds(point, bounds(slot))) <= reach) {
        reach = visitor(slot);
      }
    }
    return reach;
  }
  Steps<Step> steps;
  for (uint32_t i = 0; i < 4; ++i) {
    const Node& child = nodes_[node.first_child + i];
    if (child.entry_count == 0) continue;
    steps.Add({Sqrt(DistanceSquaredToBounds(point, child.box)),
               node.first_child + i});
  }
  for (const auto& [distance, child] : steps) {
    if (distance > reach) break;
    reach = VisitNearIn(child, point, reach, visitor);
  }
  return reach;
}

}  // namespace reprise::sim
