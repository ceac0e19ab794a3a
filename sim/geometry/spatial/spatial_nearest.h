// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The nearest few of the objects that are offered one by one, each once, in any
// order.

#ifndef REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_NEAREST_H_
#define REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_NEAREST_H_

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/object_id.h"

namespace reprise::sim {

// Near comes before far, and of two equally near the lower object: a total
// order of different objects, as no distance is NaN.
struct NearObject {
  double distance = 0.0;  // in metres
  ObjectId object;

  friend auto operator<=>(const NearObject&, const NearObject&) = default;
};

class NearestObjects {
 public:
  // Keeps up to `count` of what is offered in `kept`, which it empties first.
  NearestObjects(uint32_t count, std::vector<NearObject>& kept)
      : count_(count), kept_(kept) {
    kept_.clear();
  }

  // Returns the distance beyond which nothing more will be kept.
  double Offer(const NearObject& object) {
    // The farthest one kept is at the front of a heap.
    if (kept_.size() == count_ && count_ > 0 && object < kept_.front()) {
      // A total order, as NearObject says.
      std::ranges::pop_heap(kept_);
      kept_.pop_back();
    }
    if (kept_.size() < count_) {
      kept_.push_back(object);
      // A total order, as NearObject says.
      std::ranges::push_heap(kept_);
    }
    return reach();
  }

  double reach() const {
    if (count_ == 0) return -1.0;
    return kept_.size() == count_ ? kept_.front().distance
                                  : std::numeric_limits<double>::infinity();
  }

  // Puts what is kept in order, nearest first. Nothing is offered after that.
  void Finish() {
    // A total order, as NearObject says.
    std::ranges::sort_heap(kept_);
  }

 private:
  uint32_t count_;
  std::vector<NearObject>& kept_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_SPATIAL_SPATIAL_NEAREST_H_
