// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles rollers, goals and hazards.

#include <memory>
#include <string>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/device_actions.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/input/input_grammar.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/simulation.h"
#include "sim/systems/players/player_definition.h"
#include "sim/systems/players/player_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

RollerDefinition CompileRoller(const v1::Roller& roller,
                               const MessageChecker& checker,
                               const InputGrammar& inputs) {
  RollerDefinition compiled;
  compiled.player =
      checker.Count("player", roller.player(), 0, inputs.player_count - 1);
  compiled.axis_x = FindAxis("action_x", roller.action_x(), checker, inputs);
  compiled.axis_z = FindAxis("action_z", roller.action_z(), checker, inputs);
  compiled.force_n = checker.Positive("force_n", roller.force_n());
  if (!roller.action_jump().empty()) {
    compiled.jump_button =
        FindButton("action_jump", roller.action_jump(), checker, inputs);
    compiled.jump_impulse_ns =
        checker.Positive("jump_impulse_ns", roller.jump_impulse_ns());
  } else if (roller.jump_impulse_ns() != 0.0) {
    checker.Problem("jump_impulse_ns", "without action_jump it has no use");
  }
  return compiled;
}

class PlayerCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (message.has_roller()) {
      type.parts.Set(CompileRoller(message.roller(),
                                   checker.In(message.roller(), "roller"),
                                   world().info.inputs));
    }
    if (message.has_goal()) {
      type.parts.Set(DecisionDefinition{.outcome = Outcome::Status::kWon,
                                        .reason = message.goal().reason()});
    }
    if (message.has_hazard()) {
      if (message.has_goal()) {
        checker.Problem("hazard", "the type is a goal, too");
      }
      type.parts.Set(DecisionDefinition{.outcome = Outcome::Status::kLost,
                                        .reason = message.hazard().reason()});
    }
    CheckBody(message, checker, type);
  }

  void CompilePack() override {
    bool is_used = false;
    for (TypeDefinition& type : world().types) {
      const bool has_roller = type.parts.Find<RollerDefinition>() != nullptr;
      const auto* const decision = type.parts.Find<DecisionDefinition>();
      if (has_roller) type.parts.Set(SteeredDefinition());
      is_used |= has_roller || decision != nullptr;
      if (decision != nullptr && !decision->reason.empty()) {
        words().insert(decision->reason);
      }
    }
    if (is_used) definition_ = std::make_shared<PlayersDefinition>();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  // The type's own parts need the right body, and so do those that it inherits.
  void CheckBody(const v1::Type& message, const MessageChecker& checker,
                 const TypeDefinition& type) const {
    const BodyKind* const body = type.body_kind.has_value()
                                     ? &world().physics.kinds[*type.body_kind]
                                     : nullptr;
    if (type.parts.Find<RollerDefinition>() != nullptr &&
        (body == nullptr || body->motion != Motion::kDynamic)) {
      checker.Problem("roller", "needs a dynamic body");
    }
    if (type.parts.Find<DecisionDefinition>() != nullptr &&
        (body == nullptr || !body->is_trigger)) {
      checker.Problem(message.has_hazard() ? "hazard" : "goal",
                      "needs a body with MOTION_TRIGGER");
    }
  }

  std::shared_ptr<const PlayersDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(players,
                        MakeSystemModule<PlayerCompiler>(
                            PlayersDefinition::Declaration(),
                            {"Type.roller", "Type.goal", "Type.hazard"}));

}  // namespace
}  // namespace reprise::sim
