// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/bullet_parts.h"

#include <utility>
#include <variant>

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletCollision/CollisionShapes/btCylinderShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"
#include "sim/base/check.h"
#include "sim/physics/definition/solid_mass.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_shapes.h"

namespace reprise::sim {
namespace {

struct PrimitiveMaker {
  std::unique_ptr<btCollisionShape> operator()(
      const SpherePrimitive& sphere) const {
    return std::make_unique<btSphereShape>(sphere.radius_m);
  }
  std::unique_ptr<btCollisionShape> operator()(const BoxPrimitive& box) const {
    return std::make_unique<btBoxShape>(ToBullet(box.half_extents_m));
  }
  std::unique_ptr<btCollisionShape> operator()(
      const CapsulePrimitive& capsule) const {
    return std::make_unique<btCapsuleShape>(capsule.radius_m, capsule.height_m);
  }
  std::unique_ptr<btCollisionShape> operator()(
      const CylinderPrimitive& cylinder) const {
    return std::make_unique<btCylinderShape>(btVector3(
        cylinder.radius_m, 0.5 * cylinder.height_m, cylinder.radius_m));
  }
  std::unique_ptr<btCollisionShape> operator()(
      const ConePrimitive& cone) const {
    return std::make_unique<ConeShape>(cone);
  }
  std::unique_ptr<btCollisionShape> operator()(
      const HullPrimitive& hull) const {
    return std::make_unique<HullShape>(hull);
  }
};

bool IsAny(LockedAxes axes) { return axes.x || axes.y || axes.z; }

// What Bullet multiplies changes of velocity by.
btVector3 FactorOf(LockedAxes axes) {
  return btVector3(axes.x ? 0.0 : 1.0, axes.y ? 0.0 : 1.0, axes.z ? 0.0 : 1.0);
}

}  // namespace

BulletShape MakeBulletShape(const ShapeDefinition& definition) {
  BulletShape shape;
  if (const auto* plane = std::get_if<PlaneShape>(&definition)) {
    shape.primitives.push_back(std::make_unique<btStaticPlaneShape>(
        ToBullet(plane->normal), plane->offset_m));
    return shape;
  }

  if (IsSurface(definition)) {
    shape.primitives.push_back(std::make_unique<SurfaceShape>(definition));
    return shape;
  }

  const auto& primitives = std::get<SolidShape>(definition).primitives;
  for (const Primitive& primitive : primitives) {
    shape.primitives.push_back(std::visit(PrimitiveMaker{}, primitive.solid));
    if (!primitive.filter.has_value()) continue;
    // Bullet's pointers are to what may change; nobody changes this.
    shape.primitives.back()->setUserPointer(
        const_cast<CollisionFilter*>(&*primitive.filter));
  }
  const bool is_simple = primitives.size() == 1 &&
                         primitives[0].position == Vector3{} &&
                         primitives[0].rotation == Quaternion{};
  if (is_simple) return shape;

  // PairAlgorithm looks at the primitives itself and needs no tree over them.
  auto compound = std::make_unique<btCompoundShape>(
      /*enableDynamicAabbTree=*/false, static_cast<int>(primitives.size()));
  for (size_t i = 0; i < primitives.size(); ++i) {
    compound->addChildShape(
        ToBullet(primitives[i].position, primitives[i].rotation),
        shape.primitives[i].get());
  }
  shape.compound = std::move(compound);
  return shape;
}

std::unique_ptr<btRigidBody> MakeBulletBody(const BodyKind& kind,
                                            const ShapeDefinition& definition,
                                            btCollisionShape* shape) {
  const bool is_dynamic = kind.motion == Motion::kDynamic;
  const double mass_kg = is_dynamic ? kind.mass_kg : 0.0;
  const btVector3 inertia = mass_kg * ToBullet(UnitInertiaOf(definition));
  btRigidBody::btRigidBodyConstructionInfo info(mass_kg, nullptr, shape,
                                                inertia);
  info.m_friction = kind.friction;
  info.m_rollingFriction = kind.rolling_friction;
  info.m_restitution = kind.restitution;
  info.m_linearDamping = kind.linear_damping;
  info.m_angularDamping = kind.angular_damping;

  info.m_linearSleepingThreshold = kind.sleep.linear_speed_m_s;
  info.m_angularSleepingThreshold = kind.sleep.angular_speed_rad_s;

  auto body = std::make_unique<btRigidBody>(info);
  // As above.
  body->setUserPointer(const_cast<BodyKind*>(&kind));
  body->setLinearFactor(FactorOf(kind.locked_position));
  body->setAngularFactor(FactorOf(kind.locked_rotation));
  if (IsAny(kind.locked_rotation)) {
    // Bullet lets the gyroscopic torque turn a body around any axis.
    body->setFlags(body->getFlags() &
                   ~BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
  }
  int flags = body->getCollisionFlags();
  if (kind.motion == Motion::kKinematic) {
    flags |= btCollisionObject::CF_KINEMATIC_OBJECT;
  }
  if (kind.is_trigger) flags |= btCollisionObject::CF_NO_CONTACT_RESPONSE;
  body->setCollisionFlags(flags);
  return body;
}

const BodyKind& KindOf(const btCollisionObject& body) {
  CHECK(body.getUserPointer() != nullptr);
  return *static_cast<const BodyKind*>(body.getUserPointer());
}

}  // namespace reprise::sim
