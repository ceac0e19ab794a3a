// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/testing/pile.h"

#include <algorithm>
#include <string>

#include "fmt/format.h"
#include "sim/base/random.h"

namespace reprise::sim {
namespace {

constexpr double kPenHalfWidthM = 6.0;
constexpr uint32_t kJointEvery = 7;

// Draws in [low, high).
double Draw(RandomStream& random, double low, double high) {
  return low + (high - low) * NextUnit(random);
}

Vector3 DrawVector(RandomStream& random, Vector3 low, Vector3 high) {
  Vector3 drawn;
  drawn.x = Draw(random, low.x, high.x);
  drawn.y = Draw(random, low.y, high.y);
  drawn.z = Draw(random, low.z, high.z);
  return drawn;
}

Primitive PrimitiveAt(Vector3 position, BoxPrimitive box) {
  return {.solid = box, .position = position, .rotation = {}};
}

// Shape `index` of the five kinds.
SolidShape DrawShape(RandomStream& random, uint32_t index) {
  switch (index % 5) {
    case 0:
      return {{{.solid = BoxPrimitive{
                    DrawVector(random, {0.2, 0.15, 0.2}, {0.4, 0.35, 0.4})}}}};
    case 1:
      return {{{.solid = SpherePrimitive{Draw(random, 0.2, 0.35)}}}};
    case 2:
      return {{{.solid = CapsulePrimitive{.radius_m = 0.2, .height_m = 0.4}}}};
    case 3:
      return {
          {{.solid = CylinderPrimitive{.radius_m = 0.25, .height_m = 0.6}}}};
    default:
      return {{PrimitiveAt({0.4, 0.0, 0.0}, {{0.4, 0.15, 0.15}}),
               PrimitiveAt({-0.2, 0.3, 0.0}, {{0.15, 0.4, 0.15}})}};
  }
}

// Adds a body of its own kind as the next object.
void AddBodyOfKind(const BodyKind& kind, BodyPlacement body,
                   PhysicsDefinition& definition) {
  body.object = {definition.bodies.size() + 1};
  body.kind = static_cast<uint32_t>(definition.kinds.size());
  definition.kinds.push_back(kind);
  definition.bodies.push_back(body);
}

void AddFixedBox(Vector3 position, Vector3 half_extents,
                 PhysicsDefinition& definition) {
  BodyKind kind;
  kind.shape = static_cast<uint32_t>(definition.shapes.size());
  kind.motion = Motion::kFixed;
  kind.friction = 0.6;
  kind.restitution = 0.1;
  definition.shapes.push_back(SolidShape{{PrimitiveAt({}, {half_extents})}});
  AddBodyOfKind(kind, {.position = position}, definition);
}

void AddPen(PhysicsDefinition& definition) {
  constexpr double kWallHalfHeightM = 20.0;
  AddFixedBox({0.0, -1.0, 0.0}, {50.0, 1.0, 50.0}, definition);
  for (const double side : {-kPenHalfWidthM, kPenHalfWidthM}) {
    AddFixedBox({side, kWallHalfHeightM, 0.0},
                {0.5, kWallHalfHeightM, kPenHalfWidthM}, definition);
    AddFixedBox({0.0, kWallHalfHeightM, side},
                {kPenHalfWidthM, kWallHalfHeightM, 0.5}, definition);
  }
}

void AddBody(RandomStream& random, uint32_t index, double rise_m,
             PhysicsDefinition& definition) {
  BodyKind kind;
  BodyPlacement body;
  kind.shape = static_cast<uint32_t>(definition.shapes.size());
  definition.shapes.push_back(DrawShape(random, index));
  body.position =
      DrawVector(random, {-0.5 * kPenHalfWidthM, 1.0, -0.5 * kPenHalfWidthM},
                 {0.5 * kPenHalfWidthM, 1.0, 0.5 * kPenHalfWidthM});
  body.position.y += rise_m * index;
  kind.mass_kg = Draw(random, 0.5, 1.5);
  body.rotation = FromAxisAngle({0.3, 0.5, 0.8}, Draw(random, 0.0, 3.0));
  body.angular_velocity_rad_s = DrawVector(random, {}, {4.0, 4.0, 4.0});
  kind.friction = 0.6;
  kind.restitution = 0.1;
  kind.linear_damping = 0.05;
  kind.angular_damping = 0.1;
  AddBodyOfKind(kind, body, definition);
}

// Joins the last two bodies side by side.
void AddJoint(uint32_t index, PhysicsDefinition& definition) {
  JointDefinition joint;
  joint.name = IdOf(fmt::format("joint_{}", index));
  const bool is_hinge = index / kJointEvery % 2 == 0;
  if (is_hinge) {
    joint.kind = HingeJoint{.motor = {.target = 2.0, .impulse_max = 0.05}};
  } else {
    joint.kind = ConeTwistJoint{};
  }
  joint.object_a = definition.bodies[definition.bodies.size() - 2].object;
  joint.object_b = definition.bodies.back().object;
  joint.frame_a.position = {0.4, 0.0, 0.0};
  joint.frame_b.position = {-0.4, 0.0, 0.0};
  definition.joints.push_back(joint);
}

}  // namespace

PhysicsDefinition MakePile(const PileSettings& settings) {
  PhysicsDefinition definition;
  AddPen(definition);
  RandomStream random = MakeRandomStream(settings.seed, IdOf("pile"));
  for (uint32_t i = 0; i < settings.body_count; ++i) {
    AddBody(random, i, settings.rise_m, definition);
    if (settings.has_joints && i % kJointEvery == kJointEvery - 1) {
      AddJoint(i, definition);
    }
  }
  // By names, of which no two are equal: a total order.
  std::sort(definition.joints.begin(), definition.joints.end(),
            [](const JointDefinition& a, const JointDefinition& b) {
              return a.name < b.name;
            });
  return definition;
}

}  // namespace reprise::sim
