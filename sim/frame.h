// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an offline renderer needs to draw one tick. A frame is derived from
// state and is never part of it.

#ifndef REPRISE_SIM_FRAME_H_
#define REPRISE_SIM_FRAME_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// A solid or a surface, placed relative to its object.
struct FrameShape {
  enum class Kind : uint8_t {
    kSphere,
    kBox,
    kCapsule,
    kCylinder,
    kPlane,
    kCone,
    kHull,
    kMesh,
  };

  Kind kind = Kind::kSphere;
  Vector3 position;     // m
  Quaternion rotation;  // unit
  // In metres. Sphere: radius, 0, 0. Box: half extents. Capsule and cylinder
  // (along y): radius, half of the straight part's length, 0. Plane: its
  // normal. Cone (along y, its base a quarter of its height below): radius of
  // the base, half of its height, 0. Hull and mesh: zeros.
  Vector3 size;
  uint32_t mesh = 0;  // of a hull or mesh: index into Simulation::FrameMeshes()
};

// Triangles that never change, which shapes refer to.
struct FrameMesh {
  std::vector<Vector3> vertices;                   // m, in the shape's frame
  std::vector<std::array<uint32_t, 3>> triangles;  // corners
};

struct FrameObject {
  ObjectId object;
  std::string name;
  std::string type;
  Vector3 position;     // m
  Quaternion rotation;  // unit
  std::vector<FrameShape> shapes;
};

// What a simulation has drawn itself: rows of pixels from the top, three bytes
// each, red, green, blue, sRGB.
struct FramePicture {
  static constexpr uint32_t kSizeMax = 4096;  // in each direction

  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> pixels;
};

struct Frame {
  Tick tick = 0;
  std::vector<FrameObject> objects;  // in object order
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_FRAME_H_
