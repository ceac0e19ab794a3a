// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The other side of every figure: a physics definition stepped by Bullet as it
// comes, with default settings (dynamic tree, hashed pairs, its own compounds,
// meshes and islands). Layers and rules of combination are left out.

#ifndef REPRISE_SIM_PHYSICS_STOCK_WORLD_H_
#define REPRISE_SIM_PHYSICS_STOCK_WORLD_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletCollision/CollisionShapes/btTriangleMesh.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"
#include "sim/physics/body_rows.h"
#include "sim/physics/bullet_conversion.h"
#include "sim/physics/bullet_joints.h"
#include "sim/physics/bullet_parts.h"
#include "sim/physics/physics_definition.h"
#include "sim/physics/triangle_surface.h"

namespace reprise::sim {

// Of definitions whose objects are numbered from 1, all with a body.
class StockWorld {
 public:
  explicit StockWorld(const PhysicsDefinition& definition)
      : tick_s_(definition.tick_s) {
    world_.setGravity(ToBullet(definition.gravity_m_s2));
    for (const ShapeDefinition& shape : definition.shapes) {
      shapes_.push_back(MakeBulletShape(shape));
      if (IsSurface(shape)) AddMesh(shape);
      if (shapes_.back().compound == nullptr) continue;
      // The tree over its children, which is the default.
      auto compound = std::make_unique<btCompoundShape>();
      const auto& plain =
          static_cast<const btCompoundShape&>(*shapes_.back().compound);
      for (int i = 0; i < plain.getNumChildShapes(); ++i) {
        compound->addChildShape(plain.getChildTransform(i),
                                shapes_.back().primitives[i].get());
      }
      shapes_.back().compound = std::move(compound);
    }
    for (const BodyPlacement& body : definition.bodies) {
      const BodyKind& kind = definition.kinds[body.kind];
      bodies_.push_back(MakeBulletBody(kind, shapes_[kind.shape].get()));
      WriteBody(InitialRow(body, kind), *bodies_.back());
      world_.addRigidBody(bodies_.back().get());
    }
    for (const JointDefinition& joint : definition.joints) {
      joints_.push_back(MakeBulletJoint(joint,
                                        *bodies_[joint.object_a.serial - 1],
                                        *bodies_[joint.object_b.serial - 1]));
      world_.addConstraint(joints_.back().get(), true);
    }
  }

  ~StockWorld() {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  btDiscreteDynamicsWorld& world() { return world_; }

  void Step() { world_.stepSimulation(tick_s_, 0); }

  int contact_point_count() {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      count += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    }
    return count;
  }

 private:
  // Puts Bullet's mesh of a surface into the place of ours.
  void AddMesh(const ShapeDefinition& shape) {
    const TriangleSurface surface(shape);
    meshes_.push_back(std::make_unique<btTriangleMesh>());
    for (uint32_t i = 0; i < surface.triangle_count(); ++i) {
      const Triangle triangle = surface.triangle(i);
      meshes_.back()->addTriangle(ToBullet(triangle.a), ToBullet(triangle.b),
                                  ToBullet(triangle.c));
    }
    shapes_.back().primitives[0] = std::make_unique<btBvhTriangleMeshShape>(
        meshes_.back().get(), /*useQuantizedAabbCompression=*/true);
  }

  const double tick_s_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
  std::vector<BulletShape> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_,
                                 &configuration_};
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_STOCK_WORLD_H_
