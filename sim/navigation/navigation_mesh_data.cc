// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/navigation_mesh_data.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <tuple>

#include "fmt/format.h"

namespace reprise::sim {
namespace {

std::string ProblemOf(const NavigationPolygon& polygon,
                      std::span<const NavigationVertex> vertices) {
  const uint32_t count = polygon.corner_count;
  if (count < kPolygonCornersMin || count > kPolygonCornersMax) {
    return fmt::format("has {} corners, not {} to {}", count,
                       kPolygonCornersMin, kPolygonCornersMax);
  }
  if (polygon.area > kMeshAreasMax) {
    return fmt::format("is in area {} of {}", polygon.area, kMeshAreasMax);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (polygon.corners[i] >= vertices.size()) {
      return fmt::format("has the corner {} of {}", polygon.corners[i],
                         vertices.size());
    }
  }
  // Convex: everything is to the left of each edge, something really.
  for (uint32_t i = 0; i < count; ++i) {
    const MeshPoint from = PointOf(vertices[polygon.corners[i]]);
    const MeshPoint to = PointOf(vertices[polygon.corners[(i + 1) % count]]);
    int64_t most = 0;
    for (uint32_t k = 0; k < count; ++k) {
      const int64_t turn =
          TurnOf(from, to, PointOf(vertices[polygon.corners[k]]));
      if (turn < 0) return "isn't convex, or its corners go the other way";
      most = std::max(most, turn);
    }
    if (most == 0) return "has no area, or an edge without length";
  }
  return "";
}

// Of the ground within polygons, which are a mesh.
std::string ProblemOfSurfaces(const NavigationMeshData& data) {
  if (data.points.size() > kSurfacePointsMax ||
      data.triangles.size() > kSurfaceTrianglesMax) {
    return fmt::format("{} points and {} triangles: there can be {} and {}",
                       data.points.size(), data.triangles.size(),
                       kSurfacePointsMax, kSurfaceTrianglesMax);
  }
  constexpr int32_t kMost =
      std::numeric_limits<uint16_t>::max() * kStepsPerVoxel;
  uint32_t before = 0;
  std::vector<uint32_t> corner_counts;
  for (const NavigationPolygon& polygon : data.polygons) {
    corner_counts.push_back(polygon.corner_count);
  }
  for (size_t i = 0; i < data.points.size(); ++i) {
    const SurfacePoint& point = data.points[i];
    if (point.polygon >= data.polygons.size() || point.polygon < before) {
      return fmt::format("point {} is of polygon {}", i, point.polygon);
    }
    if (point.x < 0 || point.x > kMost || point.z < 0 || point.z > kMost) {
      return fmt::format("point {} is at {} {}", i, point.x, point.z);
    }
    before = point.polygon;
    ++corner_counts[point.polygon];
  }
  before = 0;
  for (size_t i = 0; i < data.triangles.size(); ++i) {
    const SurfaceTriangle& triangle = data.triangles[i];
    if (triangle.polygon >= data.polygons.size() || triangle.polygon < before) {
      return fmt::format("triangle {} is of polygon {}", i, triangle.polygon);
    }
    before = triangle.polygon;
    for (const uint16_t corner : triangle.corners) {
      if (corner < corner_counts[before]) continue;
      return fmt::format("triangle {} has the corner {} of {}", i, corner,
                         corner_counts[before]);
    }
  }
  return "";
}

}  // namespace

std::vector<DirectedEdge> SortedEdges(const NavigationMeshData& data) {
  std::vector<DirectedEdge> edges;
  for (const NavigationPolygon& polygon : data.polygons) {
    for (uint32_t i = 0; i < polygon.corner_count; ++i) {
      edges.push_back({polygon.corners[i],
                       polygon.corners[(i + 1) % polygon.corner_count],
                       static_cast<uint32_t>(edges.size())});
    }
  }
  // A total order: edges have numbers.
  std::ranges::sort(edges, {}, [](const DirectedEdge& edge) {
    return std::tuple(edge.from, edge.to, edge.edge);
  });
  return edges;
}

std::string ProblemOf(const NavigationMeshData& data) {
  if (data.polygons.size() > kNavigationPolygonsMax ||
      data.vertices.size() > kNavigationVerticesMax) {
    return fmt::format("{} polygons with {} vertices: there can be {} and {}",
                       data.polygons.size(), data.vertices.size(),
                       kNavigationPolygonsMax, kNavigationVerticesMax);
  }
  for (const int32_t coordinate : data.origin) {
    if (coordinate < -kMeshOriginMaxVoxels ||
        coordinate > kMeshOriginMaxVoxels) {
      return fmt::format("the origin is at {}, beyond {}", coordinate,
                         kMeshOriginMaxVoxels);
    }
  }
  for (size_t i = 0; i < data.polygons.size(); ++i) {
    const std::string problem = ProblemOf(data.polygons[i], data.vertices);
    if (!problem.empty()) return fmt::format("polygon {} {}", i, problem);
  }
  const std::vector<DirectedEdge> edges = SortedEdges(data);
  const auto same = std::ranges::adjacent_find(edges, {}, &DirectedEdge::key);
  if (same != edges.end()) {
    return fmt::format("two polygons have the edge from vertex {} to {}",
                       same->from, same->to);
  }
  return ProblemOfSurfaces(data);
}

}  // namespace reprise::sim
