// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A spatial index that divides the ground, x and z, in four again and again
// where it is crowded: best where objects gather in places. It is loose: an
// entry belongs to the quadrant of its centre, and each quadrant knows the box
// around all that belongs to it, so no entry straddles and none is outside.

#ifndef REPRISE_SIM_GEOMETRY_SPATIAL_QUADTREE_H_
#define REPRISE_SIM_GEOMETRY_SPATIAL_QUADTREE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/geometry/aabb.h"
#include "sim/geometry/spatial/spatial_index.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

struct QuadtreeOptions {
  // Of the ground; only x and z are read. What lies outside is found as well,
  // but slowly. Unset: the tree reaches as far as its entries ever did since
  // the last Build.
  std::optional<Aabb> bounds;
  uint32_t depth_max = 8;      // with bounds
  double leaf_width_m = 2.0;   // without: what is no wider doesn't divide
  uint32_t leaf_capacity = 8;  // a leaf with more divides, if it may
};

// Moving or removing an entry takes time in proportion to how many share its
// leaf, which above depth_max are no more than leaf_capacity.
class Quadtree final : public SpatialIndex {
 public:
  // Quadrants of a ground as wide as the Earth would be 0.2 m wide at 26.
  static constexpr uint32_t kDepthMax = 26;

  // Whether a tree can be made: bounds within reach, a depth of no more than
  // kDepthMax, a width above 0 and a capacity of at least 1.
  static bool IsValidOptions(const QuadtreeOptions& options);

  // REQUIRES: IsValidOptions(options).
  explicit Quadtree(const QuadtreeOptions& options);

  // How many quadrants there are, divided ones included.
  uint32_t node_count() const {
    return static_cast<uint32_t>(nodes_.size() - 4 * free_fours_.size());
  }

  void VisitBox(const Aabb& box, EntryVisitor visitor) const override;
  void VisitSegment(const SegmentClipper& segment,
                    ReachVisitor visitor) const override;
  void VisitNear(Vector3 point, ReachVisitor visitor) const override;

 private:
  using NodeIndex = uint32_t;
  static constexpr NodeIndex kRoot = 0;
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Node {
    Aabb box;  // around all entries of the quadrant, if there are any
    uint32_t entry_count = 0;
    NodeIndex parent = kNone;
    NodeIndex first_child = kNone;  // of four in a row; kNone in a leaf
    EntrySlot first_entry = kNone;  // of a leaf's list
    uint32_t depth = 0;
    double center_x = 0.0;
    double center_z = 0.0;
    double half_x = 0.0;
    double half_z = 0.0;

    bool is_leaf() const { return first_child == kNone; }
  };

  // Where an entry is: a leaf, and a place in the leaf's list.
  struct Place {
    NodeIndex leaf = kNone;
    EntrySlot next = kNone;
    EntrySlot previous = kNone;
  };

  // A child to go into, and how far on it begins.
  struct Step {
    double distance;
    NodeIndex node;
  };

  void UnlinkAll(uint32_t slot_count) override;
  void Link(EntrySlot slot) override;
  void Unlink(EntrySlot slot) override;
  void Relink(EntrySlot slot) override;

  // The child of a divided node to which a box with this centre belongs: -x -z,
  // +x -z, -x +z, +x +z. What lies on the line is on the + side.
  NodeIndex ChildFor(const Node& node, Vector3 center) const;
  NodeIndex LeafFor(Vector3 center) const;

  // Adds to, or takes from, a leaf's list; ancestors are not told.
  void PushEntry(NodeIndex leaf, EntrySlot slot);
  void DropEntry(EntrySlot slot);

  // Makes the root, alone and empty, that reaches as far as `reach_` says.
  void MakeRoot();
  // Moves the root's sides outwards until it reaches `center`, twice as far at
  // a time, and links all entries anew.
  void Grow(Vector3 center);
  bool Reaches(Vector3 center) const;
  void LinkInside(EntrySlot slot);

  bool MayDivide(const Node& node) const;
  void Divide(NodeIndex node);
  // Makes a node whose children are leaves a leaf.
  void Merge(NodeIndex node);

  // Brings the box of a node up to date with its entries or children.
  void Fit(NodeIndex node);
  void FitUpwards(NodeIndex node);

  void VisitBoxIn(NodeIndex node, const Aabb& box, EntryVisitor visitor) const;
  double VisitSegmentIn(NodeIndex node, const SegmentClipper& segment,
                        double reach, ReachVisitor visitor) const;
  double VisitNearIn(NodeIndex node, Vector3 point, double reach,
                     ReachVisitor visitor) const;

  QuadtreeOptions options_;
  Aabb reach_;  // of the root: without bounds, around all centres
  std::vector<Node> nodes_;
  std::vector<NodeIndex> free_fours_;  // the first of four nodes not in use
  std::vector<Place> places_;          // by slot
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SPATIAL_QUADTREE_H_
