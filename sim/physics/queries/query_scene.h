// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The primitives of all bodies as physics queries search and test them: placed
// in the world, with a tree over their boxes.

#ifndef REPRISE_SIM_PHYSICS_QUERIES_QUERY_SCENE_H_
#define REPRISE_SIM_PHYSICS_QUERIES_QUERY_SCENE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "BulletCollision/CollisionShapes/btConvexShape.h"
#include "BulletCollision/CollisionShapes/btTriangleShape.h"
#include "LinearMath/btTransform.h"
#include "sim/base/object_id.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/queries/primitive_key.h"
#include "sim/physics/shapes/box_tree.h"
#include "sim/physics/shapes/bullet_parts.h"
#include "sim/physics/shapes/bullet_shapes.h"
#include "sim/physics/shapes/triangle_surface.h"
#include "sim/state/table.h"

namespace reprise::sim {

// Where a primitive is, or a whole surface: one of the four pointers is set.
struct Placed {
  PrimitiveKey key;
  const BodyKind* kind = nullptr;
  CollisionFilter filter;
  const Solid* solid = nullptr;
  const PlaneShape* plane = nullptr;
  const TriangleSurface* surface = nullptr;
  const Triangle* triangle = nullptr;
  const btCollisionShape* shape = nullptr;  // Bullet's of it
  Vector3 position;
  Matrix3 basis;

  Vector3 ToLocal(Vector3 point) const {
    return Transposed(basis) * (point - position);
  }
  Vector3 ToWorld(Vector3 point) const { return position + basis * point; }
  btTransform pose() const;
};

// How a solid touches a primitive.
struct PrimitiveTouch {
  double fraction = 0.0;
  Vector3 point;
  Vector3 normal;
};

class QueryScene {
 public:
  // `definition` outlives the scene.
  explicit QueryScene(const PhysicsDefinition& definition);

  // Forgets what there was, and places the bodies of the rows. Does no more
  // than is needed where that comes to the same bits.
  void Place(const Table& bodies);

  // And surfaces.
  const std::vector<Placed>& solids() const { return solids_; }
  const std::vector<Placed>& planes() const { return planes_; }
  // Over solids(), by their indexes.
  const BoxTree& tree() const { return tree_; }

 private:
  // What of a body's row its primitives depend on.
  struct Pose {
    ObjectId object;
    uint64_t kind = 0;
    Vector3 position;
    Matrix3 basis;
  };

  // How many primitives stand before a body's own.
  struct Counts {
    size_t solids = 0;
    size_t planes = 0;
  };

  struct PlacedBody {
    Pose pose;
    Counts before;
  };

  static Pose PoseOf(const BodyRow& row);

  // Places those anew that are elsewhere. Returns false if there are others
  // than the rows', or more or fewer of them: then nothing is as it should be.
  bool MoveBodies(const Table& bodies);
  // Puts a body's primitives behind `before`, in the place of its old ones or
  // at the ends, and returns how many stand before the next body's.
  Counts PlaceBody(const Pose& body, Counts before);
  void PutSolid(size_t index, const Placed& placed);

  const PhysicsDefinition& definition_;
  std::vector<PlacedBody> bodies_;
  // Without Bullet's rounded edges.
  std::vector<BulletShape> shapes_;
  std::vector<Placed> solids_;
  std::vector<Placed> planes_;
  std::vector<AxisAlignedBox> boxes_;
  BoxTree tree_;
};

// The box around `shape` at `pose`, a little larger than needed.
AxisAlignedBox BoxAround(const btCollisionShape& shape,
                         const btTransform& pose);

// Calls visit(placed) for a primitive, or for the triangles of a surface that
// are near to the way from `from` to `from + motion`, in order.
template <typename Visit>
void ForEachPrimitive(const Placed& placed, Vector3 from, Vector3 motion,
                      double reach_m, const Visit& visit) {
  if (placed.surface == nullptr) {
    visit(placed);
    return;
  }
  std::vector<uint32_t> found;
  placed.surface->FindAlong(placed.ToLocal(from),
                            Transposed(placed.basis) * motion, reach_m, found);
  btTriangleShape shape;
  for (const uint32_t index : found) {
    const Triangle triangle = placed.surface->triangle(index);
    SetTriangle(triangle, shape);
    Placed part = placed;
    part.key.primitive = index;
    part.surface = nullptr;
    part.triangle = &triangle;
    part.shape = &shape;
    visit(part);
  }
}

// Of these `placed` is no surface.

// Where a ray enters a primitive.
std::optional<PrimitiveTouch> EnterPrimitive(const Placed& placed, Vector3 from,
                                             Vector3 motion);

// Where `shape`, moving from `from` to `to`, touches a primitive.
std::optional<PrimitiveTouch> SweepPrimitive(const Placed& placed,
                                             const btConvexShape& shape,
                                             const btTransform& from,
                                             const btTransform& to);

// Whether `shape` at `pose` shares a point with a primitive.
bool OverlapsPrimitive(const Placed& placed, const btConvexShape& shape,
                       const btTransform& pose);

// How far `shape` at `pose` is from a primitive; nullopt when that is more than
// `distance_max_m`.
struct PrimitiveDistance {
  double distance_m = 0.0;  // below 0: how deep it is inside
  Vector3 point;            // on the primitive
  Vector3 normal;           // out of it
};
std::optional<PrimitiveDistance> DistanceTo(const Placed& placed,
                                            const btConvexShape& shape,
                                            const btTransform& pose,
                                            double distance_max_m);

// The point of a primitive that is closest to `point`.
Vector3 ClosestPointOf(const Placed& placed, Vector3 point);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_QUERIES_QUERY_SCENE_H_
