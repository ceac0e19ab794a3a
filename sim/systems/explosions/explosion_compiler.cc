// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles how the objects of types explode.

#include <memory>

#include "reprise/v1/field.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/explosions/explosion_system.h"
#include "sim/systems/explosions/explosive_definition.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

class ExplosionCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (!message.has_explosive()) return;
    const v1::Explosive& explosive = message.explosive();
    const MessageChecker place = checker.In(explosive, "explosive");
    type.parts.Set<ExplosiveDefinition>(
        {.radius_m =
             place.Number("radius", explosive.radius(), kSizeMinM, kSizeMaxM),
         .impulse_n_s = place.Positive("impulse_ns", explosive.impulse_ns()),
         .falloff =
             place.Count("falloff", explosive.falloff(), 0, kBlastFalloffMax),
         .needs_sight = explosive.needs_sight()});
    definition_ = std::make_shared<ExplosionsDefinition>();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  std::shared_ptr<const ExplosionsDefinition> definition_;
};

}  // namespace

REPRISE_REGISTER_SYSTEM(
    explosions, MakeSystemModule<ExplosionCompiler>(ExplosionsDeclaration(),
                                                    {"Type.explosive"}));

}  // namespace reprise::sim
