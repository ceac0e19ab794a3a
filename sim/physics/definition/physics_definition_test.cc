// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whatever physics could not simulate is refused with the place of
// it: a sound definition is spoilt in one field at a time.

#include "sim/physics/definition/physics_definition.h"

#include <functional>
#include <limits>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/physics/testing/pile.h"
#include "sim/physics/testing/shape_scene.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two bodies and a joint.
PhysicsDefinition MakeSound() {
  PhysicsDefinition definition = MakeFloor();
  AddBody(definition, ShapeOf(SpherePrimitive{0.5}), Motion::kDynamic,
          {0.0, 2.0, 0.0});
  JointDefinition joint;
  joint.name = IdOf("rope");
  joint.kind = HingeJoint{};
  joint.object_a = {2};
  joint.object_b = {1};
  definition.joints.push_back(joint);
  return definition;
}

struct BadDefinition {
  std::string name;
  std::string place;  // what the message has to contain
  std::function<void(PhysicsDefinition&)> spoil;
};

class BadDefinitionTest : public testing::TestWithParam<BadDefinition> {};

TEST_P(BadDefinitionTest, IsRefusedWithItsPlace) {
  PhysicsDefinition definition = MakeSound();
  GetParam().spoil(definition);

  const absl::Status status = ValidatePhysicsDefinition(definition);

  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().place));
}

using D = PhysicsDefinition;

// Makes the floor a surface, to be changed at once.
MeshShape& FloorMesh(PhysicsDefinition& definition) {
  definition.shapes[0] = MakeBowlMesh();
  return std::get<MeshShape>(definition.shapes[0]);
}
HeightFieldShape& FloorField(PhysicsDefinition& definition) {
  definition.shapes[0] = MakeBowlField();
  return std::get<HeightFieldShape>(definition.shapes[0]);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadDefinitionTest,
    testing::Values(
        BadDefinition{"FlatCone", "primitives[0].height_m",
                      [](D& d) {
                        d.shapes[1] = ShapeOf(ConePrimitive{0.5, 0.0});
                      }},
        BadDefinition{"HullWithoutFaces", "primitives[0].hull",
                      [](D& d) { d.shapes[1] = ShapeOf(HullPrimitive{}); }},
        BadDefinition{"EmptyMesh", "shapes[0]: 289 vertices and 0 triangles",
                      [](D& d) { FloorMesh(d).triangles.clear(); }},
        BadDefinition{"NanVertex", "shapes[0]: vertex 7",
                      [](D& d) { FloorMesh(d).vertices[7].z = kNan; }},
        BadDefinition{"DegenerateTriangle", "shapes[0]: triangle 3",
                      [](D& d) {
                        FloorMesh(d).triangles[3] = {1, 1, 2};
                      }},
        BadDefinition{"CornerOutOfRange", "shapes[0]: triangle 3",
                      [](D& d) {
                        FloorMesh(d).triangles[3] = {1, 2, 289};
                      }},
        BadDefinition{"MissingHeight", "shapes[0].heights_m",
                      [](D& d) { FloorField(d).heights_m.pop_back(); }},
        BadDefinition{"InfiniteHeight", "shapes[0].heights_m[5]",
                      [](D& d) { FloorField(d).heights_m[5] = kInfinity; }},
        BadDefinition{"OneRow", "shapes[0].rows",
                      [](D& d) { FloorField(d).rows = 1; }},
        BadDefinition{"DynamicMesh", "kinds[0].shape",
                      [](D& d) {
                        FloorMesh(d);
                        d.kinds[0].motion = Motion::kDynamic;
                      }},
        BadDefinition{"KinematicField", "kinds[0].shape",
                      [](D& d) {
                        FloorField(d);
                        d.kinds[0].motion = Motion::kKinematic;
                      }},
        BadDefinition{"TriggerMesh", "kinds[0].is_trigger",
                      [](D& d) {
                        FloorMesh(d);
                        d.kinds[0].is_trigger = true;
                      }},
        BadDefinition{"ContinuousFloor", "kinds[0].is_continuous",
                      [](D& d) { d.kinds[0].is_continuous = true; }},
        BadDefinition{"ZeroMass", "kinds[1].mass_kg",
                      [](D& d) { d.kinds[1].mass_kg = 0.0; }},
        BadDefinition{"NegativeMass", "kinds[1].mass_kg",
                      [](D& d) { d.kinds[1].mass_kg = -1.0; }},
        BadDefinition{"NanMass", "kinds[1].mass_kg",
                      [](D& d) { d.kinds[1].mass_kg = kNan; }},
        BadDefinition{"NanFriction", "friction",
                      [](D& d) { d.kinds[1].friction = kNan; }},
        BadDefinition{"Bouncy", "restitution",
                      [](D& d) { d.kinds[1].restitution = 1.5; }},
        BadDefinition{"NanGravityScale", "gravity_scale",
                      [](D& d) { d.kinds[1].gravity_scale = kNan; }},
        BadDefinition{"NanSleepSpeed", "sleep.linear_speed_m_s",
                      [](D& d) { d.kinds[1].sleep.linear_speed_m_s = kNan; }},
        BadDefinition{
            "FastSleepSpin", "sleep.angular_speed_rad_s",
            [](D& d) { d.kinds[1].sleep.angular_speed_rad_s = 11.0; }},
        BadDefinition{"NegativeSleepTime", "sleep.seconds",
                      [](D& d) { d.kinds[1].sleep.seconds = -1.0; }},
        BadDefinition{"InfinitePosition", "position.y",
                      [](D& d) { d.bodies[1].position.y = kInfinity; }},
        BadDefinition{"ZeroRotation", "rotation",
                      [](D& d) {
                        d.bodies[1].rotation = {0, 0, 0, 0};
                      }},
        BadDefinition{"NanVelocity", "linear_velocity_m_s.z",
                      [](D& d) { d.bodies[1].linear_velocity_m_s.z = kNan; }},
        BadDefinition{"NoObject", "object",
                      [](D& d) { d.bodies[0].object = kNoObject; }},
        BadDefinition{"SameObjectTwice", "object",
                      [](D& d) { d.bodies[1].object = {1}; }},
        BadDefinition{"NoSuchKind", "bodies[1] (object 2).kind",
                      [](D& d) { d.bodies[1].kind = 2; }},
        BadDefinition{"NoSuchShape", "kinds[1].shape",
                      [](D& d) { d.kinds[1].shape = 2; }},
        BadDefinition{"NoSuchMotion", "kinds[1].motion",
                      [](D& d) { d.kinds[1].motion = Motion(3); }},
        BadDefinition{"MovingPlane", "kinds[1].shape",
                      [](D& d) {
                        d.shapes[1] = PlaneShape{};
                        d.kinds[1].motion = Motion::kKinematic;
                      }},
        BadDefinition{"FallingPlane", "plane",
                      [](D& d) { d.shapes[1] = PlaneShape{}; }},
        BadDefinition{"PlaneWithoutNormal", "shapes[0].squared length",
                      [](D& d) {
                        d.shapes[0] = PlaneShape{{}, 0.0};
                      }},
        BadDefinition{"EmptyShape", "shapes[1]",
                      [](D& d) { d.shapes[1] = SolidShape{}; }},
        BadDefinition{
            "ZeroRadius", "shapes[1].primitives[0].radius_m",
            [](D& d) { d.shapes[1] = ShapeOf(SpherePrimitive{0.0}); }},
        BadDefinition{"NanBox", "half_extents_m.y",
                      [](D& d) {
                        d.shapes[1] = ShapeOf(BoxPrimitive{{1, kNan, 1}});
                      }},
        BadDefinition{"HugeCapsule", "height_m",
                      [](D& d) {
                        d.shapes[1] = ShapeOf(CapsulePrimitive{1.0, 1e9});
                      }},
        BadDefinition{"NamelessJoint", "joints[0].name",
                      [](D& d) { d.joints[0].name = kNoId; }},
        BadDefinition{"SameJointTwice", "joints[1].name",
                      [](D& d) { d.joints.push_back(d.joints[0]); }},
        BadDefinition{"JointToNothing", "joints[0].object_b",
                      [](D& d) { d.joints[0].object_b = {9}; }},
        BadDefinition{"JointOfNothing", "joints[0].object_a",
                      [](D& d) { d.joints[0].object_a = kNoObject; }},
        BadDefinition{"JointToItself", "joints[0].object_b",
                      [](D& d) { d.joints[0].object_b = {2}; }},
        BadDefinition{"NanMotor", "joints[0].motor.target",
                      [](D& d) {
                        d.joints[0].kind =
                            HingeJoint{.motor = {.target = kNan}};
                      }},
        BadDefinition{"JointWhereNothingMoves", "joints[0].object_a can't move",
                      [](D& d) { d.kinds[1].motion = Motion::kKinematic; }},
        BadDefinition{"ServoThatStands", "joints[0].motor.speed_max",
                      [](D& d) {
                        d.joints[0].kind =
                            HingeJoint{.motor = {.is_servo = true}};
                      }},
        BadDefinition{"NegativeStiffness", "joints[0].stiffness",
                      [](D& d) {
                        d.joints[0].kind = SpringJoint{.stiffness_n_m = -1.0};
                      }},
        BadDefinition{"NanRestLength", "joints[0].rest_length_m",
                      [](D& d) {
                        d.joints[0].kind = SpringJoint{.rest_length_m = kNan};
                      }},
        BadDefinition{"NanLimit", "joints[0].axes[2].upper",
                      [](D& d) {
                        SixAxisJoint joint;
                        joint.axes[2].upper = kNan;
                        d.joints[0].kind = joint;
                      }},
        BadDefinition{"MotorOnALockedAxis", "joints[0].motor_axis is locked",
                      [](D& d) {
                        d.joints[0].kind =
                            SixAxisJoint{.axes = {}, .motor_axis = 1};
                      }},
        BadDefinition{"MotorOnNoAxis", "joints[0].motor_axis is not an axis",
                      [](D& d) {
                        d.joints[0].kind =
                            SixAxisJoint{.axes = {}, .motor_axis = 7};
                      }},
        BadDefinition{"TemplateWithABody", "joint_templates[0].object_a",
                      [](D& d) { d.joint_templates = d.joints; }},
        BadDefinition{"NanGravity", "gravity_m_s2.x",
                      [](D& d) { d.gravity_m_s2.x = kNan; }},
        BadDefinition{"ZeroTick", "tick_s", [](D& d) { d.tick_s = 0.0; }},
        BadDefinition{"NoSubstep", "substeps", [](D& d) { d.substeps = 0; }}),
    [](const auto& info) { return info.param.name; });

TEST(PhysicsDefinitionTest, SoundDefinitionsPass) {
  EXPECT_EQ(ValidatePhysicsDefinition(MakeSound()), absl::OkStatus());
  EXPECT_EQ(ValidatePhysicsDefinition(PhysicsDefinition{}), absl::OkStatus());
  EXPECT_EQ(ValidatePhysicsDefinition(MakePile({})), absl::OkStatus());
}

TEST(PhysicsDefinitionTest, TooManyBodiesAreExhaustion) {
  PhysicsDefinition definition;
  definition.bodies.resize(kBodiesMax + 1);
  EXPECT_EQ(ValidatePhysicsDefinition(definition).code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace reprise::sim
