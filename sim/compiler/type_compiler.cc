// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/type_compiler.h"

#include <set>
#include <utility>

#include "fmt/format.h"
#include "sim/compiler/shape_compiler.h"

namespace reprise::sim {
namespace {

// What Bullet accepts; above 1 friction is common for rubber, 10 is glue.
constexpr double kFrictionMax = 10.0;
constexpr double kFrictionDefault = 0.5;

void CompileMotion(const v1::Body& body, const MessageChecker& checker,
                   BodyDefinition& compiled) {
  switch (body.motion()) {
    case v1::Body::MOTION_DYNAMIC:
      compiled.motion = Motion::kDynamic;
      break;
    case v1::Body::MOTION_TRIGGER:
      compiled.is_trigger = true;
      compiled.motion = Motion::kFixed;
      break;
    case v1::Body::MOTION_FIXED:
      compiled.motion = Motion::kFixed;
      break;
    default:
      checker.Problem(
          "motion", "required: MOTION_FIXED, MOTION_DYNAMIC or MOTION_TRIGGER");
      break;
  }
  if (compiled.motion == Motion::kDynamic) {
    compiled.mass_kg =
        checker.Number("mass_kg", body.mass_kg(), kMassMinKg, kMassMaxKg);
  } else if (body.mass_kg() != 0.0) {
    checker.Problem("mass_kg", "only a dynamic body has a mass");
  }
}

BodyDefinition CompileBody(const v1::Body& body, const MessageChecker& checker,
                           std::vector<ShapeDefinition>& shapes) {
  BodyDefinition compiled;
  CompileMotion(body, checker, compiled);
  compiled.friction = checker.Number(
      "friction", body.has_friction() ? body.friction() : kFrictionDefault, 0.0,
      kFrictionMax);
  compiled.rolling_friction = checker.Number(
      "rolling_friction", body.rolling_friction(), 0.0, kFrictionMax);
  compiled.restitution =
      checker.Number("restitution", body.restitution(), 0.0, 1.0);
  compiled.linear_damping =
      checker.Number("linear_damping", body.linear_damping(), 0.0, 1.0);
  compiled.angular_damping =
      checker.Number("angular_damping", body.angular_damping(), 0.0, 1.0);
  compiled.shape = static_cast<uint32_t>(shapes.size());
  shapes.push_back(CompileShape(body, checker));
  if (compiled.motion == Motion::kDynamic &&
      std::holds_alternative<PlaneShape>(shapes.back())) {
    checker.Problem("motion", "a plane can't be dynamic");
  }
  return compiled;
}

// The device index of an action that has to be of one kind.
uint32_t DeviceIndex(std::string_view field, const std::string& name,
                     Action::Kind kind, const MessageChecker& checker,
                     const InputGrammar& inputs) {
  const Action* const action = inputs.Find(IdOf(name));
  if (action == nullptr || action->kind != kind) {
    checker.Problem(
        field,
        fmt::format("the pack has no {} action '{}'",
                    kind == Action::Kind::kAxis ? "axis" : "button", name));
    return 0;
  }
  return action->device_index;
}

RollerDefinition CompileRoller(const v1::Roller& roller,
                               const MessageChecker& checker,
                               const InputGrammar& inputs) {
  RollerDefinition compiled;
  compiled.player =
      checker.Count("player", roller.player(), 0, inputs.player_count - 1);
  compiled.axis_x = DeviceIndex("action_x", roller.action_x(),
                                Action::Kind::kAxis, checker, inputs);
  compiled.axis_z = DeviceIndex("action_z", roller.action_z(),
                                Action::Kind::kAxis, checker, inputs);
  compiled.force_n = checker.Positive("force_n", roller.force_n());
  if (!roller.action_jump().empty()) {
    compiled.jump_button = DeviceIndex("action_jump", roller.action_jump(),
                                       Action::Kind::kButton, checker, inputs);
    compiled.jump_impulse_ns =
        checker.Positive("jump_impulse_ns", roller.jump_impulse_ns());
  } else if (roller.jump_impulse_ns() != 0.0) {
    checker.Problem("jump_impulse_ns", "without action_jump it has no use");
  }
  return compiled;
}

CompiledType CompileType(const v1::Type& type, const MessageChecker& checker,
                         const InputGrammar& inputs,
                         std::vector<ShapeDefinition>& shapes) {
  CompiledType compiled{.name = checker.Name("name", type.name()),
                        .id = IdOf(type.name()),
                        .body = {},
                        .roller = {},
                        .decision = {}};
  if (type.has_body()) {
    compiled.body =
        CompileBody(type.body(), checker.In(type.body(), "body"), shapes);
  }
  if (type.has_roller()) {
    compiled.roller = CompileRoller(
        type.roller(), checker.In(type.roller(), "roller"), inputs);
    if (!compiled.body || compiled.body->motion != Motion::kDynamic) {
      checker.Problem("roller", "needs a dynamic body");
    }
  }
  if (type.has_goal()) {
    compiled.decision = {.trigger = {},
                         .outcome = Outcome::Status::kWon,
                         .reason = type.goal().reason()};
  }
  if (type.has_hazard()) {
    if (type.has_goal()) checker.Problem("hazard", "the type is a goal, too");
    compiled.decision = {.trigger = {},
                         .outcome = Outcome::Status::kLost,
                         .reason = type.hazard().reason()};
  }
  if (compiled.decision && (!compiled.body || !compiled.body->is_trigger)) {
    checker.Problem(type.has_goal() ? "goal" : "hazard",
                    "needs a body with MOTION_TRIGGER");
  }
  return compiled;
}

}  // namespace

std::vector<CompiledType> CompileTypes(const v1::Pack& pack,
                                       const MessageChecker& checker,
                                       const InputGrammar& inputs,
                                       std::vector<ShapeDefinition>& shapes) {
  std::vector<CompiledType> types;
  std::set<std::string> names;
  for (int i = 0; i < pack.types_size(); ++i) {
    const MessageChecker place = checker.In(pack.types(i), "types", i);
    types.push_back(CompileType(pack.types(i), place, inputs, shapes));
    if (!names.insert(types.back().name).second) {
      place.Problem("name",
                    fmt::format("there are two types '{}'", types.back().name));
    }
  }
  return types;
}

}  // namespace reprise::sim
