// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/bodies/bullet_joints.h"

#include <algorithm>
#include <variant>

#include "BulletDynamics/ConstraintSolver/btConeTwistConstraint.h"
#include "BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h"
#include "BulletDynamics/ConstraintSolver/btHingeConstraint.h"
#include "BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h"
#include "sim/base/math.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

// How much of its way a servo goes in a step, so that one which is just strong
// enough to brake doesn't overshoot.
constexpr double kServoShare = 0.2;

// The velocity with which a servo that is `error` away from its target goes
// there.
double ServoVelocity(const JointMotor& motor, double error,
                     const btTypedConstraint::btConstraintInfo2& info) {
  return std::clamp(error * kServoShare * info.fps, -motor.speed_max,
                    motor.speed_max);
}

// Where a servo has arrived, m or rad: from there it creeps on until all sleep.
constexpr double kServoTolerance = 0.01;

class HingeConstraint final : public btHingeConstraint {
 public:
  HingeConstraint(const HingeJoint& hinge, btRigidBody& body_a,
                  btRigidBody& body_b, const btTransform& frame_a,
                  const btTransform& frame_b)
      : btHingeConstraint(body_a, body_b, frame_a, frame_b),
        motor_(hinge.motor) {
    // Whole errors are told, and nothing bounces off a stop.
    constexpr double kSoftness = 0.9;  // which Bullet doesn't read
    setLimit(hinge.lower_rad, hinge.upper_rad, kSoftness, /*_biasFactor=*/1.0,
             /*_relaxationFactor=*/0.0);
    set_setting({hinge.motor.target, hinge.motor.impulse_max});
  }

  MotorSetting setting() const { return setting_; }
  void set_setting(MotorSetting setting) {
    setting_ = setting;
    enableAngularMotor(setting.impulse_max > 0.0, setting.target,
                       setting.impulse_max);
  }

  bool is_at_work() {
    return motor_.is_servo && setting_.impulse_max > 0.0 &&
           Abs(Error()) > kServoTolerance;
  }

  void getInfo2(btConstraintInfo2* info) override {
    if (motor_.is_servo) {
      setMotorTargetVelocity(ServoVelocity(motor_, Error(), *info));
    }
    btHingeConstraint::getInfo2(info);
  }

 private:
  // How far a servo has to turn.
  double Error() {
    const double error = setting_.target - getHingeAngle();
    return hasLimit() ? error : btNormalizeAngle(error);
  }

  JointMotor motor_;
  MotorSetting setting_;
};

// Where the turn in the middle comes to a right angle the other two are the
// same: it is one that stays away from it, if there is one.
RotateOrder OrderOf(const SixAxisJoint& joint) {
  const auto stays = [&joint](uint32_t turn) {
    const JointAxis& axis = joint.axes[kFirstTurningAxis + turn];
    return axis.lower <= axis.upper && axis.lower >= -kMiddleTurnMaxRad &&
           axis.upper <= kMiddleTurnMaxRad;
  };
  if (stays(1)) return RO_XYZ;
  if (stays(2)) return RO_XZY;
  return stays(0) ? RO_YXZ : RO_XYZ;
}

// Bullet measures along the axes of its first body, and turns against the
// second: with our object_b as the first, the one is as we mean it, and the
// other the negative.
class SixAxisConstraint final : public btGeneric6DofSpring2Constraint {
 public:
  SixAxisConstraint(const SixAxisJoint& joint, btRigidBody& body_a,
                    btRigidBody& body_b, const btTransform& frame_a,
                    const btTransform& frame_b)
      : btGeneric6DofSpring2Constraint(body_b, body_a, frame_b, frame_a,
                                       OrderOf(joint)),
        joint_(joint) {
    for (uint32_t i = 0; i < kJointAxes; ++i) SetAxis(i, joint.axes[i]);
    set_setting({joint.motor.target, joint.motor.impulse_max});
  }

  MotorSetting setting() const { return setting_; }
  void set_setting(MotorSetting setting) {
    if (!has_motor()) return;
    setting_ = setting;
    enableMotor(static_cast<int>(joint_.motor_axis), setting.impulse_max > 0.0);
  }

  bool is_at_work() {
    if (!has_motor() || setting_.impulse_max == 0.0) return false;
    if (!joint_.motor.is_servo) return setting_.target != 0.0;
    // What Bullet has computed is of an earlier step, or of none.
    calculateTransforms();
    return Abs(Error()) > kServoTolerance;
  }

  void getInfo1(btConstraintInfo1* info) override {
    btGeneric6DofSpring2Constraint::getInfo1(info);
    // At the right angle two axes are the same, and Bullet divides by 0.
    for (int i = 0; i < 3; ++i) {
      if (IsFinite(m_calculatedAxis[i].length2())) continue;
      m_calculatedAxis[i] = m_calculatedTransformA.getBasis().getColumn(i);
    }
  }

  void getInfo2(btConstraintInfo2* info) override {
    if (has_motor()) PrepareMotor(*info);
    btGeneric6DofSpring2Constraint::getInfo2(info);
  }

 private:
  static bool IsTurning(uint32_t axis) { return axis >= kFirstTurningAxis; }

  bool has_motor() const { return joint_.motor_axis < kJointAxes; }

  void SetAxis(uint32_t i, const JointAxis& axis) {
    const int index = static_cast<int>(i);
    if (IsTurning(i)) {
      setLimit(index, -axis.upper, -axis.lower);
    } else {
      setLimit(index, axis.lower, axis.upper);
    }
    const AxisSpring& spring = axis.spring;
    if (spring.stiffness == 0.0 && spring.damping == 0.0) return;
    enableSpring(index, true);
    setStiffness(index, spring.stiffness, /*limitIfNeeded=*/true);
    setDamping(index, spring.damping, /*limitIfNeeded=*/true);
    setEquilibriumPoint(index, IsTurning(i) ? -spring.rest : spring.rest);
  }

  // How far a servo has to go. REQUIRES: transforms are calculated.
  double Error() const {
    const auto axis = static_cast<int>(joint_.motor_axis);
    if (!IsTurning(joint_.motor_axis)) {
      return setting_.target - m_calculatedLinearDiff[axis];
    }
    return btNormalizeAngle(setting_.target +
                            m_calculatedAxisAngleDiff[axis - 3]);
  }

  void PrepareMotor(const btConstraintInfo2& info) {
    const auto axis = static_cast<int>(joint_.motor_axis);
    const double velocity = joint_.motor.is_servo
                                ? ServoVelocity(joint_.motor, Error(), info)
                                : setting_.target;
    setTargetVelocity(axis, -velocity);
    setMaxMotorForce(axis, setting_.impulse_max * info.fps);
  }

  SixAxisJoint joint_;
  MotorSetting setting_;
};

// One row that gives exactly the impulse of a spring with a damper, as it will
// be at the end of the step: what the two bodies do meanwhile is part of it, so
// that no stiffness overshoots.
class SpringConstraint final : public btTypedConstraint {
 public:
  SpringConstraint(const SpringJoint& spring, btRigidBody& body_a,
                   btRigidBody& body_b, const btVector3& pivot_a,
                   const btVector3& pivot_b)
      : btTypedConstraint(MAX_CONSTRAINT_TYPE, body_a, body_b),
        spring_(spring),
        pivot_a_(pivot_a),
        pivot_b_(pivot_b) {}

  void getInfo1(btConstraintInfo1* info) override {
    info->m_numConstraintRows = 1;
    info->nub = 5;
  }

  void getInfo2(btConstraintInfo2* info) override {
    const btVector3 arm_a =
        m_rbA.getCenterOfMassTransform().getBasis() * pivot_a_;
    const btVector3 arm_b =
        m_rbB.getCenterOfMassTransform().getBasis() * pivot_b_;
    const btVector3 along = m_rbA.getCenterOfMassPosition() + arm_a -
                            (m_rbB.getCenterOfMassPosition() + arm_b);
    const double length_m = along.length();
    // Two points at the same place have no line between them.
    constexpr double kLengthMinM = 1e-9;
    const btVector3 axis =
        length_m > kLengthMinM ? along / length_m : btVector3(0.0, 0.0, 0.0);
    const btVector3 turn_a = arm_a.cross(axis);
    const btVector3 turn_b = arm_b.cross(axis);
    for (int i = 0; i < 3; ++i) {
      info->m_J1linearAxis[i] = axis[i];
      info->m_J1angularAxis[i] = turn_a[i];
      info->m_J2linearAxis[i] = -axis[i];
      info->m_J2angularAxis[i] = -turn_b[i];
    }

    const double inverse_mass =
        InverseMass(m_rbA, axis, turn_a) + InverseMass(m_rbB, axis, turn_b);
    const double dt_s = 1.0 / info->fps;
    const double speed =
        (VelocityOf(m_rbA, arm_a, dt_s) - VelocityOf(m_rbB, arm_b, dt_s))
            .dot(axis);
    const double force_n =
        spring_.stiffness_n_m *
            (length_m - spring_.rest_length_m + dt_s * speed) +
        spring_.damping_n_s_m * speed;
    const double softness =
        1.0 + dt_s * inverse_mass *
                  (spring_.damping_n_s_m + dt_s * spring_.stiffness_n_m);
    const double impulse_n_s =
        length_m > kLengthMinM ? -dt_s * force_n / softness : 0.0;
    // Whatever the solver finds, its bounds leave this.
    info->m_lowerLimit[0] = impulse_n_s;
    info->m_upperLimit[0] = impulse_n_s;
    info->m_constraintError[0] = 0.0;
  }

  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0.0; }

 private:
  static double InverseMass(const btRigidBody& body, const btVector3& axis,
                            const btVector3& turn) {
    const btVector3 spin = body.getInvInertiaTensorWorld() * turn;
    return body.getInvMass() * axis.length2() + turn.dot(spin);
  }

  // Of a point of a body, once this step's forces have acted.
  static btVector3 VelocityOf(const btRigidBody& body, const btVector3& arm,
                              double dt_s) {
    const btVector3 linear = body.getLinearVelocity() +
                             dt_s * body.getInvMass() * body.getTotalForce() *
                                 body.getLinearFactor();
    const btVector3 angular =
        body.getAngularVelocity() +
        dt_s * (body.getInvInertiaTensorWorld() * body.getTotalTorque()) *
            body.getAngularFactor();
    return linear + angular.cross(arm);
  }

  SpringJoint spring_;
  btVector3 pivot_a_;
  btVector3 pivot_b_;
};

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
    return std::make_unique<HingeConstraint>(hinge, body_a, body_b, FrameA(),
                                             FrameB());
  }
  std::unique_ptr<btTypedConstraint> operator()(
      const ConeTwistJoint& cone) const {
    auto joint = std::make_unique<btConeTwistConstraint>(body_a, body_b,
                                                         FrameA(), FrameB());
    joint->setLimit(cone.swing_span_z_rad, cone.swing_span_y_rad,
                    cone.twist_span_rad, /*_softness=*/1.0,
                    /*_biasFactor=*/1.0);
    // Bullet would lock cones of up to 0.05 rad; only one of 0 is a lock.
    joint->setFixThresh(SIMD_EPSILON);
    return joint;
  }
  std::unique_ptr<btTypedConstraint> operator()(
      const SpringJoint& spring) const {
    return std::make_unique<SpringConstraint>(
        spring, body_a, body_b, FrameA().getOrigin(), FrameB().getOrigin());
  }
  std::unique_ptr<btTypedConstraint> operator()(
      const SixAxisJoint& joint) const {
    return std::make_unique<SixAxisConstraint>(joint, body_a, body_b, FrameA(),
                                               FrameB());
  }
};

}  // namespace

std::unique_ptr<btTypedConstraint> MakeBulletJoint(
    const JointDefinition& definition, btRigidBody& body_a,
    btRigidBody& body_b) {
  std::unique_ptr<btTypedConstraint> joint =
      std::visit(JointMaker{definition, body_a, body_b}, definition.kind);
  joint->setBreakingImpulseThreshold(definition.breaking_impulse_n_s);
  return joint;
}

MotorSetting ReadMotor(const btTypedConstraint& joint) {
  switch (joint.getConstraintType()) {
    case HINGE_CONSTRAINT_TYPE:
      return static_cast<const HingeConstraint&>(joint).setting();
    case D6_SPRING_2_CONSTRAINT_TYPE:
      return static_cast<const SixAxisConstraint&>(joint).setting();
    default:
      return {};
  }
}

void WriteMotor(MotorSetting setting, btTypedConstraint& joint) {
  switch (joint.getConstraintType()) {
    case HINGE_CONSTRAINT_TYPE:
      static_cast<HingeConstraint&>(joint).set_setting(setting);
      break;
    case D6_SPRING_2_CONSTRAINT_TYPE:
      static_cast<SixAxisConstraint&>(joint).set_setting(setting);
      break;
    default:
      break;
  }
}

bool IsAtWork(btTypedConstraint& joint) {
  switch (joint.getConstraintType()) {
    case HINGE_CONSTRAINT_TYPE:
      return static_cast<HingeConstraint&>(joint).is_at_work();
    case D6_SPRING_2_CONSTRAINT_TYPE:
      return static_cast<SixAxisConstraint&>(joint).is_at_work();
    default:
      return false;
  }
}

}  // namespace reprise::sim
