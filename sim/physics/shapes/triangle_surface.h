// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The triangles of a mesh or a height field, to be searched by place. Built
// once from the data, so it has no history, and answers ascend by index.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_TRIANGLE_SURFACE_H_
#define REPRISE_SIM_PHYSICS_SHAPES_TRIANGLE_SURFACE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/geometry/shapes.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/physics/shapes/box_tree.h"
#include "sim/physics/shapes/closed_surface.h"

namespace reprise::sim {

// The box around a triangle.
AxisAlignedBox BoxAround(const Triangle& triangle);

// The box around all vertices.
AxisAlignedBox BoxAround(std::span<const Vector3> vertices);

// The box around a mesh or a height field. REQUIRES: IsSurface(shape).
AxisAlignedBox BoxAroundSurface(const ShapeDefinition& shape);

// The heights of a field as points of its body's frame, and the corners of a
// triangle by the indexes of its heights.
Vector3 HeightFieldPoint(const HeightFieldShape& field, uint32_t column,
                         uint32_t row);
TriangleCorners HeightFieldCorners(const HeightFieldShape& field,
                                   uint32_t triangle);

class TriangleSurface {
 public:
  // Without triangles that are searched: of a shape that isn't a surface.
  // `shape` outlives the surface.
  explicit TriangleSurface(const ShapeDefinition& shape);

  uint32_t triangle_count() const { return count_; }

  // REQUIRES: index < triangle_count().
  Triangle triangle(uint32_t index) const;

  // Around all of it.
  const AxisAlignedBox& box() const { return box_; }

  // Whether it has an inside: of a height field all below it, of a closed mesh
  // what it encloses. Then it is touched from outside alone.
  bool is_solid() const { return is_bottomless() || mesh_is_closed(); }
  bool is_bottomless() const { return field_ != nullptr; }

  // The triangle above or below a place; nullopt beyond the rim.
  // REQUIRES: is_bottomless().
  std::optional<uint32_t> TriangleAt(double x, double z) const;

  // How a place lies inside, and the way out of it.
  struct Inside {
    uint32_t triangle = 0;  // through which it is
    Vector3 out;            // of length 1
    double depth_m = 0.0;   // to the triangle's plane, or its nearest place
  };
  // Of height fields by the column that the place is in, of meshes by the
  // nearest way. nullopt for a place that isn't inside.
  // REQUIRES: is_solid().
  std::optional<Inside> FindInside(Vector3 place) const;

  // Writes the triangles whose boxes meet `box` to `found`, ascending.
  void Find(const AxisAlignedBox& box, std::vector<uint32_t>& found) const;

  // The same for the triangles that the way from `from` to `from + motion`
  // comes as near as `reach_m`. There may be more, near their corners and
  // edges.
  void FindAlong(Vector3 from, Vector3 motion, double reach_m,
                 std::vector<uint32_t>& found) const;

 private:
  bool mesh_is_closed() const { return mesh_ != nullptr && mesh_->is_closed; }
  std::optional<Inside> FindInsideMesh(Vector3 place) const;
  void FindInField(const AxisAlignedBox& box,
                   std::vector<uint32_t>& found) const;
  void FindAlongField(Vector3 from, Vector3 motion, double reach_m,
                      std::vector<uint32_t>& found) const;

  const MeshShape* mesh_ = nullptr;
  const HeightFieldShape* field_ = nullptr;
  uint32_t count_ = 0;
  AxisAlignedBox box_;
  BoxTree tree_;          // of a mesh
  ClosedSurface closed_;  // of a mesh that is
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_TRIANGLE_SURFACE_H_
