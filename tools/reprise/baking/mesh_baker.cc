// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/baking/mesh_baker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "recastnavigation/Recast.h"
#include "sim/geometry/aabb.h"
#include "tools/reprise/baking/level_voxels.h"

namespace reprise::tools {
namespace {

// What Recast's erosion can hold.
constexpr int kRadiusMaxVoxels = 254;
// How far the edge of a region may be from its voxels: more than a diagonal of
// steps is, 0.71, and less than a voxel, or arms of areas that are one voxel
// wide would be cut off, which Recast can't make polygons of.
constexpr float kEdgeErrorVoxels = 0.9f;
// How long an edge of a wall may be: what Recast's own demonstration has.
constexpr double kEdgeLengthRadii = 24.0;
// Regions of fewer voxels become part of their neighbours: the demonstration's.
constexpr int kMergedRegionVoxels = 400;
// Between corners the ground is sampled at such distances, and followed to a
// voxel's height.
constexpr double kSampleRadii = 2.0;

// Keeps the first that Recast says of what has gone wrong, warnings included:
// it goes on where a part of the mesh is missing.
class ErrorContext final : public rcContext {
 public:
  ErrorContext() : rcContext(/*state=*/true) { enableTimer(false); }
  const std::string& error() const { return error_; }

 protected:
  void doLog(const rcLogCategory category, const char* message,
             const int length) override {
    if (category == RC_LOG_PROGRESS || !error_.empty()) return;
    error_.assign(message, static_cast<size_t>(length));
  }

 private:
  std::string error_;
};

bool MakeRegions(const sim::MeshSource& source, const VoxelSettings& settings,
                 rcContext& context, rcHeightfield& field,
                 rcCompactHeightfield& compact) {
  if (!rcBuildCompactHeightfield(&context, settings.height, settings.step,
                                 field, compact) ||
      !rcErodeWalkableArea(&context, settings.radius, compact)) {
    return false;
  }
  for (size_t i = 0; i < source.settings.areas.size(); ++i) {
    const sim::Aabb& box = source.settings.areas[i];
    rcMarkBoxArea(&context, Local(source, box.minimum).data(),
                  Local(source, box.maximum).data(),
                  static_cast<unsigned char>(i + 1), compact);
  }
  const int turn_voxels = 4 * settings.radius * settings.radius;
  return rcBuildDistanceField(&context, compact) &&
         rcBuildRegions(&context, compact, /*borderSize=*/0, turn_voxels,
                        kMergedRegionVoxels);
}

// Whether all corners are in one plane.
bool IsFlat(const sim::NavigationPolygon& polygon,
            const sim::NavigationMeshData& data) {
  struct Way {
    int64_t x, y, z;
  };
  const sim::NavigationVertex& origin = data.vertices[polygon.corners[0]];
  const auto way_to = [&](uint32_t corner) -> Way {
    const sim::NavigationVertex& vertex =
        data.vertices[polygon.corners[corner]];
    return {int64_t{vertex.x} - origin.x, int64_t{vertex.y} - origin.y,
            int64_t{vertex.z} - origin.z};
  };
  const Way a = way_to(1);
  for (uint32_t i = 2; i + 1 < polygon.corner_count; ++i) {
    const Way b = way_to(i);
    const Way c = way_to(i + 1);
    const int64_t volume = a.x * (b.y * c.z - b.z * c.y) +
                           a.y * (b.z * c.x - b.x * c.z) +
                           a.z * (b.x * c.y - b.y * c.x);
    if (volume != 0) return false;
  }
  return true;
}

// The ground of the last polygon, where its corners don't say it.
void AddSurface(const rcPolyMeshDetail& detail, int index, bool is_reversed,
                const VoxelSettings& settings, sim::NavigationMeshData& data) {
  const sim::NavigationPolygon& polygon = data.polygons.back();
  const auto number = static_cast<uint32_t>(data.polygons.size() - 1);
  const uint32_t corner_count = polygon.corner_count;
  const unsigned int* const of = &detail.meshes[4 * index];
  const uint32_t count = of[1];
  if (count <= corner_count && IsFlat(polygon, data)) return;
  const auto steps = [&](float along) {
    const double exact = std::floor(
        static_cast<double>(along) / static_cast<double>(settings.cell_size) *
            sim::kStepsPerVoxel +
        0.5);
    const double most = double{UINT16_MAX} * sim::kStepsPerVoxel;
    return static_cast<int32_t>(std::clamp(exact, 0.0, most));
  };
  std::vector<sim::MeshPoint> places;
  for (uint32_t i = 0; i < corner_count; ++i) {
    const sim::NavigationVertex& vertex = data.vertices[polygon.corners[i]];
    places.push_back(
        {vertex.x * sim::kStepsPerVoxel, vertex.z * sim::kStepsPerVoxel});
  }
  for (uint32_t i = corner_count; i < count; ++i) {
    const float* const vertex = &detail.verts[size_t{3} * (of[0] + i)];
    // Recast lifts these by a voxel.
    const double layer =
        std::floor(static_cast<double>(vertex[1]) /
                       static_cast<double>(settings.cell_height) +
                   0.5) -
        1.0;
    const sim::MeshPoint place = {steps(vertex[0]), steps(vertex[2])};
    places.push_back(place);
    data.points.push_back(
        {.polygon = number,
         .x = place.x,
         .y = static_cast<uint16_t>(std::clamp(layer, 0.0, double{UINT16_MAX})),
         .z = place.z});
  }
  for (uint32_t i = 0; i < of[3]; ++i) {
    const unsigned char* const corners = &detail.tris[size_t{4} * (of[2] + i)];
    sim::SurfaceTriangle triangle = {.polygon = number};
    for (size_t k = 0; k < 3; ++k) {
      const uint32_t corner = corners[k];
      triangle.corners[k] = static_cast<uint16_t>(
          is_reversed && corner < corner_count ? corner_count - 1 - corner
                                               : corner);
    }
    const int64_t turn =
        TurnOf(places[triangle.corners[0]], places[triangle.corners[1]],
               places[triangle.corners[2]]);
    if (turn == 0) continue;
    if (turn < 0) std::swap(triangle.corners[1], triangle.corners[2]);
    data.triangles.push_back(triangle);
  }
}

// Against the clock, whichever way round Recast has them. Nothing of what has
// no area.
void AddPolygon(const rcPolyMesh& mesh, const rcPolyMeshDetail& detail,
                int index, const VoxelSettings& settings,
                sim::NavigationMeshData& data) {
  sim::NavigationPolygon polygon;
  const unsigned char area = mesh.areas[index];
  polygon.area = area == RC_WALKABLE_AREA ? 0 : area;
  for (int i = 0; i < mesh.nvp; ++i) {
    const uint16_t corner = mesh.polys[index * 2 * mesh.nvp + i];
    if (corner == RC_MESH_NULL_IDX) break;
    polygon.corners[polygon.corner_count++] = corner;
  }
  int64_t twice_area = 0;
  for (uint32_t i = 0; i < polygon.corner_count; ++i) {
    const sim::NavigationVertex& a = data.vertices[polygon.corners[i]];
    const sim::NavigationVertex& b =
        data.vertices[polygon.corners[(i + 1) % polygon.corner_count]];
    twice_area += int64_t{a.x} * b.z - int64_t{a.z} * b.x;
  }
  if (twice_area == 0) return;
  if (twice_area < 0) {
    std::reverse(polygon.corners.begin(),
                 polygon.corners.begin() + polygon.corner_count);
  }
  data.polygons.push_back(polygon);
  AddSurface(detail, index, /*is_reversed=*/twice_area < 0, settings, data);
}

absl::Status Failed(const ErrorContext& context) {
  return absl::InternalError(fmt::format(
      "Recast can't make a mesh of the level: {}. Another cell_size may help",
      context.error().empty() ? "it says no reason" : context.error()));
}

}  // namespace

absl::StatusOr<sim::NavigationMeshData> BakeMesh(
    const sim::MeshSource& source) {
  const VoxelSettings settings = SettingsOf(source.settings);
  if (settings.radius > kRadiusMaxVoxels) {
    return absl::InvalidArgumentError(
        fmt::format("the agent's radius is {} voxels, more than {}: cell_size "
                    "is too small",
                    settings.radius, kRadiusMaxVoxels));
  }
  ErrorContext context;
  const Owned<rcHeightfield> field(rcAllocHeightfield());
  const Owned<rcCompactHeightfield> compact(rcAllocCompactHeightfield());
  const Owned<rcContourSet> contours(rcAllocContourSet());
  const Owned<rcPolyMesh> mesh(rcAllocPolyMesh());
  const Owned<rcPolyMeshDetail> detail(rcAllocPolyMeshDetail());
  const int edge_length_max =
      static_cast<int>(kEdgeLengthRadii * source.settings.agent_radius_m /
                       source.settings.scale.cell_size_m);
  if (!Rasterize(source, settings, context, *field) ||
      !MakeRegions(source, settings, context, *field, *compact) ||
      !rcBuildContours(&context, *compact, kEdgeErrorVoxels, edge_length_max,
                       *contours)) {
    return Failed(context);
  }
  sim::NavigationMeshData data = {.origin = source.origin};
  if (contours->nconts > 0 &&
      (!rcBuildPolyMesh(&context, *contours,
                        static_cast<int>(sim::kPolygonCornersMax), *mesh) ||
       !rcBuildPolyMeshDetail(
           &context, *mesh, *compact,
           static_cast<float>(kSampleRadii * source.settings.agent_radius_m),
           settings.cell_height, *detail))) {
    return Failed(context);
  }
  if (!context.error().empty()) return Failed(context);
  for (int i = 0; i < mesh->nverts; ++i) {
    data.vertices.push_back({.x = mesh->verts[3 * i],
                             .y = mesh->verts[3 * i + 1],
                             .z = mesh->verts[3 * i + 2]});
  }
  for (int i = 0; i < mesh->npolys; ++i) {
    AddPolygon(*mesh, *detail, i, settings, data);
  }
  if (data.polygons.size() > sim::kNavigationPolygonsMax ||
      data.vertices.size() > sim::kNavigationVerticesMax) {
    return absl::InvalidArgumentError(fmt::format(
        "the level has {} polygons with {} vertices; there can be {} and {}: "
        "larger voxels make fewer",
        data.polygons.size(), data.vertices.size(), sim::kNavigationPolygonsMax,
        sim::kNavigationVerticesMax));
  }
  if (const std::string problem = ProblemOf(data); !problem.empty()) {
    return absl::InternalError(fmt::format(
        "Recast has made what is no mesh: {}. Another cell_size may help",
        problem));
  }
  return data;
}

}  // namespace reprise::tools
