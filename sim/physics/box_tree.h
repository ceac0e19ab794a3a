// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A tree over axis-aligned boxes for searching among them. Its shape may come
// from earlier boxes; what a search finds doesn't depend on it, only how fast
// and in which order.

#ifndef REPRISE_SIM_PHYSICS_BOX_TREE_H_
#define REPRISE_SIM_PHYSICS_BOX_TREE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/geometry/vector3.h"

namespace reprise::sim {

struct AxisAlignedBox {
  Vector3 low;
  Vector3 high;
};

// Whether two boxes share a point.
constexpr bool Meet(const AxisAlignedBox& a, const AxisAlignedBox& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
         b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

// The fraction of the way from `from` to `from + motion` at which it enters the
// box, 0 when it begins inside; nullopt when it doesn't up to `fraction_max`.
std::optional<double> EntryFraction(const AxisAlignedBox& box, Vector3 from,
                                    Vector3 motion, double fraction_max);

class BoxTree {
 public:
  // Forgets what there was. Boxes are known by their indexes. As many boxes as
  // before keep their places in the tree while it serves them well, which is
  // much faster, and best when each is about where it was.
  void Build(std::span<const AxisAlignedBox> boxes);

  // Calls visit(index) for each box that meets `box`, in no particular order.
  template <typename Visit>
  void Search(const AxisAlignedBox& box, const Visit& visit) const;

  // Calls visit(index) for each box that, grown by `grown_by` to each side, is
  // entered on the way from `from` to `from + motion`, near ones mostly first.
  // visit returns the greatest fraction that is of interest from then on; to
  // begin with it is 1.
  template <typename Visit>
  void SearchAlong(Vector3 from, Vector3 motion, Vector3 grown_by,
                   const Visit& visit) const;

 private:
  // A node's left child comes right after it. A leaf has no right one.
  struct Node {
    AxisAlignedBox box;
    uint32_t right = 0;
    uint32_t begin = 0;  // a leaf's part of order_
    uint32_t end = 0;
  };

  // Halves are equal in number, so 2^32 boxes are no deeper than this.
  static constexpr uint32_t kDepthMax = 64;

  uint32_t BuildNode(uint32_t begin, uint32_t end);

  // Makes all nodes' boxes those of what is in them. Returns the sum of their
  // sizes, to which the cost of a search is about proportional.
  double Refit();

  double size_when_built_ = 0.0;
  std::vector<AxisAlignedBox> boxes_;
  std::vector<uint32_t> order_;
  std::vector<Node> nodes_;
};

template <typename Visit>
void BoxTree::Search(const AxisAlignedBox& box, const Visit& visit) const {
  if (nodes_.empty()) return;
  std::array<uint32_t, kDepthMax> waiting;
  uint32_t waiting_count = 0;
  waiting[waiting_count++] = 0;
  while (waiting_count > 0) {
    const uint32_t index = waiting[--waiting_count];
    const Node& node = nodes_[index];
    if (!Meet(node.box, box)) continue;
    if (node.right != 0) {
      waiting[waiting_count++] = node.right;
      waiting[waiting_count++] = index + 1;
      continue;
    }
    for (uint32_t i = node.begin; i < node.end; ++i) {
      if (Meet(boxes_[order_[i]], box)) visit(order_[i]);
    }
  }
}

template <typename Visit>
void BoxTree::SearchAlong(Vector3 from, Vector3 motion, Vector3 grown_by,
                          const Visit& visit) const {
  if (nodes_.empty()) return;
  double fraction_max = 1.0;
  const auto entry = [&](const AxisAlignedBox& box) {
    return EntryFraction({box.low - grown_by, box.high + grown_by}, from,
                         motion, fraction_max);
  };
  std::array<uint32_t, kDepthMax> waiting;
  uint32_t waiting_count = 0;
  waiting[waiting_count++] = 0;
  while (waiting_count > 0) {
    const uint32_t index = waiting[--waiting_count];
    const Node& node = nodes_[index];
    if (!entry(node.box).has_value()) continue;
    if (node.right != 0) {
      const std::optional<double> left = entry(nodes_[index + 1].box);
      const std::optional<double> right = entry(nodes_[node.right].box);
      const bool left_first =
          !right.has_value() || (left.has_value() && *left <= *right);
      // What is put down last is taken up first.
      waiting[waiting_count++] = left_first ? node.right : index + 1;
      waiting[waiting_count++] = left_first ? index + 1 : node.right;
      continue;
    }
    for (uint32_t i = node.begin; i < node.end; ++i) {
      if (entry(boxes_[order_[i]]).has_value()) {
        fraction_max = visit(order_[i]);
      }
    }
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BOX_TREE_H_
