// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an offline renderer needs to draw one tick. A frame is derived from
// state and is never part of it.

#ifndef REPRISE_SIM_FRAME_H_
#define REPRISE_SIM_FRAME_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// A convex solid, placed relative to its object.
struct FrameShape {
  enum class Kind : uint8_t { kSphere, kBox, kCapsule, kCylinder, kPlane };

  Kind kind = Kind::kSphere;
  Vector3 position;     // m
  Quaternion rotation;  // unit
  // In metres. Sphere: radius, 0, 0. Box: half extents. Capsule and cylinder
  // (along y): radius, half of the straight part's length, 0. Plane: its
  // normal.
  Vector3 size;
};

struct FrameObject {
  ObjectId object;
  std::string name;
  std::string type;
  Vector3 position;     // m
  Quaternion rotation;  // unit
  std::vector<FrameShape> shapes;
};

struct Frame {
  Tick tick = 0;
  std::vector<FrameObject> objects;  // in object order
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_FRAME_H_
