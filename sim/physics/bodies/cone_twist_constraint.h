// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A ball joint whose second body stays within a cone around the x-axis of the
// first and turns around it so far: what Bullet's joint with softness 1 says,
// to the last bit, without looking twice and without angles of what is well
// within.

#ifndef REPRISE_SIM_PHYSICS_BODIES_CONE_TWIST_CONSTRAINT_H_
#define REPRISE_SIM_PHYSICS_BODIES_CONE_TWIST_CONSTRAINT_H_

#include <memory>

#include "BulletDynamics/ConstraintSolver/btTypedConstraint.h"
#include "BulletDynamics/Dynamics/btRigidBody.h"
#include "LinearMath/btQuaternion.h"
#include "LinearMath/btTransform.h"
#include "LinearMath/btVector3.h"
#include "sim/physics/definition/joint_definition.h"

namespace reprise::sim {

class ConeTwistConstraint final : public btTypedConstraint {
 public:
  // Whether it can be one: a span of 0 locks, which Bullet's own joint does.
  static bool Serves(const ConeTwistJoint& cone);

  // Both bodies outlive the joint. REQUIRES: Serves(cone).
  ConeTwistConstraint(const ConeTwistJoint& cone, btRigidBody& body_a,
                      btRigidBody& body_b, const btTransform& frame_a,
                      const btTransform& frame_b);

  void getInfo1(btConstraintInfo1* info) override;
  // What getInfo1 has found is of now.
  void getInfo2(btConstraintInfo2* info) override;

  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0.0; }

 private:
  // A stop that is reached.
  struct Stop {
    bool is_reached = false;
    btVector3 axis = btVector3(0.0, 0.0, 0.0);  // in the world
    double correction_rad = 0.0;
  };

  void FindSwing(const btQuaternion& cone, const btQuaternion& frame_b);
  void FindTwist(const btQuaternion& twist, const btQuaternion& frame_b);
  // An axis out of an elliptical cone, by the normal of the ellipse.
  btVector3 NormalOf(const btVector3& axis) const;

  double swing_z_rad_;
  double swing_y_rad_;
  double twist_rad_;
  // Cosines of half the angles up to which no stop is reached for sure.
  double swing_cosine_;
  double twist_cosine_;
  btVector3 pivot_a_;
  btVector3 pivot_b_;
  btQuaternion rotation_a_;
  btQuaternion rotation_b_;
  Stop swing_;
  Stop twist_;
};

// One as a definition describes it, not yet in any world; null where it can't
// be one, or is a joint of another kind, which MakeBulletJoint makes. REQUIRES:
// the definition passed ValidatePhysicsDefinition.
std::unique_ptr<btTypedConstraint> MakeConeTwist(
    const JointDefinition& definition, btRigidBody& body_a,
    btRigidBody& body_b);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_BODIES_CONE_TWIST_CONSTRAINT_H_
