// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rows of commanders: the components of those who give orders and of those
// who take them, what there is to do, and how well each unit suits it.

#ifndef REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_ROWS_H_
#define REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/base/value_name.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// How far a commander's round is.
enum RoundStage : uint64_t {
  kRoundIsOver = 0,
  kRoundOfTasks = 1,  // which there are, and how urgent
  kRoundOfUnits = 2,  // how well each unit suits each
};

inline constexpr auto kRoundStageNames = std::to_array<ValueName>({
    {kRoundIsOver, "over"},
    {kRoundOfTasks, "tasks"},
    {kRoundOfUnits, "units"},
});

// Only in packs that have commanders.
struct CommandRow {
  ObjectId object;
  uint64_t overridden = 0;
  int64_t is_active = 1;
  int64_t tasks = 0;  // that are open, as of the last round
  int64_t units = 0;
  int64_t busy = 0;  // units that have something to do
  // Its own.
  Tick due = 0;                   // its next round
  uint64_t stage = kRoundIsOver;  // of the round that is under way
  uint64_t next = 0;              // the row that it weighs next
  uint64_t evaluations = 0;       // in its last round, or in this one so far

  static constexpr std::string_view kTable = "command";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(CommandRow, object, ""),
                      REPRISE_FIELD(CommandRow, overridden, ""),
                      REPRISE_FIELD(CommandRow, is_active, ""),
                      REPRISE_FIELD(CommandRow, tasks, ""),
                      REPRISE_FIELD(CommandRow, units, ""),
                      REPRISE_FIELD(CommandRow, busy, ""),
                      REPRISE_FIELD(CommandRow, due, "tick"),
                      REPRISE_FIELD(CommandRow, stage, ""),
                      REPRISE_FIELD(CommandRow, next, ""),
                      REPRISE_FIELD(CommandRow, evaluations, "")};
  }
};

// Only in packs that have commanders.
struct OrdersRow {
  ObjectId object;
  uint64_t overridden = 0;
  int64_t is_active = 1;
  Handle commander;  // whom it obeys; null: the first of its type
  // What it is to do, whose order that is, and for which goal. kNoId, null:
  // nothing, nobody, none.
  Id task;
  Handle from;
  Handle goal;
  Vector3 place;       // of the goal, as of the last round
  int64_t number = 0;  // among those who do it, from 0
  int64_t group = 0;   // how many they are
  double score = 0.0;  // how well it suits it, as of the last round
  // Its own.
  uint64_t kind = 0;  // the task's place among its commander's
  Tick since = 0;     // it was ordered

  static constexpr std::string_view kTable = "orders";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(OrdersRow, object, ""),
                      REPRISE_FIELD(OrdersRow, overridden, ""),
                      REPRISE_FIELD(OrdersRow, is_active, ""),
                      REPRISE_FIELD(OrdersRow, commander, ""),
                      REPRISE_FIELD(OrdersRow, task, ""),
                      REPRISE_FIELD(OrdersRow, from, ""),
                      REPRISE_FIELD(OrdersRow, goal, ""),
                      REPRISE_FIELD(OrdersRow, place, "m"),
                      REPRISE_FIELD(OrdersRow, number, ""),
                      REPRISE_FIELD(OrdersRow, group, ""),
                      REPRISE_FIELD(OrdersRow, score, ""),
                      REPRISE_FIELD(OrdersRow, kind, ""),
                      REPRISE_FIELD(OrdersRow, since, "tick")};
  }
};

// Something that a commander may have done, as of its last round.
struct TaskRow {
  ObjectId object;      // the commander
  uint64_t number = 0;  // among its tasks, from 0
  Id task;
  ObjectId goal;         // kNoObject: it has none
  uint64_t is_open = 0;  // there is something to do
  double priority = 0.0;
  uint64_t units = 0;    // who do it
  Tick since = 0;        // it was begun, or ended
  Tick rests_until = 0;  // it isn't begun before
  uint64_t kind = 0;     // its place among the tasks of the definition

  static constexpr std::string_view kTable = "tasks";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(TaskRow, object, ""),
                      REPRISE_FIELD(TaskRow, number, ""),
                      REPRISE_FIELD(TaskRow, task, ""),
                      REPRISE_FIELD(TaskRow, goal, ""),
                      REPRISE_FIELD(TaskRow, is_open, ""),
                      REPRISE_FIELD(TaskRow, priority, ""),
                      REPRISE_FIELD(TaskRow, units, ""),
                      REPRISE_FIELD(TaskRow, since, "tick"),
                      REPRISE_FIELD(TaskRow, rests_until, "tick"),
                      REPRISE_FIELD(TaskRow, kind, "")};
  }
};

// How well a unit suits an open task: as of the last round, or of the one that
// is under way.
struct ScoreRow {
  ObjectId object;      // the commander
  uint64_t number = 0;  // from 0: by tasks, then by units
  uint64_t task = 0;    // its number
  ObjectId unit;
  double score = 0.0;       // 0: it can't do it
  uint64_t is_weighed = 0;  // in this round

  static constexpr std::string_view kTable = "scores";
  static constexpr uint32_t kKeyFields = 2;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ScoreRow, object, ""),
                      REPRISE_FIELD(ScoreRow, number, ""),
                      REPRISE_FIELD(ScoreRow, task, ""),
                      REPRISE_FIELD(ScoreRow, unit, ""),
                      REPRISE_FIELD(ScoreRow, score, ""),
                      REPRISE_FIELD(ScoreRow, is_weighed, "")};
  }
};

// One row: who goes first, since evaluations were used up before.
struct CommandTurnRow {
  ObjectId next;

  static constexpr std::string_view kTable = "turns";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(CommandTurnRow, next, "")};
  }
};

// Scores at a time: 48 bytes each. A pack that could have more is refused.
inline constexpr uint32_t kScoreRowsMax = 1u << 22;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_COMMANDERS_COMMANDER_ROWS_H_
