// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Ours says what Bullet's joint says, to the last bit, wherever its bodies are:
// well within, at and beyond every stop.

#include "sim/physics/bodies/cone_twist_constraint.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletDynamics/ConstraintSolver/btConeTwistConstraint.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/physics/bodies/bullet_joints.h"

namespace reprise::sim {
namespace {

// A row as constraints write it.
struct Row {
  double linear_a[4] = {};
  double angular_a[4] = {};
  double linear_b[4] = {};
  double angular_b[4] = {};
  double error = 0.0;
  double softness = 0.0;
  double lower = -SIMD_INFINITY;
  double upper = SIMD_INFINITY;
};

std::vector<Row> RowsOf(btTypedConstraint& joint) {
  btTypedConstraint::btConstraintInfo1 counts;
  joint.getInfo1(&counts);
  std::vector<Row> rows(static_cast<size_t>(counts.m_numConstraintRows));
  btTypedConstraint::btConstraintInfo2 info;
  info.fps = 60.0;
  info.erp = 1.0;
  info.m_J1linearAxis = rows[0].linear_a;
  info.m_J1angularAxis = rows[0].angular_a;
  info.m_J2linearAxis = rows[0].linear_b;
  info.m_J2angularAxis = rows[0].angular_b;
  info.rowskip = sizeof(Row) / sizeof(double);
  info.m_constraintError = &rows[0].error;
  info.cfm = &rows[0].softness;
  info.m_lowerLimit = &rows[0].lower;
  info.m_upperLimit = &rows[0].upper;
  info.m_numIterations = 1;
  info.m_damping = 1.0;
  joint.getInfo2(&info);
  return rows;
}

class ConeTwistConstraintTest : public testing::Test {
 protected:
  double Between(double low, double high) {
    return low + (high - low) * NextUnit(random_);
  }

  Vector3 DrawVector() {
    const double x = Between(-1.0, 1.0);
    const double y = Between(-1.0, 1.0);
    return {x, y, Between(-1.0, 1.0)};
  }

  btQuaternion DrawTurn(double angle_max_rad) {
    const Vector3 axis = DrawVector();
    return btQuaternion(btVector3(axis.x, axis.y, axis.z),
                        Between(-angle_max_rad, angle_max_rad));
  }

  // Body B turned by up to that much against A, whatever A's pose.
  void Pose(double angle_max_rad) {
    const Vector3 place = DrawVector();
    const btQuaternion turn = DrawTurn(kPi);
    body_a_.setWorldTransform(
        btTransform(turn, btVector3(place.x, place.y, place.z)));
    body_b_.setWorldTransform(btTransform(
        turn * DrawTurn(angle_max_rad), btVector3(place.y, place.z, place.x)));
  }

  // Compares both joints in poses of all kinds. Returns how many rows they had.
  std::vector<uint32_t> CompareInPoses(const JointDefinition& definition) {
    const auto ours = MakeConeTwist(definition, body_a_, body_b_);
    const auto bullets = MakeBulletJoint(definition, body_a_, body_b_);
    std::vector<uint32_t> counts(6, 0);
    for (int i = 0; i < 2000; ++i) {
      Pose(i % 4 == 0 ? kPi : 1.5);
      const std::vector<Row> actual = RowsOf(*ours);
      const std::vector<Row> expected = RowsOf(*bullets);
      EXPECT_EQ(actual.size(), expected.size()) << "pose " << i;
      if (actual.size() != expected.size()) break;
      ++counts[actual.size()];
      EXPECT_EQ(std::memcmp(actual.data(), expected.data(),
                            actual.size() * sizeof(Row)),
                0)
          << "pose " << i;
    }
    return counts;
  }

  btSphereShape shape_{1.0};
  btRigidBody body_a_{1.0, nullptr, &shape_};
  btRigidBody body_b_{1.0, nullptr, &shape_};
  RandomStream random_ = MakeRandomStream(1, IdOf("cone_twist"));
};

JointDefinition DefinitionOf(const ConeTwistJoint& cone) {
  JointDefinition joint;
  joint.kind = cone;
  joint.frame_a.position = {0.3, -0.2, 0.1};
  joint.frame_a.rotation = FromAxisAngle({0.6, 0.8, 0.0}, 0.4);
  joint.frame_b.position = {-0.4, 0.5, 0.2};
  joint.frame_b.rotation = FromAxisAngle({0.6, 0.8, 0.0}, 0.4);
  return joint;
}

TEST_F(ConeTwistConstraintTest, SaysWhatBulletsSays) {
  const std::vector<uint32_t> counts =
      CompareInPoses(DefinitionOf({0.8, 0.5, 0.4}));
  // Within, at one stop, and at both.
  EXPECT_GT(counts[3], 50u);
  EXPECT_GT(counts[4], 50u);
  EXPECT_GT(counts[5], 50u);
}

TEST_F(ConeTwistConstraintTest, SaysItOfNarrowAndOfWideCones) {
  for (const double span : {1e-6, 0.02, 3.1, 3.2, 6.0, 2.0 * kPi}) {
    for (const double twist : {1e-6, 1.0, 3.2, 2.0 * kPi}) {
      CompareInPoses(DefinitionOf({span, 0.7, twist}));
    }
  }
}

TEST_F(ConeTwistConstraintTest, IsNoneThatLocks) {
  EXPECT_EQ(MakeConeTwist(DefinitionOf({0.0, 0.5, 0.4}), body_a_, body_b_),
            nullptr);
  EXPECT_EQ(MakeConeTwist(DefinitionOf({0.5, 0.5, 0.0}), body_a_, body_b_),
            nullptr);
}

TEST_F(ConeTwistConstraintTest, BreaksWhereItIsToldTo) {
  JointDefinition definition = DefinitionOf({0.5, 0.5, 0.4});
  definition.breaking_impulse_n_s = 12.0;
  EXPECT_EQ(MakeConeTwist(definition, body_a_, body_b_)
                ->getBreakingImpulseThreshold(),
            12.0);
}

}  // namespace
}  // namespace reprise::sim
