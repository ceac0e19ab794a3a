// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/baking/testing_detour.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "recastnavigation/DetourNavMeshBuilder.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/navigation/best_first_search.h"

namespace reprise::tools {
namespace {

constexpr uint16_t kNone = 0xffff;
constexpr uint32_t kCorners = sim::kPolygonCornersMax;
constexpr size_t kPathMax = 8192;
// As many as Detour can have.
constexpr int kNodesMax = 65'535;

std::array<float, 3> Floats(const sim::Vector3& place) {
  return {static_cast<float>(place.x), static_cast<float>(place.y),
          static_cast<float>(place.z)};
}

// Each polygon's corners, the other way round than ours, then for each edge
// what is behind it.
std::vector<uint16_t> PolygonsOf(const sim::NavigationMesh& mesh) {
  std::vector<uint16_t> polygons(size_t{2} * kCorners * mesh.polygon_count(),
                                 kNone);
  for (uint32_t i = 0; i < mesh.polygon_count(); ++i) {
    const sim::NavigationPolygon& polygon = mesh.polygon(i);
    const uint32_t count = polygon.corner_count;
    uint16_t* const out = &polygons[size_t{2} * kCorners * i];
    for (uint32_t k = 0; k < count; ++k) {
      out[k] = polygon.corners[count - 1 - k];
      // From that corner to the one before it.
      const uint32_t edge = mesh.first_edge(i) + (2 * count - 2 - k) % count;
      const uint32_t twin = mesh.twin(edge);
      if (twin == sim::kNoNode) continue;
      out[kCorners + k] = static_cast<uint16_t>(mesh.polygon_of_edge(twin));
    }
  }
  return polygons;
}

}  // namespace

DetourMesh::DetourMesh(const sim::NavigationMeshData& data,
                       const sim::MeshScale& scale)
    : corridor_(kPathMax), corners_(3 * kPathMax) {
  const std::array<int32_t, 3> world_origin = {};
  CHECK(data.origin == world_origin);
  std::vector<uint16_t> vertices;
  std::array<uint16_t, 3> most = {};
  for (const sim::NavigationVertex& vertex : data.vertices) {
    const std::array<uint16_t, 3> at = {vertex.x, vertex.y, vertex.z};
    for (size_t i = 0; i < 3; ++i) {
      vertices.push_back(at[i]);
      most[i] = std::max(most[i], at[i]);
    }
  }
  const std::vector<uint16_t> polygons =
      PolygonsOf(sim::NavigationMesh(data, scale));
  const std::vector<uint16_t> flags(data.polygons.size(), 1);
  const std::vector<uint8_t> areas(data.polygons.size(), 0);
  dtNavMeshCreateParams params = {};
  params.verts = vertices.data();
  params.vertCount = static_cast<int>(data.vertices.size());
  params.polys = polygons.data();
  params.polyFlags = flags.data();
  params.polyAreas = areas.data();
  params.polyCount = static_cast<int>(data.polygons.size());
  params.nvp = static_cast<int>(kCorners);
  params.walkableHeight = 1.8f;
  params.walkableRadius = 0.4f;
  params.walkableClimb = 0.4f;
  params.cs = static_cast<float>(scale.cell_size_m);
  params.ch = static_cast<float>(scale.cell_height_m);
  params.bmax[0] = static_cast<float>(most[0]) * params.cs;
  params.bmax[1] = static_cast<float>(most[1]) * params.ch;
  params.bmax[2] = static_cast<float>(most[2]) * params.cs;
  params.buildBvTree = true;
  unsigned char* bytes = nullptr;
  int size = 0;
  CHECK(dtCreateNavMeshData(&params, &bytes, &size));
  CHECK(dtStatusSucceed(mesh_->init(bytes, size, DT_TILE_FREE_DATA)));
  CHECK(dtStatusSucceed(query_->init(mesh_, kNodesMax)));
}

DetourMesh::~DetourMesh() {
  dtFreeNavMeshQuery(query_);
  dtFreeNavMesh(mesh_);
}

double DetourMesh::FindPath(const sim::Vector3& from, const sim::Vector3& to) {
  const std::array<float, 3> reach = {0.01f, 2.0f, 0.01f};
  const std::array<float, 3> start = Floats(from);
  const std::array<float, 3> end = Floats(to);
  dtPolyRef first = 0;
  dtPolyRef last = 0;
  corridor_count_ = 0;
  query_->findNearestPoly(start.data(), reach.data(), &filter_, &first,
                          nullptr);
  query_->findNearestPoly(end.data(), reach.data(), &filter_, &last, nullptr);
  int count = 0;
  query_->findPath(first, last, start.data(), end.data(), &filter_,
                   corridor_.data(), &count, static_cast<int>(kPathMax));
  if (count == 0 || corridor_[static_cast<size_t>(count - 1)] != last) {
    return 0.0;
  }
  corridor_count_ = count;
  int corner_count = 0;
  query_->findStraightPath(start.data(), end.data(), corridor_.data(), count,
                           corners_.data(), nullptr, nullptr, &corner_count,
                           static_cast<int>(kPathMax));
  double length = 0.0;
  for (size_t i = 1; i < static_cast<size_t>(corner_count); ++i) {
    const double x = corners_[3 * i] - corners_[3 * i - 3];
    const double z = corners_[3 * i + 2] - corners_[3 * i - 1];
    length += sim::Sqrt(x * x + z * z);
  }
  return length;
}

std::vector<uint32_t> DetourMesh::Corridor() const {
  std::vector<uint32_t> polygons;
  for (int i = 0; i < corridor_count_; ++i) {
    polygons.push_back(
        mesh_->decodePolyIdPoly(corridor_[static_cast<size_t>(i)]));
  }
  return polygons;
}

}  // namespace reprise::tools
