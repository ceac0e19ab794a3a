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
#include "sim/geometry/shapes.h"
#include "sim/systems/navigation/solid_triangles.h"

namespace reprise::tools {
namespace {

// What Recast's erosion can hold.
constexpr int kRadiusMaxVoxels = 254;
constexpr int kHeightMinVoxels = 3;
// How far the edge of a region may be from its voxels: more than a diagonal of
// steps is, 0.71, and less than a voxel, or arms of areas that are one voxel
// wide would be cut off, which Recast can't make polygons of.
constexpr float kEdgeErrorVoxels = 0.9f;
// How long an edge of a wall may be: what Recast's own demonstration has.
constexpr double kEdgeLengthRadii = 24.0;
// Regions of fewer voxels become part of their neighbours: the demonstration's.
constexpr int kMergedRegionVoxels = 400;

struct Freer {
  void operator()(rcHeightfield* field) const { rcFreeHeightField(field); }
  void operator()(rcCompactHeightfield* field) const {
    rcFreeCompactHeightfield(field);
  }
  void operator()(rcContourSet* contours) const { rcFreeContourSet(contours); }
  void operator()(rcPolyMesh* mesh) const { rcFreePolyMesh(mesh); }
};
template <typename Held>
using Owned = std::unique_ptr<Held, Freer>;

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

// The settings in voxels.
struct VoxelSettings {
  int radius = 0;
  int height = 0;
  int step = 0;
  float cell_size = 0.0f;
  float cell_height = 0.0f;
};

VoxelSettings SettingsOf(const sim::MeshSettings& settings) {
  const double cell_size = settings.scale.cell_size_m;
  const double cell_height = settings.scale.cell_height_m;
  return {
      .radius =
          static_cast<int>(std::ceil(settings.agent_radius_m / cell_size)),
      .height = std::max(
          kHeightMinVoxels,
          static_cast<int>(std::ceil(settings.agent_height_m / cell_height))),
      .step = static_cast<int>(std::floor(settings.agent_step_m / cell_height)),
      .cell_size = static_cast<float>(cell_size),
      .cell_height = static_cast<float>(cell_height)};
}

// From the origin of the mesh, so that floats are as exact far out.
std::array<float, 3> Local(const sim::MeshSource& source,
                           const sim::Vector3& place) {
  const sim::MeshScale& scale = source.settings.scale;
  return {static_cast<float>(place.x - source.origin[0] * scale.cell_size_m),
          static_cast<float>(place.y - source.origin[1] * scale.cell_height_m),
          static_cast<float>(place.z - source.origin[2] * scale.cell_size_m)};
}

// Rasterizes a part into a field whose least corner is at these voxels of the
// level's.
bool RasterizePart(const sim::MeshSource& source, const sim::ShapePart& part,
                   const VoxelSettings& settings, int column, int row,
                   rcContext& context, rcHeightfield& field) {
  std::vector<float> corners;
  std::vector<int> indexes;
  for (const sim::Triangle& triangle : part.triangles) {
    for (const sim::Vector3& corner : {triangle.a, triangle.b, triangle.c}) {
      const std::array<float, 3> local = Local(source, corner);
      corners.push_back(local[0] -
                        static_cast<float>(column) * settings.cell_size);
      corners.push_back(local[1]);
      corners.push_back(local[2] -
                        static_cast<float>(row) * settings.cell_size);
      indexes.push_back(static_cast<int>(indexes.size()));
    }
  }
  const int corner_count = static_cast<int>(indexes.size());
  const int count = static_cast<int>(part.triangles.size());
  std::vector<unsigned char> areas(part.triangles.size());
  rcMarkWalkableTriangles(
      &context, static_cast<float>(source.settings.agent_slope_degrees),
      corners.data(), corner_count, indexes.data(), count, areas.data());
  return rcRasterizeTriangles(&context, corners.data(), corner_count,
                              indexes.data(), areas.data(), count, field,
                              settings.step);
}

bool CreateField(const sim::MeshSource& source, const VoxelSettings& settings,
                 int columns, int rows, rcContext& context,
                 rcHeightfield& field) {
  const std::array<float, 3> least = {};
  const std::array<float, 3> most = {
      static_cast<float>(columns) * settings.cell_size,
      static_cast<float>(source.size[1]) * settings.cell_height,
      static_cast<float>(rows) * settings.cell_size};
  return rcCreateHeightfield(&context, field, columns, rows, least.data(),
                             most.data(), settings.cell_size,
                             settings.cell_height);
}

// The voxels along an axis that a part meets, within the level's.
struct VoxelRange {
  int first = 0;
  int count = 0;
};
VoxelRange RangeOf(double minimum, double maximum, double cell_size,
                   int32_t origin, int32_t size) {
  const double first = std::clamp(std::floor(minimum / cell_size) - origin, 0.0,
                                  static_cast<double>(size));
  const double end = std::clamp(std::floor(maximum / cell_size) + 1.0 - origin,
                                0.0, static_cast<double>(size));
  return {.first = static_cast<int>(first),
          .count = static_cast<int>(end - first)};
}

// Recast knows surfaces alone, and would have agents live within boxes: a solid
// is rasterized by itself, and each of its columns filled.
bool FillSolid(const sim::MeshSource& source, const sim::ShapePart& part,
               const VoxelSettings& settings, rcContext& context,
               rcHeightfield& field) {
  sim::Aabb box = BoundsOf(part.triangles.front());
  for (const sim::Triangle& triangle : part.triangles) {
    const sim::Aabb of = BoundsOf(triangle);
    box = {Minimum(box.minimum, of.minimum), Maximum(box.maximum, of.maximum)};
  }
  const double cell_size = source.settings.scale.cell_size_m;
  const VoxelRange columns = RangeOf(box.minimum.x, box.maximum.x, cell_size,
                                     source.origin[0], source.size[0]);
  const VoxelRange rows = RangeOf(box.minimum.z, box.maximum.z, cell_size,
                                  source.origin[2], source.size[2]);
  if (columns.count <= 0 || rows.count <= 0) return true;
  const Owned<rcHeightfield> alone(rcAllocHeightfield());
  if (!CreateField(source, settings, columns.count, rows.count, context,
                   *alone) ||
      !RasterizePart(source, part, settings, columns.first, rows.first, context,
                     *alone)) {
    return false;
  }
  for (int row = 0; row < rows.count; ++row) {
    for (int column = 0; column < columns.count; ++column) {
      const rcSpan* const lowest = alone->spans[row * columns.count + column];
      if (lowest == nullptr) continue;
      const rcSpan* highest = lowest;
      while (highest->next != nullptr) highest = highest->next;
      if (!rcAddSpan(&context, field, columns.first + column, rows.first + row,
                     static_cast<uint16_t>(lowest->smin),
                     static_cast<uint16_t>(highest->smax),
                     static_cast<unsigned char>(highest->area),
                     settings.step)) {
        return false;
      }
    }
  }
  return true;
}

bool Rasterize(const sim::MeshSource& source, const VoxelSettings& settings,
               rcContext& context, rcHeightfield& field) {
  if (!CreateField(source, settings, source.size[0], source.size[2], context,
                   field)) {
    return false;
  }
  for (const sim::ShapePart& part : source.parts) {
    const bool is_done =
        part.is_solid ? FillSolid(source, part, settings, context, field)
                      : RasterizePart(source, part, settings, /*column=*/0,
                                      /*row=*/0, context, field);
    if (!is_done) return false;
  }
  rcFilterLowHangingWalkableObstacles(&context, settings.step, field);
  rcFilterLedgeSpans(&context, settings.height, settings.step, field);
  rcFilterWalkableLowHeightSpans(&context, settings.height, field);
  return true;
}

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

// Against the clock, whichever way round Recast has them. Nothing of what has
// no area.
void AddPolygon(const rcPolyMesh& mesh, int index,
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
      !rcBuildPolyMesh(&context, *contours,
                       static_cast<int>(sim::kPolygonCornersMax), *mesh)) {
    return Failed(context);
  }
  if (!context.error().empty()) return Failed(context);
  for (int i = 0; i < mesh->nverts; ++i) {
    data.vertices.push_back({.x = mesh->verts[3 * i],
                             .y = mesh->verts[3 * i + 1],
                             .z = mesh->verts[3 * i + 2]});
  }
  for (int i = 0; i < mesh->npolys; ++i) AddPolygon(*mesh, i, data);
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
