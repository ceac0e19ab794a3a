// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/cone_twist_constraint.h"

#include <algorithm>
#include <variant>

#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

// Far more than rounding, of a cosine.
constexpr double kCosineMargin = 1e-9;

// Nearer to 1 a cosine doesn't tell a small angle from none.
constexpr double kCosineMax = 1.0 - 1e-12;

// What is above this is within the angle.
double CosineWithin(double angle_rad) {
  return 0.5 * angle_rad < kPi ? Cos(0.5 * angle_rad) + kCosineMargin : -2.0;
}

double AngleOf(const btQuaternion& rotation) {
  return 2.0 * Acos(std::clamp(rotation.w(), -1.0, 1.0));
}

btVector3 AxisOf(const btQuaternion& rotation) {
  return {rotation.x(), rotation.y(), rotation.z()};
}

// Writes an axis, and its negative for the second body.
void WriteAxis(const btVector3& axis, double* of_a, double* of_b) {
  for (int i = 0; i < 3; ++i) {
    of_a[i] = axis[i];
    of_b[i] = -axis[i];
  }
}

// What keeps the velocity of a point that is `arm` away from the origin: rows
// of the cross product.
void WriteArm(const btVector3& arm, double* angular, int row_skip) {
  btVector3 rows[3];
  arm.getSkewSymmetricMatrix(&rows[0], &rows[1], &rows[2]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) angular[i * row_skip + j] = rows[i][j];
  }
}

}  // namespace

bool ConeTwistConstraint::Serves(const ConeTwistJoint& cone) {
  return cone.swing_span_y_rad >= SIMD_EPSILON &&
         cone.swing_span_z_rad >= SIMD_EPSILON && cone.twist_span_rad > 0.0;
}

ConeTwistConstraint::ConeTwistConstraint(const ConeTwistJoint& cone,
                                         btRigidBody& body_a,
                                         btRigidBody& body_b,
                                         const btTransform& frame_a,
                                         const btTransform& frame_b)
    : btTypedConstraint(CONETWIST_CONSTRAINT_TYPE, body_a, body_b),
      swing_z_rad_(cone.swing_span_z_rad),
      swing_y_rad_(cone.swing_span_y_rad),
      twist_rad_(cone.twist_span_rad),
      swing_cosine_(CosineWithin(std::min(swing_z_rad_, swing_y_rad_))),
      twist_cosine_(CosineWithin(twist_rad_)),
      pivot_a_(frame_a.getOrigin()),
      pivot_b_(frame_b.getOrigin()),
      rotation_a_(frame_a.getRotation()),
      rotation_b_(frame_b.getRotation()) {
  CHECK(Serves(cone));
}

void ConeTwistConstraint::getInfo1(btConstraintInfo1* info) {
  const btVector3 along(1.0, 0.0, 0.0);
  const btQuaternion a =
      m_rbA.getCenterOfMassTransform().getRotation() * rotation_a_;
  const btQuaternion b =
      m_rbB.getCenterOfMassTransform().getRotation() * rotation_b_;
  const btQuaternion turned = b.inverse() * a;
  btVector3 turned_along = quatRotate(turned, along);
  turned_along.normalize();
  btQuaternion cone = shortestArcQuat(along, turned_along);
  cone.normalize();
  btQuaternion twist = cone.inverse() * turned;
  twist.normalize();
  FindSwing(cone, b);
  FindTwist(twist, b);
  info->m_numConstraintRows =
      3 + (swing_.is_reached ? 1 : 0) + (twist_.is_reached ? 1 : 0);
  info->nub = 6 - info->m_numConstraintRows;
}

void ConeTwistConstraint::FindSwing(const btQuaternion& cone,
                                    const btQuaternion& frame_b) {
  swing_.is_reached = false;
  if (cone.w() > swing_cosine_ && cone.w() < kCosineMax) return;
  const double angle = AngleOf(cone);
  double limit = 0.0;
  btVector3 axis(0.0, 0.0, 0.0);
  if (angle > SIMD_EPSILON) {
    axis = AxisOf(cone);
    axis.normalize();
    // How far the ellipse of both spans reaches in this direction.
    limit = swing_z_rad_;
    if (Abs(axis.y()) > SIMD_EPSILON) {
      const double slope = (-axis.z() * -axis.z()) / (axis.y() * axis.y());
      double norm = 1.0 / (swing_y_rad_ * swing_y_rad_);
      norm += slope / (swing_z_rad_ * swing_z_rad_);
      limit = Sqrt((1.0 + slope) / norm);
    }
  }
  if (!(angle > limit)) return;
  swing_ = {.is_reached = true,
            .axis = quatRotate(frame_b, -NormalOf(axis)),
            .correction_rad = angle - limit};
}

btVector3 ConeTwistConstraint::NormalOf(const btVector3& axis) const {
  double y = -axis.z();
  const double z = axis.y();
  if (!(Abs(z) > SIMD_EPSILON)) return axis;
  double gradient = y / z;
  gradient *= swing_y_rad_ / swing_z_rad_;
  y = y > 0.0 ? Abs(gradient * z) : -Abs(gradient * z);
  btVector3 normal(axis.x(), z, -y);
  return normal.normalize();
}

void ConeTwistConstraint::FindTwist(const btQuaternion& twist,
                                    const btQuaternion& frame_b) {
  twist_.is_reached = false;
  if (Abs(twist.w()) > twist_cosine_) return;
  btQuaternion shorter = twist;
  double angle = AngleOf(twist);
  if (angle > SIMD_PI) {
    shorter = -twist;
    angle = AngleOf(shorter);
  }
  if (!(angle > twist_rad_)) return;
  btVector3 axis = AxisOf(shorter);
  if (angle > SIMD_EPSILON) axis.normalize();
  twist_ = {.is_reached = true,
            .axis = quatRotate(frame_b, -axis),
            .correction_rad = angle - twist_rad_};
}

void ConeTwistConstraint::getInfo2(btConstraintInfo2* info) {
  const int skip = info->rowskip;
  const btTransform& pose_a = m_rbA.getCenterOfMassTransform();
  const btTransform& pose_b = m_rbB.getCenterOfMassTransform();
  const btVector3 arm_a = pose_a.getBasis() * pivot_a_;
  const btVector3 arm_b = pose_b.getBasis() * pivot_b_;
  WriteArm(-arm_a, info->m_J1angularAxis, skip);
  WriteArm(arm_b, info->m_J2angularAxis, skip);
  const double rate = info->fps * info->erp;
  for (int i = 0; i < 3; ++i) {
    info->m_J1linearAxis[i * skip + i] = 1.0;
    info->m_J2linearAxis[i * skip + i] = -1.0;
    info->m_constraintError[i * skip] =
        rate *
        (arm_b[i] + pose_b.getOrigin()[i] - arm_a[i] - pose_a.getOrigin()[i]);
    info->m_lowerLimit[i * skip] = -SIMD_INFINITY;
    info->m_upperLimit[i * skip] = SIMD_INFINITY;
  }
  int row = 3 * skip;
  for (const Stop* stop : {&swing_, &twist_}) {
    if (!stop->is_reached) continue;
    WriteAxis(stop->axis, info->m_J1angularAxis + row,
              info->m_J2angularAxis + row);
    info->m_constraintError[row] = info->fps * stop->correction_rad;
    info->m_lowerLimit[row] = 0.0;
    info->m_upperLimit[row] = SIMD_INFINITY;
    row += skip;
  }
}

std::unique_ptr<btTypedConstraint> MakeConeTwist(
    const JointDefinition& definition, btRigidBody& body_a,
    btRigidBody& body_b) {
  const auto* const cone = std::get_if<ConeTwistJoint>(&definition.kind);
  if (cone == nullptr || !ConeTwistConstraint::Serves(*cone)) return nullptr;
  const auto frame = [](const JointFrame& place) {
    return ToBullet(place.position, place.rotation);
  };
  auto joint = std::make_unique<ConeTwistConstraint>(*cone, body_a, body_b,
                                                     frame(definition.frame_a),
                                                     frame(definition.frame_b));
  joint->setBreakingImpulseThreshold(definition.breaking_impulse_n_s);
  return joint;
}

}  // namespace reprise::sim
