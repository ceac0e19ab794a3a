// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What of a simulation's rigid bodies never changes during a run: shapes, the
// kinds of bodies, joints and the step; and the bodies that a run begins with.
// Plain data that a pack is compiled to; Validate finds everything that physics
// could not live with.

#ifndef REPRISE_SIM_PHYSICS_PHYSICS_DEFINITION_H_
#define REPRISE_SIM_PHYSICS_PHYSICS_DEFINITION_H_

#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Convex solids around the origin; capsules and cylinders stand along y.
struct SpherePrimitive {
  double radius_m = 0.5;
};
struct BoxPrimitive {
  Vector3 half_extents_m = {0.5, 0.5, 0.5};
};
struct CapsulePrimitive {
  double radius_m = 0.5;
  double height_m = 1.0;  // between the centres of the two caps
};
struct CylinderPrimitive {
  double radius_m = 0.5;
  double height_m = 1.0;
};

using Solid = std::variant<SpherePrimitive, BoxPrimitive, CapsulePrimitive,
                           CylinderPrimitive>;

struct Primitive {
  Solid solid;
  Vector3 position;     // in the body's frame, m
  Quaternion rotation;  // of length 1
};

// One or more primitives as one rigid piece. The origin of the body's frame is
// its centre of mass, wherever the primitives lie.
struct SolidShape {
  std::vector<Primitive> primitives;
};

// Everything below a plane, without end. For fixed bodies only.
struct PlaneShape {
  Vector3 normal = {0.0, 1.0, 0.0};  // up and out, of length 1
  double offset_m = 0.0;             // of the plane from the body's origin
};

using ShapeDefinition = std::variant<SolidShape, PlaneShape>;

enum class Motion : uint8_t {
  kFixed,      // never moves
  kDynamic,    // moved by forces, contacts and joints
  kKinematic,  // moved by the game alone; pushes and carries dynamic ones
};

// Axes of the world along or around which nothing pushes a body.
struct LockedAxes {
  bool x = false;
  bool y = false;
  bool z = false;
};

// What bodies have in common. Any number of bodies can be of a kind.
struct BodyKind {
  uint32_t shape = 0;  // index into PhysicsDefinition::shapes
  Motion motion = Motion::kDynamic;
  // Touches are reported, but nothing is pushed.
  bool is_trigger = false;

  double mass_kg = 1.0;           // of a dynamic body
  double friction = 0.5;          // of a contact: the product of both bodies'
  double rolling_friction = 0.0;  // as above
  double restitution = 0.0;       // as above, 0 to 1
  double linear_damping = 0.0;    // share of velocity lost per second, 0 to 1
  double angular_damping = 0.0;   // as above

  // Of a dynamic body. Locks hold against forces, contacts and joints; a
  // velocity that the game gives stays.
  double gravity_scale = 1.0;  // 0: it floats; below 0: it rises
  LockedAxes locked_position;
  LockedAxes locked_rotation;

  // Two bodies can touch when each one's layers meet the other's mask.
  uint32_t layers = 1;
  uint32_t collides_with = ~uint32_t{0};
};

// A body as it comes into the world.
struct BodyPlacement {
  ObjectId object;
  uint32_t kind = 0;    // index into PhysicsDefinition::kinds
  Vector3 position;     // m
  Quaternion rotation;  // of length 1
  // Of a dynamic body; others begin at rest.
  Vector3 linear_velocity_m_s;
  Vector3 angular_velocity_rad_s;
};

// Where a joint sits in an object's frame, or in the world's.
struct JointFrame {
  Vector3 position;     // m
  Quaternion rotation;  // of length 1; unused by ball joints
};

struct BallJoint {};

// Turns around the z axis of its frames.
struct HingeJoint {
  // Free to turn all the way when lower_rad > upper_rad.
  double lower_rad = 1.0;
  double upper_rad = -1.0;
  // The motor as a run begins; off while its greatest impulse is 0.
  double motor_target_rad_s = 0.0;
  double motor_impulse_max_n_m_s = 0.0;  // per substep
};

// Swings around the z and y axes of its frames and twists around x, each up to
// half of its span to either side.
struct ConeTwistJoint {
  double swing_span_z_rad = 1.0;
  double swing_span_y_rad = 1.0;
  double twist_span_rad = 1.0;
};

// Joined bodies don't collide with each other. The joint is there from tick 0
// and goes with either of its bodies.
struct JointDefinition {
  Id name;
  std::variant<BallJoint, HingeJoint, ConeTwistJoint> kind;
  ObjectId object_a;
  ObjectId object_b;  // kNoObject: the world
  JointFrame frame_a;
  JointFrame frame_b;
  // A substep that needs a larger impulse than this breaks the joint, N s.
  double breaking_impulse_n_s = std::numeric_limits<double>::infinity();
};

struct PhysicsDefinition {
  std::vector<ShapeDefinition> shapes;
  std::vector<BodyKind> kinds;
  std::vector<BodyPlacement> bodies;    // of tick 0, ascending by object
  std::vector<JointDefinition> joints;  // ascending by name
  Vector3 gravity_m_s2 = {0.0, -9.81, 0.0};
  double tick_s = 1.0 / 60.0;
  uint32_t substeps = 1;  // per tick
  uint32_t solver_iterations = 10;
};

// Bounds of what a pack may ask for. Sizes and masses beyond these leave the
// range in which the solver and its tolerances of centimetres work.
inline constexpr uint32_t kKindsMax = 1u << 16;
inline constexpr uint32_t kBodiesMax = 1u << 16;  // at any one time
inline constexpr uint32_t kJointsMax = 1u << 16;
inline constexpr uint32_t kPrimitivesMax = 256;  // of one shape
inline constexpr uint32_t kSubstepsMax = 64;
inline constexpr uint32_t kSolverIterationsMax = 1000;
inline constexpr double kSizeMinM = 1e-3;
inline constexpr double kSizeMaxM = 1e4;
inline constexpr double kMassMinKg = 1e-6;
inline constexpr double kMassMaxKg = 1e9;
inline constexpr double kPositionMaxM = 1e6;
inline constexpr double kGravityScaleMax = 100.0;
inline constexpr double kSpeedMax = 1e4;  // m/s or rad/s

// INVALID_ARGUMENT names the first shape, kind, body or joint that physics
// can't simulate and the field of it; RESOURCE_EXHAUSTED where there are too
// many.
absl::Status ValidatePhysicsDefinition(const PhysicsDefinition& definition);

// The same of one body that is to come into the world.
absl::Status ValidateBodyPlacement(const PhysicsDefinition& definition,
                                   const BodyPlacement& body);

// The number of primitives of a shape; a plane is one.
uint32_t PrimitiveCount(const ShapeDefinition& shape);

// Whether contacts between bodies of two kinds are looked for, layers aside.
// Two that no contact can move have none, unless one moves and one is a
// trigger.
bool CanTouch(const BodyKind& a, const BodyKind& b);

// The joint `name`; null when there is none.
const JointDefinition* FindJoint(const PhysicsDefinition& definition, Id name);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_PHYSICS_DEFINITION_H_
