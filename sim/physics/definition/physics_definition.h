// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What of a simulation's rigid bodies never changes during a run: shapes, the
// kinds of bodies, joints and the step; and the bodies that a run begins with.
// Plain data that a pack is compiled to; Validate finds everything that physics
// could not live with.

#ifndef REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_DEFINITION_H_
#define REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_DEFINITION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/joint_definition.h"
#include "sim/physics/definition/physics_bounds.h"
#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {

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

// How two bodies' coefficients make that of a contact. Where the two disagree,
// the later rule counts.
enum class CombinationRule : uint8_t {
  kMultiply,
  kAverage,
  kMinimum,
  kMaximum,
};

// When a dynamic body falls asleep: it, and all that it touches, have been
// slower than both speeds for longer than their times.
struct SleepRule {
  bool never = false;  // and what it touches stays awake
  double linear_speed_m_s = 0.05;
  double angular_speed_rad_s = 0.1;
  double seconds = 2.0;  // of physics
};

// What bodies have in common. Any number of bodies can be of a kind.
struct BodyKind {
  uint32_t shape = 0;  // index into PhysicsDefinition::shapes
  Motion motion = Motion::kDynamic;
  // Touches are reported, but nothing is pushed.
  bool is_trigger = false;

  double mass_kg = 1.0;  // of a dynamic body
  double friction = 0.5;
  double rolling_friction = 0.0;
  double restitution = 0.0;      // 0 to 1
  double linear_damping = 0.0;   // share of velocity lost per second, 0 to 1
  double angular_damping = 0.0;  // as above

  // Of a dynamic body. Locks hold against forces, contacts and joints; a
  // velocity that the game gives stays.
  double gravity_scale = 1.0;  // 0: it floats; below 0: it rises
  LockedAxes locked_position;
  LockedAxes locked_rotation;

  // Of all primitives without a filter of their own: two can touch when each
  // one's layers meet the other's mask.
  uint32_t layers = 1;
  uint32_t collides_with = ~uint32_t{0};

  CombinationRule friction_rule = CombinationRule::kMultiply;
  // By kMultiply each body's rolling friction counts times the other's
  // friction.
  CombinationRule rolling_friction_rule = CombinationRule::kMultiply;
  CombinationRule restitution_rule = CombinationRule::kMultiply;

  // A dynamic body passes through nothing, and nothing through it, at any
  // speed: all of it is swept along its way, moving and turning.
  bool is_continuous = false;

  SleepRule sleep;
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

struct PhysicsDefinition {
  std::vector<ShapeDefinition> shapes;
  std::vector<BodyKind> kinds;
  std::vector<BodyPlacement> bodies;    // of tick 0, ascending by object
  std::vector<JointDefinition> joints;  // ascending by name
  // Of joints that come for bodies that come, ascending by name.
  std::vector<JointDefinition> joint_templates;
  Vector3 gravity_m_s2 = {0.0, -9.81, 0.0};
  double tick_s = 1.0 / 60.0;
  uint32_t substeps = 1;  // per tick
};

// Further bounds of what a pack may ask for.
inline constexpr uint32_t kKindsMax = 1u << 16;
inline constexpr uint32_t kBodiesMax = 1u << 16;  // at any one time
inline constexpr uint32_t kSubstepsMax = 64;
inline constexpr double kGravityScaleMax = 100.0;
inline constexpr double kSleepSpeedMax = 10.0;  // m/s or rad/s
inline constexpr double kSleepSecondsMax = 3600.0;

// INVALID_ARGUMENT names the first shape, kind, body or joint that physics
// can't simulate and the field of it; RESOURCE_EXHAUSTED where there are too
// many.
absl::Status ValidatePhysicsDefinition(const PhysicsDefinition& definition);

// The same of one body that is to come into the world.
absl::Status ValidateBodyPlacement(const PhysicsDefinition& definition,
                                   const BodyPlacement& body);

// What is wrong with a mesh; empty when nothing is.
std::string MeshProblem(const MeshShape& mesh);

// The same placement with what isn't finite taken as 0, what is beyond a bound
// cut to it, and what is no rotation taken as none.
BodyPlacement WithinBounds(BodyPlacement body);

// The filter of a primitive of a body.
CollisionFilter FilterOf(const BodyKind& kind, const ShapeDefinition& shape,
                         uint32_t primitive);

// The layers of all of a body's primitives, and all that they collide with.
CollisionFilter UnionFilter(const BodyKind& kind, const ShapeDefinition& shape);

// Whether contacts between bodies of two kinds are looked for, layers aside.
// Two that no contact can move have none, unless one moves and one is a
// trigger.
bool CanTouch(const BodyKind& a, const BodyKind& b);

// The joint or the template `name`; null when there is none.
const JointDefinition* FindJoint(const PhysicsDefinition& definition, Id name);
const JointDefinition* FindJointTemplate(const PhysicsDefinition& definition,
                                         Id name);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PHYSICS_DEFINITION_PHYSICS_DEFINITION_H_
