// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/triangle_surface.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <variant>

#include "sim/base/check.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Ways are this much wider than they are, so that rounding leaves nothing out.
constexpr double kSkinM = 1e-6;

void Include(Vector3 point, AxisAlignedBox& box) {
  for (const auto axis : {&Vector3::x, &Vector3::y, &Vector3::z}) {
    box.low.*axis = std::min(box.low.*axis, point.*axis);
    box.high.*axis = std::max(box.high.*axis, point.*axis);
  }
}

// The cells of a row of `count` that lie between two places, counted in cells
// from the row's begin: one more to either side than needed.
struct CellRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

CellRange CellsBetween(double low, double high, uint32_t count) {
  const double begin = std::clamp(low - 1.0, 0.0, static_cast<double>(count));
  const double end = std::clamp(high + 2.0, 0.0, static_cast<double>(count));
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

// Whether the way misses the box around the triangle, or a plane along it, or
// along one of its edges and upright on it, has all of the way on its other
// side, farther than `reach_m`.
bool IsBeyond(const Triangle& triangle, Vector3 from, Vector3 to,
              double reach_m) {
  const auto is_beyond = [&](Vector3 corner, Vector3 outward) {
    const double nearest =
        std::min(Dot(from - corner, outward), Dot(to - corner, outward));
    return nearest > 0.0 &&
           nearest * nearest > reach_m * reach_m * Dot(outward, outward);
  };
  AxisAlignedBox box = BoxAround(triangle);
  const Vector3 reach = {reach_m, reach_m, reach_m};
  box = {box.low - reach, box.high + reach};
  if (!EntryFraction(box, from, to - from, 1.0).has_value()) return true;
  const Vector3 normal =
      Cross(triangle.b - triangle.a, triangle.c - triangle.a);
  return is_beyond(triangle.a, normal) || is_beyond(triangle.a, -normal) ||
         is_beyond(triangle.a, Cross(triangle.b - triangle.a, normal)) ||
         is_beyond(triangle.b, Cross(triangle.c - triangle.b, normal)) ||
         is_beyond(triangle.c, Cross(triangle.a - triangle.c, normal));
}

}  // namespace

AxisAlignedBox BoxAround(const Triangle& triangle) {
  AxisAlignedBox box = {triangle.a, triangle.a};
  Include(triangle.b, box);
  Include(triangle.c, box);
  return box;
}

AxisAlignedBox BoxAround(std::span<const Vector3> vertices) {
  AxisAlignedBox box = {vertices[0], vertices[0]};
  for (const Vector3& vertex : vertices) Include(vertex, box);
  return box;
}

AxisAlignedBox BoxAroundSurface(const ShapeDefinition& shape) {
  if (const auto* const mesh = std::get_if<MeshShape>(&shape)) {
    return BoxAround(mesh->vertices);
  }
  const auto& field = std::get<HeightFieldShape>(shape);
  const auto [low, high] =
      std::minmax_element(field.heights_m.begin(), field.heights_m.end());
  const Vector3 half = 0.5 * field.cell_size_m *
                       Vector3{field.columns - 1.0, 0.0, field.rows - 1.0};
  return {field.position + Vector3{-half.x, *low, -half.z},
          field.position + Vector3{half.x, *high, half.z}};
}

Vector3 HeightFieldPoint(const HeightFieldShape& field, uint32_t column,
                         uint32_t row) {
  const size_t index = static_cast<size_t>(row) * field.columns + column;
  return field.position +
         Vector3{field.cell_size_m * (column - 0.5 * (field.columns - 1)),
                 field.heights_m[index],
                 field.cell_size_m * (row - 0.5 * (field.rows - 1))};
}

TriangleCorners HeightFieldCorners(const HeightFieldShape& field,
                                   uint32_t triangle) {
  const uint32_t cell = triangle / 2;
  const uint32_t row = cell / (field.columns - 1);
  const uint32_t near = row * field.columns + cell % (field.columns - 1);
  const uint32_t far = near + field.columns;
  // Both against the clock as seen from above, and split from the cell's first
  // corner's neighbours.
  return triangle % 2 == 0 ? TriangleCorners{near, far, near + 1}
                           : TriangleCorners{near + 1, far, far + 1};
}

TriangleSurface::TriangleSurface(const ShapeDefinition& shape)
    : mesh_(std::get_if<MeshShape>(&shape)),
      field_(std::get_if<HeightFieldShape>(&shape)) {
  if (!IsSurface(shape)) return;
  count_ = PrimitiveCount(shape);
  box_ = BoxAroundSurface(shape);
  if (mesh_ == nullptr) return;
  std::vector<AxisAlignedBox> boxes;
  for (uint32_t i = 0; i < count_; ++i) boxes.push_back(BoxAround(triangle(i)));
  tree_.Build(boxes);
  if (mesh_->is_closed) closed_ = ClosedSurface(*mesh_);
}

Triangle TriangleSurface::triangle(uint32_t index) const {
  CHECK(index < count_, "triangle {} of {}", index, count_);
  if (mesh_ != nullptr) {
    const TriangleCorners& corners = mesh_->triangles[index];
    return {mesh_->vertices[corners[0]], mesh_->vertices[corners[1]],
            mesh_->vertices[corners[2]]};
  }
  const auto point = [this](uint32_t corner) {
    return HeightFieldPoint(*field_, corner % field_->columns,
                            corner / field_->columns);
  };
  const TriangleCorners corners = HeightFieldCorners(*field_, index);
  return {point(corners[0]), point(corners[1]), point(corners[2])};
}

std::optional<uint32_t> TriangleSurface::TriangleAt(double x, double z) const {
  CHECK(field_ != nullptr);
  const double along_x = (x - box_.low.x) / field_->cell_size_m;
  const double along_z = (z - box_.low.z) / field_->cell_size_m;
  const uint32_t columns = field_->columns - 1;
  const uint32_t rows = field_->rows - 1;
  if (!(along_x >= 0.0 && along_x <= columns && along_z >= 0.0 &&
        along_z <= rows)) {
    return std::nullopt;
  }
  const uint32_t column = std::min(static_cast<uint32_t>(along_x), columns - 1);
  const uint32_t row = std::min(static_cast<uint32_t>(along_z), rows - 1);
  const bool is_far = (along_x - column) + (along_z - row) > 1.0;
  return 2 * (row * columns + column) + (is_far ? 1 : 0);
}

std::optional<TriangleSurface::Inside> TriangleSurface::FindInside(
    Vector3 place) const {
  CHECK(is_solid());
  if (mesh_ != nullptr) return FindInsideMesh(place);
  const std::optional<uint32_t> index = TriangleAt(place.x, place.z);
  if (!index.has_value()) return std::nullopt;
  const Triangle above = triangle(*index);
  const Vector3 up = Normalized(Cross(above.b - above.a, above.c - above.a));
  const double depth_m = Dot(above.a - place, up);
  if (depth_m <= 0.0) return std::nullopt;
  return Inside{.triangle = *index, .out = up, .depth_m = depth_m};
}

std::optional<TriangleSurface::Inside> TriangleSurface::FindInsideMesh(
    Vector3 place) const {
  if (DistanceSquared(box_, place) > 0.0) return std::nullopt;
  NearestPlace nearest;
  uint32_t nearest_triangle = count_;
  tree_.SearchAround(place, [&](uint32_t index) {
    const NearestPlace found = NearestOf(triangle(index), place);
    // Of triangles that are as near, the first.
    if (nearest_triangle == count_ || found.squared < nearest.squared ||
        (found.squared == nearest.squared && index < nearest_triangle)) {
      nearest = found;
      nearest_triangle = index;
    }
    return nearest.squared;
  });
  if (!closed_.IsInside(place, nearest_triangle, nearest)) return std::nullopt;
  // Through an edge that looks inwards the way out is between its triangles'.
  const double depth_m = Sqrt(nearest.squared);
  return Inside{.triangle = nearest_triangle,
                .out = depth_m > kSkinM ? (nearest.place - place) / depth_m
                                        : closed_.normal(nearest_triangle),
                .depth_m = depth_m};
}

void TriangleSurface::Find(const AxisAlignedBox& box,
                           std::vector<uint32_t>& found) const {
  found.clear();
  if (field_ != nullptr) {
    FindInField(box, found);
    return;
  }
  tree_.Search(box, [&found](uint32_t index) { found.push_back(index); });
  // A total order: each triangle is found once.
  std::sort(found.begin(), found.end());
}

void TriangleSurface::FindAlong(Vector3 from, Vector3 motion, double reach_m,
                                std::vector<uint32_t>& found) const {
  found.clear();
  reach_m += kSkinM;
  if (field_ != nullptr) {
    FindAlongField(from, motion, reach_m, found);
  } else {
    tree_.SearchAlong(from, motion, {reach_m, reach_m, reach_m},
                      [&found](uint32_t index) {
                        found.push_back(index);
                        return 1.0;
                      });
    // A total order: each triangle is found once.
    std::sort(found.begin(), found.end());
  }
  std::erase_if(found, [&](uint32_t index) {
    return IsBeyond(triangle(index), from, from + motion, reach_m);
  });
}

void TriangleSurface::FindAlongField(Vector3 from, Vector3 motion,
                                     double reach_m,
                                     std::vector<uint32_t>& found) const {
  const Vector3 reach = {reach_m, reach_m, reach_m};
  const Vector3 to = from + motion;
  AxisAlignedBox whole = {from, from};
  Include(to, whole);
  const CellRange rows =
      CellsBetween((whole.low.z - reach_m - box_.low.z) / field_->cell_size_m,
                   (whole.high.z + reach_m - box_.low.z) / field_->cell_size_m,
                   field_->rows - 1);
  // Row by row, the part of the way that lies above it.
  std::vector<uint32_t> in_row;
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    AxisAlignedBox slab = {box_.low - reach, box_.high + reach};
    const double low_z = HeightFieldPoint(*field_, 0, row).z;
    const double high_z = HeightFieldPoint(*field_, 0, row + 1).z;
    slab.low.z = low_z - reach_m;
    slab.high.z = high_z + reach_m;
    const std::optional<double> enter = EntryFraction(slab, from, motion, 1.0);
    if (!enter.has_value()) continue;
    const std::optional<double> back = EntryFraction(slab, to, -motion, 1.0);
    const Vector3 begin = from + *enter * motion;
    AxisAlignedBox part = {begin, begin};
    Include(to - back.value_or(0.0) * motion, part);
    // Of this row alone, by its middle.
    const double middle = 0.5 * (low_z + high_z);
    part.low.z = middle;
    part.high.z = middle;
    part.low = part.low - Vector3{reach_m, reach_m, 0.0};
    part.high = part.high + Vector3{reach_m, reach_m, 0.0};
    FindInField(part, in_row);
    found.insert(found.end(), in_row.begin(), in_row.end());
    in_row.clear();
  }
}

void TriangleSurface::FindInField(const AxisAlignedBox& box,
                                  std::vector<uint32_t>& found) const {
  const uint32_t columns = field_->columns - 1;
  const double size_m = field_->cell_size_m;
  const CellRange x = CellsBetween((box.low.x - box_.low.x) / size_m,
                                   (box.high.x - box_.low.x) / size_m, columns);
  const CellRange z =
      CellsBetween((box.low.z - box_.low.z) / size_m,
                   (box.high.z - box_.low.z) / size_m, field_->rows - 1);
  for (uint32_t row = z.begin; row < z.end; ++row) {
    for (uint32_t column = x.begin; column < x.end; ++column) {
      const uint32_t cell = row * columns + column;
      for (const uint32_t index : {2 * cell, 2 * cell + 1}) {
        if (Meet(BoxAround(triangle(index)), box)) found.push_back(index);
      }
    }
  }
}

}  // namespace reprise::sim
