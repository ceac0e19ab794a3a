// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objectives in play: which are open, done and failed, and what follows. The
// spine of a game: what it waits for, what it unlocks, how it ends.

#ifndef REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVES_H_
#define REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/event.h"
#include "sim/simulation.h"
#include "sim/state/field_value.h"
#include "sim/state/table.h"
#include "sim/systems/objectives/objective_definition.h"

namespace reprise::sim {

enum class ObjectiveStatus : uint64_t {
  kLocked = 0,
  kActive = 1,
  kComplete = 2,
  kFailed = 3,
};

inline constexpr auto kObjectiveStatusNames = std::to_array<ValueName>({
    {ObjectiveStatus::kLocked, "locked"},
    {ObjectiveStatus::kActive, "active"},
    {ObjectiveStatus::kComplete, "complete"},
    {ObjectiveStatus::kFailed, "failed"},
});

struct ObjectiveRow {
  Id objective;
  uint64_t status = 0;  // an ObjectiveStatus
  Tick since = 0;       // when it became that
  uint64_t count = 0;   // events that count towards a task's condition
  // How often it was complete since it was last reset; done from 1 on.
  uint64_t completion_count = 0;
  std::array<uint64_t, kFailureConditionsMax> failure_counts = {};

  static constexpr std::string_view kTable = "objectives";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ObjectiveRow, objective, ""),
                      REPRISE_FIELD(ObjectiveRow, status, ""),
                      REPRISE_FIELD(ObjectiveRow, since, "tick"),
                      REPRISE_FIELD(ObjectiveRow, count, ""),
                      REPRISE_FIELD(ObjectiveRow, completion_count, ""),
                      REPRISE_FIELD(ObjectiveRow, failure_counts, "")};
  }
};

// REQUIRES: rows (a table of ObjectiveRow) hold the objective.
ObjectiveStatus StatusOfObjective(const Table& rows, Id objective);

struct ObjectiveChange {
  Id objective;
  ObjectiveStatus from = ObjectiveStatus::kLocked;
  ObjectiveStatus to = ObjectiveStatus::kLocked;

  friend bool operator==(const ObjectiveChange&,
                         const ObjectiveChange&) = default;
};

// An event that a failed objective sends.
struct ObjectivePenalty {
  Id event;
  Id objective;

  friend bool operator==(const ObjectivePenalty&,
                         const ObjectivePenalty&) = default;
};

struct ObjectiveDecision {
  Outcome::Status outcome = Outcome::Status::kRunning;
  Id objective;

  friend bool operator==(const ObjectiveDecision&,
                         const ObjectiveDecision&) = default;
};

struct ObjectiveUpdate {
  // By objective, those of one as they happened.
  std::vector<ObjectiveChange> changes;
  std::vector<ObjectivePenalty> penalties;  // by objective
  std::vector<Id> gates;                    // layers to enable, ascending
  // Of several at one tick, that of the objective that was declared first.
  std::optional<ObjectiveDecision> decision;
};

// What updates work in. Kept from one to the next, so that it needs no memory
// anew; it says nothing.
struct ObjectiveScratch {
  struct Verdict {
    bool has_failed = false;
    bool is_complete = false;
  };

  // By objective.
  std::vector<ObjectiveRow> rows;
  std::vector<Verdict> verdicts;
  // What begins anew with everything below it, what keeps its own count, and
  // what of it is forgotten.
  std::vector<bool> restarts;
  std::vector<bool> restarts_below;
  std::vector<bool> is_forgotten;
};

// Follows the objectives of a pack. Immutable: what lasts is in the table. The
// order of declaration decides nothing but which of two decisions counts.
class Objectives {
 public:
  // Says whether a predicate holds now; has to be a function of the state.
  using Predicate = std::function<bool(Id)>;
  // Says what the object is called to which an argument of an event leads
  // (kObject, kHandle); kNoId: nothing.
  using ObjectName = std::function<Id(FieldValue)>;

  // REQUIRES: `objectives` passed ValidateObjectives.
  explicit Objectives(std::span<const ObjectiveDefinition> objectives);

  // Fills the empty table and opens what waits for nothing, as of `tick`.
  void Initialize(Tick tick, Table& rows) const;

  // OK, or DataLoss where `rows`, of a snapshot, can't be of these objectives.
  absl::Status CheckRows(const Table& rows) const;

  // Brings rows up to `tick` with the events of that tick. What opens now
  // listens from the next tick on.
  ObjectiveUpdate Update(
      Tick tick, std::span<const Event> events, const Predicate& predicate,
      Table& rows, ObjectiveScratch& scratch,
      const ObjectName& object_name = [](FieldValue) { return kNoId; }) const;

 private:
  class Step;

  // An objective, its relatives by their indices. The rows have the same.
  struct Node {
    ObjectiveDefinition definition;
    size_t declared_at = 0;
    std::optional<size_t> parent;
    std::vector<size_t> children;
    std::vector<size_t> prerequisites;
    // In a sequence, the nearest required child before this one.
    std::optional<size_t> required_before;
    std::optional<size_t> penalty_reset;
  };

  size_t IndexOf(Id objective) const;
  // Whether `node` is `root` or below it.
  bool IsUnder(size_t node, size_t root) const;

  std::vector<Node> nodes_;         // ascending by name
  std::vector<size_t> from_roots_;  // parents before their children
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_OBJECTIVES_OBJECTIVES_H_
