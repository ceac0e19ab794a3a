// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/bodies/body_compiler.h"

#include <variant>

#include "sim/compiler/bodies/shape_compiler.h"
#include "sim/physics/definition/solid_mass.h"

namespace reprise::sim {
namespace {

void CompileMotion(const v1::Body& body, const MessageChecker& checker,
                   BodyKind& compiled) {
  switch (body.motion()) {
    case v1::Body::MOTION_DYNAMIC:
      compiled.motion = Motion::kDynamic;
      break;
    case v1::Body::MOTION_TRIGGER:
      compiled.is_trigger = true;
      compiled.motion = Motion::kFixed;
      break;
    case v1::Body::MOTION_KINEMATIC:
      compiled.motion = Motion::kKinematic;
      break;
    case v1::Body::MOTION_FIXED:
      compiled.motion = Motion::kFixed;
      break;
    default:
      checker.Problem(
          "motion",
          "required: MOTION_FIXED, MOTION_DYNAMIC, MOTION_KINEMATIC or "
          "MOTION_TRIGGER");
      break;
  }
}

// What the body says itself comes in the place of its material's.
void CompileSurface(const v1::Body& body, const MaterialDefinition& material,
                    const MessageChecker& checker, BodyKind& compiled) {
  compiled.friction = material.friction;
  compiled.rolling_friction = material.rolling_friction;
  compiled.restitution = material.restitution;
  if (body.has_friction()) {
    compiled.friction =
        checker.Number("friction", body.friction(), 0.0, kFrictionMax);
  }
  if (body.has_rolling_friction()) {
    compiled.rolling_friction = checker.Number(
        "rolling_friction", body.rolling_friction(), 0.0, kFrictionMax);
  }
  if (body.has_restitution()) {
    compiled.restitution =
        checker.Number("restitution", body.restitution(), 0.0, 1.0);
  }
  compiled.friction_rule = material.friction_rule;
  compiled.rolling_friction_rule = material.rolling_friction_rule;
  compiled.restitution_rule = material.restitution_rule;
}

LockedAxes AxesOf(const v1::LockedAxes& axes) {
  return {.x = axes.x(), .y = axes.y(), .z = axes.z()};
}

// What `sleep` leaves unset is as in `otherwise`.
SleepRule CompileSleep(const v1::Sleep& sleep, const MessageChecker& checker,
                       const SleepRule& otherwise) {
  SleepRule compiled = otherwise;
  if (sleep.has_never()) compiled.never = sleep.never();
  if (sleep.has_linear_speed()) {
    compiled.linear_speed_m_s = checker.Number(
        "linear_speed", sleep.linear_speed(), 0.0, kSleepSpeedMax);
  }
  if (sleep.has_angular_speed()) {
    compiled.angular_speed_rad_s = checker.Number(
        "angular_speed", sleep.angular_speed(), 0.0, kSleepSpeedMax);
  }
  if (sleep.has_seconds()) {
    compiled.seconds =
        checker.Number("seconds", sleep.seconds(), 0.0, kSleepSecondsMax);
  }
  return compiled;
}

SleepRule CompilePackSleep(const v1::Physics& physics,
                           const MessageChecker& checker) {
  const MessageChecker place = checker.In(physics, "physics");
  return CompileSleep(physics.sleep(), place.In(physics.sleep(), "sleep"), {});
}

// What is for dynamic bodies alone.
void CompileDynamics(const v1::Body& body, const MessageChecker& checker,
                     BodyKind& compiled) {
  const bool is_dynamic = compiled.motion == Motion::kDynamic;
  compiled.linear_damping =
      checker.Number("linear_damping", body.linear_damping(), 0.0, 1.0);
  compiled.angular_damping =
      checker.Number("angular_damping", body.angular_damping(), 0.0, 1.0);
  if (body.has_gravity_scale()) {
    compiled.gravity_scale =
        checker.Number("gravity_scale", body.gravity_scale(), -kGravityScaleMax,
                       kGravityScaleMax);
  }
  compiled.locked_position = AxesOf(body.locked_position());
  compiled.locked_rotation = AxesOf(body.locked_rotation());
  compiled.is_continuous = body.continuous();
  if (body.continuous() && !is_dynamic) {
    checker.Problem("continuous", "only a dynamic body moves by itself");
  }
}

// What a shape without an inside, or without an end, can't be.
void CheckMotion(const ShapeDefinition& shape, const BodyKind& compiled,
                 const MessageChecker& checker) {
  if (compiled.motion != Motion::kFixed) {
    if (std::holds_alternative<PlaneShape>(shape)) {
      checker.Problem("motion", "a plane can't move");
    } else if (std::holds_alternative<HeightFieldShape>(shape)) {
      checker.Problem("motion", "a height field can't move");
    } else if (IsSurface(shape) && compiled.motion == Motion::kDynamic) {
      checker.Problem("motion", "a mesh is fixed or kinematic");
    }
  }
  if (compiled.is_trigger && IsSurface(shape)) {
    checker.Problem("motion", "a surface has no inside to notice who is in");
  }
}

}  // namespace

BodyCompiler::BodyCompiler(const v1::Pack& pack, const MessageChecker& checker,
                           const PackArchive& archive)
    : archive_(archive),
      sleep_(CompilePackSleep(pack.physics(), checker)),
      materials_(CompileMaterials(pack, checker)),
      layers_(pack, checker) {}

BodyKind BodyCompiler::Compile(const v1::Body& body,
                               const MessageChecker& checker,
                               std::vector<ShapeDefinition>& shapes) const {
  BodyKind compiled;
  CompileMotion(body, checker, compiled);
  auto material = materials_.find(body.material());
  if (material == materials_.end()) {
    checker.NoSuch("material", "material", body.material());
    material = materials_.find("");
  }
  CompileSurface(body, material->second, checker, compiled);
  const CollisionFilter filter = layers_.FilterOf(body.layers(), checker);
  compiled.layers = filter.layers;
  compiled.collides_with = filter.collides_with;

  compiled.shape = static_cast<uint32_t>(shapes.size());
  shapes.push_back(CompileShape(body, checker, layers_, archive_));
  CheckMotion(shapes.back(), compiled, checker);
  CompileDynamics(body, checker, compiled);
  if (compiled.motion == Motion::kDynamic) {
    compiled.sleep =
        CompileSleep(body.sleep(), checker.In(body.sleep(), "sleep"), sleep_);
  } else if (body.has_sleep()) {
    checker.Problem("sleep", "only a dynamic body falls asleep");
  }
  CompileMass(body, material->second, shapes.back(), checker, compiled);
  return compiled;
}

void BodyCompiler::CompileMass(const v1::Body& body,
                               const MaterialDefinition& material,
                               const ShapeDefinition& shape,
                               const MessageChecker& checker,
                               BodyKind& compiled) const {
  if (compiled.motion != Motion::kDynamic) {
    if (body.mass_kg() != 0.0) {
      checker.Problem("mass_kg", "only a dynamic body has a mass");
    }
    return;
  }
  const double density = material.density_kg_m3;
  const bool is_reported = !(density >= 0.0 && density <= kDensityMax);
  if (body.mass_kg() == 0.0 && is_reported) return;
  const bool by_density = body.mass_kg() == 0.0 && density > 0.0;
  if (body.mass_kg() == 0.0 && !by_density) {
    checker.Problem("mass_kg",
                    "a dynamic body needs one, or a material with a density");
    return;
  }
  compiled.mass_kg = checker.Number(
      "mass_kg", by_density ? density * VolumeOf(shape) : body.mass_kg(),
      kMassMinKg, kMassMaxKg);
}

}  // namespace reprise::sim
