// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/baking/level_voxels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/geometry/aabb.h"
#include "sim/geometry/shapes.h"
#include "sim/systems/navigation/solid_triangles.h"

namespace reprise::tools {
namespace {

constexpr int kHeightMinVoxels = 3;
// Of what is above or below the level: that it is there, not how high.
constexpr int kOutsideLayersMax = 64;

// A box of voxels within the level, or above or below it.
struct VoxelBox {
  int column = 0;  // the first
  int row = 0;     // the first
  int columns = 0;
  int rows = 0;
  float least_y = 0.0f;  // m, from the origin of the mesh
  int layers = 0;
  float cell_height = 0.0f;
};

// Rasterizes a part into a field of a box.
bool RasterizePart(const sim::MeshSource& source, const sim::ShapePart& part,
                   const VoxelSettings& settings, const VoxelBox& box,
                   rcContext& context, rcHeightfield& field) {
  std::vector<float> corners;
  std::vector<int> indexes;
  for (const sim::Triangle& triangle : part.triangles) {
    for (const sim::Vector3& corner : {triangle.a, triangle.b, triangle.c}) {
      const std::array<float, 3> local = Local(source, corner);
      corners.push_back(local[0] -
                        static_cast<float>(box.column) * settings.cell_size);
      corners.push_back(local[1] - box.least_y);
      corners.push_back(local[2] -
                        static_cast<float>(box.row) * settings.cell_size);
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

bool CreateField(const VoxelSettings& settings, const VoxelBox& box,
                 rcContext& context, rcHeightfield& field) {
  const std::array<float, 3> least = {};
  const std::array<float, 3> most = {
      static_cast<float>(box.columns) * settings.cell_size,
      static_cast<float>(box.layers) * box.cell_height,
      static_cast<float>(box.rows) * settings.cell_size};
  return rcCreateHeightfield(&context, field, box.columns, box.rows,
                             least.data(), most.data(), settings.cell_size,
                             box.cell_height);
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

// What a solid fills of a column of voxels.
struct SolidColumn {
  bool is_below = false;  // it reaches out of the level there
  bool is_above = false;
  bool is_within = false;
  uint16_t least = 0;
  uint16_t most = 0;
  unsigned char area = RC_NULL_AREA;  // of its top
};

// Calls take(column, lowest, highest) for each column of a box in which a part
// has surfaces.
template <typename Take>
bool ForEachColumn(const sim::MeshSource& source, const sim::ShapePart& part,
                   const VoxelSettings& settings, const VoxelBox& box,
                   rcContext& context, const Take& take) {
  const Owned<rcHeightfield> alone(rcAllocHeightfield());
  if (!CreateField(settings, box, context, *alone) ||
      !RasterizePart(source, part, settings, box, context, *alone)) {
    return false;
  }
  for (int i = 0; i < box.columns * box.rows; ++i) {
    const rcSpan* const lowest = alone->spans[i];
    if (lowest == nullptr) continue;
    const rcSpan* highest = lowest;
    while (highest->next != nullptr) highest = highest->next;
    take(static_cast<size_t>(i), *lowest, *highest);
  }
  return true;
}

// As much of the box as is `height_m` high from `least_y` on, in layers that
// are as high as need be to have few.
VoxelBox Outside(VoxelBox box, double least_y, double height_m) {
  const double layers = std::clamp(std::ceil(height_m / box.cell_height), 1.0,
                                   static_cast<double>(kOutsideLayersMax));
  box.least_y = static_cast<float>(least_y);
  box.layers = static_cast<int>(layers);
  box.cell_height =
      std::max(box.cell_height, static_cast<float>(height_m / layers));
  return box;
}

// Recast knows surfaces alone, and would have agents live within boxes: a solid
// is rasterized by itself, and each of its columns filled. It may reach out of
// the level above and below, where only that it does counts.
bool FillSolid(const sim::MeshSource& source, const sim::ShapePart& part,
               const VoxelSettings& settings, rcContext& context,
               rcHeightfield& field) {
  sim::Aabb bounds = BoundsOf(part.triangles.front());
  for (const sim::Triangle& triangle : part.triangles) {
    const sim::Aabb of = BoundsOf(triangle);
    bounds = {Minimum(bounds.minimum, of.minimum),
              Maximum(bounds.maximum, of.maximum)};
  }
  const sim::MeshScale& scale = source.settings.scale;
  const VoxelRange columns =
      RangeOf(bounds.minimum.x, bounds.maximum.x, scale.cell_size_m,
              source.origin[0], source.size[0]);
  const VoxelRange rows =
      RangeOf(bounds.minimum.z, bounds.maximum.z, scale.cell_size_m,
              source.origin[2], source.size[2]);
  if (columns.count <= 0 || rows.count <= 0) return true;
  const VoxelBox box = {.column = columns.first,
                        .row = rows.first,
                        .columns = columns.count,
                        .rows = rows.count,
                        .layers = source.size[1],
                        .cell_height = settings.cell_height};
  std::vector<SolidColumn> solid(static_cast<size_t>(box.columns) *
                                 static_cast<size_t>(box.rows));
  if (!ForEachColumn(
          source, part, settings, box, context,
          [&](size_t i, const rcSpan& lowest, const rcSpan& highest) {
            solid[i].is_within = true;
            solid[i].least = static_cast<uint16_t>(lowest.smin);
            solid[i].most = static_cast<uint16_t>(highest.smax);
            solid[i].area = static_cast<unsigned char>(highest.area);
          })) {
    return false;
  }
  const double least_y = source.origin[1] * scale.cell_height_m;
  const double height = source.size[1] * scale.cell_height_m;
  const double above = bounds.maximum.y - (least_y + height);
  const double below = least_y - bounds.minimum.y;
  if (above > 0.0 &&
      !ForEachColumn(source, part, settings, Outside(box, height, above),
                     context, [&](size_t i, const rcSpan&, const rcSpan&) {
                       solid[i].is_above = true;
                     })) {
    return false;
  }
  if (below > 0.0 &&
      !ForEachColumn(source, part, settings, Outside(box, -below, below),
                     context, [&](size_t i, const rcSpan&, const rcSpan&) {
                       solid[i].is_below = true;
                     })) {
    return false;
  }
  for (size_t i = 0; i < solid.size(); ++i) {
    SolidColumn& column = solid[i];
    const bool is_through = column.is_below && column.is_above;
    if (!column.is_within && !is_through) continue;
    if (column.is_below) column.least = 0;
    if (column.is_above) {
      column.most = static_cast<uint16_t>(source.size[1]);
      column.area = RC_NULL_AREA;
    }
    const int at = static_cast<int>(i);
    if (!rcAddSpan(&context, field, columns.first + at % box.columns,
                   rows.first + at / box.columns, column.least, column.most,
                   column.area, settings.step)) {
      return false;
    }
  }
  return true;
}

}  // namespace

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

std::array<float, 3> Local(const sim::MeshSource& source,
                           const sim::Vector3& place) {
  const sim::MeshScale& scale = source.settings.scale;
  return {static_cast<float>(place.x - source.origin[0] * scale.cell_size_m),
          static_cast<float>(place.y - source.origin[1] * scale.cell_height_m),
          static_cast<float>(place.z - source.origin[2] * scale.cell_size_m)};
}

bool Rasterize(const sim::MeshSource& source, const VoxelSettings& settings,
               rcContext& context, rcHeightfield& field) {
  const VoxelBox level = {.columns = source.size[0],
                          .rows = source.size[2],
                          .layers = source.size[1],
                          .cell_height = settings.cell_height};
  if (!CreateField(settings, level, context, field)) return false;
  for (const sim::ShapePart& part : source.parts) {
    const bool is_done =
        part.is_solid
            ? FillSolid(source, part, settings, context, field)
            : RasterizePart(source, part, settings, level, context, field);
    if (!is_done) return false;
  }
  rcFilterLowHangingWalkableObstacles(&context, settings.step, field);
  rcFilterLedgeSpans(&context, settings.height, settings.step, field);
  rcFilterWalkableLowHeightSpans(&context, settings.height, field);
  return true;
}

}  // namespace reprise::tools
