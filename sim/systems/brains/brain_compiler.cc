// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the brains of a pack, and which types have them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "reprise/v1/navigation.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/compiler/checking/type_components.h"
#include "sim/state/table.h"
#include "sim/systems/brains/brain_definition.h"
#include "sim/systems/brains/brain_rows.h"
#include "sim/systems/brains/brain_system.h"
#include "sim/systems/brains/brain_tree_compiler.h"
#include "sim/systems/brains/plan_search_rows.h"
#include "sim/systems/brains/plan_searches.h"
#include "sim/systems/navigation/navigation_definition.h"
#include "sim/systems/navigation/navigation_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

class BrainCompiler final : public SystemCompiler {
 public:
  explicit BrainCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation), names_("brains", words()) {
    if (static_cast<size_t>(pack().brains_size()) > kBrainsMax) {
      checker().Problem("brains", fmt::format("more than {}", kBrainsMax));
      is_too_many_ = true;
      return;
    }
    for (int i = 0; i < pack().brains_size(); ++i) {
      known_.push_back(pack().brains(i).name());
      names_.Declare("name", pack().brains(i).name(), Place(i));
    }
    compiled_.resize(known_.size());
    stages_.resize(known_.size());
  }

  bool WantsComponents(const v1::Type& type) override {
    return !type.brain().empty();
  }

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    if (message.brain().empty()) return;
    const std::optional<uint32_t> component =
        world().FindComponent(IdOf(BrainRow::kTable));
    // A component of the pack's with this name is reported.
    if (!component.has_value()) return;
    UseComponent(world(), type, *component);
    if (is_too_many_) return;  // reported, and none is looked at
    const std::optional<uint32_t> brain = Find(message.brain());
    if (!brain.has_value()) {
      checker.NoSuch("brain", "brain", message.brain(), known_);
      return;
    }
    type.parts.Set(BrainUse{.component = *component, .brain = *brain});
  }

  void CompileObjects() override {
    for (uint32_t i = 0; i < known_.size(); ++i) Compile(i);
    for (const CompiledBrain& brain : compiled_) {
      for (const BrainNode& node : brain.definition.tree.nodes) {
        definition_->has_searches |= node.expansions_per_update != 0;
      }
    }
    CheckTypes();
  }

  void Finish() override {
    for (CompiledBrain& brain : compiled_) {
      definition_->brains.push_back(std::move(brain.definition));
    }
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return known_.empty() ? nullptr : definition_;
  }

 private:
  enum class Stage : uint8_t { kWaiting, kUnderWay, kDone };

  MessageChecker Place(int index) const {
    return checker().In(pack().brains(index), "brains", index);
  }

  std::optional<uint32_t> Find(const std::string& name) const {
    const auto found = std::ranges::find(known_, name);
    if (found == known_.end()) return std::nullopt;
    return static_cast<uint32_t>(found - known_.begin());
  }

  void Compile(uint32_t index) {
    if (stages_[index] != Stage::kWaiting) return;
    stages_[index] = Stage::kUnderWay;
    const FindBrain find = [this](const std::string& name,
                                  const MessageChecker& place) {
      return FindPart(name, place);
    };
    const auto i = static_cast<int>(index);
    compiled_[index] = BrainTreeCompiler(compilation(), find)
                           .Compile(pack().brains(i), Place(i));
    stages_[index] = Stage::kDone;
  }

  const CompiledBrain* FindPart(const std::string& name,
                                const MessageChecker& place) {
    const std::optional<uint32_t> index = Find(name);
    if (!index.has_value()) {
      place.NoSuch("use", "brain", name, known_);
      return nullptr;
    }
    // As many within each other as brains may be deep, and no more: rings and
    // chains would use up the stack.
    if (stages_[*index] == Stage::kUnderWay || depth_ == kBrainDepthMax) {
      place.Problem("use", fmt::format("'{}' uses itself, or one another too "
                                       "deep",
                                       name));
      return nullptr;
    }
    ++depth_;
    Compile(*index);
    --depth_;
    return &compiled_[*index];
  }

  void CheckTypes() const {
    uint64_t rows = 0;
    uint64_t nodes_max = 0;
    uint64_t searches = 0;
    for (int i = 0; i < pack().types_size(); ++i) {
      const std::optional<uint32_t> index =
          world().FindType(IdOf(pack().types(i).name()));
      if (!index.has_value()) continue;
      const TypeDefinition& type = world().types[*index];
      const BrainUse* const use = type.parts.Find<BrainUse>();
      if (use == nullptr) continue;
      const BrainDefinition& brain = compiled_[use->brain].definition;
      const MessageChecker at = checker().In(pack().types(i), "types", i);
      CheckGoings(brain, type, at);
      const uint64_t nodes =
          std::max<uint64_t>(brain.tree.nodes.size(),
                             uint64_t{brain.tree.plan_count} * kPlanStepsMax);
      nodes_max = std::max(nodes_max, nodes);
      const uint64_t objects = std::min(type.objects_max, world().objects_max);
      rows += nodes * objects;
      // All types together have no more objects than the world has.
      searches += SearchRowsOf(brain.tree) * objects;
      if (searches > kPlanNodeRowsMax) {
        at.Problem("brain",
                   fmt::format("with up to {} objects there are more than {} "
                               "facts that searches for plans come to: say "
                               "objects_max, or fewer expansions",
                               objects, kPlanNodeRowsMax));
        return;
      }
      if (std::min(rows, nodes_max * world().objects_max) > kBrainNodeRowsMax) {
        at.Problem("brain",
                   fmt::format("with up to {} objects of {} nodes there are "
                               "more than {} nodes in all: say objects_max",
                               objects, nodes, kBrainNodeRowsMax));
        return;
      }
    }
  }

  // How many rows the searches of one object can have.
  static uint64_t SearchRowsOf(const BrainTree& tree) {
    uint64_t rows = 0;
    for (const BrainNode& node : tree.nodes) {
      if (node.expansions_per_update == 0) continue;
      rows += 1 + uint64_t{node.expansions_max} * node.child_count;
    }
    return rows;
  }

  void CheckGoings(const BrainDefinition& brain, const TypeDefinition& type,
                   const MessageChecker& place) const {
    if (brain.goings.empty()) return;
    const auto* const navigator = type.parts.Find<NavigatorUse>();
    if (navigator == nullptr || navigator->flow_field.has_value()) {
      place.Problem("brain",
                    "it goes somewhere, so its type needs a navigator with a "
                    "space");
      return;
    }
    // Where there are navigators, there is what they go by.
    const Id space = compilation()
                         .Find<NavigationDefinition>()
                         ->spaces[navigator->space]
                         .name;
    for (const v1::GoalSet& set : pack().navigation().goal_sets()) {
      const bool is_gone_to = std::ranges::any_of(
          brain.goings, [name = IdOf(set.name())](const BrainGoing& going) {
            return going.goals == name;
          });
      if (!is_gone_to || IdOf(set.space()) == space) continue;
      place.Problem("brain",
                    fmt::format("it goes to the nearest of '{}', and those are "
                                "places of '{}': its type's navigator has "
                                "another space",
                                set.name(), set.space()));
      return;
    }
  }

  DeclaredNames names_;
  std::vector<std::string> known_;
  std::vector<CompiledBrain> compiled_;
  std::vector<Stage> stages_;
  uint32_t depth_ = 0;
  bool is_too_many_ = false;
  std::shared_ptr<BrainsDefinition> definition_ =
      std::make_shared<BrainsDefinition>();
};

// Whether the brains of a pack seek plans over several updates.
class PlanSearchCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  std::shared_ptr<const SystemDefinition> definition() const override {
    const auto* const brains = compilation().Find<BrainsDefinition>();
    return brains != nullptr && brains->has_searches ? definition_ : nullptr;
  }

 private:
  std::shared_ptr<PlanSearchesDefinition> definition_ =
      std::make_shared<PlanSearchesDefinition>();
};

REPRISE_REGISTER_SYSTEM(brains, MakeSystemModule<BrainCompiler>(
                                    BrainsDefinition::Declaration(),
                                    {"Pack.brains", "Type.brain"},
                                    /*reads=*/{NavigationDefinition::kSystem}));
REPRISE_REGISTER_SYSTEM(plan_searches,
                        MakeSystemModule<PlanSearchCompiler>(
                            PlanSearchesDefinition::Declaration(), {},
                            /*reads=*/{BrainsDefinition::kSystem}));

}  // namespace
}  // namespace reprise::sim
