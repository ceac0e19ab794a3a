// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/objectives/objectives.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "sim/base/check.h"
#include "sim/base/object_id.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

ObjectiveStatus StatusOf(const ObjectiveRow& row) {
  return static_cast<ObjectiveStatus>(row.status);
}

bool IsActive(const ObjectiveRow& row) {
  return StatusOf(row) == ObjectiveStatus::kActive;
}

bool IsDone(const ObjectiveRow& row) { return row.completion_count > 0; }

// The events of one tick, to be counted by type and object.
class EventCounter {
 public:
  // `object_name` outlives this.
  EventCounter(std::span<const Event> events,
               const Objectives::ObjectName& object_name)
      : object_name_(object_name) {
    for (const Event& event : events) by_type_.push_back(&event);
    std::ranges::stable_sort(by_type_, {}, TypeAndObject);
  }

  uint64_t Count(const EventCondition& condition) const {
    // kNoObject comes before all objects.
    const ObjectId last_object =
        condition.object == kNoObject ? kLastObject : condition.object;
    const auto begin = std::ranges::lower_bound(
        by_type_, std::pair(condition.type, condition.object), {},
        TypeAndObject);
    const auto end = std::ranges::upper_bound(
        by_type_, std::pair(condition.type, last_object), {}, TypeAndObject);
    if (condition.subject == kNoId) return static_cast<uint64_t>(end - begin);
    return static_cast<uint64_t>(
        std::count_if(begin, end, [&](const Event* event) {
          return std::ranges::any_of(
              event->arguments, [&](const EventArgument& argument) {
                return NameOf(argument.value) == condition.subject;
              });
        }));
  }

 private:
  static constexpr ObjectId kLastObject{~uint64_t{0}};

  static std::pair<Id, ObjectId> TypeAndObject(const Event* event) {
    return {event->type, event->object};
  }

  // What a value names: itself, or the object that it leads to.
  Id NameOf(FieldValue value) const {
    switch (value.type) {
      case ScalarType::kId:
        return {value.bits};
      case ScalarType::kObject:
      case ScalarType::kHandle:
        return object_name_(value);
      default:
        return kNoId;
    }
  }

  const Objectives::ObjectName& object_name_;

  std::vector<const Event*> by_type_;  // then by object
};

}  // namespace

ObjectiveStatus StatusOfObjective(const Table& rows, Id objective) {
  const std::optional<uint32_t> row =
      FindRow(rows, std::array{objective.value});
  CHECK(row.has_value(), "no objective {:016x}", objective.value);
  return StatusOf(rows.Get<ObjectiveRow>(*row));
}

// One tick: conditions, then what they mean for the groups above, then what
// begins anew, then what opens.
class Objectives::Step {
 public:
  // Its rows are `scratch.rows`.
  Step(const Objectives& objectives, Tick tick, ObjectiveScratch& scratch)
      : nodes_(objectives.nodes_),
        objectives_(objectives),
        tick_(tick),
        rows_(scratch.rows),
        verdicts_(scratch.verdicts),
        restarts_(scratch.restarts),
        restarts_below_(scratch.restarts_below),
        is_forgotten_(scratch.is_forgotten) {
    verdicts_.assign(rows_.size(), {});
    restarts_.assign(rows_.size(), false);
    restarts_below_.assign(rows_.size(), false);
    is_forgotten_.assign(rows_.size(), false);
  }

  // Judges what is active by itself, counting events.
  void Judge(const EventCounter& events, const Predicate& predicate) {
    for (size_t i = 0; i < nodes_.size(); ++i) {
      ObjectiveRow& row = rows_[i];
      if (!IsActive(row)) continue;
      const ObjectiveDefinition& definition = nodes_[i].definition;
      const auto holds = [&](const ObjectiveCondition& condition,
                             uint64_t& count) {
        return Holds(condition, events, predicate, row.since, count);
      };
      for (size_t k = 0; k < definition.failures.size(); ++k) {
        if (holds(definition.failures[k], row.failure_counts[k])) {
          verdicts_[i].has_failed = true;
        }
      }
      if (definition.kind == ObjectiveKind::kTask) {
        verdicts_[i].is_complete = holds(definition.condition, row.count);
      }
    }
  }

  // Ends what has to end, children before their parents.
  void End() {
    for (size_t left = objectives_.from_roots_.size(); left > 0; --left) {
      const size_t i = objectives_.from_roots_[left - 1];
      if (!IsActive(rows_[i])) continue;
      const ObjectiveDefinition& definition = nodes_[i].definition;
      Verdict verdict = verdicts_[i];
      JudgeChildren(i, verdict);
      // The last moment of a deadline is in time.
      const bool is_late = definition.deadline != 0 &&
                           tick_ - rows_[i].since >= definition.deadline;
      if (verdict.has_failed || (!verdict.is_complete && is_late)) {
        Fail(i);
      } else if (verdict.is_complete) {
        Complete(i);
      }
    }
    // What is open below a closed group closes.
    for (const size_t i : objectives_.from_roots_) {
      const std::optional<size_t> parent = nodes_[i].parent;
      if (IsActive(rows_[i]) && parent.has_value() &&
          !IsActive(rows_[*parent])) {
        Change(i, ObjectiveStatus::kLocked);
      }
    }
  }

  // Forgets what penalties reset, and what lies below a repeatable group that
  // begins anew.
  void Reset() {
    for (const size_t i : objectives_.from_roots_) {
      const std::optional<size_t> parent = nodes_[i].parent;
      is_forgotten_[i] = restarts_[i] ||
                         (parent.has_value() &&
                          (is_forgotten_[*parent] || restarts_below_[*parent]));
      if (!is_forgotten_[i]) continue;
      if (StatusOf(rows_[i]) != ObjectiveStatus::kLocked) {
        Change(i, ObjectiveStatus::kLocked);
      }
      rows_[i].count = 0;
      rows_[i].completion_count = 0;
      rows_[i].failure_counts = {};
    }
  }

  // Opens what waits for nothing any more.
  void Open() {
    const auto is_done = [this](size_t i) { return IsDone(rows_[i]); };
    for (const size_t i : objectives_.from_roots_) {
      const Node& node = nodes_[i];
      const ObjectiveStatus status = StatusOf(rows_[i]);
      const bool may_begin = status == ObjectiveStatus::kLocked ||
                             (status == ObjectiveStatus::kComplete &&
                              node.definition.is_repeatable);
      if (!may_begin ||
          (node.parent.has_value() && !IsActive(rows_[*node.parent])) ||
          (node.required_before.has_value() &&
           !is_done(*node.required_before)) ||
          !std::ranges::all_of(node.prerequisites, is_done)) {
        continue;
      }
      Change(i, ObjectiveStatus::kActive);
      rows_[i].count = 0;
      rows_[i].failure_counts = {};
    }
  }

  ObjectiveUpdate TakeUpdate() {
    std::ranges::stable_sort(update_.changes, {}, &ObjectiveChange::objective);
    // A total order: an objective fails once a tick.
    std::ranges::sort(update_.penalties, {}, &ObjectivePenalty::objective);
    // A total order: equal ids are the same.
    std::ranges::sort(update_.gates);
    update_.gates.erase(std::unique(update_.gates.begin(), update_.gates.end()),
                        update_.gates.end());
    return std::move(update_);
  }

 private:
  using Verdict = ObjectiveScratch::Verdict;

  bool Holds(const ObjectiveCondition& condition, const EventCounter& events,
             const Predicate& predicate, Tick since, uint64_t& count) const {
    if (const auto* event = std::get_if<EventCondition>(&condition)) {
      count = std::min(count + events.Count(*event), event->count);
      return count == event->count;
    }
    if (const auto* named = std::get_if<PredicateCondition>(&condition)) {
      return predicate(named->predicate);
    }
    return tick_ - since >= std::get<ElapsedCondition>(condition).ticks;
  }

  // What the children of a group, already ended this tick, mean for it.
  void JudgeChildren(size_t group, Verdict& verdict) const {
    const ObjectiveKind kind = nodes_[group].definition.kind;
    if (kind == ObjectiveKind::kTask) return;
    size_t required_count = 0;
    size_t done_count = 0;
    size_t failed_count = 0;
    for (const size_t child : nodes_[group].children) {
      if (nodes_[child].definition.is_optional) continue;
      ++required_count;
      done_count += IsDone(rows_[child]) ? 1 : 0;
      failed_count += IsLost(child) ? 1 : 0;
    }
    if (kind == ObjectiveKind::kAny) {
      verdict.is_complete = done_count > 0;
      verdict.has_failed |= failed_count == required_count;
    } else {
      verdict.is_complete = done_count == required_count;
      verdict.has_failed |= failed_count > 0;
    }
  }

  // Whether it has failed and doesn't try again at once.
  bool IsLost(size_t i) const {
    const std::optional<size_t> reset = nodes_[i].penalty_reset;
    return StatusOf(rows_[i]) == ObjectiveStatus::kFailed &&
           !(reset.has_value() && objectives_.IsUnder(i, *reset));
  }

  void Complete(size_t i) {
    const ObjectiveDefinition& definition = nodes_[i].definition;
    Change(i, ObjectiveStatus::kComplete);
    ++rows_[i].completion_count;
    update_.gates.insert(update_.gates.end(), definition.gates.begin(),
                         definition.gates.end());
    Decide(i, definition.decides);
    restarts_below_[i] = definition.is_repeatable;
  }

  void Fail(size_t i) {
    const ObjectiveDefinition& definition = nodes_[i].definition;
    Change(i, ObjectiveStatus::kFailed);
    if (definition.penalty_event != kNoId) {
      update_.penalties.push_back({definition.penalty_event, definition.name});
    }
    Decide(i, definition.failure_decides);
    if (nodes_[i].penalty_reset.has_value()) {
      restarts_[*nodes_[i].penalty_reset] = true;
    }
  }

  void Decide(size_t i, Outcome::Status outcome) {
    if (outcome == Outcome::Status::kRunning ||
        nodes_[i].declared_at >= decided_at_) {
      return;
    }
    decided_at_ = nodes_[i].declared_at;
    update_.decision = {outcome, nodes_[i].definition.name};
  }

  void Change(size_t i, ObjectiveStatus status) {
    update_.changes.push_back(
        {nodes_[i].definition.name, StatusOf(rows_[i]), status});
    rows_[i].status = static_cast<uint64_t>(status);
    rows_[i].since = tick_;
  }

  const std::vector<Node>& nodes_;
  const Objectives& objectives_;
  Tick tick_;
  std::vector<ObjectiveRow>& rows_;
  std::vector<Verdict>& verdicts_;
  std::vector<bool>& restarts_;
  std::vector<bool>& restarts_below_;
  std::vector<bool>& is_forgotten_;
  size_t decided_at_ = kObjectivesMax;  // by declaration
  ObjectiveUpdate update_;
};

Objectives::Objectives(std::span<const ObjectiveDefinition> objectives) {
  for (size_t i = 0; i < objectives.size(); ++i) {
    nodes_.push_back({.definition = objectives[i], .declared_at = i});
  }
  // A total order: no two objectives have the same name.
  std::ranges::sort(nodes_, {},
                    [](const Node& node) { return node.definition.name; });
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const ObjectiveDefinition& definition = nodes_[i].definition;
    std::optional<size_t> required_before;
    for (const Id name : definition.children) {
      const size_t child = IndexOf(name);
      nodes_[i].children.push_back(child);
      nodes_[child].parent = i;
      if (definition.kind != ObjectiveKind::kSequence) continue;
      nodes_[child].required_before = required_before;
      if (!nodes_[child].definition.is_optional) required_before = child;
    }
    for (const Id name : definition.prerequisites) {
      nodes_[i].prerequisites.push_back(IndexOf(name));
    }
    if (definition.penalty_reset != kNoId) {
      nodes_[i].penalty_reset = IndexOf(definition.penalty_reset);
    }
  }
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].parent.has_value()) from_roots_.push_back(i);
  }
  for (size_t next = 0; next < from_roots_.size(); ++next) {
    const std::vector<size_t>& children = nodes_[from_roots_[next]].children;
    from_roots_.insert(from_roots_.end(), children.begin(), children.end());
  }
}

void Objectives::Initialize(Tick tick, Table& rows) const {
  ObjectiveScratch scratch;
  for (const Node& node : nodes_) {
    scratch.rows.push_back({.objective = node.definition.name, .since = tick});
  }
  Step(*this, tick, scratch).Open();
  WriteTail<ObjectiveRow>(rows, 0, scratch.rows);
}

absl::Status Objectives::CheckRows(const Table& rows) const {
  std::vector<Id> names;
  for (const Node& node : nodes_) names.push_back(node.definition.name);
  if (!HasKeys(rows, names)) {
    return absl::DataLossError(
        "snapshot: the objectives are not those of the pack");
  }
  for (const ObjectiveRow& row : ReadRows<ObjectiveRow>(rows)) {
    if (StatusOf(row) > ObjectiveStatus::kFailed || row.since > kTickMax) {
      return absl::DataLossError(
          "snapshot: an objective is in no possible state");
    }
  }
  return absl::OkStatus();
}

ObjectiveUpdate Objectives::Update(Tick tick, std::span<const Event> events,
                                   const Predicate& predicate, Table& rows,
                                   ObjectiveScratch& scratch,
                                   const ObjectName& object_name) const {
  CHECK(rows.row_count() == nodes_.size());
  scratch.rows.clear();
  for (uint32_t row = 0; row < rows.row_count(); ++row) {
    scratch.rows.push_back(rows.Get<ObjectiveRow>(row));
  }
  Step step(*this, tick, scratch);
  step.Judge(EventCounter(events, object_name), predicate);
  step.End();
  step.Reset();
  step.Open();
  WriteTail<ObjectiveRow>(rows, 0, scratch.rows);
  return step.TakeUpdate();
}

size_t Objectives::IndexOf(Id objective) const {
  const auto found = std::ranges::lower_bound(
      nodes_, objective, {},
      [](const Node& node) { return node.definition.name; });
  CHECK(found != nodes_.end() && found->definition.name == objective,
        "no objective {:016x}", objective.value);
  return static_cast<size_t>(found - nodes_.begin());
}

bool Objectives::IsUnder(size_t node, size_t root) const {
  for (std::optional<size_t> i = node; i.has_value(); i = nodes_[*i].parent) {
    if (*i == root) return true;
  }
  return false;
}

}  // namespace reprise::sim
