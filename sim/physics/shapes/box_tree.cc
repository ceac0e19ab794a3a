// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/box_tree.h"

#include <algorithm>
#include <numeric>

namespace reprise::sim {
namespace {

// A leaf's boxes lie side by side, so a few cost less than another level.
constexpr uint32_t kLeafBoxes = 4;

// Boxes that have moved keep a tree that has grown by no more than this.
constexpr double kGrowthMax = 1.3;

constexpr std::array<double Vector3::*, 3> kAxes = {&Vector3::x, &Vector3::y,
                                                    &Vector3::z};

AxisAlignedBox Union(const AxisAlignedBox& a, const AxisAlignedBox& b) {
  AxisAlignedBox both;
  for (const auto axis : kAxes) {
    both.low.*axis = std::min(a.low.*axis, b.low.*axis);
    both.high.*axis = std::max(a.high.*axis, b.high.*axis);
  }
  return both;
}

}  // namespace

std::optional<double> EntryFraction(const AxisAlignedBox& box, Vector3 from,
                                    Vector3 motion, double fraction_max) {
  double enter = 0.0;
  double leave = fraction_max;
  for (const auto axis : kAxes) {
    if (motion.*axis == 0.0) {
      if (from.*axis < box.low.*axis || from.*axis > box.high.*axis) {
        return std::nullopt;
      }
      continue;
    }
    const double at_low = (box.low.*axis - from.*axis) / motion.*axis;
    const double at_high = (box.high.*axis - from.*axis) / motion.*axis;
    enter = std::max(enter, std::min(at_low, at_high));
    leave = std::min(leave, std::max(at_low, at_high));
  }
  if (enter > leave) return std::nullopt;
  return enter;
}

BoxWay::BoxWay(Vector3 from, Vector3 motion, Vector3 grown_by)
    : x_(MakeAxis(from.x, motion.x, grown_by.x)),
      y_(MakeAxis(from.y, motion.y, grown_by.y)),
      z_(MakeAxis(from.z, motion.z, grown_by.z)) {}

BoxWay::Axis BoxWay::MakeAxis(double from, double motion, double grown_by) {
  return {.from_low = from + grown_by,
          .from_high = from - grown_by,
          .inverse = 1.0 / motion};
}

void BoxTree::Build(std::span<const AxisAlignedBox> boxes) {
  const bool has_place = !nodes_.empty() && boxes.size() == boxes_.size();
  boxes_.assign(boxes.begin(), boxes.end());
  if (has_place && Refit() <= kGrowthMax * size_when_built_) return;
  order_.resize(boxes_.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.clear();
  if (!boxes_.empty()) BuildNode(0, static_cast<uint32_t>(boxes_.size()));
  size_when_built_ = Refit();
}

double BoxTree::Refit() {
  double sum = 0.0;
  // A node comes before what is below it.
  for (size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.right != 0) {
      node.box = Union(nodes_[i + 1].box, nodes_[node.right].box);
    } else {
      node.box = boxes_[order_[node.begin]];
      for (uint32_t k = node.begin + 1; k < node.end; ++k) {
        node.box = Union(node.box, boxes_[order_[k]]);
      }
    }
    const Vector3 size = node.box.high - node.box.low;
    sum += size.x * size.y + size.y * size.z + size.z * size.x;
  }
  return sum;
}

uint32_t BoxTree::BuildNode(uint32_t begin, uint32_t end) {
  const auto index = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({.box = boxes_[order_[begin]], .begin = begin, .end = end});
  for (uint32_t i = begin + 1; i < end; ++i) {
    nodes_[index].box = Union(nodes_[index].box, boxes_[order_[i]]);
  }
  if (end - begin <= kLeafBoxes) return index;

  const Vector3 size = nodes_[index].box.high - nodes_[index].box.low;
  const auto widest =
      *std::max_element(kAxes.begin(), kAxes.end(),
                        [&size](auto a, auto b) { return size.*a < size.*b; });
  const uint32_t middle = begin + (end - begin) / 2;
  // A total order: by twice the middles, and equal ones by index.
  std::nth_element(
      order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
      [&](uint32_t a, uint32_t b) {
        const double middle_a = boxes_[a].low.*widest + boxes_[a].high.*widest;
        const double middle_b = boxes_[b].low.*widest + boxes_[b].high.*widest;
        return middle_a != middle_b ? middle_a < middle_b : a < b;
      });
  BuildNode(begin, middle);
  const uint32_t right = BuildNode(middle, end);
  nodes_[index].right = right;
  return index;
}

}  // namespace reprise::sim
