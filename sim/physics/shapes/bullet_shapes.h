// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bullet's shapes for what Bullet's own don't fit: cones around their centre of
// mass, hulls with their own moments of inertia, surfaces of triangles.

#ifndef REPRISE_SIM_PHYSICS_SHAPES_BULLET_SHAPES_H_
#define REPRISE_SIM_PHYSICS_SHAPES_BULLET_SHAPES_H_

#include "BulletCollision/CollisionShapes/btConcaveShape.h"
#include "BulletCollision/CollisionShapes/btConvexHullShape.h"
#include "BulletCollision/CollisionShapes/btConvexInternalShape.h"
#include "BulletCollision/CollisionShapes/btTriangleShape.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/physics/shapes/hull_faces.h"
#include "sim/physics/shapes/triangle_surface.h"

namespace reprise::sim {

// A cone whose edge and tip are rounded inside of it by the margin.
class ConeShape final : public btConvexInternalShape {
 public:
  explicit ConeShape(const ConePrimitive& cone);

  // The cone whose base and side lie a margin further in: the radius x of its
  // base, the base's y and the tip's z.
  const Vector3& core() const { return core_; }

  // Bullet's interface.
  void setMargin(btScalar margin_m) override;
  btVector3 localGetSupportingVertexWithoutMargin(
      const btVector3& direction) const override;
  void batchedUnitVectorGetSupportingVertexWithoutMargin(
      const btVector3* directions, btVector3* vertices,
      int count) const override;
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override;
  const char* getName() const override { return "Cone"; }

 private:
  ConePrimitive cone_;
  Vector3 core_;
};

// A hull that is rounded outside of it by the margin, which is up to 5 mm.
class HullShape final : public btConvexHullShape {
 public:
  explicit HullShape(const HullPrimitive& hull);

  std::span<const HullFace> faces() const { return faces_; }

 private:
  std::vector<HullFace> faces_;
};

// A surface. Bullet never looks at its triangles: PairAlgorithm does.
class SurfaceShape final : public btConcaveShape {
 public:
  // `definition` outlives the shape.
  explicit SurfaceShape(const ShapeDefinition& definition);

  const TriangleSurface& surface() const { return surface_; }

  // The box around the triangles alone.
  void GetSheetAabb(const btTransform& pose, btVector3& low,
                    btVector3& high) const;

  // Bullet's interface. Of a height field the ground below it is in the box.
  void getAabb(const btTransform& pose, btVector3& low,
               btVector3& high) const override;
  void processAllTriangles(btTriangleCallback*, const btVector3&,
                           const btVector3&) const override {}
  void setLocalScaling(const btVector3&) override {}
  const btVector3& getLocalScaling() const override { return scaling_; }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override {
    inertia.setZero();
  }
  const char* getName() const override { return "Surface"; }

 private:
  TriangleSurface surface_;
  btVector3 scaling_ = btVector3(1.0, 1.0, 1.0);
};

// The shape as a surface; null when it is something else.
const SurfaceShape* AsSurface(const btCollisionShape& shape);

// Makes `shape` the triangle, without a margin.
void SetTriangle(const Triangle& triangle, btTriangleShape& shape);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_SHAPES_BULLET_SHAPES_H_
