// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The boxes that bodies come through in a step, to be searched by place. Made
// anew in each step.

#ifndef REPRISE_SIM_PHYSICS_CONTINUOUS_SWEPT_BOXES_H_
#define REPRISE_SIM_PHYSICS_CONTINUOUS_SWEPT_BOXES_H_

#include <cstdint>
#include <vector>

#include "LinearMath/btVector3.h"

namespace reprise::sim {

struct SweptBox {
  btVector3 low;
  btVector3 high;
};

class SweptBoxes {
 public:
  // Begins with no box.
  void Clear();
  // Adds the next body's.
  void Add(const SweptBox& box) { boxes_.push_back(box); }
  // After the last: makes ready to be searched about `searches` times.
  void Sort(size_t searches);

  // Writes the bodies whose boxes meet `box` to `found`, ascending.
  void Find(const SweptBox& box, std::vector<uint32_t>& found) const;

  // Has a body come through `box`, too.
  void Grow(uint32_t body, const SweptBox& box);

 private:
  int axis_ = 0;
  std::vector<SweptBox> boxes_;
  // Those that are no longer along the axis than `length_max_`, ascending by
  // where they begin; and all others.
  std::vector<uint32_t> short_;
  std::vector<double> lows_;  // of `short_`
  double length_max_ = 0.0;
  std::vector<uint32_t> others_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_CONTINUOUS_SWEPT_BOXES_H_
