// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what there is to do in a pack.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/compiler/checking/event_catalogue.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/systems/layers/layer_system.h"
#include "sim/systems/objectives/objective_definition.h"
#include "sim/systems/objectives/objective_system.h"
#include "sim/systems/objectives/predicate_compiler.h"
#include "sim/systems/objectives/predicates.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

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

// The id of `name`, after reporting that `known`, ids or a map by them, lacks
// it. `kind` is what an author calls one of them.
template <typename Known>
Id Refer(std::string_view kind, std::string_view field, const std::string& name,
         const Known& known, const MessageChecker& place) {
  const Id id = IdOf(name);
  if (!known.contains(id)) {
    place.NoSuch(field, kind, name);
  }
  return id;
}

// Which objectives are parts of which: all below a group follow it in one
// numbering of them all.
class ObjectiveTree {
 public:
  // Of each objective the index of its group.
  explicit ObjectiveTree(std::span<const std::optional<size_t>> groups)
      : spans_(groups.size()) {
    std::vector<std::vector<size_t>> parts(groups.size());
    std::vector<size_t> open;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].has_value()) {
        parts[*groups[i]].push_back(i);
      } else {
        open.push_back(i);
      }
    }
    std::vector<size_t> order;
    while (!open.empty()) {
      const size_t i = open.back();
      open.pop_back();
      spans_[i] = {.first = order.size(), .count = 1};
      order.push_back(i);
      open.insert(open.end(), parts[i].begin(), parts[i].end());
    }
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
      if (groups[*i].has_value()) {
        spans_[*groups[*i]].count += spans_[*i].count;
      }
    }
  }

  // Whether an objective is the group or below it. Of those whose groups go
  // round in a circle nobody knows, and it is so.
  bool IsWithin(size_t objective, size_t group) const {
    const Span& own = spans_[objective];
    if (own.count == 0) return true;
    const Span& all = spans_[group];
    return own.first >= all.first && own.first < all.first + all.count;
  }

 private:
  struct Span {
    size_t first = 0;
    size_t count = 0;  // 0: in a circle
  };
  std::vector<Span> spans_;
};

class ObjectiveCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompileObjects() override {
    definition_->predicates = CompilePredicates(
        pack(), checker(), compilation().language, words(), world());
    for (const PredicateDefinition& predicate : definition_->predicates) {
      predicates_.insert(predicate.name);
    }
    for (const LayerDefinition& layer :
         LayersOf(compilation().Find<LayerDefinitions>())) {
      layers_.insert(layer.name);
    }
    // They refer to each other in any order.
    DeclareObjectives();
    for (int i = 0; i < pack().objectives_size(); ++i) CompileObjective(i);
  }

  void Finish() override {
    const std::vector<Id> predicates(predicates_.begin(), predicates_.end());
    const absl::Status status = ValidateObjectives(
        definition_->objectives, predicates,
        LayersOf(compilation().Find<LayerDefinitions>()), world().names);
    if (status.ok()) {
      definition_->rules.emplace(definition_->objectives);
    } else {
      checker().Problem("objectives", std::string(status.message()));
    }
    for (const auto& [subject, place] : new_words_) {
      WarnOfSubject(subject, place);
    }
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    // Predicates alone are asked by nobody.
    if (definition_->objectives.empty()) return nullptr;
    return definition_;
  }

 private:
  MessageChecker PlaceOf(int index) const {
    return checker().In(pack().objectives(index), "objectives", index);
  }

  // What nothing is called can be no argument of an event, unless a behaviour
  // makes it up.
  void WarnOfSubject(const std::string& subject,
                     const MessageChecker& place) const {
    const auto is_subject = [&](const auto& named) {
      return named.name() == subject;
    };
    const bool is_known =
        FindObjectNamed(subject, world()) != nullptr ||
        world().FindArchetype(IdOf(subject)).has_value() ||
        std::ranges::any_of(pack().joints(), is_subject) ||
        std::ranges::any_of(pack().paths(), is_subject) ||
        std::ranges::any_of(RegisteredSystemDeclarations(),
                            [&](const SystemDeclaration* system) {
                              return std::ranges::find(system->words,
                                                       subject) !=
                                     system->words.end();
                            }) ||
        std::ranges::count(RegisteredWords(), subject) > 0;
    if (is_known) return;
    std::vector<std::string> known(words().begin(), words().end());
    for (const ObjectDefinition& object : world().objects) {
      known.push_back(object.name);
    }
    std::erase(known, subject);
    place.Warning("subject",
                  fmt::format("nothing here is called '{}'{}", subject,
                              place.SuggestionFor(subject, known)));
  }

  void DeclareObjectives() {
    DeclaredNames names("objectives", words());
    for (int i = 0; i < pack().objectives_size(); ++i) {
      const v1::Objective& message = pack().objectives(i);
      definition_->objectives.push_back(
          {.name = names.Declare("name", message.name(), PlaceOf(i)),
           .kind = KindOf(message.kind()),
           .is_optional = message.optional(),
           .is_repeatable = message.repeatable()});
      indexes_.emplace(IdOf(message.name()), static_cast<size_t>(i));
    }
    std::vector<std::optional<size_t>> groups(definition_->objectives.size());
    for (int i = 0; i < pack().objectives_size(); ++i) {
      for (const std::string& child : pack().objectives(i).children()) {
        const auto found = indexes_.find(IdOf(child));
        if (found == indexes_.end()) continue;  // reported with the group
        std::optional<size_t>& group = groups[found->second];
        // Of several, which are reported, the first one.
        if (!group.has_value()) group = static_cast<size_t>(i);
      }
    }
    tree_.emplace(groups);
  }

  void CompileObjective(int index) {
    const v1::Objective& message = pack().objectives(index);
    const MessageChecker place = PlaceOf(index);
    ObjectiveDefinition& objective = definition_->objectives[index];
    if (objective.kind == ObjectiveKind::kTask) {
      CompileTask(message, place, objective);
    } else {
      CompileGroup(message, place, objective);
    }
    for (const std::string& name : message.after()) {
      objective.prerequisites.push_back(
          Refer("objective", "after", name, indexes_, place));
    }
    objective.deadline = CompileSeconds("deadline_s", message.deadline_s(),
                                        world().info.tick_rate, place);
    // One that is too long is reported.
    if (objective.deadline == 0 && message.deadline_s() > 0.0 &&
        message.deadline_s() < 1.0) {
      place.Problem("deadline_s", "less than half a tick");
    }
    CompileFailing(message, place, objective);
    for (const std::string& gate : message.gates()) {
      objective.gates.push_back(Refer("layer", "gates", gate, layers_, place));
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
      const Id child = Refer("objective", "children", name, indexes_, place);
      objective.children.push_back(child);
      if (!children_.insert(child).second) {
        place.Problem("children",
                      fmt::format("'{}' is a part of a group already", name));
      }
      const auto found = indexes_.find(child);
      if (found == indexes_.end()) continue;  // reported
      const bool is_optional =
          definition_->objectives[found->second].is_optional;
      requires_any |= !is_optional;
      if (is_optional && objective.kind == ObjectiveKind::kAny) {
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
      objective.penalty_event = events().Refer(
          EventRole::kSends, "penalty_event", message.penalty_event(), place);
      events().GiveArgument("penalty_event", message.penalty_event(),
                            "objective", ScalarType::kId, place);
    }
    if (message.penalty_reset().empty()) return;
    objective.penalty_reset = Refer("objective", "penalty_reset",
                                    message.penalty_reset(), indexes_, place);
    const auto group = indexes_.find(objective.penalty_reset);
    if (group == indexes_.end()) return;  // reported
    if (!tree_->IsWithin(indexes_.at(objective.name), group->second)) {
      place.Problem("penalty_reset",
                    fmt::format("'{}' isn't a part of '{}'", message.name(),
                                message.penalty_reset()));
    }
  }

  ObjectiveCondition CompileCondition(const v1::Condition& condition,
                                      const MessageChecker& place) {
    switch (condition.kind_case()) {
      case v1::Condition::kEvent:
        return CompileEvent(condition.event(),
                            place.In(condition.event(), "event"));
      case v1::Condition::kPredicate:
        return PredicateCondition{Refer("predicate", "predicate",
                                        condition.predicate(), predicates_,
                                        place)};
      case v1::Condition::kElapsedS: {
        const Tick ticks = CompileSeconds("elapsed_s", condition.elapsed_s(),
                                          world().info.tick_rate, place);
        if (ticks == 0 && condition.elapsed_s() >= 0.0 &&
            condition.elapsed_s() < 1.0) {
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
    EventCondition compiled{.type = events().Refer(EventRole::kHears, "event",
                                                   event.event(), place),
                            .count = event.count() == 0 ? 1 : event.count()};
    if (!event.object().empty()) {
      const std::optional<uint32_t> object =
          FindPermanentObject("object", event.object(), place, world());
      compiled.object = {object.value_or(0) + uint64_t{1}};
    }
    if (!event.subject().empty()) {
      if (!words().contains(event.subject())) {
        new_words_.emplace_back(event.subject(), place);
      }
      compiled.subject =
          CompileWord("subject", event.subject(), place, words());
    }
    return compiled;
  }

  std::shared_ptr<ObjectivesDefinition> definition_ =
      std::make_shared<ObjectivesDefinition>();
  std::set<Id> predicates_;
  std::set<Id> layers_;
  std::map<Id, size_t> indexes_;  // of the objectives of the definition
  std::optional<ObjectiveTree> tree_;
  std::set<Id> children_;
  // Subjects that nothing was called before, and where they stand.
  std::vector<std::pair<std::string, MessageChecker>> new_words_;
};

REPRISE_REGISTER_SYSTEM(objectives, MakeSystemModule<ObjectiveCompiler>(
                                        ObjectivesDefinition::Declaration(),
                                        {"Pack.predicates", "Pack.objectives"},
                                        {LayerDefinitions::kSystem}));

}  // namespace
}  // namespace reprise::sim
