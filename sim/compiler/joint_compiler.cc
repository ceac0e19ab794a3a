// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/joint_compiler.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "fmt/format.h"
#include "sim/compiler/pack_names.h"
#include "sim/geometry/quaternion.h"

namespace reprise::sim {
namespace {

// The body of the object `name`; nullptr after reporting that there is none.
const BodyPlacement* FindBody(std::string_view field, const std::string& name,
                              const MessageChecker& checker,
                              const WorldDefinition& world) {
  const std::optional<uint32_t> index =
      FindPermanentObject(field, name, checker, world);
  if (!index.has_value()) return nullptr;
  const ObjectId number{*index + uint64_t{1}};
  const auto body = std::ranges::lower_bound(world.physics.bodies, number, {},
                                             &BodyPlacement::object);
  if (body == world.physics.bodies.end() || body->object != number) {
    checker.Problem(field, fmt::format("'{}' has no body", name));
    return nullptr;
  }
  return &*body;
}

// A rotation that takes `from` to `to`, both of length 1.
Quaternion RotationBetween(Vector3 from, Vector3 to) {
  const double cosine = Dot(from, to);
  // Opposite directions: half a turn about any axis across.
  constexpr double kNearlyOpposite = -1.0 + 1e-12;
  if (cosine < kNearlyOpposite) {
    const Vector3 across =
        Abs(from.x) < 0.5 ? Vector3{1.0, 0.0, 0.0} : Vector3{0.0, 1.0, 0.0};
    return FromAxisAngle(Cross(from, across), kPi);
  }
  const Vector3 axis = Cross(from, to);
  return Normalized(Quaternion{axis.x, axis.y, axis.z, 1.0 + cosine});
}

// The frame of the world-space `frame` in a body's own space.
JointFrame InBody(const JointFrame& frame, const BodyPlacement& body) {
  const Quaternion back = Conjugate(body.rotation);
  return {.position = Rotate(back, frame.position - body.position),
          .rotation = Normalized(back * frame.rotation)};
}

HingeJoint CompileHinge(const v1::HingeJoint& hinge,
                        const MessageChecker& checker) {
  HingeJoint compiled;
  const double lower =
      checker.Number("lower_degrees", hinge.lower_degrees(), -180.0, 180.0);
  const double upper =
      checker.Number("upper_degrees", hinge.upper_degrees(), -180.0, 180.0);
  if (upper < lower) {
    checker.Problem("upper_degrees", "below lower_degrees");
  }
  if (lower != 0.0 || upper != 0.0) {
    compiled.lower_rad = Radians(lower);
    compiled.upper_rad = Radians(upper);
  }
  if (hinge.has_motor()) {
    const MessageChecker motor = checker.In(hinge.motor(), "motor");
    // 10,000 rad/s in degrees.
    constexpr double kVelocityMaxDegrees = 572957.0;
    compiled.motor_target_rad_s = Radians(
        motor.Number("velocity_degrees", hinge.motor().velocity_degrees(),
                     -kVelocityMaxDegrees, kVelocityMaxDegrees));
    compiled.motor_impulse_max_n_m_s =
        motor.Positive("impulse_max_nms", hinge.motor().impulse_max_nms());
  }
  return compiled;
}

ConeTwistJoint CompileConeTwist(const v1::ConeTwistJoint& cone,
                                const MessageChecker& checker) {
  const double swing =
      checker.Number("swing_degrees", cone.swing_degrees(), 0.0, 180.0);
  const double twist =
      checker.Number("twist_degrees", cone.twist_degrees(), 0.0, 180.0);
  // The pack gives the angle to either side; the joint wants the whole span.
  return {.swing_span_z_rad = Radians(swing),
          .swing_span_y_rad = Radians(swing),
          .twist_span_rad = Radians(twist)};
}

void CompileJoint(const v1::Joint& joint, const MessageChecker& checker,
                  WorldDefinition& world) {
  JointDefinition compiled;
  compiled.name = IdOf(checker.Name("name", joint.name()));
  JointFrame frame{.position = checker.Vector("anchor", joint.anchor()),
                   .rotation = {}};
  switch (joint.kind_case()) {
    case v1::Joint::kBall:
      compiled.kind = BallJoint{};
      break;
    case v1::Joint::kHinge: {
      const MessageChecker place = checker.In(joint.hinge(), "hinge");
      compiled.kind = CompileHinge(joint.hinge(), place);
      frame.rotation = RotationBetween(
          {0.0, 0.0, 1.0}, place.Direction("axis", joint.hinge().axis()));
      break;
    }
    case v1::Joint::kConeTwist: {
      const MessageChecker place = checker.In(joint.cone_twist(), "cone_twist");
      compiled.kind = CompileConeTwist(joint.cone_twist(), place);
      frame.rotation = RotationBetween(
          {1.0, 0.0, 0.0}, place.Direction("axis", joint.cone_twist().axis()));
      break;
    }
    case v1::Joint::KIND_NOT_SET:
      checker.Problem("ball", "one of ball, hinge, cone_twist is needed");
      return;
  }
  const BodyPlacement* const a =
      FindBody("object_a", joint.object_a(), checker, world);
  if (a == nullptr) return;
  if (world.physics.kinds[a->kind].motion != Motion::kDynamic) {
    checker.Problem("object_a", "needs a dynamic body");
  }
  compiled.object_a = a->object;
  compiled.frame_a = InBody(frame, *a);
  compiled.frame_b = frame;
  if (!joint.object_b().empty()) {
    const BodyPlacement* const b =
        FindBody("object_b", joint.object_b(), checker, world);
    if (b == nullptr) return;
    if (b == a) checker.Problem("object_b", "is object_a: a joint needs two");
    compiled.object_b = b->object;
    compiled.frame_b = InBody(frame, *b);
  }
  world.physics.joints.push_back(compiled);
}

}  // namespace

void CompileJoints(const v1::Pack& pack, const MessageChecker& checker,
                   WorldDefinition& world) {
  std::set<std::string> names;
  for (int i = 0; i < pack.joints_size(); ++i) {
    const v1::Joint& joint = pack.joints(i);
    const MessageChecker place = checker.In(joint, "joints", i);
    if (!names.insert(joint.name()).second) {
      place.Problem("name",
                    fmt::format("there are two joints '{}'", joint.name()));
    }
    CompileJoint(joint, place, world);
  }
  // A total order: equal names were refused above.
  std::ranges::sort(world.physics.joints, {}, &JointDefinition::name);
}

}  // namespace reprise::sim
