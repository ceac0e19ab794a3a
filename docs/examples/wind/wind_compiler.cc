// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a pack says of wind and sails.

#include <algorithm>
#include <memory>

#include "docs/examples/wind/wind.h"
#include "docs/examples/wind/wind.pb.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"

namespace wind {
namespace {

using reprise::sim::MessageChecker;
using reprise::sim::Motion;
using reprise::sim::PackCompilation;
using reprise::sim::SystemCompiler;
using reprise::sim::TypeDefinition;

constexpr double kSpeedMax = 100.0;
constexpr double kGustFactorMax = 10.0;

class WindCompiler final : public SystemCompiler {
 public:
  explicit WindCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation) {}

  void CompileType(const reprise::v1::Type& message,
                   const MessageChecker& checker,
                   TypeDefinition& type) override {
    reprise::sim::ReadOwnMessage<Sail>(
        message.systems(), checker,
        [&](const Sail& sail, const MessageChecker& place) {
          const bool is_dynamic =
              type.body_kind.has_value() &&
              world().physics.kinds[*type.body_kind].motion == Motion::kDynamic;
          if (!is_dynamic) place.Problem("area_m2", "needs a dynamic body");
          type.parts.Set<SailUse>(
              {.area_m2 = place.Positive("area_m2", sail.area_m2())});
        });
  }

  void CompilePack() override {
    reprise::sim::ReadOwnMessage<Wind>(
        pack().systems(), checker(),
        [&](const Wind& message, const MessageChecker& place) {
          Compile(message, place);
        });
  }

  std::shared_ptr<const reprise::sim::SystemDefinition> definition()
      const override {
    return definition_;
  }

 private:
  void Compile(const Wind& message, const MessageChecker& place) {
    definition_ = std::make_shared<WindDefinition>();
    definition_->velocity_m_s = {
        place.Number("velocity_x", message.velocity_x(), -kSpeedMax, kSpeedMax),
        0.0,
        place.Number("velocity_z", message.velocity_z(), -kSpeedMax,
                     kSpeedMax)};
    if (message.gust_factor() == 0.0) return;
    definition_->gust_factor =
        place.Number("gust_factor", message.gust_factor(), 1.0, kGustFactorMax);
    definition_->gust_ticks = std::max<Tick>(
        1, reprise::sim::CompileSeconds(
               "gust_s", place.Positive("gust_s", message.gust_s()),
               world().info.tick_rate, place));
  }

  std::shared_ptr<WindDefinition> definition_;
};

REPRISE_REGISTER_SYSTEM(wind,
                        {.declaration = &WindDeclaration(),
                         .pack_messages = {"wind.Wind"},
                         .type_messages = {"wind.Sail"},
                         .compiler = [](PackCompilation& compilation) {
                           return std::make_unique<WindCompiler>(compilation);
                         }});

}  // namespace
}  // namespace wind
