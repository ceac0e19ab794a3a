// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bullet_parts.h"

#include <utility>
#include <variant>

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletCollision/CollisionShapes/btCompoundShape.h"
#include "BulletCollision/CollisionShapes/btCylinderShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"
#include "BulletDynamics/ConstraintSolver/btConeTwistConstraint.h"
#include "BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h"
#include "sim/physics/bullet_conversion.h"

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
};

bool IsAny(LockedAxes axes) { return axes.x || axes.y || axes.z; }

// What Bullet multiplies changes of velocity by.
btVector3 FactorOf(LockedAxes axes) {
  return btVector3(axes.x ? 0.0 : 1.0, axes.y ? 0.0 : 1.0, axes.z ? 0.0 : 1.0);
}

struct JointMaker {
  const JointDefinition& definition;
  btRigidBody& body_a;
  btRigidBody& body_b;

  btTransform FrameA() const {
    return ToBullet(definition.frame_a.position, definition.frame_a.rotation);
  }
  btTransform FrameB() const {
    return ToBullet(definition.frame_b.position, definition.frame_b.rotation);
  }

  std::unique_ptr<btTypedConstraint> operator()(const BallJoint&) const {
    return std::make_unique<btPoint2PointConstraint>(
        body_a, body_b, FrameA().getOrigin(), FrameB().getOrigin());
  }
  std::unique_ptr<btTypedConstraint> operator()(const HingeJoint& hinge) const {
    auto joint =
        std::make_unique<btHingeConstraint>(body_a, body_b, FrameA(), FrameB());
    joint->setLimit(hinge.lower_rad, hinge.upper_rad);
    SetHingeMotor(*joint, hinge.motor_target_rad_s,
                  hinge.motor_impulse_max_n_m_s);
    return joint;
  }
  std::unique_ptr<btTypedConstraint> operator()(
      const ConeTwistJoint& cone) const {
    auto joint = std::make_unique<btConeTwistConstraint>(body_a, body_b,
                                                         FrameA(), FrameB());
    joint->setLimit(cone.swing_span_z_rad, cone.swing_span_y_rad,
                    cone.twist_span_rad);
    return joint;
  }
};

}  // namespace

BulletShape MakeBulletShape(const ShapeDefinition& definition) {
  BulletShape shape;
  if (const auto* plane = std::get_if<PlaneShape>(&definition)) {
    shape.primitives.push_back(std::make_unique<btStaticPlaneShape>(
        ToBullet(plane->normal), plane->offset_m));
    return shape;
  }

  const auto& primitives = std::get<SolidShape>(definition).primitives;
  for (const Primitive& primitive : primitives) {
    shape.primitives.push_back(std::visit(PrimitiveMaker{}, primitive.solid));
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
                                            btCollisionShape* shape) {
  const bool is_dynamic = kind.motion == Motion::kDynamic;
  const double mass_kg = is_dynamic ? kind.mass_kg : 0.0;
  btVector3 inertia(0.0, 0.0, 0.0);
  if (is_dynamic) shape->calculateLocalInertia(mass_kg, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass_kg, nullptr, shape,
                                                inertia);
  info.m_friction = kind.friction;
  info.m_rollingFriction = kind.rolling_friction;
  info.m_restitution = kind.restitution;
  info.m_linearDamping = kind.linear_damping;
  info.m_angularDamping = kind.angular_damping;

  auto body = std::make_unique<btRigidBody>(info);
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

std::unique_ptr<btTypedConstraint> MakeBulletJoint(
    const JointDefinition& definition, btRigidBody& body_a,
    btRigidBody& body_b) {
  std::unique_ptr<btTypedConstraint> joint =
      std::visit(JointMaker{definition, body_a, body_b}, definition.kind);
  joint->setBreakingImpulseThreshold(definition.breaking_impulse_n_s);
  return joint;
}

void SetHingeMotor(btHingeConstraint& hinge, double target_rad_s,
                   double impulse_max_n_m_s) {
  hinge.enableAngularMotor(impulse_max_n_m_s > 0.0, target_rad_s,
                           impulse_max_n_m_s);
}

btHingeConstraint* AsHinge(btTypedConstraint& joint) {
  return joint.getConstraintType() == HINGE_CONSTRAINT_TYPE
             ? static_cast<btHingeConstraint*>(&joint)
             : nullptr;
}

}  // namespace reprise::sim
