// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/objectives/objective_compiler.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "fmt/format.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/pack_names.h"

namespace reprise::sim {
namespace {

std::optional<Comparison> ComparisonOf(v1::Predicate::Comparison comparison) {
  switch (comparison) {
    case v1::Predicate::COMPARISON_LESS:
      return Comparison::kLess;
    case v1::Predicate::COMPARISON_AT_MOST:
      return Comparison::kAtMost;
    case v1::Predicate::COMPARISON_EQUAL:
      return Comparison::kEqual;
    case v1::Predicate::COMPARISON_AT_LEAST:
      return Comparison::kAtLeast;
    case v1::Predicate::COMPARISON_MORE:
      return Comparison::kMore;
    default:
      return std::nullopt;
  }
}

// Whether a property is one number, or true or false.
bool IsNumber(const PropertyDefinition& property) {
  return property.capacity == 0 && (property.type == PropertyType::kBool ||
                                    property.type == PropertyType::kInt ||
                                    property.type == PropertyType::kDouble);
}

// Finds what a predicate asks for; reports what there isn't.
void FindProperty(const v1::Predicate& message, const MessageChecker& place,
                  const WorldDefinition& world, PredicateDefinition& compiled) {
  const ObjectDefinition* const object =
      FindObjectNamed(message.object(), world);
  if (object == nullptr) {
    place.NoSuch("object", "object", message.object());
    return;
  }
  const std::optional<uint32_t> component =
      world.FindComponent(IdOf(message.component()));
  const TypeDefinition& type =
      world.types[world.archetypes[object->archetype].type];
  if (!component.has_value() ||
      std::ranges::find(type.components, *component,
                        &ComponentUse::component) == type.components.end()) {
    std::vector<std::string> names;
    for (const ComponentUse& use : type.components) {
      names.push_back(world.components[use.component].name);
    }
    place.Problem("component",
                  fmt::format("'{}' has no component '{}'{}", object->name,
                              message.component(),
                              place.SuggestionFor(message.component(), names)));
    return;
  }
  const ComponentDefinition& definition = world.components[*component];
  const std::optional<uint32_t> property = definition.Find(message.property());
  if (!property.has_value() || !IsNumber(definition.properties[*property])) {
    std::vector<std::string> names;
    for (const PropertyDefinition& each : definition.properties) {
      if (IsNumber(each)) names.push_back(each.name);
    }
    place.Problem("property",
                  fmt::format("'{}' has no number or boolean '{}'{}",
                              definition.name, message.property(),
                              place.SuggestionFor(message.property(), names)));
    return;
  }
  compiled.component = *component;
  compiled.property = *property;
}

void CompilePredicates(const v1::Pack& pack, const MessageChecker& checker,
                       std::set<std::string>& words, WorldDefinition& world) {
  constexpr double kAny = std::numeric_limits<double>::max();
  DeclaredNames names("predicates", words);
  for (int i = 0; i < pack.predicates_size(); ++i) {
    const v1::Predicate& message = pack.predicates(i);
    const MessageChecker place = checker.In(message, "predicates", i);
    PredicateDefinition compiled{
        .name = names.Declare("name", message.name(), place),
        .object = IdOf(message.object()),
        .value = place.Number("value", message.value(), -kAny, kAny)};
    FindProperty(message, place, world, compiled);
    const std::optional<Comparison> comparison =
        ComparisonOf(message.comparison());
    if (!comparison.has_value()) {
      place.Problem("comparison", "how is it compared with the value?");
    }
    compiled.comparison = comparison.value_or(Comparison::kEqual);
    world.level.predicates.push_back(compiled);
  }
  // A total order: equal names were reported above.
  std::ranges::sort(world.level.predicates, {}, &PredicateDefinition::name);
}

Outcome::Status DecisionOf(v1::Objective::Decision decision) {
  switch (decision) {
    case v1::Objective::DECISION_WON:
      return Outcome::Status::kWon;
    case v1::Objective::DECISION_LOST:
      return Outcome::Status::kLost;
    default:
      return Outcome::Status::kRunning;
  }
}

ObjectiveKind KindOf(v1::Objective::Kind kind) {
  switch (kind) {
    case v1::Objective::KIND_SEQUENCE:
      return ObjectiveKind::kSequence;
    case v1::Objective::KIND_ALL:
      return ObjectiveKind::kAll;
    case v1::Objective::KIND_ANY:
      return ObjectiveKind::kAny;
    default:
      return ObjectiveKind::kTask;
  }
}

class ObjectiveCompiler {
 public:
  ObjectiveCompiler(const v1::Pack& pack, const MessageChecker& checker,
                    std::set<std::string>& words, WorldDefinition& world)
      : pack_(pack),
        checker_(checker),
        words_(words),
        world_(world),
        objectives_(world.level.objectives) {}

  void Compile() {
    // They refer to each other in any order.
    DeclaredNames names("objectives", words_);
    for (int i = 0; i < pack_.objectives_size(); ++i) {
      const v1::Objective& message = pack_.objectives(i);
      objectives_.push_back(
          {.name = names.Declare("name", message.name(), PlaceOf(i)),
           .kind = KindOf(message.kind()),
           .is_optional = message.optional(),
           .is_repeatable = message.repeatable()});
      for (const std::string& child : message.children()) {
        parents_.emplace(IdOf(child), IdOf(message.name()));
      }
    }
    for (int i = 0; i < pack_.objectives_size(); ++i) CompileObjective(i);
  }

 private:
  MessageChecker PlaceOf(int index) const {
    return checker_.In(pack_.objectives(index), "objectives", index);
  }

  void CompileObjective(int index) {
    const v1::Objective& message = pack_.objectives(index);
    const MessageChecker place = PlaceOf(index);
    ObjectiveDefinition& objective = objectives_[index];
    if (objective.kind == ObjectiveKind::kTask) {
      CompileTask(message, place, objective);
    } else {
      CompileGroup(message, place, objective);
    }
    for (const std::string& name : message.after()) {
      objective.prerequisites.push_back(
          ReferTo("objective", "after", name, objectives_, place));
    }
    objective.deadline = CompileSeconds("deadline_s", message.deadline_s(),
                                        world_.info.tick_rate, place);
    if (objective.deadline == 0 && message.deadline_s() > 0.0) {
      place.Problem("deadline_s", "less than half a tick");
    }
    CompileFailing(message, place, objective);
    for (const std::string& gate : message.gates()) {
      objective.gates.push_back(
          ReferTo("layer", "gates", gate, world_.level.layers, place));
    }
    objective.decides = DecisionOf(message.decides());
    objective.failure_decides = DecisionOf(message.failure_decides());
  }

  void CompileTask(const v1::Objective& message, const MessageChecker& place,
                   ObjectiveDefinition& objective) {
    if (message.children_size() > 0) {
      place.Problem("children", "only a group has parts, and this is a task");
    }
    if (!message.has_condition()) {
      place.Problem("condition", "a task needs one");
      return;
    }
    objective.condition = CompileCondition(
        message.condition(), place.In(message.condition(), "condition"));
  }

  void CompileGroup(const v1::Objective& message, const MessageChecker& place,
                    ObjectiveDefinition& objective) {
    if (message.has_condition()) {
      place.Problem("condition", "only a task has one, and this is a group");
    }
    bool requires_any = false;
    for (const std::string& name : message.children()) {
      const Id child =
          ReferTo("objective", "children", name, objectives_, place);
      objective.children.push_back(child);
      if (!children_.insert(child).second) {
        place.Problem("children",
                      fmt::format("'{}' is a part of a group already", name));
      }
      const auto found =
          std::ranges::find(objectives_, child, &ObjectiveDefinition::name);
      if (found == objectives_.end()) continue;  // reported
      requires_any |= !found->is_optional;
      if (found->is_optional && objective.kind == ObjectiveKind::kAny) {
        place.Problem("children",
                      fmt::format("'{}' is optional, as all are here", name));
      }
    }
    if (!requires_any) {
      place.Problem("children", "a group needs one that isn't optional");
    }
  }

  void CompileFailing(const v1::Objective& message, const MessageChecker& place,
                      ObjectiveDefinition& objective) {
    if (static_cast<size_t>(message.failures_size()) > kFailureConditionsMax) {
      place.Problem("failures",
                    fmt::format("more than {}", kFailureConditionsMax));
      return;
    }
    for (int i = 0; i < message.failures_size(); ++i) {
      const v1::Condition& failure = message.failures(i);
      objective.failures.push_back(
          CompileCondition(failure, place.In(failure, "failures", i)));
    }
    if (!message.penalty_event().empty()) {
      objective.penalty_event =
          CompileWord("penalty_event", message.penalty_event(), place, words_);
    }
    if (message.penalty_reset().empty()) return;
    objective.penalty_reset =
        ReferTo("objective", "penalty_reset", message.penalty_reset(),
                objectives_, place);
    if (!IsWithin(objective.name, objective.penalty_reset)) {
      place.Problem("penalty_reset",
                    fmt::format("'{}' isn't a part of '{}'", message.name(),
                                message.penalty_reset()));
    }
  }

  // Whether `objective` is `group` or a part of it, or of one that nobody
  // knows, which is reported. Parts may still go round in a circle.
  bool IsWithin(Id objective, Id group) const {
    if (std::ranges::find(objectives_, group, &ObjectiveDefinition::name) ==
        objectives_.end()) {
      return true;
    }
    for (size_t depth = 0; depth <= objectives_.size(); ++depth) {
      if (objective == group) return true;
      const auto parent = parents_.find(objective);
      if (parent == parents_.end()) return false;
      objective = parent->second;
    }
    return false;
  }

  ObjectiveCondition CompileCondition(const v1::Condition& condition,
                                      const MessageChecker& place) {
    switch (condition.kind_case()) {
      case v1::Condition::kEvent:
        return CompileEvent(condition.event(),
                            place.In(condition.event(), "event"));
      case v1::Condition::kPredicate:
        return PredicateCondition{ReferTo("predicate", "predicate",
                                          condition.predicate(),
                                          world_.level.predicates, place)};
      case v1::Condition::kElapsedS: {
        const Tick ticks = CompileSeconds("elapsed_s", condition.elapsed_s(),
                                          world_.info.tick_rate, place);
        if (ticks == 0 && condition.elapsed_s() >= 0.0) {
          place.Problem("elapsed_s", "less than half a tick");
        }
        return ElapsedCondition{ticks};
      }
      case v1::Condition::KIND_NOT_SET:
        break;
    }
    place.Problem("event", "one of event, predicate, elapsed_s is needed");
    return {};
  }

  EventCondition CompileEvent(const v1::EventCondition& event,
                              const MessageChecker& place) {
    EventCondition compiled{
        .type = CompileWord("event", event.event(), place, words_),
        .count = event.count() == 0 ? 1 : event.count()};
    if (!event.object().empty()) {
      const std::optional<uint32_t> object =
          FindPermanentObject("object", event.object(), place, world_);
      compiled.object = {object.value_or(0) + uint64_t{1}};
    }
    if (!event.subject().empty()) {
      compiled.subject = CompileWord("subject", event.subject(), place, words_);
    }
    return compiled;
  }

  const v1::Pack& pack_;
  const MessageChecker& checker_;
  std::set<std::string>& words_;
  WorldDefinition& world_;
  std::vector<ObjectiveDefinition>& objectives_;
  std::map<Id, Id> parents_;
  std::set<Id> children_;
};

}  // namespace

void CompileObjectives(const v1::Pack& pack, const MessageChecker& checker,
                       std::set<std::string>& words, WorldDefinition& world) {
  CompilePredicates(pack, checker, words, world);
  ObjectiveCompiler(pack, checker, words, world).Compile();
}

}  // namespace reprise::sim
