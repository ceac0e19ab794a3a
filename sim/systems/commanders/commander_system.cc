// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/commanders/commander_system.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/math.h"
#include "sim/decisions/utility.h"
#include "sim/game_description.h"
#include "sim/state/row_schema.h"
#include "sim/systems/brains/expression_number.h"
#include "sim/systems/commanders/commander_events.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/receivers.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/owned_ranges.h"
#include "sim/world/systems/owned_rows.h"

namespace reprise::sim {
namespace {

enum StepNumber : uint32_t { kCommand, kRows };

constexpr auto kCommandNotes = std::to_array<PropertyNote>({
    {"is_active", "1: it gives orders; 0: its units are relieved", 0.0, 1.0},
    {"tasks", "how many of its tasks are open, as of its last round", 0.0},
    {"units", "how many obey it", 0.0},
    {"busy", "how many of these have something to do", 0.0},
});

constexpr auto kOrdersNotes = std::to_array<PropertyNote>({
    {"is_active", "1: it takes orders; 0: it is nobody's unit", 0.0, 1.0},
    {"commander", "whom it obeys; nobody: the first commander of its type"},
    {"task", "what it is to do"},
    {"from", "whose order that is"},
    {"goal", "the object that it is to do it for, if any"},
    {"place",
     "where that is, as of the last round; without one, where its "
     "commander is"},
    {"number", "its number among those who do it, from 0", 0.0},
    {"group", "how many do it", 0.0},
    {"score", "how well it suits it, as of the last round", 0.0},
});

absl::Status Misfit() {
  return absl::DataLossError(
      "snapshot: tasks or scores of nobody, or that no commander has");
}

}  // namespace

const SystemDeclaration& CommandersDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "objects that give orders to others",
      .tables = {RowSchema::Of<ScoreRow>(), RowSchema::Of<TaskRow>(),
                 RowSchema::Of<CommandTurnRow>()},
      .steps = {{.name = "commanders",
                 .point = StepPoint::kPrePhysics,
                 .after = {kDecideStep.name, "senses"},
                 .before = {"brains", "navigators", "vehicles look",
                            "characters", "vehicles"},
                 .writes = {"components.command", "components.orders",
                            "events"}},
                {.name = "commander rows", .point = StepPoint::kAfterObjects}},
      .events = kCommanderEvents,
      .handles = {kFinishOrder},
      .components = {NativeComponent<CommandRow>("gives orders", kCommandNotes),
                     NativeComponent<OrdersRow>("takes orders", kOrdersNotes)},
      .legends = {MakeLegend("components", CommandRow::kTable, "stage",
                             kRoundStageNames)},
      .words = {kDoneReason, kFailedReason, kClosedReason, kGoneReason,
                kUnitsReason, kOthersReason, kAtRestReason, kEvaluationsReason,
                kTasksReason}};
  return declaration;
}

std::unique_ptr<System> CommandersDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Commanders>(*this, place);
}

Commanders::Commanders(const CommandersDefinition& definition,
                       const SystemPlace& place)
    : System(place),
      definition_(definition),
      roster_(place.parts, definition.commanders) {
  const std::vector<TypeDefinition>& types = place.parts.definition.types;
  for (const CommanderDefinition& commander : definition.commanders) {
    auto& of_commander = goal_types_.emplace_back();
    for (const TaskDefinition& task : commander.tasks) {
      std::vector<uint32_t>& goals = of_commander.emplace_back();
      for (uint32_t type = 0; type < types.size() && task.of != kNoId; ++type) {
        const bool is_goal = types[type].id == task.of ||
                             std::ranges::find(types[type].bases, task.of) !=
                                 types[type].bases.end();
        if (is_goal) goals.push_back(type);
      }
    }
  }
  for (uint32_t type = 0; type < types.size(); ++type) {
    if (const CommanderUse* const use = roster_.CommanderUseOf(type)) {
      command_component_ = use->component;
    }
    if (const OrdersUse* const use = roster_.OrdersUseOf(type)) {
      orders_component_ = use->component;
    }
  }
}

void Commanders::Initialize() { mutable_table(kTurns).Resize(1); }

void Commanders::Run(uint32_t step) {
  if (step == kCommand) {
    CommandAll();
  } else {
    Follow();
  }
}

void Commanders::Follow() {
  EraseRowsOfLost(parts(), index(kScores));
  EraseRowsOfLost(parts(), index(kTasks));
}

void Commanders::CommandAll() {
  roster_.Look();
  RelieveLost();
  const std::span<const Roster::Commander> commanders = roster_.commanders();
  const ObjectId turn = table(kTurns).Get<CommandTurnRow>(0).next;
  const auto first = std::ranges::lower_bound(commanders, turn, {},
                                              &Roster::Commander::object);
  const auto begin = static_cast<size_t>(first - commanders.begin());
  uint64_t budget = definition_.evaluations_per_tick;
  CommandTurnRow next;
  for (size_t i = 0; i < commanders.size() && next.next == kNoObject; ++i) {
    const size_t index = (begin + i) % commanders.size();
    const Roster::Commander& commander = commanders[index];
    if (!commander.is_active) continue;
    const CommandRow own = CommandOf(commander);
    if (own.stage == kRoundIsOver && parts().game_tick < own.due) continue;
    const uint64_t left = Advance(static_cast<uint32_t>(index), budget);
    if (left == 0) continue;
    Bound(commander, kEvaluationsReason, left);
    next.next = commander.object;
  }
  if (next.next != turn) {
    mutable_table(kTurns).Mutable<CommandTurnRow>(0) = next;
  }
}

void Commanders::RelieveLost() {
  const std::span<const Roster::Commander> commanders = roster_.commanders();
  counts_.assign(commanders.size(), 0);
  for (const Roster::Unit& unit : roster_.units()) {
    const OrdersRow& orders = OrdersOf(unit);
    if (orders.task == kNoId) continue;
    const bool is_led = unit.commander != kNobody &&
                        commanders[unit.commander].handle == orders.from;
    const bool is_at_rest = is_led && !commanders[unit.commander].is_active;
    const bool is_goal_gone =
        !orders.goal.is_null() &&
        ActiveHandle(parts().router->receivers().ObjectOf(orders.goal))
            .is_null();
    if (is_at_rest) {
      Relieve(unit, kAtRestReason);
    } else if (!is_led || is_goal_gone) {
      Relieve(unit, kGoneReason);
    } else {
      ++counts_[unit.commander];
    }
  }
  for (uint32_t i = 0; i < commanders.size(); ++i) {
    if (!commanders[i].is_active) {
      Rest(commanders[i]);
      continue;
    }
    CommandRow own = CommandOf(commanders[i]);
    const int64_t units = roster_.UnitsOf(i);
    if (own.units == units && own.busy == counts_[i]) continue;
    own.units = units;
    own.busy = counts_[i];
    own.due = parts().game_tick;
    WriteCommand(commanders[i], own);
  }
}

void Commanders::Rest(const Roster::Commander& commander) {
  CommandRow own = CommandOf(commander);
  own.tasks = 0;
  own.units = 0;
  own.busy = 0;
  own.stage = kRoundIsOver;
  own.due = 0;
  WriteCommand(commander, own);
  const RowRange tasks = RowsOfOwner(table(kTasks), commander.object);
  for (uint32_t row = tasks.first; row < tasks.last; ++row) {
    TaskRow task = table(kTasks).Get<TaskRow>(row);
    if (task.units == 0) continue;
    EndTask(commander.object, task, kAtRestReason);
  }
  ReplaceRowsOfOwner<TaskRow>(state(), index(kTasks), commander.object, {});
  ReplaceRowsOfOwner<ScoreRow>(state(), index(kScores), commander.object, {});
}

uint64_t Commanders::Advance(uint32_t place, uint64_t& budget) {
  const Roster::Commander& commander = roster_.commanders()[place];
  if (budget == 0) return 1;
  CommandRow own = CommandOf(commander);
  if (own.stage == kRoundIsOver) {
    ListTasks(commander);
    own.stage = kRoundOfTasks;
    own.next = 0;
    own.evaluations = 0;
    own.due = parts().game_tick + roster_.DefinitionOf(commander.type).every;
  }
  if (own.stage == kRoundOfTasks) {
    const RowRange rows = RowsOfOwner(table(kTasks), commander.object);
    for (; budget > 0 && own.next < rows.size(); ++own.next) {
      WeighTask(commander, rows.first + static_cast<uint32_t>(own.next));
      ++own.evaluations;
      --budget;
    }
    if (own.next >= rows.size()) {
      ListScores(place);
      own.stage = kRoundOfUnits;
      own.next = 0;
    } else {
      // Those of the last round are of tasks that may not be there any more.
      ReplaceRowsOfOwner<ScoreRow>(state(), index(kScores), commander.object,
                                   {});
    }
  }
  const RowRange rows = RowsOfOwner(table(kScores), commander.object);
  if (own.stage == kRoundOfUnits) {
    for (; budget > 0 && own.next < rows.size(); ++own.next) {
      const uint32_t row = rows.first + static_cast<uint32_t>(own.next);
      ScoreRow score = table(kScores).Get<ScoreRow>(row);
      score.score = WeighUnit(place, score);
      score.is_weighed = 1;
      WriteRow(mutable_table(kScores), row, score);
      ++own.evaluations;
      --budget;
    }
    if (own.next >= rows.size()) {
      own.stage = kRoundIsOver;
      own.next = 0;
      WriteCommand(commander, own);
      Finish(place);
      return 0;
    }
  }
  WriteCommand(commander, own);
  const RowRange tasks = RowsOfOwner(table(kTasks), commander.object);
  return own.stage == kRoundOfTasks ? tasks.size() - own.next
                                    : rows.size() - own.next;
}

void Commanders::ListTasks(const Roster::Commander& commander) {
  const CommanderDefinition& definition = roster_.DefinitionOf(commander.type);
  const auto& goal_types =
      goal_types_[roster_.CommanderUseOf(commander.type)->commander];
  const Table& objects = state().table(parts().tables.objects.objects);
  const RowRange before = RowsOfOwner(table(kTasks), commander.object);
  task_rows_.clear();
  uint64_t left_out = 0;
  const auto add = [&](uint32_t kind, ObjectId goal) {
    if (task_rows_.size() == kTasksMax) {
      ++left_out;
      return;
    }
    TaskRow task = {.object = commander.object,
                    .task = definition.tasks[kind].name,
                    .goal = goal,
                    .kind = kind};
    for (uint32_t row = before.first; row < before.last; ++row) {
      const auto& known = table(kTasks).Get<TaskRow>(row);
      if (known.kind == kind && known.goal == goal) task = known;
    }
    task.number = task_rows_.size();
    task_rows_.push_back(task);
  };
  for (uint32_t kind = 0; kind < definition.tasks.size(); ++kind) {
    if (definition.tasks[kind].of == kNoId) {
      add(kind, kNoObject);
      continue;
    }
    goals_.clear();
    for (const uint32_t type : goal_types[kind]) {
      for (const uint32_t row : parts().objects.RowsOfType(type)) {
        const auto& object = objects.Get<ObjectRow>(row);
        if (object.status != ObjectStatus::kActive) continue;
        goals_.push_back(object.object);
      }
    }
    // A total order: each object is there once.
    std::ranges::sort(goals_);
    for (const ObjectId goal : goals_) add(kind, goal);
  }
  for (uint32_t row = before.first; row < before.last; ++row) {
    TaskRow task = table(kTasks).Get<TaskRow>(row);
    const bool is_left =
        std::ranges::any_of(task_rows_, [&](const TaskRow& each) {
          return each.kind == task.kind && each.goal == task.goal;
        });
    if (!is_left && task.units > 0) {
      EndTask(commander.object, task, kGoneReason);
    }
  }
  ReplaceRowsOfOwner<TaskRow>(state(), index(kTasks), commander.object,
                              task_rows_);
  if (left_out > 0) Bound(commander, kTasksReason, left_out);
  const auto place =
      static_cast<uint32_t>(&commander - roster_.commanders().data());
  if (const uint32_t more = roster_.LeftOutOf(place); more > 0) {
    Bound(commander, kUnitsReason, more);
  }
}

void Commanders::WeighTask(const Roster::Commander& commander, uint32_t row) {
  TaskRow task = table(kTasks).Get<TaskRow>(row);
  const TaskDefinition& definition =
      roster_.DefinitionOf(commander.type).tasks[task.kind];
  WorldEvent about = {.type = kTaskBegun,
                      .sender = commander.handle,
                      .target = commander.handle,
                      .arguments = {{kTaskWord, FieldValue::OfId(task.task)}}};
  SetGoal(task.goal, about);
  const EventReceivers& receivers = parts().router->receivers();
  const bool is_open =
      parts().game_tick >= task.rests_until &&
      (definition.condition == nullptr ||
       definition.condition->Holds(about, receivers, evaluator_));
  task.is_open = is_open ? 1 : 0;
  task.priority =
      definition.priority == nullptr || !is_open
          ? 0.0
          : NumberFor(*definition.priority, about, receivers, evaluator_);
  WriteRow(mutable_table(kTasks), row, task);
}

void Commanders::ListScores(uint32_t place) {
  const ObjectId commander = roster_.commanders()[place].object;
  const RowRange tasks = RowsOfOwner(table(kTasks), commander);
  score_rows_.clear();
  for (uint32_t row = tasks.first; row < tasks.last; ++row) {
    const auto& task = table(kTasks).Get<TaskRow>(row);
    if (task.is_open == 0) continue;
    for (const Roster::Unit& unit : roster_.units()) {
      if (unit.commander != place) continue;
      score_rows_.push_back({.object = commander,
                             .number = score_rows_.size(),
                             .task = task.number,
                             .unit = unit.object});
    }
  }
  ReplaceRowsOfOwner<ScoreRow>(state(), index(kScores), commander, score_rows_);
}

double Commanders::WeighUnit(uint32_t place, const ScoreRow& score) {
  const Roster::Commander& commander = roster_.commanders()[place];
  const Roster::Unit* const unit = roster_.Find(score.unit, place);
  if (unit == nullptr) return 0.0;
  const RowRange tasks = RowsOfOwner(table(kTasks), commander.object);
  const auto& task = table(kTasks).Get<TaskRow>(
      tasks.first + static_cast<uint32_t>(score.task));
  const CommanderDefinition& own = roster_.DefinitionOf(commander.type);
  const TaskDefinition& definition = own.tasks[task.kind];
  const Handle goal = ActiveHandle(task.goal);
  if (task.goal != kNoObject && goal.is_null()) return 0.0;
  WorldEvent about = {.type = kOrdered,
                      .sender = commander.handle,
                      .target = unit->handle,
                      .arguments = {{kTaskWord, FieldValue::OfId(task.task)}}};
  SetGoal(task.goal, about);
  if (task.goal != kNoObject) {
    const Vector3 there =
        PlaceOf(parts(), state(), parts().objects.RowOf(state(), goal))
            .position;
    const Vector3 here = PlaceOf(parts(), state(), unit->row).position;
    const double distance = Length(there - here);
    if (!IsFinite(distance)) return 0.0;
    about.arguments.Set(kDistanceWord, FieldValue::OfDouble(distance))
        .IgnoreError();
  }
  const EventReceivers& receivers = parts().router->receivers();
  if (definition.fits != nullptr &&
      !definition.fits->Holds(about, receivers, evaluator_)) {
    return 0.0;
  }
  considered_.clear();
  for (const UnitConsideration& each : definition.considerations) {
    considered_.push_back(ScoreOf(
        each.curve, NumberFor(*each.number, about, receivers, evaluator_)));
  }
  const OrdersRow& orders = OrdersOf(*unit);
  const bool is_at_it = orders.task != kNoId &&
                        orders.from == commander.handle &&
                        orders.kind == task.kind && orders.goal == goal;
  return CompensatedProduct(considered_) * (is_at_it ? 1.0 + own.inertia : 1.0);
}

void Commanders::Finish(uint32_t place) {
  const Roster::Commander& commander = roster_.commanders()[place];
  const CommanderDefinition& definition = roster_.DefinitionOf(commander.type);
  const RowRange tasks = RowsOfOwner(table(kTasks), commander.object);
  const RowRange scores = RowsOfOwner(table(kScores), commander.object);
  units_.clear();
  for (const Roster::Unit& unit : roster_.units()) {
    if (unit.commander == place) units_.push_back(&unit);
  }
  needs_.clear();
  needed_.clear();
  scores_.clear();
  uint32_t row = scores.first;
  for (uint32_t number = 0; number < tasks.size(); ++number) {
    const auto& task = table(kTasks).Get<TaskRow>(tasks.first + number);
    const TaskDefinition& own = definition.tasks[task.kind];
    const bool can_begin =
        task.is_open != 0 && parts().game_tick >= task.rests_until &&
        (task.goal == kNoObject || !ActiveHandle(task.goal).is_null());
    if (can_begin) {
      needs_.push_back({.priority = task.priority,
                        .units_min = own.units_min,
                        .units_max = own.units_max});
      needed_.push_back(number);
      scores_.resize(needs_.size() * units_.size(), 0.0);
    }
    while (row < scores.last &&
           table(kScores).Get<ScoreRow>(row).task < number) {
      ++row;
    }
    for (; row < scores.last; ++row) {
      const auto& score = table(kScores).Get<ScoreRow>(row);
      if (score.task != number) break;
      const auto unit = std::ranges::lower_bound(
          units_, score.unit, {},
          [](const Roster::Unit* each) { return each->object; });
      if (!can_begin || unit == units_.end() || (*unit)->object != score.unit) {
        continue;
      }
      scores_[(needs_.size() - 1) * units_.size() +
              static_cast<size_t>(unit - units_.begin())] = score.score;
    }
  }
  Assign(commander, tasks);
}

absl::Status Commanders::CheckRows(const State& snapshot) const {
  if (snapshot.table(index(kTurns)).row_count() != 1) return Misfit();
  const Table& commands =
      snapshot.table(parts().tables.objects.components[command_component_]);
  for (uint32_t row = 0; row < commands.row_count(); ++row) {
    const auto& own = commands.Get<CommandRow>(row);
    if (own.stage > kRoundOfUnits ||
        own.next > uint64_t{kTasksMax} * kCommanderUnitsMax) {
      return Misfit();
    }
  }
  const std::vector<RowOwner> owners =
      OwnersIn(snapshot, parts(), [this](uint32_t type) {
        return roster_.CommanderUseOf(type) != nullptr;
      });
  const Table& tasks = snapshot.table(index(kTasks));
  const Table& scores = snapshot.table(index(kScores));
  uint32_t task_row = 0;
  uint32_t score_row = 0;
  for (const RowOwner& owner : owners) {
    const CommanderDefinition& definition = roster_.DefinitionOf(owner.type);
    uint64_t count = 0;
    for (; task_row < tasks.row_count(); ++task_row, ++count) {
      const auto& task = tasks.Get<TaskRow>(task_row);
      if (task.object != owner.object) break;
      if (task.number != count || count == kTasksMax || task.is_open > 1 ||
          task.kind >= definition.tasks.size() || IsNan(task.priority) ||
          task.task != definition.tasks[task.kind].name) {
        return Misfit();
      }
    }
    uint64_t number = 0;
    for (; score_row < scores.row_count(); ++score_row, ++number) {
      const auto& score = scores.Get<ScoreRow>(score_row);
      if (score.object != owner.object) break;
      if (score.number != number || score.task >= count ||
          number >= uint64_t{kTasksMax} * definition.units_max ||
          score.is_weighed > 1 || !IsFinite(score.score)) {
        return Misfit();
      }
    }
  }
  const bool is_all =
      task_row == tasks.row_count() && score_row == scores.row_count();
  return is_all ? absl::OkStatus() : Misfit();
}

}  // namespace reprise::sim
