// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tests/physics/experiment.h"

#include <iterator>
#include <utility>

#include "sim/physics/definition/solid_mass.h"
#include "sim/physics/testing/testing_world.h"

namespace reprise::sim {
namespace {

class OurEngine final : public Engine {
 public:
  explicit OurEngine(const PhysicsDefinition& definition)
      : world_(definition) {}

  void Step() override { world_.Step(); }
  BodyMotion motion(uint32_t body) const override {
    const BodyRow& row = world_.body(body);
    return {.position = row.position,
            .basis = row.basis,
            .linear_velocity = row.linear_velocity,
            .angular_velocity = row.angular_velocity};
  }

 private:
  TestingWorld world_;
};

const BodyKind& KindOf(const PhysicsDefinition& definition, uint32_t body) {
  return definition.kinds[definition.bodies[body].kind];
}

// Angular momentum of a body around its centre.
Vector3 SpinOf(const PhysicsDefinition& definition, uint32_t body,
               const BodyMotion& motion) {
  const BodyKind& kind = KindOf(definition, body);
  const Vector3 unit = UnitInertiaOf(definition.shapes[kind.shape]);
  const Vector3 local = Transposed(motion.basis) * motion.angular_velocity;
  return kind.mass_kg *
         (motion.basis *
          Vector3{unit.x * local.x, unit.y * local.y, unit.z * local.z});
}

template <typename Visit>
void ForEachDynamic(const PhysicsDefinition& definition, const Engine& engine,
                    const Visit& visit) {
  for (uint32_t i = 0; i < definition.bodies.size(); ++i) {
    const BodyKind& kind = KindOf(definition, i);
    if (kind.motion == Motion::kDynamic) visit(i, kind, engine.motion(i));
  }
}

}  // namespace

std::unique_ptr<Engine> MakeOurEngine(const PhysicsDefinition& definition) {
  return std::make_unique<OurEngine>(definition);
}

double EnergyOfMotion(const PhysicsDefinition& definition, uint32_t body,
                      const BodyMotion& motion) {
  const Vector3 spin = SpinOf(definition, body, motion);
  const double mass_kg = KindOf(definition, body).mass_kg;
  return 0.5 * (mass_kg * Dot(motion.linear_velocity, motion.linear_velocity) +
                Dot(spin, motion.angular_velocity));
}

double EnergyOf(const PhysicsDefinition& definition, const Engine& engine) {
  double sum = 0.0;
  ForEachDynamic(
      definition, engine,
      [&](uint32_t i, const BodyKind& kind, const BodyMotion& motion) {
        sum += EnergyOfMotion(definition, i, motion) -
               kind.mass_kg * Dot(definition.gravity_m_s2, motion.position);
      });
  return sum;
}

Vector3 MomentumOf(const PhysicsDefinition& definition, const Engine& engine) {
  Vector3 sum;
  ForEachDynamic(definition, engine,
                 [&](uint32_t, const BodyKind& kind, const BodyMotion& motion) {
                   sum = sum + kind.mass_kg * motion.linear_velocity;
                 });
  return sum;
}

Vector3 AngularMomentumOf(const PhysicsDefinition& definition,
                          const Engine& engine) {
  Vector3 sum;
  ForEachDynamic(
      definition, engine,
      [&](uint32_t i, const BodyKind& kind, const BodyMotion& motion) {
        sum = sum + SpinOf(definition, i, motion) +
              kind.mass_kg * Cross(motion.position, motion.linear_velocity);
      });
  return sum;
}

void AddAnchor(PhysicsDefinition& definition, Vector3 position) {
  AddBody(definition, ShapeOf(SpherePrimitive{0.01}), Motion::kFixed, position)
      .kind.collides_with = 0;
}

JointDefinition& AddJoint(PhysicsDefinition& definition, uint64_t object_a,
                          Vector3 at_a, uint64_t object_b, Vector3 at_b) {
  JointDefinition joint;
  joint.name = {definition.joints.size() + 1};
  joint.object_a = {object_a};
  joint.object_b = {object_b};
  joint.frame_a.position = at_a;
  joint.frame_b.position = at_b;
  definition.joints.push_back(joint);
  return definition.joints.back();
}

std::vector<Experiment> AllExperiments() {
  std::vector<Experiment> all;
  for (const auto list :
       {FlightExperiments, CollisionExperiments, JointExperiments,
        RestExperiments, SurfaceExperiments, FastExperiments}) {
    std::vector<Experiment> some = list();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace reprise::sim
