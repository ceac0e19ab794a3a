// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/type_compiler.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/compiler/shape_compiler.h"

namespace reprise::sim {
namespace {

// What Bullet accepts; above 1 friction is common for rubber, 10 is glue.
constexpr double kFrictionMax = 10.0;
constexpr double kFrictionDefault = 0.5;

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

BodyKind CompileBody(const v1::Body& body, const MessageChecker& checker,
                     std::vector<ShapeDefinition>& shapes) {
  BodyKind compiled;
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
                         PhysicsDefinition& physics) {
  CompiledType compiled{.name = checker.Name("name", type.name()),
                        .id = IdOf(type.name()),
                        .body_kind = {},
                        .roller = {},
                        .decision = {}};
  if (type.has_body()) {
    compiled.body_kind = static_cast<uint32_t>(physics.kinds.size());
    physics.kinds.push_back(CompileBody(
        type.body(), checker.In(type.body(), "body"), physics.shapes));
  }
  const BodyKind* const body =
      compiled.body_kind ? &physics.kinds[*compiled.body_kind] : nullptr;
  if (type.has_roller()) {
    compiled.roller = CompileRoller(
        type.roller(), checker.In(type.roller(), "roller"), inputs);
    if (body == nullptr || body->motion != Motion::kDynamic) {
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
  if (compiled.decision && (body == nullptr || !body->is_trigger)) {
    checker.Problem(type.has_goal() ? "goal" : "hazard",
                    "needs a body with MOTION_TRIGGER");
  }
  return compiled;
}

// Puts the kinds of bodies into the order of their types' names: a body's row
// holds its kind's number, which the order of the manifest mustn't decide.
void OrderKinds(std::vector<CompiledType>& types, PhysicsDefinition& physics) {
  std::vector<CompiledType*> by_name;
  for (CompiledType& type : types) {
    if (type.body_kind.has_value()) by_name.push_back(&type);
  }
  // A total order: equal names are refused, and stay in the manifest's order.
  std::ranges::stable_sort(by_name, {}, &CompiledType::name);
  std::vector<BodyKind> kinds;
  for (CompiledType* type : by_name) {
    kinds.push_back(physics.kinds[*type->body_kind]);
    type->body_kind = static_cast<uint32_t>(kinds.size() - 1);
  }
  physics.kinds = std::move(kinds);
}

}  // namespace

std::vector<CompiledType> CompileTypes(const v1::Pack& pack,
                                       const MessageChecker& checker,
                                       const InputGrammar& inputs,
                                       PhysicsDefinition& physics) {
  std::vector<CompiledType> types;
  std::set<std::string> names;
  for (int i = 0; i < pack.types_size(); ++i) {
    const MessageChecker place = checker.In(pack.types(i), "types", i);
    types.push_back(CompileType(pack.types(i), place, inputs, physics));
    if (!names.insert(types.back().name).second) {
      place.Problem("name",
                    fmt::format("there are two types '{}'", types.back().name));
    }
  }
  OrderKinds(types, physics);
  return types;
}

}  // namespace reprise::sim
