// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/movers/mover_compiler.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/base/state.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/device_actions.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/physics_world.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/systems/movers/drivetrain_compiler.h"

namespace reprise::sim {
namespace {

constexpr double kSlopeDefaultDegrees = 45.0;
constexpr double kFallSpeedDefault = 50.0;
constexpr double kWheelFrictionDefault = 2.0;

constexpr double kEnginePowerMaxW = 1e12;

// A number that isn't zero, up to a bound.
double AboveZero(std::string_view field, double value, double maximum,
                 const MessageChecker& checker) {
  if (!(value > 0.0 && value <= maximum)) {
    checker.Problem(
        field, fmt::format("{} is not above 0 and at most {}", value, maximum));
  }
  return value;
}

uint32_t GraceTicks(std::string_view field, double seconds, TickRate rate,
                    const MessageChecker& checker) {
  const Tick ticks = CompileSeconds(field, seconds, rate, checker);
  if (ticks > kCharacterGraceTicksMax) {
    checker.Problem(field, fmt::format("{} ticks are more than {}", ticks,
                                       kCharacterGraceTicksMax));
    return 0;
  }
  return static_cast<uint32_t>(ticks);
}

CharacterControl CompileControl(const v1::CharacterControl& control,
                                const MessageChecker& checker,
                                const InputGrammar& inputs) {
  CharacterControl compiled;
  compiled.player =
      checker.Count("player", control.player(), 0, inputs.player_count - 1);
  compiled.axis_x = FindAxis("action_x", control.action_x(), checker, inputs);
  compiled.axis_z = FindAxis("action_z", control.action_z(), checker, inputs);
  compiled.jump_button =
      OptionalButton("action_jump", control.action_jump(), checker, inputs);
  return compiled;
}

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
      AboveZero("stiffness", wheel.stiffness(), kStiffnessMax, checker);
  compiled.damping_compression_n_s_m = checker.Number(
      "damping_compression", wheel.damping_compression(), 0.0, kStiffnessMax);
  compiled.damping_rebound_n_s_m = checker.Number(
      "damping_rebound", wheel.damping_rebound(), 0.0, kStiffnessMax);
  compiled.force_max_n =
      AboveZero("force_max_n", wheel.force_max_n(), kVehicleForceMax, checker);
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
      AboveZero("stiffness", bar.stiffness(), kStiffnessMax, checker);
  return compiled;
}

// The capsule of a body that is one upright capsule at its origin, else null.
const CapsulePrimitive* UprightCapsule(const ShapeDefinition& shape) {
  const auto* const solid = std::get_if<SolidShape>(&shape);
  if (solid == nullptr || solid->primitives.size() != 1) return nullptr;
  const Primitive& primitive = solid->primitives[0];
  const Vector3 axis = Rotate(primitive.rotation, {0.0, 1.0, 0.0});
  const bool is_upright = axis == Vector3{0.0, 1.0, 0.0};
  if (primitive.position != Vector3{} || !is_upright) return nullptr;
  return std::get_if<CapsulePrimitive>(&primitive.solid);
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

// Reports vehicles with a wheel in the ground at tick 0.
void CheckWheelPlaces(const v1::Pack& pack, const MessageChecker& checker,
                      const WorldDefinition& world,
                      const PhysicsQueries& queries) {
  // A point would do; a millimetre is what bodies are made of.
  const SpherePrimitive hub = {.radius_m = kSizeMinM};
  for (const BodyPlacement& body : world.physics.bodies) {
    const ObjectDefinition& object = world.objects[body.object.serial - 1];
    const TypeDefinition& type =
        world.types[world.archetypes[object.archetype].type];
    if (!type.vehicle.has_value()) continue;
    const auto& wheels = type.vehicle->definition.wheels;
    for (size_t i = 0; i < wheels.size(); ++i) {
      const Vector3 place =
          body.position + Rotate(body.rotation, wheels[i].position);
      if (queries
              .FindOverlaps({.solid = hub, .position = place, .rotation = {}},
                            {.ignored = body.object})
              .empty()) {
        continue;
      }
      ProblemOfObject(pack, checker, object.name,
                      fmt::format("wheel {} of '{}' begins inside of something",
                                  i, object.name));
    }
  }
}

}  // namespace

CharacterUse CompileCharacter(const v1::Character& message,
                              const MessageChecker& checker,
                              const WorldDefinition& world) {
  CharacterUse use;
  CharacterDefinition& compiled = use.definition;
  if (message.has_control()) {
    use.control = CompileControl(message.control(),
                                 checker.In(message.control(), "control"),
                                 world.info.inputs);
  }
  use.speed_m_s =
      AboveZero("speed", message.speed(), kCharacterSpeedMax, checker);
  compiled.acceleration_m_s2 = AboveZero("acceleration", message.acceleration(),
                                         kCharacterAccelerationMax, checker);
  compiled.air_acceleration_m_s2 =
      checker.Number("air_acceleration", message.air_acceleration(), 0.0,
                     kCharacterAccelerationMax);
  compiled.jump_speed_m_s = checker.Number("jump_speed", message.jump_speed(),
                                           0.0, kCharacterSpeedMax);
  compiled.step_height_m = checker.Number("step_height", message.step_height(),
                                          0.0, kCharacterSizeMaxM);
  compiled.slope_cosine = Cos(Radians(checker.Number(
      "slope_max_degrees",
      message.has_slope_max_degrees() ? message.slope_max_degrees()
                                      : kSlopeDefaultDegrees,
      0.0, kCharacterSlopeMaxDegrees)));
  compiled.fall_speed_max_m_s =
      checker.Number("fall_speed_max",
                     message.has_fall_speed_max() ? message.fall_speed_max()
                                                  : kFallSpeedDefault,
                     0.0, kCharacterSpeedMax);
  compiled.mass_kg =
      checker.Number("mass_kg", message.mass_kg(), 0.0, kMassMaxKg);
  compiled.push_force_n = checker.Number("push_force_n", message.push_force_n(),
                                         0.0, kCharacterForceMax);
  const TickRate rate = world.info.tick_rate;
  compiled.coyote_ticks =
      GraceTicks("coyote_s", message.coyote_s(), rate, checker);
  compiled.jump_buffer_ticks =
      GraceTicks("jump_buffer_s", message.jump_buffer_s(), rate, checker);
  return use;
}

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
    compiled.engine_power_w = AboveZero(
        "engine_power_w", message.engine_power_w(), kEnginePowerMaxW, checker);
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
    compiled.steering_rate_rad_s =
        Radians(AboveZero("steering_rate_degrees",
                          message.steering_rate_degrees(), 1e6, checker));
  }
  return use;
}

void FitMovers(const MessageChecker& checker, const PhysicsDefinition& physics,
               TypeDefinition& type) {
  const BodyKind* const body =
      type.body_kind.has_value() ? &physics.kinds[*type.body_kind] : nullptr;
  if (type.vehicle.has_value() &&
      (body == nullptr || body->motion != Motion::kDynamic)) {
    checker.Problem("vehicle", "needs a dynamic body");
  }
  if (!type.character.has_value()) return;
  const CapsulePrimitive* const capsule =
      body == nullptr || body->motion != Motion::kKinematic
          ? nullptr
          : UprightCapsule(physics.shapes[body->shape]);
  if (capsule == nullptr) {
    checker.Problem("character",
                    "needs a kinematic body of one upright capsule at its "
                    "origin");
    return;
  }
  CharacterDefinition& character = type.character->definition;
  character.capsule = *capsule;
  const double height_m = capsule->height_m + 2.0 * capsule->radius_m;
  if (!(capsule->radius_m >= kCharacterRadiusMinM &&
        height_m <= kCharacterSizeMaxM)) {
    checker.Problem(
        "character",
        fmt::format("its capsule has a radius of {} m and is {} m high, not "
                    "at least {} m and at most {} m",
                    capsule->radius_m, height_m, kCharacterRadiusMinM,
                    kCharacterSizeMaxM));
  } else if (character.step_height_m > height_m) {
    checker.Problem("character",
                    fmt::format("a step_height of {} m is more than its own",
                                character.step_height_m));
  }
}

void CheckVehicles(const v1::Pack& pack, const MessageChecker& checker,
                   const WorldDefinition& world) {
  const bool has_any = std::ranges::any_of(
      world.types,
      [](const TypeDefinition& type) { return type.vehicle.has_value(); });
  if (!has_any) return;
  const auto physics = std::make_shared<const PhysicsDefinition>(world.physics);
  State state;
  const PhysicsTables tables = PhysicsWorld::AddTables(state);
  const PhysicsWorld bodies(physics, tables);
  bodies.InitializeState(state);
  for (int i = 0; i < pack.types_size(); ++i) {
    const auto type = std::ranges::find(world.types, pack.types(i).name(),
                                        &TypeDefinition::name);
    if (type == world.types.end() || !type->vehicle.has_value()) continue;
    const BodyKind& kind = physics->kinds[*type->body_kind];
    const VehicleDefinition& vehicle = type->vehicle->definition;
    absl::Status status = ValidateVehicle(
        vehicle, bodies.mass_properties(*type->body_kind),
        kind.gravity_scale * Length(physics->gravity_m_s2), physics->tick_s);
    if (status.ok() && vehicle.drivetrain.has_value()) {
      status = ValidateDrivetrain(*vehicle.drivetrain);
    }
    if (status.ok()) continue;
    checker.In(pack.types(i), "types", i)
        .Problem("vehicle", std::string(status.message()));
  }
  PhysicsQueries queries(physics, tables);
  queries.Look(state);
  CheckWheelPlaces(pack, checker, world, queries);
}

void CheckPathFollowers(const v1::Pack& pack, const MessageChecker& checker) {
  std::set<std::string> paths;
  for (const v1::Path& path : pack.paths()) paths.insert(path.name());
  const auto check = [&](const auto& messages, std::string_view field) {
    for (int i = 0; i < messages.size(); ++i) {
      const MessageChecker place = checker.In(messages[i], field, i);
      for (int k = 0; k < messages[i].components_size(); ++k) {
        const v1::ComponentUse& use = messages[i].components(k);
        if (use.component() != "path_follower") continue;
        const MessageChecker at = place.In(use, "components", k);
        for (int n = 0; n < use.set_size(); ++n) {
          const v1::PropertySetting& setting = use.set(n);
          if (setting.property() != "path" ||
              paths.contains(setting.value().text())) {
            continue;
          }
          at.In(setting, "set", n)
              .NoSuch("value", "path", setting.value().text());
        }
      }
    }
  };
  check(pack.types(), "types");
  check(pack.archetypes(), "archetypes");
  check(pack.objects(), "objects");
}

}  // namespace reprise::sim
