// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the commanders of a pack, and which types are their units.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/compiler/checking/type_components.h"
#include "sim/expression/value.h"
#include "sim/systems/brains/score_curve_compiler.h"
#include "sim/systems/commanders/commander_definition.h"
#include "sim/systems/commanders/commander_rows.h"
#include "sim/systems/commanders/commander_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

constexpr int kTypesMax = 16;
constexpr int kTaskDefinitionsMax = 32;
constexpr int kConsiderationsMax = 16;
constexpr double kHourS = 3'600.0;
constexpr double kDayS = 86'400.0;

// The event that tasks are weighed as, and the one that units are.
constexpr std::string_view kTaskEvent = "task_begun";
constexpr std::string_view kUnitEvent = "ordered";

class CommanderCompiler final : public SystemCompiler {
 public:
  explicit CommanderCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation) {
    std::map<std::string, std::string> bases;
    std::set<std::string> units;
    for (const v1::Type& type : pack().types()) {
      bases.emplace(type.name(), type.extends());
      for (const std::string& unit : type.commander().units()) {
        units.insert(unit);
      }
    }
    // Each is looked at once, however many extend it.
    std::map<std::string, bool> is_unit;
    for (const v1::Type& type : pack().types()) {
      std::vector<std::string> row;
      std::string name = type.name();
      // A ring of types that extend each other is reported elsewhere.
      while (!name.empty() && is_unit.emplace(name, false).second) {
        row.push_back(name);
        const auto base = bases.find(name);
        name = base == bases.end() ? "" : base->second;
      }
      bool is_base_unit = !name.empty() && is_unit.at(name);
      for (auto each = row.rbegin(); each != row.rend(); ++each) {
        is_base_unit = is_base_unit || units.contains(*each);
        is_unit.at(*each) = is_base_unit;
      }
    }
    for (const auto& [name, is_one] : is_unit) {
      if (is_one) units_.insert(name);
    }
    const v1::OrdersBudget& budget = pack().orders_budget();
    if (budget.evaluations_per_tick() == 0) return;
    definition_->evaluations_per_tick =
        checker()
            .In(budget, "orders_budget")
            .Count("evaluations_per_tick", budget.evaluations_per_tick(), 1,
                   kEvaluationsPerTickMax);
  }

  bool WantsComponents(const v1::Type& type) override {
    return type.has_commander() || units_.contains(type.name());
  }

  void CompileType(const v1::Type& message, const MessageChecker& checker,
                   TypeDefinition& type) override {
    // Components of the pack's with these names are reported.
    const std::optional<uint32_t> orders =
        world().FindComponent(IdOf(OrdersRow::kTable));
    const std::optional<uint32_t> command =
        world().FindComponent(IdOf(CommandRow::kTable));
    if (units_.contains(message.name()) && orders.has_value()) {
      UseComponent(world(), type, *orders);
      type.parts.Set(OrdersUse{.component = *orders});
    }
    if (!message.has_commander() || !command.has_value()) return;
    UseComponent(world(), type, *command);
    type.parts.Set(CommanderUse{
        .component = *command,
        .commander = static_cast<uint32_t>(definition_->commanders.size())});
    definition_->commanders.emplace_back();
    messages_.push_back(&message.commander());
    places_.push_back(checker.In(message.commander(), "commander"));
  }

  void CompileObjects() override {
    for (size_t i = 0; i < messages_.size(); ++i) {
      definition_->commanders[i] = Compile(*messages_[i], places_[i]);
    }
    CheckRows();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return messages_.empty() ? nullptr : definition_;
  }

 private:
  CommanderDefinition Compile(const v1::Commander& message,
                              const MessageChecker& at) {
    CommanderDefinition compiled;
    if (message.units_size() == 0 || message.units_size() > kTypesMax) {
      at.Problem("units", fmt::format("there are {} types, not 1 to {}",
                                      message.units_size(), kTypesMax));
    }
    for (const std::string& unit : message.units()) {
      if (!HasType(unit)) at.NoSuch("units", "type", unit);
      compiled.units.push_back(IdOf(unit));
    }
    compiled.every =
        std::max<Tick>(1, Ticks("every_s", message.every_s(), kHourS, at));
    compiled.inertia = at.Number("inertia", message.inertia(), 0.0, 100.0);
    if (message.units_max() != 0) {
      compiled.units_max =
          at.Count("units_max", message.units_max(), 1, kCommanderUnitsMax);
    }
    if (message.tasks_size() == 0 ||
        message.tasks_size() > kTaskDefinitionsMax) {
      at.Problem("tasks",
                 fmt::format("there are {}, not 1 to {}", message.tasks_size(),
                             kTaskDefinitionsMax));
      return compiled;
    }
    std::set<std::string> names;
    for (int i = 0; i < message.tasks_size(); ++i) {
      const v1::CommanderTask& task = message.tasks(i);
      const MessageChecker place = at.In(task, "tasks", i);
      place.Name("name", task.name());
      if (!names.insert(task.name()).second) {
        place.Problem("name",
                      fmt::format("there are two tasks '{}'", task.name()));
      }
      compiled.tasks.push_back(CompileTask(task, place));
    }
    return compiled;
  }

  TaskDefinition CompileTask(const v1::CommanderTask& task,
                             const MessageChecker& at) {
    TaskDefinition compiled = {.name = Word(task.name())};
    if (!task.of().empty()) {
      if (!HasType(task.of())) at.NoSuch("of", "type", task.of());
      compiled.of = IdOf(task.of());
    }
    compiled.condition = CompileCondition("if", task.if_(), kTaskEvent, at);
    compiled.priority = CompileExpression(
        "priority", task.priority(), kTaskEvent, ExpressionType::kNumber, at);
    compiled.fits = CompileCondition("fits", task.fits(), kUnitEvent, at);
    if (task.units_min() != 0) {
      compiled.units_min =
          at.Count("units_min", task.units_min(), 1, kCommanderUnitsMax);
    }
    compiled.units_max = compiled.units_min;
    if (task.units_max() != 0) {
      compiled.units_max =
          at.Count("units_max", task.units_max(), 1, kCommanderUnitsMax);
      if (compiled.units_max < compiled.units_min) {
        at.Problem("units_max",
                   fmt::format("{} is below units_min, {}", compiled.units_max,
                               compiled.units_min));
      }
    }
    compiled.rest = Ticks("rest_s", task.rest_s(), kDayS, at);
    if (task.considerations_size() > kConsiderationsMax) {
      at.Problem("considerations",
                 fmt::format("more than {}", kConsiderationsMax));
      return compiled;
    }
    for (int i = 0; i < task.considerations_size(); ++i) {
      const v1::BrainConsideration& each = task.considerations(i);
      const MessageChecker place = at.In(each, "considerations", i);
      if (each.of().empty()) {
        place.Problem("of", "required");
        continue;
      }
      UnitConsideration consideration = {
          .number = CompileExpression("of", each.of(), kUnitEvent,
                                      ExpressionType::kNumber, place),
          .curve = CompileScoreCurve(each, place)};
      if (consideration.number == nullptr) continue;
      compiled.considerations.push_back(std::move(consideration));
    }
    return compiled;
  }

  std::shared_ptr<const EventExpression> CompileCondition(
      std::string_view field, const std::string& text, std::string_view event,
      const MessageChecker& at) const {
    return CompileExpression(field, text, event, ExpressionType::kBool, at);
  }

  // Null where there is none, or after reporting.
  std::shared_ptr<const EventExpression> CompileExpression(
      std::string_view field, const std::string& text, std::string_view event,
      ExpressionType type, const MessageChecker& at) const {
    if (text.empty()) return nullptr;
    std::shared_ptr<const EventExpression> expression =
        compilation().language.CompileExpression(field, text,
                                                 std::string(event), at);
    if (expression == nullptr || expression->type() == type) return expression;
    at.Problem(field, type == ExpressionType::kBool
                          ? "this is no condition: it isn't true or false"
                          : "this is no number");
    return nullptr;
  }

  void CheckRows() const {
    uint64_t rows = 0;
    for (int i = 0; i < pack().types_size(); ++i) {
      const std::optional<uint32_t> index =
          world().FindType(IdOf(pack().types(i).name()));
      if (!index.has_value()) continue;
      const TypeDefinition& type = world().types[*index];
      const CommanderUse* const use = type.parts.Find<CommanderUse>();
      if (use == nullptr) continue;
      const CommanderDefinition& commander =
          definition_->commanders[use->commander];
      uint64_t tasks = 0;
      for (const TaskDefinition& task : commander.tasks) {
        tasks += task.of == kNoId ? 1 : kTasksMax;
      }
      const uint64_t objects = std::min(type.objects_max, world().objects_max);
      rows +=
          std::min<uint64_t>(tasks, kTasksMax) * commander.units_max * objects;
      if (rows <= kScoreRowsMax) continue;
      checker()
          .In(pack().types(i), "types", i)
          .Problem("commander",
                   fmt::format("with up to {} objects of {} units there are "
                               "more than {} scores in all: say objects_max",
                               objects, commander.units_max, kScoreRowsMax));
      return;
    }
  }

  bool HasType(const std::string& name) const {
    return std::ranges::any_of(pack().types(), [&](const v1::Type& each) {
      return each.name() == name;
    });
  }

  Id Word(const std::string& name) const {
    words().insert(name);
    return IdOf(name);
  }

  // 0 for what is reported already.
  Tick Ticks(std::string_view field, double seconds, double maximum_s,
             const MessageChecker& at) const {
    const double checked = at.Number(field, seconds, 0.0, maximum_s);
    if (!(seconds >= 0.0 && seconds <= maximum_s)) return 0;
    return CompileSeconds(field, checked, world().info.tick_rate, at);
  }

  std::set<std::string> units_;  // names of types, with those that extend them
  std::vector<const v1::Commander*> messages_;
  std::vector<MessageChecker> places_;
  std::shared_ptr<CommandersDefinition> definition_ =
      std::make_shared<CommandersDefinition>();
};

REPRISE_REGISTER_SYSTEM(commanders,
                        MakeSystemModule<CommanderCompiler>(
                            CommandersDefinition::Declaration(),
                            {"Pack.orders_budget", "Type.commander"}));

}  // namespace
}  // namespace reprise::sim
