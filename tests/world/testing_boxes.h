// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Scenes of boxes for tests, and how far a place or a line is from a box, by
// nothing of the code that is tested.

#ifndef REPRISE_TESTS_WORLD_TESTING_BOXES_H_
#define REPRISE_TESTS_WORLD_TESTING_BOXES_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// A fixed body whose sides lie along the axes.
struct Box {
  Vector3 centre;
  Vector3 half;
};

// Any number between both.
inline double Between(RandomStream& random, double low, double high) {
  return low + (high - low) * NextUnit(random);
}

// From a place to the nearest of a box; 0 within.
inline double DistanceTo(const Box& box, Vector3 place) {
  const auto outside = [](double offset, double half) {
    return std::max(Abs(offset) - half, 0.0);
  };
  return Length(Vector3{outside(place.x - box.centre.x, box.half.x),
                        outside(place.y - box.centre.y, box.half.y),
                        outside(place.z - box.centre.z, box.half.z)});
}

// The least distance of a line from a box: along a line it falls, and then
// rises.
inline double DistanceBetween(const Box& box, Vector3 from, Vector3 to) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) / 3.0;
    const double b = high - (high - low) / 3.0;
    if (DistanceTo(box, from + a * (to - from)) <
        DistanceTo(box, from + b * (to - from))) {
      high = b;
    } else {
      low = a;
    }
  }
  return DistanceTo(box, from + low * (to - from));
}

// Types and objects of a pack for them.
inline std::string BoxesOf(const std::vector<Box>& boxes) {
  std::string text;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    text += fmt::format(
        "types {{ name: 'box_{0}' body {{ motion: MOTION_FIXED shapes {{ box "
        "{{ "
        "half_extents {{ x: {1} y: {2} z: {3} }} }} }} }} }}\n"
        "objects {{ name: 'box_{0}' type: 'box_{0}' position {{ x: {4} y: {5} "
        "z: "
        "{6} }} }}\n",
        i, box.half.x, box.half.y, box.half.z, box.centre.x, box.centre.y,
        box.centre.z);
  }
  return text;
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_WORLD_TESTING_BOXES_H_
