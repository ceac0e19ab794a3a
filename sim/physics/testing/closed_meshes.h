// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Closed meshes for tests.

#ifndef REPRISE_SIM_PHYSICS_TESTING_CLOSED_MESHES_H_
#define REPRISE_SIM_PHYSICS_TESTING_CLOSED_MESHES_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

// What lies between `top`, which is seen from above, and a floor at the height
// `floor_m`, which is below all of it.
inline MeshShape MakeSolidBelow(const MeshShape& top, double floor_m) {
  MeshShape mesh = top;
  mesh.is_closed = true;
  const auto count = static_cast<uint32_t>(top.vertices.size());
  for (const Vector3& vertex : top.vertices) {
    mesh.vertices.push_back({vertex.x, floor_m, vertex.z});
  }
  std::set<std::pair<uint32_t, uint32_t>> ways;
  for (const auto& [a, b, c] : top.triangles) {
    mesh.triangles.push_back({count + a, count + c, count + b});
    ways.insert({a, b});
    ways.insert({b, c});
    ways.insert({c, a});
  }
  // Walls below the rim, which is of one triangle.
  for (const auto& [from, to] : ways) {
    if (ways.contains({to, from})) continue;
    mesh.triangles.push_back({to, from, count + from});
    mesh.triangles.push_back({to, count + from, count + to});
  }
  return mesh;
}

// The six sides of a box around the origin.
inline MeshShape MakeBoxMesh(Vector3 half) {
  const MeshShape top = {.vertices = {{-half.x, half.y, -half.z},
                                      {-half.x, half.y, half.z},
                                      {half.x, half.y, -half.z},
                                      {half.x, half.y, half.z}},
                         .triangles = {{0, 1, 2}, {2, 1, 3}}};
  return MakeSolidBelow(top, -half.y);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_TESTING_CLOSED_MESHES_H_
