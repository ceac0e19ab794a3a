// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/closed_surface.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "sim/geometry/closest_points.h"
#include "sim/geometry/directions.h"
#include "sim/physics/definition/closed_mesh.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kFirstEdge = 1;
constexpr uint32_t kFirstCorner = 4;

// A triangle's edge, by places.
struct Edge {
  uint32_t low = 0;
  uint32_t high = 0;
  uint32_t triangle = 0;
  uint32_t feature = 0;

  auto key() const { return std::tuple(low, high, triangle); }
};

}  // namespace

NearestPlace NearestOf(const Triangle& triangle, Vector3 place) {
  const auto& [a, b, c] = triangle;
  const Vector3 ab = b - a;
  const Vector3 ac = c - a;
  const Vector3 normal = Cross(ab, ac);
  const double area_squared = Dot(normal, normal);
  const auto found = [&place](const Vector3& at, uint32_t feature) {
    const Vector3 apart = at - place;
    return NearestPlace{
        .place = at, .squared = Dot(apart, apart), .feature = feature};
  };
  // Above the inside, all three of the parts are positive.
  const Vector3 to_place = place - a;
  const double part_b = Dot(Cross(to_place, ac), normal) / area_squared;
  const double part_c = Dot(Cross(ab, to_place), normal) / area_squared;
  if (part_b > 0.0 && part_c > 0.0 && part_b + part_c < 1.0) {
    return found(a + ab * part_b + ac * part_c, 0);
  }
  const std::array<Vector3, 4> ring = {a, b, c, a};
  NearestPlace best;
  for (uint32_t i = 0; i < 3; ++i) {
    const Segment side = {ring[i], ring[i + 1]};
    const double t = ClosestTime(side, place);
    const uint32_t feature = t <= 0.0   ? kFirstCorner + i
                             : t >= 1.0 ? kFirstCorner + (i + 1) % 3
                                        : kFirstEdge + i;
    const Vector3 at = t <= 0.0   ? ring[i]
                       : t >= 1.0 ? ring[i + 1]
                                  : ring[i] + t * (ring[i + 1] - ring[i]);
    const NearestPlace on_side = found(at, feature);
    if (i == 0 || on_side.squared < best.squared) best = on_side;
  }
  return best;
}

ClosedSurface::ClosedSurface(const MeshShape& mesh)
    : normals_(mesh.triangles.size()) {
  const std::vector<uint32_t> first = FirstInPlace(mesh.vertices);
  std::vector<Edge> edges;
  std::vector<Vector3> at_corner(mesh.vertices.size());
  for (uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    std::array<uint32_t, 3> corners = mesh.triangles[i];
    for (uint32_t& corner : corners) corner = first[corner];
    std::array<Vector3, 3> places;
    for (size_t k = 0; k < 3; ++k) places[k] = mesh.vertices[corners[k]];
    const Vector3 normal =
        Normalized(Cross(places[1] - places[0], places[2] - places[0]));
    normals_[i][0] = normal;
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t next = (k + 1) % 3;
      edges.push_back({.low = std::min(corners[k], corners[next]),
                       .high = std::max(corners[k], corners[next]),
                       .triangle = i,
                       .feature = kFirstEdge + k});
      const double angle = AngleBetween(places[next] - places[k],
                                        places[(k + 2) % 3] - places[k]);
      at_corner[corners[k]] = at_corner[corners[k]] + angle * normal;
    }
  }
  // A total order; each edge's two triangles then follow each other.
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.key() < b.key(); });
  for (size_t i = 0; i + 1 < edges.size(); i += 2) {
    const Vector3 sum =
        normals_[edges[i].triangle][0] + normals_[edges[i + 1].triangle][0];
    for (const Edge& edge : {edges[i], edges[i + 1]}) {
      normals_[edge.triangle][edge.feature] = sum;
    }
  }
  for (uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    for (uint32_t k = 0; k < 3; ++k) {
      normals_[i][kFirstCorner + k] = at_corner[first[mesh.triangles[i][k]]];
    }
  }
}

bool ClosedSurface::IsInside(Vector3 place, uint32_t triangle,
                             const NearestPlace& nearest) const {
  return Dot(place - nearest.place, normals_[triangle][nearest.feature]) < 0.0;
}

}  // namespace reprise::sim
