// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Navigation meshes for tests and benchmarks.

#ifndef REPRISE_SIM_NAVIGATION_TESTING_MESHES_H_
#define REPRISE_SIM_NAVIGATION_TESTING_MESHES_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/navigation/navigation_mesh.h"

namespace reprise::sim {

// Voxels between the corners of a level's cells, and how far they stray.
inline constexpr uint32_t kCellVoxels = 20;
inline constexpr uint32_t kStrayVoxels = 4;

// Columns times rows of cells with crooked corners at different heights, each a
// polygon of four corners or two of three. Of each hundred `walls` are left
// out, and `areas` numbers are given to the others.
inline NavigationMeshData RandomLevel(uint32_t columns, uint32_t rows,
                                      uint64_t walls, uint64_t areas,
                                      RandomStream& stream) {
  NavigationMeshData data;
  data.origin = {-7, 3, 11};
  const auto coordinate = [&](uint32_t index) {
    return static_cast<uint16_t>(index * kCellVoxels +
                                 NextBelow(stream, 2 * kStrayVoxels + 1));
  };
  for (uint32_t row = 0; row <= rows; ++row) {
    for (uint32_t column = 0; column <= columns; ++column) {
      NavigationVertex vertex;
      vertex.x = coordinate(column);
      vertex.z = coordinate(row);
      vertex.y = static_cast<uint16_t>(NextBelow(stream, 6));
      data.vertices.push_back(vertex);
    }
  }
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      if (NextBelow(stream, 100) < walls) continue;
      const auto area = static_cast<uint8_t>(NextBelow(stream, areas + 1));
      const auto a = static_cast<uint16_t>(row * (columns + 1) + column);
      const auto b = static_cast<uint16_t>(a + 1);
      const auto d = static_cast<uint16_t>(a + columns + 1);
      const auto c = static_cast<uint16_t>(d + 1);
      NavigationMeshData alone = {.vertices = data.vertices};
      alone.polygons.push_back({{a, b, c, d}, 4, area});
      const bool is_whole =
          NextBelow(stream, 2) == 0 && ProblemOf(alone).empty();
      if (is_whole) {
        data.polygons.push_back(alone.polygons[0]);
      } else {
        data.polygons.push_back({{a, b, c}, 3, area});
        data.polygons.push_back({{a, c, d}, 3, area});
      }
    }
  }
  return data;
}

// Gives each polygon, but some, a point in its middle at another height.
inline void AddSurfaces(RandomStream& stream, NavigationMeshData& data) {
  for (uint32_t i = 0; i < data.polygons.size(); ++i) {
    if (NextBelow(stream, 4) == 0) continue;
    const NavigationPolygon& polygon = data.polygons[i];
    const uint16_t count = polygon.corner_count;
    SurfacePoint middle = {.polygon = i};
    for (uint16_t k = 0; k < count; ++k) {
      const NavigationVertex& vertex = data.vertices[polygon.corners[k]];
      middle.x += vertex.x * kStepsPerVoxel;
      middle.z += vertex.z * kStepsPerVoxel;
    }
    middle.x /= count;
    middle.z /= count;
    middle.y = static_cast<uint16_t>(NextBelow(stream, 12));
    data.points.push_back(middle);
    for (uint16_t k = 0; k < count; ++k) {
      const auto next = static_cast<uint16_t>((k + 1) % count);
      data.triangles.push_back({.polygon = i, .corners = {k, next, count}});
    }
  }
}

// A point of a polygon: somewhere between the middles of two of its edges.
inline MeshPlace RandomPlace(const NavigationMesh& mesh, RandomStream& stream) {
  const auto polygon =
      static_cast<uint32_t>(NextBelow(stream, mesh.polygon_count()));
  const uint32_t first = mesh.first_edge(polygon);
  const uint32_t count = mesh.polygon(polygon).corner_count;
  const auto middle = [&](uint64_t edge) {
    const MeshPoint from = mesh.edge_from(first + static_cast<uint32_t>(edge));
    const MeshPoint to = mesh.edge_to(first + static_cast<uint32_t>(edge));
    return MeshPoint{(from.x + to.x) / 2, (from.z + to.z) / 2};
  };
  const MeshPoint a = middle(NextBelow(stream, count));
  const MeshPoint b = middle(NextBelow(stream, count));
  // Rounding may lead out across an edge that both are on: the middle of the
  // two is far enough from all others.
  const MeshPoint between = {(a.x + b.x) / 2, (a.z + b.z) / 2};
  for (uint32_t edge = first; edge < first + count; ++edge) {
    if (TurnOf(mesh.edge_from(edge), mesh.edge_to(edge), between) < 0) {
      return {polygon, mesh.edge_from(first)};
    }
  }
  return {polygon, between};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_TESTING_MESHES_H_
