// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A tree over axis-aligned boxes for searching among them. Its shape may come
// from earlier boxes; what a search finds doesn't depend on it, only how fast
// and in which order.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_BOX_TREE_H_
#define REPRISE_SIM_PHYSICS_SHAPES_BOX_TREE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
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

// From a place to the nearest of the box, 0 within.
constexpr double DistanceSquared(const AxisAlignedBox& box,
                                 const Vector3& place) {
  const auto beyond = [](double low, double high, double at) {
    return at < low ? low - at : (at > high ? at - high : 0.0);
  };
  const double x = beyond(box.low.x, box.high.x, place.x);
  const double y = beyond(box.low.y, box.high.y, place.y);
  const double z = beyond(box.low.z, box.high.z, place.z);
  return x * x + y * y + z * z;
}

// The fraction of the way from `from` to `from + motion` at which it enters the
// box, 0 when it begins inside; nullopt when it doesn't up to `fraction_max`.
std::optional<double> EntryFraction(const AxisAlignedBox& box, Vector3 from,
                                    Vector3 motion, double fraction_max);

// A way on which many boxes are looked for, each grown to each side: it divides
// once, and they only multiply.
class BoxWay {
 public:
  BoxWay(Vector3 from, Vector3 motion, Vector3 grown_by);

  // Where the way enters the box, as EntryFraction says it but for rounding;
  // kNever where it doesn't up to `fraction_max`.
  double Entry(const AxisAlignedBox& box, double fraction_max) const {
    double enter = 0.0;
    double leave = fraction_max;
    LookAlong(x_, box.low.x, box.high.x, enter, leave);
    LookAlong(y_, box.low.y, box.high.y, enter, leave);
    LookAlong(z_, box.low.z, box.high.z, enter, leave);
    return enter > leave ? kNever : enter;
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();

 private:
  struct Axis {
    // Where the way begins, moved by what boxes grow: for their low sides, and
    // for their high ones.
    double from_low = 0.0;
    double from_high = 0.0;
    double inverse = 0.0;  // of the motion; an infinity where it stands still
  };

  static Axis MakeAxis(double from, double motion, double grown_by);

  // A side that the way starts on and moves along makes no number of it, which
  // std::max and std::min pass over: the way is within.
  static void LookAlong(const Axis& axis, double low, double high,
                        double& enter, double& leave) {
    const double at_low = (low - axis.from_low) * axis.inverse;
    const double at_high = (high - axis.from_high) * axis.inverse;
    const bool is_upward = axis.inverse > 0.0;
    enter = std::max(enter, is_upward ? at_low : at_high);
    leave = std::min(leave, is_upward ? at_high : at_low);
  }

  Axis x_;
  Axis y_;
  Axis z_;
};

class BoxTree {
 public:
  // Forgets what there was. Boxes are known by their indexes. As many boxes as
  // before keep their places in the tree while it serves them well, which is
  // much faster, and best when each is about where it was.
  void Build(std::span<const AxisAlignedBox> boxes);

  // Calls visit(index) for each box that meets `box`, in no particular order.
  template <typename Visit>
  void Search(const AxisAlignedBox& box, const Visit& visit) const;

  // Calls visit(index) for each box that is no farther from `place` than what
  // visit returned last, squared, near ones mostly first. To begin with all
  // are.
  template <typename Visit>
  void SearchAround(Vector3 place, const Visit& visit) const;

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
void BoxTree::SearchAround(Vector3 place, const Visit& visit) const {
  if (nodes_.empty()) return;
  struct Waiting {
    uint32_t node = 0;
    double squared = 0.0;
  };
  double squared_max = std::numeric_limits<double>::infinity();
  std::array<Waiting, kDepthMax> waiting;
  uint32_t waiting_count = 0;
  waiting[waiting_count++] = {0, 0.0};
  while (waiting_count > 0) {
    const auto [index, squared] = waiting[--waiting_count];
    if (squared > squared_max) continue;
    const Node& node = nodes_[index];
    if (node.right != 0) {
      const Waiting left = {index + 1,
                            DistanceSquared(nodes_[index + 1].box, place)};
      const Waiting right = {node.right,
                             DistanceSquared(nodes_[node.right].box, place)};
      const bool left_first = left.squared <= right.squared;
      // What is put down last is taken up first.
      waiting[waiting_count++] = left_first ? right : left;
      waiting[waiting_count++] = left_first ? left : right;
      continue;
    }
    for (uint32_t i = node.begin; i < node.end; ++i) {
      if (DistanceSquared(boxes_[order_[i]], place) <= squared_max) {
        squared_max = visit(order_[i]);
      }
    }
  }
}

template <typename Visit>
void BoxTree::SearchAlong(Vector3 from, Vector3 motion, Vector3 grown_by,
                          const Visit& visit) const {
  if (nodes_.empty()) return;
  struct Waiting {
    uint32_t node = 0;
    double entry = 0.0;
  };
  const BoxWay way(from, motion, grown_by);
  double fraction_max = 1.0;
  std::array<Waiting, kDepthMax> waiting;
  uint32_t waiting_count = 0;
  const auto put_down = [&](const Waiting& one) {
    if (one.entry != BoxWay::kNever) waiting[waiting_count++] = one;
  };
  put_down({0, way.Entry(nodes_[0].box, fraction_max)});
  while (waiting_count > 0) {
    const auto [index, entry] = waiting[--waiting_count];
    if (entry > fraction_max) continue;
    const Node& node = nodes_[index];
    if (node.right != 0) {
      const Waiting left = {index + 1,
                            way.Entry(nodes_[index + 1].box, fraction_max)};
      const Waiting right = {node.right,
                             way.Entry(nodes_[node.right].box, fraction_max)};
      const bool left_first = left.entry <= right.entry;
      // What is put down last is taken up first.
      put_down(left_first ? right : left);
      put_down(left_first ? left : right);
      continue;
    }
    for (uint32_t i = node.begin; i < node.end; ++i) {
      if (way.Entry(boxes_[order_[i]], fraction_max) != BoxWay::kNever) {
        fraction_max = visit(order_[i]);
      }
    }
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_BOX_TREE_H_
