// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What searches on a navigation mesh cost, and how long their paths are,
// against Detour's on the same polygons in the same run. What is found is in
// the label, so that it can't be skipped.

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "fmt/format.h"
#include "recastnavigation/DetourNavMesh.h"
#include "recastnavigation/DetourNavMeshBuilder.h"
#include "recastnavigation/DetourNavMeshQuery.h"
#include "sim/base/check.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/best_first_search.h"
#include "sim/navigation/mesh_path.h"
#include "sim/navigation/mesh_space.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/navigation/testing_meshes.h"

namespace reprise::tools {
namespace {

constexpr uint32_t kSide = 60;
constexpr uint64_t kWalls = 30;
constexpr int kJourneys = 200;
constexpr sim::MeshScale kScale = {.cell_size_m = 0.1, .cell_height_m = 0.1};
constexpr uint16_t kNone = 0xffff;

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

sim::NavigationMeshData MakeLevel() {
  sim::RandomStream stream = sim::MakeRandomStream(19, sim::IdOf("benchmark"));
  sim::NavigationMeshData data =
      sim::RandomLevel(kSide, kSide, kWalls, 0, stream);
  data.origin = {};
  return data;
}

// The same polygons for Detour, which has them the other way round.
class DetourMesh {
 public:
  explicit DetourMesh(const sim::NavigationMeshData& data) {
    const sim::NavigationMesh mesh(data, kScale);
    std::vector<uint16_t> vertices;
    std::array<uint16_t, 3> most = {};
    for (const sim::NavigationVertex& vertex : data.vertices) {
      const std::array<uint16_t, 3> at = {vertex.x, vertex.y, vertex.z};
      for (size_t i = 0; i < 3; ++i) {
        vertices.push_back(at[i]);
        most[i] = std::max(most[i], at[i]);
      }
    }
    constexpr uint32_t kCorners = sim::kPolygonCornersMax;
    std::vector<uint16_t> polygons(2 * kCorners * data.polygons.size(), kNone);
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
    std::vector<uint16_t> flags(data.polygons.size(), 1);
    std::vector<uint8_t> areas(data.polygons.size(), 0);
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
    params.cs = static_cast<float>(kScale.cell_size_m);
    params.ch = static_cast<float>(kScale.cell_height_m);
    params.bmax[0] = static_cast<float>(most[0]) * params.cs;
    params.bmax[1] = static_cast<float>(most[1]) * params.ch;
    params.bmax[2] = static_cast<float>(most[2]) * params.cs;
    params.buildBvTree = true;
    unsigned char* bytes = nullptr;
    int size = 0;
    CHECK(dtCreateNavMeshData(&params, &bytes, &size));
    CHECK(dtStatusSucceed(mesh_->init(bytes, size, DT_TILE_FREE_DATA)));
    CHECK(dtStatusSucceed(query_->init(mesh_, 65'535)));
  }
  ~DetourMesh() {
    dtFreeNavMeshQuery(query_);
    dtFreeNavMesh(mesh_);
  }
  DetourMesh(const DetourMesh&) = delete;
  DetourMesh& operator=(const DetourMesh&) = delete;

  // The length of the path; 0 when there is none.
  double FindPath(const sim::Vector3& from, const sim::Vector3& to) {
    const std::array<float, 3> reach = {0.01f, 2.0f, 0.01f};
    const std::array<float, 3> start = Floats(from);
    const std::array<float, 3> end = Floats(to);
    dtPolyRef first = 0;
    dtPolyRef last = 0;
    query_->findNearestPoly(start.data(), reach.data(), &filter_, &first,
                            nullptr);
    query_->findNearestPoly(end.data(), reach.data(), &filter_, &last, nullptr);
    int count = 0;
    query_->findPath(first, last, start.data(), end.data(), &filter_,
                     corridor_.data(), &count,
                     static_cast<int>(corridor_.size()));
    if (count == 0 || corridor_[static_cast<size_t>(count - 1)] != last) {
      return 0.0;
    }
    int corner_count = 0;
    query_->findStraightPath(start.data(), end.data(), corridor_.data(), count,
                             corners_.data(), nullptr, nullptr, &corner_count,
                             static_cast<int>(corners_.size() / 3));
    double length = 0.0;
    for (size_t i = 1; i < static_cast<size_t>(corner_count); ++i) {
      const double x = corners_[3 * i] - corners_[3 * i - 3];
      const double z = corners_[3 * i + 2] - corners_[3 * i - 1];
      length += sim::Sqrt(x * x + z * z);
    }
    return length;
  }

 private:
  static std::array<float, 3> Floats(const sim::Vector3& place) {
    return {static_cast<float>(place.x), static_cast<float>(place.y),
            static_cast<float>(place.z)};
  }

  dtNavMesh* mesh_ = dtAllocNavMesh();
  dtNavMeshQuery* query_ = dtAllocNavMeshQuery();
  dtQueryFilter filter_;
  std::vector<dtPolyRef> corridor_ = std::vector<dtPolyRef>(8192);
  std::vector<float> corners_ = std::vector<float>(3 * 8192);
};

// In plan, as Detour's: 0 when there is no path.
double FindPath(const sim::NavigationMesh& mesh, const sim::MeshPlace& start,
                const sim::MeshPlace& goal, sim::BestFirstSearch& search,
                uint64_t& expansions) {
  const sim::MeshSpace space(mesh, {}, start, goal);
  uint64_t budget = space.node_count();
  search.Begin(space.node_count(), MeshStartNode(mesh), MeshGoalNode(mesh),
               sim::SearchPolicy::kAStar);
  const sim::SearchStatus status = search.Advance(space, budget);
  expansions += space.node_count() - budget;
  if (status != sim::SearchStatus::kFound) return 0.0;
  const std::vector<sim::MeshPlace> path =
      MakeMeshPath(mesh, search.Path(), start, goal);
  double length = 0.0;
  for (size_t i = 1; i < path.size(); ++i) {
    sim::Vector3 way = mesh.PositionOf(path[i]) - mesh.PositionOf(path[i - 1]);
    way.y = 0.0;
    length += Length(way);
  }
  return length;
}

void BM_MeshSearchAgainstDetour(benchmark::State& state) {
  const sim::NavigationMeshData data = MakeLevel();
  const sim::NavigationMesh mesh(data, kScale);
  DetourMesh detour(data);
  sim::RandomStream stream = sim::MakeRandomStream(20, sim::IdOf("benchmark"));
  std::vector<std::pair<sim::MeshPlace, sim::MeshPlace>> journeys;
  for (int i = 0; i < kJourneys; ++i) {
    const sim::MeshPlace start = RandomPlace(mesh, stream);
    const sim::MeshPlace goal = RandomPlace(mesh, stream);
    journeys.emplace_back(start, goal);
  }
  sim::BestFirstSearch search;
  double our_s = 0.0;
  double their_s = 0.0;
  double our_m = 0.0;
  double their_m = 0.0;
  uint64_t expansions = 0;
  int found = 0;
  int differently_found = 0;
  for ([[maybe_unused]] auto _ : state) {
    for (const auto& [start, goal] : journeys) {
      const double before = Seconds();
      const double ours = FindPath(mesh, start, goal, search, expansions);
      const double between = Seconds();
      const double theirs =
          detour.FindPath(mesh.PositionOf(start), mesh.PositionOf(goal));
      their_s += Seconds() - between;
      our_s += between - before;
      differently_found += (ours > 0.0) != (theirs > 0.0) ? 1 : 0;
      if (ours == 0.0 || theirs == 0.0) continue;
      our_m += ours;
      their_m += theirs;
      ++found;
    }
  }
  state.SetLabel(fmt::format(
      "{} polygons, {:.0f} % found, {} by one alone; time / Detour's {:.2f}, "
      "length / Detour's {:.4f}, {:.1f} million expansions/s",
      mesh.polygon_count(),
      100.0 * found / (static_cast<double>(state.iterations()) * kJourneys),
      differently_found, our_s / their_s, our_m / their_m,
      static_cast<double>(expansions) / our_s / 1e6));
}
BENCHMARK(BM_MeshSearchAgainstDetour)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reprise::tools
