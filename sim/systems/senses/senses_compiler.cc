// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what a pack says of senses.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "reprise/v1/senses.pb.h"
#include "sim/base/math.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/compiler/checking/type_components.h"
#include "sim/systems/senses/senses_definition.h"
#include "sim/systems/senses/senses_rows.h"
#include "sim/systems/senses/senses_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

constexpr double kRangeMaxM = 10'000.0;
constexpr double kMemoryMaxS = 86'400.0;
constexpr double kMemoryDefaultS = 10.0;
constexpr int kTypesMax = 16;

class SensesCompiler final : public SystemCompiler {
 public:
  explicit SensesCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation) {
    const v1::SensesBudget& budget = pack().senses_budget();
    if (budget.lines_per_tick() == 0) return;
    definition_->lines_per_tick =
        checker()
            .In(budget, "senses_budget")
            .Count("lines_per_tick", budget.lines_per_tick(), 1,
                   kSightLinesPerTickMax);
  }

  bool WantsComponents(const v1::Type& type) override {
    return type.has_senses();
  }

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (!message.has_senses()) {
      is_used_ = is_used_ || type.parts.Find<SensesUse>() != nullptr;
      return;
    }
    const std::optional<uint32_t> component =
        world().FindComponent(IdOf(SensesRow::kTable));
    // A component of the pack's with this name is reported.
    if (!component.has_value()) return;
    is_used_ = true;
    UseComponent(world(), type, *component);
    SensesUse use =
        CompileSenses(message.senses(), checker.In(message.senses(), "senses"));
    use.component = *component;
    type.parts.Set(use);
  }

  void CompileObjects() override {
    uint64_t rows = 0;
    for (int i = 0; i < pack().types_size(); ++i) {
      const std::optional<uint32_t> index =
          world().FindType(IdOf(pack().types(i).name()));
      if (!index.has_value()) continue;
      const TypeDefinition& type = world().types[*index];
      const SensesUse* const use = type.parts.Find<SensesUse>();
      if (use == nullptr) continue;
      rows += uint64_t{use->memories_max} *
              std::min(type.objects_max, world().objects_max);
      if (rows <= kMemoryRowsMax) continue;
      checker()
          .In(pack().types(i), "types", i)
          .Problem("senses",
                   fmt::format("with up to {} objects there are more than {} "
                               "memories in all: say objects_max",
                               std::min(type.objects_max, world().objects_max),
                               kMemoryRowsMax));
      return;
    }
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return is_used_ ? definition_ : nullptr;
  }

 private:
  SensesUse CompileSenses(const v1::Senses& senses, const MessageChecker& at) {
    SensesUse use;
    if (!senses.has_vision() && !senses.has_hearing()) {
      at.Problem("vision", "needs vision, hearing or both");
    }
    if (senses.has_vision()) {
      use.vision =
          CompileVision(senses.vision(), at.In(senses.vision(), "vision"));
    }
    if (senses.has_hearing()) {
      use.hearing =
          CompileHearing(senses.hearing(), at.In(senses.hearing(), "hearing"));
    }
    double memory_s = kMemoryDefaultS;
    if (senses.memory_s() != 0.0) {
      memory_s = at.Positive("memory_s", senses.memory_s(), kMemoryMaxS);
    }
    use.memory = Ticks("memory_s", memory_s, at);
    if (senses.memories_max() != 0) {
      use.memories_max = at.Count("memories_max", senses.memories_max(), 1, 64);
    }
    use.every = std::max<Tick>(
        1, Ticks("every_s", at.Number("every_s", senses.every_s(), 0.0, 60.0),
                 at));
    return use;
  }

  // 0 for what is reported already.
  Tick Ticks(std::string_view field, double seconds,
             const MessageChecker& at) const {
    if (!(seconds >= 0.0 && seconds <= kMemoryMaxS)) return 0;
    return CompileSeconds(field, seconds, world().info.tick_rate, at);
  }

  static Vision CompileVision(const v1::Vision& vision,
                              const MessageChecker& at) {
    Vision compiled;
    if (vision.of_size() == 0 || vision.of_size() > kTypesMax) {
      at.Problem("of", fmt::format("there are {} types, not 1 to {}",
                                   vision.of_size(), kTypesMax));
    }
    for (const std::string& type : vision.of()) {
      const bool is_there = std::ranges::any_of(
          at.manifest()->types(),
          [&](const v1::Type& each) { return each.name() == type; });
      if (!is_there) at.NoSuch("of", "type", type);
      compiled.of.push_back(IdOf(type));
    }
    compiled.range_m = at.Positive("range", vision.range(), kRangeMaxM);
    compiled.near_m = at.Number("near", vision.near(), 0.0, kRangeMaxM);
    if (vision.angle_degrees() != 0.0) {
      const double angle =
          at.Positive("angle_degrees", vision.angle_degrees(), 360.0);
      // All around is all around, however it rounds.
      compiled.cosine = angle == 360.0 ? -2.0 : Cos(angle * kPi / 360.0);
    } else {
      compiled.cosine = -2.0;
    }
    if (vision.has_forward()) {
      compiled.forward = Normalized(at.Direction("forward", vision.forward()));
    }
    compiled.eyes = at.Vector("eyes", vision.eyes(), 100.0);
    compiled.is_ahead = vision.ahead();
    return compiled;
  }

  static Hearing CompileHearing(const v1::Hearing& hearing,
                                const MessageChecker& at) {
    Hearing compiled;
    if (hearing.acuity() != 0.0) {
      compiled.acuity = at.Positive("acuity", hearing.acuity(), 100.0);
    }
    if (hearing.has_through_bodies()) {
      compiled.through_bodies =
          at.Number("through_bodies", hearing.through_bodies(), 0.0, 1.0);
    }
    return compiled;
  }

  std::shared_ptr<SensesDefinition> definition_ =
      std::make_shared<SensesDefinition>();
  bool is_used_ = false;
};

REPRISE_REGISTER_SYSTEM(senses, MakeSystemModule<SensesCompiler>(
                                    SensesDefinition::Declaration(),
                                    {"Pack.senses_budget", "Type.senses"}));

}  // namespace
}  // namespace reprise::sim
