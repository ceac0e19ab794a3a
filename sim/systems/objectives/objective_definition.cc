// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/objectives/objective_definition.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "sim/world/components/named_definitions.h"

namespace reprise::sim {
namespace {

class Validator {
 public:
  Validator(std::span<const ObjectiveDefinition> objectives,
            std::span<const Id> predicates,
            std::span<const LayerDefinition> layers, const NameTable& names)
      : objectives_(objectives),
        predicates_(predicates.begin(), predicates.end()),
        names_(names) {
    for (const LayerDefinition& layer : layers) layers_.insert(layer.name);
  }

  absl::Status Run() {
    std::vector<Id> ids;
    for (const ObjectiveDefinition& objective : objectives_) {
      ids.push_back(objective.name);
    }
    if (absl::Status status =
            ValidateNames("objective", ids, kObjectivesMax, names_);
        !status.ok()) {
      return status;
    }
    for (size_t i = 0; i < ids.size(); ++i) indices_.emplace(ids[i], i);
    for (const ObjectiveDefinition& objective : objectives_) {
      std::string mistake = FindMistake(objective);
      if (mistake.empty()) mistake = FindMistakeOfGroup(objective);
      if (!mistake.empty()) return Refusal(objective.name, mistake);
    }
    if (absl::Status status = CheckNothingWaitsForItself(); !status.ok()) {
      return status;
    }
    return CheckNothingWaitsForItsGroup();
  }

 private:
  // A moment in the life of an objective: it becomes active, or it is done.
  // They are numbered 2 * index and 2 * index + 1.
  using Moment = size_t;
  static Moment Begin(size_t objective) { return 2 * objective; }
  static Moment Done(size_t objective) { return 2 * objective + 1; }

  absl::Status Refusal(Id objective, std::string_view mistake) const {
    return absl::InvalidArgumentError(
        fmt::format("objective {}: {}", Quoted(names_, objective), mistake));
  }

  std::string FindMistake(const ObjectiveCondition& condition) const {
    if (const auto* event = std::get_if<EventCondition>(&condition)) {
      if (event->type == kNoId) return "a condition without an event";
      if (event->count == 0) return "a condition that waits for 0 events";
    }
    if (const auto* predicate = std::get_if<PredicateCondition>(&condition)) {
      if (!predicates_.contains(predicate->predicate)) {
        return fmt::format("no predicate {}",
                           Quoted(names_, predicate->predicate));
      }
    }
    return {};
  }

  // All that isn't about the children.
  std::string FindMistake(const ObjectiveDefinition& objective) const {
    std::string mistake;
    if (objective.kind == ObjectiveKind::kTask) {
      if (!objective.children.empty()) return "a task has no children";
      mistake = FindMistake(objective.condition);
    }
    if (objective.failures.size() > kFailureConditionsMax) {
      return fmt::format("{} failure conditions, at most {}",
                         objective.failures.size(), kFailureConditionsMax);
    }
    for (const ObjectiveCondition& failure : objective.failures) {
      if (mistake.empty()) mistake = FindMistake(failure);
    }
    if (!mistake.empty()) return mistake;
    for (const Id prerequisite : objective.prerequisites) {
      if (!indices_.contains(prerequisite)) {
        return fmt::format("no prerequisite {}", Quoted(names_, prerequisite));
      }
    }
    if (objective.penalty_reset != kNoId &&
        !indices_.contains(objective.penalty_reset)) {
      return fmt::format("no objective {} to reset",
                         Quoted(names_, objective.penalty_reset));
    }
    if (objective.deadline > kTickMax)
      return "its deadline is beyond all ticks";
    for (const Id gate : objective.gates) {
      if (!layers_.contains(gate)) {
        return fmt::format("no layer {} to open", Quoted(names_, gate));
      }
    }
    return {};
  }

  std::string FindMistakeOfGroup(const ObjectiveDefinition& objective) {
    if (objective.kind == ObjectiveKind::kTask) return {};
    bool requires_any = false;
    for (const Id child : objective.children) {
      const auto index = indices_.find(child);
      if (index == indices_.end()) {
        return fmt::format("no child {}", Quoted(names_, child));
      }
      if (!parents_.emplace(child, objective.name).second) {
        return fmt::format("its child {} has a parent already: {}",
                           Quoted(names_, child),
                           Quoted(names_, parents_[child]));
      }
      const bool is_optional = objectives_[index->second].is_optional;
      if (is_optional && objective.kind == ObjectiveKind::kAny) {
        return fmt::format("its child {} is optional, as all of \"any\" are",
                           Quoted(names_, child));
      }
      requires_any = requires_any || !is_optional;
    }
    return requires_any ? "" : "a group without a child that it requires";
  }

  // Which moments each moment has to wait for.
  std::vector<std::vector<Moment>> FindWaits() const {
    std::vector<std::vector<Moment>> waits(2 * objectives_.size());
    for (size_t i = 0; i < objectives_.size(); ++i) {
      const ObjectiveDefinition& objective = objectives_[i];
      waits[Done(i)].push_back(Begin(i));
      for (const Id prerequisite : objective.prerequisites) {
        waits[Begin(i)].push_back(Done(indices_.at(prerequisite)));
      }
      std::optional<size_t> before;
      for (const Id name : objective.children) {
        const size_t child = indices_.at(name);
        waits[Begin(child)].push_back(Begin(i));
        if (objective.kind == ObjectiveKind::kSequence && before.has_value()) {
          waits[Begin(child)].push_back(Done(*before));
        }
        if (objectives_[child].is_optional) continue;
        before = child;
        if (objective.kind != ObjectiveKind::kAny) {
          waits[Done(i)].push_back(Done(child));
        }
      }
    }
    return waits;
  }

  absl::Status CheckNothingWaitsForItself() const {
    // Takes away what waits for nothing, until only circles and what waits for
    // them are left.
    const std::vector<std::vector<Moment>> waits = FindWaits();
    std::vector<size_t> open_counts;
    std::vector<std::vector<Moment>> waiting(waits.size());
    std::vector<Moment> free;
    for (Moment moment = 0; moment < waits.size(); ++moment) {
      open_counts.push_back(waits[moment].size());
      if (waits[moment].empty()) free.push_back(moment);
      for (const Moment other : waits[moment]) waiting[other].push_back(moment);
    }
    while (!free.empty()) {
      const Moment moment = free.back();
      free.pop_back();
      for (const Moment other : waiting[moment]) {
        if (--open_counts[other] == 0) free.push_back(other);
      }
    }
    const auto left = std::ranges::find_if(
        open_counts, [](size_t count) { return count != 0; });
    if (left == open_counts.end()) return absl::OkStatus();

    // From there, always on to one that is left: it ends in a circle.
    std::vector<Moment> walk = {
        static_cast<Moment>(left - open_counts.begin())};
    for (;;) {
      const Moment next = *std::ranges::find_if(
          waits[walk.back()],
          [&](Moment moment) { return open_counts[moment] != 0; });
      const auto met = std::ranges::find(walk, next);
      if (met != walk.end()) {
        std::vector<Moment> circle(met, walk.end());
        circle.push_back(next);
        return DescribeCircle(circle);
      }
      walk.push_back(next);
    }
  }

  absl::Status DescribeCircle(const std::vector<Moment>& circle) const {
    std::string text;
    size_t last = objectives_.size();
    for (const Moment moment : circle) {
      const size_t objective = moment / 2;
      if (objective == last) continue;
      last = objective;
      text += text.empty() ? "" : " waits for ";
      text += Quoted(names_, objectives_[objective].name);
    }
    return absl::InvalidArgumentError(
        fmt::format("objectives wait for each other: {}", text));
  }

  // A group that is done has stopped its children, so none of them can begin
  // when it is.
  absl::Status CheckNothingWaitsForItsGroup() const {
    for (const ObjectiveDefinition& objective : objectives_) {
      if (objective.prerequisites.empty()) continue;
      for (auto parent = parents_.find(objective.name);
           parent != parents_.end(); parent = parents_.find(parent->second)) {
        if (std::ranges::find(objective.prerequisites, parent->second) !=
            objective.prerequisites.end()) {
          return Refusal(objective.name,
                         fmt::format("it waits for its group {}",
                                     Quoted(names_, parent->second)));
        }
      }
    }
    return absl::OkStatus();
  }

  std::span<const ObjectiveDefinition> objectives_;
  std::set<Id> predicates_;
  std::set<Id> layers_;
  const NameTable& names_;
  std::map<Id, size_t> indices_;
  std::map<Id, Id> parents_;
};

}  // namespace

absl::Status ValidateObjectives(std::span<const ObjectiveDefinition> objectives,
                                std::span<const Id> predicates,
                                std::span<const LayerDefinition> layers,
                                const NameTable& names) {
  return Validator(objectives, predicates, layers, names).Run();
}

}  // namespace reprise::sim
