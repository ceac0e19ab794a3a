// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Experiments with rigid bodies whose outcome is known: by a closed form, by
// what is conserved, or because nothing should happen. Each can be made with
// any engine that takes a definition, at any rate of ticks, and gives a figure.

#ifndef REPRISE_TESTS_PHYSICS_EXPERIMENT_H_
#define REPRISE_TESTS_PHYSICS_EXPERIMENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

inline constexpr double kGravity = 9.81;  // m/s^2

// How a body is and moves; m, m/s, rad/s.
struct BodyMotion {
  Vector3 position;
  Matrix3 basis;
  Vector3 linear_velocity;
  Vector3 angular_velocity;
};

// An engine with a scene in it.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  virtual void Step() = 0;
  virtual BodyMotion motion(uint32_t body) const = 0;
};

using MakeEngine =
    std::function<std::unique_ptr<Engine>(const PhysicsDefinition&)>;

// Ours.
std::unique_ptr<Engine> MakeOurEngine(const PhysicsDefinition& definition);

// How an experiment is made.
struct Conditions {
  double tick_s = 0.0;
  const MakeEngine& make;

  uint32_t Ticks(double seconds) const {
    return static_cast<uint32_t>(seconds / tick_s + 0.5);
  }
};

// From one to the other, Hz.
struct Rates {
  uint32_t lowest = 0;
  uint32_t highest = 0;

  bool contains(uint32_t rate) const {
    return lowest <= rate && rate <= highest;
  }
};

struct Experiment {
  std::string name;
  std::string measured;  // what the figure is, with its unit
  double expected = 0.0;
  double tolerance = 0.0;
  std::string reason;  // of the tolerance
  // At which of the rates it holds; {}: at none yet.
  Rates holds = {30, 240};
  std::function<double(const Conditions&)> run;
};

// Of free flight, of collisions, of joints, of what stands, of surfaces, of
// what is fast; and all of them.
std::vector<Experiment> FlightExperiments();
std::vector<Experiment> CollisionExperiments();
std::vector<Experiment> JointExperiments();
std::vector<Experiment> RestExperiments();
std::vector<Experiment> SurfaceExperiments();
std::vector<Experiment> FastExperiments();
std::vector<Experiment> AllExperiments();

// J, of motion, around the axes of the bodies' frames.
double EnergyOfMotion(const PhysicsDefinition& definition, uint32_t body,
                      const BodyMotion& motion);
// With the height above 0 in the definition's gravity.
double EnergyOf(const PhysicsDefinition& definition, const Engine& engine);
// kg m/s, and kg m^2/s around the world's origin, of all dynamic bodies.
Vector3 MomentumOf(const PhysicsDefinition& definition, const Engine& engine);
Vector3 AngularMomentumOf(const PhysicsDefinition& definition,
                          const Engine& engine);

// An object that never moves, for joints to hold on to.
void AddAnchor(PhysicsDefinition& definition, Vector3 position);
// A joint of objects by their serial numbers, at points in their frames.
JointDefinition& AddJoint(PhysicsDefinition& definition, uint64_t object_a,
                          Vector3 at_a, uint64_t object_b, Vector3 at_b);

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_PHYSICS_EXPERIMENT_H_
