// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles characters.

#include <memory>
#include <string_view>
#include <variant>

#include "fmt/format.h"
#include "reprise/v1/character.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/math.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/device_actions.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/characters/character_system.h"
#include "sim/systems/characters/character_use.h"
#include "sim/systems/players/player_definition.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

constexpr double kSlopeDefaultDegrees = 45.0;
constexpr double kFallSpeedDefault = 50.0;

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

// `checker` is the message's own; the capsule is left to Fit.
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
      checker.Positive("speed", message.speed(), kCharacterSpeedMax);
  compiled.acceleration_m_s2 = checker.Positive(
      "acceleration", message.acceleration(), kCharacterAccelerationMax);
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

// Gives a character the body that it moves, or reports that it can't be.
// `checker` is the type's.
void Fit(const MessageChecker& checker, const PhysicsDefinition& physics,
         const TypeDefinition& type, CharacterUse& use) {
  const BodyKind* const body =
      type.body_kind.has_value() ? &physics.kinds[*type.body_kind] : nullptr;
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
  CharacterDefinition& character = use.definition;
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

class CharacterCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    const auto* const inherited = type.parts.Find<CharacterUse>();
    if (inherited == nullptr && !message.has_character()) return;
    // One that is inherited may have another body here.
    CharacterUse use =
        message.has_character()
            ? CompileCharacter(message.character(),
                               checker.In(message.character(), "character"),
                               world())
            : *inherited;
    Fit(checker, world().physics, type, use);
    type.parts.Set(use);
  }

  void CompilePack() override {
    for (TypeDefinition& type : world().types) {
      const auto* const use = type.parts.Find<CharacterUse>();
      if (use == nullptr) continue;
      if (use->control.has_value()) type.parts.Set(SteeredDefinition());
      if (definition_ == nullptr) {
        definition_ = std::make_shared<const CharactersDefinition>();
      }
    }
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  std::shared_ptr<const CharactersDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(characters, MakeSystemModule<CharacterCompiler>(
                                        CharactersDefinition::Declaration(),
                                        {"Type.character"}));

}  // namespace
}  // namespace reprise::sim
