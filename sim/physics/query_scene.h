// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The primitives of all bodies as physics queries search and test them: placed
// in the world, with a tree over their boxes.

#ifndef REPRISE_SIM_PHYSICS_QUERY_SCENE_H_
#define REPRISE_SIM_PHYSICS_QUERY_SCENE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "BulletCollision/CollisionShapes/btConvexShape.h"
#include "LinearMath/btTransform.h"
#include "sim/base/table.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/box_tree.h"
#include "sim/physics/bullet_parts.h"
#include "sim/physics/physics_definition.h"
#include "sim/physics/physics_rows.h"
#include "sim/physics/primitive_key.h"

namespace reprise::sim {

// Where a primitive is.
struct Placed {
  PrimitiveKey key;
  const BodyKind* kind = nullptr;
  const Solid* solid = nullptr;       // null: a plane
  const PlaneShape* plane = nullptr;  // null: a solid
  const btCollisionShape* shape = nullptr;
  Vector3 position;
  Matrix3 basis;

  Vector3 ToLocal(Vector3 point) const {
    return Transposed(basis) * (point - position);
  }
  Vector3 ToWorld(Vector3 point) const { return position + basis * point; }
  btTransform pose() const;
};

// How a solid touches a primitive.
struct Touch {
  double fraction = 0.0;
  Vector3 point;
  Vector3 normal;
};

class QueryScene {
 public:
  // `definition` outlives the scene.
  explicit QueryScene(const PhysicsDefinition& definition);

  // Forgets what there was, and places the bodies of the rows.
  void Place(const Table& bodies);

  const std::vector<Placed>& solids() const { return solids_; }
  const std::vector<Placed>& planes() const { return planes_; }
  // Over solids(), by their indexes.
  const BoxTree& tree() const { return tree_; }

 private:
  void PlaceBody(const BodyRow& row);

  const PhysicsDefinition& definition_;
  // Without Bullet's rounded edges.
  std::vector<BulletShape> shapes_;
  std::vector<Placed> solids_;
  std::vector<Placed> planes_;
  std::vector<AxisAlignedBox> boxes_;
  BoxTree tree_;
};

// The box around `shape` at `pose`, a little larger than needed.
AxisAlignedBox BoxAround(const btConvexShape& shape, const btTransform& pose);

// Where a ray enters a primitive.
std::optional<Touch> EnterPrimitive(const Placed& placed, Vector3 from,
                                    Vector3 motion);

// Where `shape`, moving from `from` to `to`, touches a primitive.
std::optional<Touch> SweepPrimitive(const Placed& placed,
                                    const btConvexShape& shape,
                                    const btTransform& from,
                                    const btTransform& to);

// Whether `shape` at `pose` shares a point with a primitive.
bool OverlapsPrimitive(const Placed& placed, const btConvexShape& shape,
                       const btTransform& pose);

// The point of a primitive that is closest to `point`.
Vector3 ClosestPointOf(const Placed& placed, Vector3 point);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_QUERY_SCENE_H_
