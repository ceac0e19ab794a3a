// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a navigation mesh is made of: whole numbers, as its file has them.

#ifndef REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_DATA_H_
#define REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_DATA_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace reprise::sim {

inline constexpr uint32_t kNavigationPolygonsMax = 65'535;
inline constexpr uint32_t kNavigationVerticesMax = 65'535;
inline constexpr uint32_t kSurfacePointsMax = 1u << 20;
inline constexpr uint32_t kSurfaceTrianglesMax = 1u << 21;
inline constexpr uint32_t kPolygonCornersMin = 3;
inline constexpr uint32_t kPolygonCornersMax = 6;
// Areas are numbered from 1; 0 is what is in none.
inline constexpr uint32_t kMeshAreasMax = 62;
inline constexpr uint16_t kMeshAreaWeightMax = 1000;
inline constexpr uint32_t kMeshLinksMax = 1024;
inline constexpr double kMeshLinkWeightMax = 1000.0;
// Of the origin, along each axis.
inline constexpr int32_t kMeshOriginMaxVoxels = 1 << 30;

// A voxel has so many steps along x and z: a place is known to 0.4 mm where
// voxels are 10 cm wide, and 24 bits hold what a mesh can be wide.
inline constexpr int32_t kStepsPerVoxel = 256;

// A corner of polygons, in voxels from the mesh's origin.
struct NavigationVertex {
  uint16_t x = 0;
  uint16_t y = 0;
  uint16_t z = 0;

  friend bool operator==(const NavigationVertex&,
                         const NavigationVertex&) = default;
};

struct NavigationPolygon {
  // Indexes of vertices, the interior to the left with x to the right and z up.
  std::array<uint16_t, kPolygonCornersMax> corners = {};
  uint8_t corner_count = 0;
  uint8_t area = 0;

  friend bool operator==(const NavigationPolygon&,
                         const NavigationPolygon&) = default;
};

// A point of the ground within a polygon, or on its edge.
struct SurfacePoint {
  uint32_t polygon = 0;
  int32_t x = 0;   // steps (kStepsPerVoxel) from the mesh's origin
  uint16_t y = 0;  // voxels
  int32_t z = 0;   // steps

  friend bool operator==(const SurfacePoint&, const SurfacePoint&) = default;
};

// A part of the ground of a polygon, flat. Corners are those of the polygon,
// then its points.
struct SurfaceTriangle {
  uint32_t polygon = 0;
  std::array<uint16_t, 3> corners = {};

  friend bool operator==(const SurfaceTriangle&,
                         const SurfaceTriangle&) = default;
};

struct NavigationMeshData {
  std::array<int32_t, 3> origin = {};  // voxels, from the world's
  std::vector<NavigationVertex> vertices;
  std::vector<NavigationPolygon> polygons;
  // Where the ground of a polygon isn't what its corners say. Both ascending by
  // polygon; one without triangles has none.
  std::vector<SurfacePoint> points;
  std::vector<SurfaceTriangle> triangles;

  friend bool operator==(const NavigationMeshData&,
                         const NavigationMeshData&) = default;
};

// In steps from the mesh's origin.
struct MeshPoint {
  int32_t x = 0;
  int32_t z = 0;

  friend bool operator==(const MeshPoint&, const MeshPoint&) = default;
};

// Twice the area of the triangle, in steps squared: above 0 where c is to the
// left of the way from a to b, with x to the right and z up.
constexpr int64_t TurnOf(MeshPoint a, MeshPoint b, MeshPoint c) {
  return int64_t{b.x - a.x} * (c.z - a.z) - int64_t{b.z - a.z} * (c.x - a.x);
}

// What keeps the data from being a mesh: a number that is out of its range, a
// polygon that isn't convex or has no area, an edge that more than two polygons
// have. Empty when nothing does.
std::string ProblemOf(const NavigationMeshData& data);

// An edge in the direction of its polygon.
struct DirectedEdge {
  uint16_t from = 0;  // vertices
  uint16_t to = 0;
  uint32_t edge = 0;  // in the order of polygons and their corners

  auto key() const { return std::pair(from, to); }
};

// All edges, ascending by `from`, `to` and number.
std::vector<DirectedEdge> SortedEdges(const NavigationMeshData& data);

// Where a vertex is in plan.
inline MeshPoint PointOf(const NavigationVertex& vertex) {
  return {vertex.x * kStepsPerVoxel, vertex.z * kStepsPerVoxel};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_NAVIGATION_MESH_DATA_H_
