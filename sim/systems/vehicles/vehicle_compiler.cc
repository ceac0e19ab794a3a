// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles vehicles.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "reprise/v1/vehicle.pb.h"
#include "sim/base/math.h"
#include "sim/compiler/checking/device_actions.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/state/state.h"
#include "sim/systems/players/player_definition.h"
#include "sim/systems/vehicles/drivetrain_compiler.h"
#include "sim/systems/vehicles/vehicle_system.h"
#include "sim/systems/vehicles/vehicle_use.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

constexpr double kWheelFrictionDefault = 2.0;

constexpr double kEnginePowerMaxW = 1e12;

VehicleControl CompileControl(const v1::VehicleControl& control,
                              const MessageChecker& checker,
                              const InputGrammar& inputs) {
  VehicleControl compiled;
  compiled.player =
      checker.Count("player", control.player(), 0, inputs.player_count - 1);
  compiled.axis_throttle =
      FindAxis("action_throttle", control.action_throttle(), checker, inputs);
  compiled.axis_steer =
      FindAxis("action_steer", control.action_steer(), checker, inputs);
  compiled.brake_button =
      OptionalButton("action_brake", control.action_brake(), checker, inputs);
  compiled.handbrake_button = OptionalButton(
      "action_handbrake", control.action_handbrake(), checker, inputs);
  return compiled;
}

WheelDefinition CompileWheel(const v1::Wheel& wheel,
                             const MessageChecker& checker) {
  WheelDefinition compiled;
  const Vector3 place = checker.Vector("position", wheel.position());
  if (!(Length(place) <= kWheelSizeMaxM)) {
    checker.Problem("position", fmt::format("is farther than {} m from the "
                                            "body's origin",
                                            kWheelSizeMaxM));
  }
  compiled.position = place;
  compiled.radius_m = checker.Number("radius", wheel.radius(), kWheelRadiusMinM,
                                     kWheelSizeMaxM);
  compiled.travel_m = checker.Number("travel", wheel.travel(), kWheelTravelMinM,
                                     kWheelSizeMaxM);
  compiled.stiffness_n_m =
      checker.Positive("stiffness", wheel.stiffness(), kStiffnessMax);
  compiled.damping_compression_n_s_m = checker.Number(
      "damping_compression", wheel.damping_compression(), 0.0, kStiffnessMax);
  compiled.damping_rebound_n_s_m = checker.Number(
      "damping_rebound", wheel.damping_rebound(), 0.0, kStiffnessMax);
  compiled.force_max_n =
      checker.Positive("force_max_n", wheel.force_max_n(), kVehicleForceMax);
  compiled.friction = checker.Number(
      "friction",
      wheel.has_friction() ? wheel.friction() : kWheelFrictionDefault, 0.0,
      kWheelFrictionMax);
  compiled.rolling_resistance = checker.Number(
      "rolling_resistance", wheel.rolling_resistance(), 0.0, 1.0);
  compiled.is_driven = wheel.driven();
  compiled.is_steered = wheel.steered();
  compiled.is_braked = wheel.braked();
  compiled.is_handbraked = wheel.handbraked();
  return compiled;
}

AntiRollBarDefinition CompileBar(const v1::AntiRollBar& bar,
                                 const MessageChecker& checker,
                                 uint32_t wheel_count) {
  AntiRollBarDefinition compiled;
  const uint32_t last = std::max(wheel_count, 1u) - 1;
  compiled.wheel_a = checker.Count("wheel_a", bar.wheel_a(), 0, last);
  compiled.wheel_b = checker.Count("wheel_b", bar.wheel_b(), 0, last);
  if (bar.wheel_a() == bar.wheel_b()) {
    checker.Problem("wheel_b", "is wheel_a: a bar joins two wheels");
  }
  compiled.stiffness_n_m =
      checker.Positive("stiffness", bar.stiffness(), kStiffnessMax);
  return compiled;
}

// `checker` is the message's own.
VehicleUse CompileVehicle(const v1::Vehicle& message,
                          const MessageChecker& checker,
                          const WorldDefinition& world) {
  VehicleUse use;
  VehicleDefinition& compiled = use.definition;
  if (message.has_control()) {
    use.control = CompileControl(message.control(),
                                 checker.In(message.control(), "control"),
                                 world.info.inputs);
  }
  const auto wheel_count = static_cast<uint32_t>(message.wheels_size());
  checker.Count("wheels", wheel_count, kWheelsMin, kWheelsMax);
  for (int i = 0; i < message.wheels_size(); ++i) {
    compiled.wheels.push_back(CompileWheel(
        message.wheels(i), checker.In(message.wheels(i), "wheels", i)));
  }
  checker.Count("anti_roll_bars",
                static_cast<uint32_t>(message.anti_roll_bars_size()), 0,
                kWheelsMax);
  for (int i = 0; i < message.anti_roll_bars_size(); ++i) {
    compiled.anti_roll_bars.push_back(
        CompileBar(message.anti_roll_bars(i),
                   checker.In(message.anti_roll_bars(i), "anti_roll_bars", i),
                   wheel_count));
  }
  compiled.engine_force_n = checker.Number(
      "engine_force_n", message.engine_force_n(), 0.0, kVehicleForceMax);
  if (message.engine_power_w() != 0.0) {
    compiled.engine_power_w = checker.Positive(
        "engine_power_w", message.engine_power_w(), kEnginePowerMaxW);
  }
  if (message.has_drivetrain()) {
    const MessageChecker place = checker.In(message.drivetrain(), "drivetrain");
    compiled.drivetrain =
        CompileDrivetrain(message.drivetrain(), place, world.info.tick_rate);
    if (message.engine_force_n() != 0.0 || message.engine_power_w() != 0.0) {
      checker.Problem("drivetrain",
                      "takes the place of engine_force_n and engine_power_w");
    }
  }
  compiled.brake_force_n = checker.Number(
      "brake_force_n", message.brake_force_n(), 0.0, kVehicleForceMax);
  compiled.handbrake_force_n = checker.Number(
      "handbrake_force_n", message.handbrake_force_n(), 0.0, kVehicleForceMax);
  compiled.steering_max_rad = Radians(
      checker.Number("steering_max_degrees", message.steering_max_degrees(),
                     0.0, kSteeringMaxDegrees));
  if (message.steering_rate_degrees() != 0.0) {
    compiled.steering_rate_rad_s = Radians(checker.Positive(
        "steering_rate_degrees", message.steering_rate_degrees(), 1e6));
  }
  return use;
}

// Reports a problem with an object of tick 0 by its name; copies in a grid have
// a name of their own, which the manifest doesn't hold.
void ProblemOfObject(const v1::Pack& pack, const MessageChecker& checker,
                     const std::string& name, std::string text) {
  for (int i = 0; i < pack.objects_size(); ++i) {
    if (pack.objects(i).name() != name) continue;
    checker.In(pack.objects(i), "objects", i)
        .Problem("position", std::move(text));
    return;
  }
  checker.Problem("objects", std::move(text));
}

class VehicleCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (message.has_vehicle()) {
      type.parts.Set(CompileVehicle(message.vehicle(),
                                    checker.In(message.vehicle(), "vehicle"),
                                    world()));
    }
    // One that is inherited may have another body here.
    if (type.parts.Find<VehicleUse>() == nullptr) return;
    if (!type.body_kind.has_value() ||
        world().physics.kinds[*type.body_kind].motion != Motion::kDynamic) {
      checker.Problem("vehicle", "needs a dynamic body");
    }
  }

  void CompilePack() override {
    for (TypeDefinition& type : world().types) {
      const auto* const use = type.parts.Find<VehicleUse>();
      if (use == nullptr) continue;
      if (use->control.has_value()) type.parts.Set(SteeredDefinition());
      if (definition_ == nullptr) {
        definition_ = std::make_shared<const VehiclesDefinition>();
      }
    }
  }

  // Reports vehicles that can't stand on their wheels, or begin with a wheel in
  // the ground.
  void Finish() override {
    if (definition_ == nullptr) return;
    const auto physics =
        std::make_shared<const PhysicsDefinition>(world().physics);
    State state;
    const PhysicsTables tables = PhysicsWorld::AddTables(state);
    const PhysicsWorld bodies(physics, tables);
    bodies.InitializeState(state);
    CheckSprings(bodies);
    PhysicsQueries queries(physics, tables);
    queries.Look(state);
    CheckWheelPlaces(queries);
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  void CheckSprings(const PhysicsWorld& bodies) const {
    const PhysicsDefinition& physics = world().physics;
    for (int i = 0; i < pack().types_size(); ++i) {
      const auto type = std::ranges::find(world().types, pack().types(i).name(),
                                          &TypeDefinition::name);
      if (type == world().types.end()) continue;
      const auto* const use = type->parts.Find<VehicleUse>();
      if (use == nullptr) continue;
      const VehicleDefinition& vehicle = use->definition;
      absl::Status status =
          ValidateVehicle(vehicle, bodies.mass_properties(*type->body_kind),
                          physics.kinds[*type->body_kind].gravity_scale *
                              Length(physics.gravity_m_s2),
                          physics.tick_s);
      if (status.ok() && vehicle.drivetrain.has_value()) {
        status = ValidateDrivetrain(*vehicle.drivetrain);
      }
      if (status.ok()) continue;
      checker()
          .In(pack().types(i), "types", i)
          .Problem("vehicle", std::string(status.message()));
    }
  }

  // At tick 0.
  void CheckWheelPlaces(const PhysicsQueries& queries) const {
    // A point would do; a millimetre is what bodies are made of.
    const SpherePrimitive hub = {.radius_m = kSizeMinM};
    for (const BodyPlacement& body : world().physics.bodies) {
      const ObjectDefinition& object = world().objects[body.object.serial - 1];
      const auto* const use =
          world()
              .types[world().archetypes[object.archetype].type]
              .parts.Find<VehicleUse>();
      if (use == nullptr) continue;
      const auto& wheels = use->definition.wheels;
      for (size_t i = 0; i < wheels.size(); ++i) {
        const Vector3 place =
            body.position + Rotate(body.rotation, wheels[i].position);
        if (queries
                .FindOverlaps({.solid = hub, .position = place, .rotation = {}},
                              {.ignored = body.object})
                .empty()) {
          continue;
        }
        ProblemOfObject(
            pack(), checker(), object.name,
            fmt::format("wheel {} of '{}' begins inside of something", i,
                        object.name));
      }
    }
  }

  std::shared_ptr<const VehiclesDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(vehicles, MakeSystemModule<VehicleCompiler>(
                                      VehiclesDefinition::Declaration(),
                                      {"Type.vehicle"}));

}  // namespace
}  // namespace reprise::sim
