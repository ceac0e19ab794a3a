// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/continuous/swept_boxes.h"

#include <algorithm>
#include <array>

#include "LinearMath/btAabbUtil2.h"

namespace reprise::sim {
namespace {

// Fewer searches than this cost less than sorting does.
constexpr size_t kSearchesMin = 8;

// A box is long when it is so many times as long as the mean one.
constexpr double kLong = 4.0;

// What has no end, such as a plane, counts as this long, m.
constexpr double kLengthMaxM = 1e3;

}  // namespace

void SweptBoxes::Clear() {
  boxes_.clear();
  short_.clear();
  lows_.clear();
  others_.clear();
}

void SweptBoxes::Sort(size_t searches) {
  const auto count = static_cast<uint32_t>(boxes_.size());
  if (searches < kSearchesMin) {
    for (uint32_t i = 0; i < count; ++i) others_.push_back(i);
    return;
  }
  const auto length = [this](uint32_t i, int axis) {
    return std::min(boxes_[i].high[axis] - boxes_[i].low[axis], kLengthMaxM);
  };
  // Along the axis on which boxes are spread most by their own lengths.
  double most = -1.0;
  for (int axis = 0; axis < 3; ++axis) {
    double low = boxes_[0].low[axis];
    double high = low;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
      sum += length(i, axis);
      if (length(i, axis) == kLengthMaxM) continue;
      low = std::min(low, boxes_[i].low[axis]);
      high = std::max(high, boxes_[i].low[axis]);
    }
    const double mean = sum / count;
    const double spread = mean > 0.0 ? (high - low) / mean : 0.0;
    if (spread <= most) continue;
    most = spread;
    axis_ = axis;
    length_max_ = kLong * mean;
  }
  for (uint32_t i = 0; i < count; ++i) {
    (length(i, axis_) <= length_max_ ? short_ : others_).push_back(i);
  }
  // A total order: by the body where they begin together.
  std::sort(short_.begin(), short_.end(), [this](uint32_t a, uint32_t b) {
    const double low_a = boxes_[a].low[axis_];
    const double low_b = boxes_[b].low[axis_];
    return low_a != low_b ? low_a < low_b : a < b;
  });
  for (const uint32_t i : short_) lows_.push_back(boxes_[i].low[axis_]);
}

void SweptBoxes::Find(const SweptBox& box, std::vector<uint32_t>& found) const {
  found.clear();
  const auto look = [&](uint32_t i) {
    if (TestAabbAgainstAabb2(box.low, box.high, boxes_[i].low,
                             boxes_[i].high)) {
      found.push_back(i);
    }
  };
  for (const uint32_t i : others_) look(i);
  const auto begin = std::lower_bound(lows_.begin(), lows_.end(),
                                      box.low[axis_] - length_max_);
  const auto end = std::upper_bound(begin, lows_.end(), box.high[axis_]);
  for (auto low = begin; low != end; ++low) {
    look(short_[static_cast<size_t>(low - lows_.begin())]);
  }
  // A total order: what is equal is the same.
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

void SweptBoxes::Grow(uint32_t body, const SweptBox& box) {
  boxes_[body].low.setMin(box.low);
  boxes_[body].high.setMax(box.high);
  // It may be anywhere now.
  if (std::find(others_.begin(), others_.end(), body) == others_.end()) {
    others_.push_back(body);
  }
}

}  // namespace reprise::sim
