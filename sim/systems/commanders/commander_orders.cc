// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Who gets which task at the end of a round: orders, and what ends them.

#include <algorithm>
#include <utility>

#include "sim/systems/commanders/commander_events.h"
#include "sim/systems/commanders/commander_system.h"
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

void Commanders::Assign(const Roster::Commander& commander,
                        const RowRange& tasks) {
  const std::span<const uint32_t> assigned =
      assigner_.Assign(needs_, units_.size(), scores_);
  counts_.assign(needs_.size(), 0);
  for (const uint32_t need : assigned) {
    if (need != kNoTask) ++counts_[need];
  }
  CommandRow own = CommandOf(commander);
  own.tasks = static_cast<int64_t>(needs_.size());
  own.busy = 0;
  task_rows_.clear();
  for (uint32_t row = tasks.first; row < tasks.last; ++row) {
    task_rows_.push_back(table(kTasks).Get<TaskRow>(row));
  }
  numbers_.assign(needs_.size(), 0);
  for (size_t i = 0; i < units_.size(); ++i) {
    const Roster::Unit& unit = *units_[i];
    const OrdersRow& before = OrdersOf(unit);
    if (assigned[i] == kNoTask) {
      if (before.task == kNoId) continue;
      const auto task =
          std::ranges::find_if(task_rows_, [&](const TaskRow& each) {
            return each.kind == before.kind &&
                   ActiveHandle(each.goal) == before.goal;
          });
      const bool is_open = task != task_rows_.end() && task->is_open != 0;
      Relieve(unit, is_open ? kOthersReason : kClosedReason);
      continue;
    }
    const uint32_t need = assigned[i];
    const TaskRow& task = task_rows_[needed_[need]];
    OrdersRow wanted = before;
    wanted.task = task.task;
    wanted.from = commander.handle;
    wanted.kind = task.kind;
    wanted.goal = ActiveHandle(task.goal);
    const uint32_t at = wanted.goal.is_null()
                            ? commander.row
                            : parts().objects.RowOf(state(), wanted.goal);
    wanted.place = PlaceOf(parts(), state(), at).position;
    wanted.number = numbers_[need]++;
    wanted.group = counts_[need];
    wanted.score = scores_[need * units_.size() + i];
    Order(commander, unit, wanted);
    ++own.busy;
  }
  WriteCommand(commander, own);
  for (TaskRow& task : task_rows_) {
    const auto need = std::ranges::find(needed_, task.number);
    const auto units =
        need == needed_.end()
            ? 0
            : static_cast<uint64_t>(
                  counts_[static_cast<size_t>(need - needed_.begin())]);
    if (task.units > 0 && units == 0) {
      EndTask(commander.object, task,
              task.is_open != 0 ? kUnitsReason : kClosedReason);
    } else if (task.units == 0 && units > 0) {
      task.since = parts().game_tick;
      WorldEvent begun = {
          .type = kTaskBegun,
          .sender = commander.handle,
          .target = commander.handle,
          .arguments = {
              {kTaskWord, FieldValue::OfId(task.task)},
              {kUnitsWord, FieldValue::OfInt64(static_cast<int64_t>(units))}}};
      SetGoal(task.goal, begun);
      parts().router->Post(begun);
    }
    task.units = units;
  }
  ReplaceRowsOfOwner<TaskRow>(state(), index(kTasks), commander.object,
                              task_rows_);
}

void Commanders::Order(const Roster::Commander& commander,
                       const Roster::Unit& unit, const OrdersRow& wanted) {
  const OrdersRow before = OrdersOf(unit);
  const bool is_new = before.task != wanted.task ||
                      before.from != wanted.from ||
                      before.kind != wanted.kind || before.goal != wanted.goal;
  OrdersRow after = wanted;
  if (is_new) after.since = parts().game_tick;
  WriteOrders(unit, after);
  if (!is_new) return;
  WorldEvent ordered = {
      .type = kOrdered,
      .sender = commander.handle,
      .target = unit.handle,
      .arguments = {{kTaskWord, FieldValue::OfId(wanted.task)}}};
  const EventReceivers& receivers = parts().router->receivers();
  if (!wanted.goal.is_null()) {
    SetGoal(receivers.ObjectOf(wanted.goal), ordered);
    const double distance =
        Length(wanted.place - PlaceOf(parts(), state(), unit.row).position);
    ordered.arguments.Set(kDistanceWord, FieldValue::OfDouble(distance))
        .IgnoreError();
  }
  parts().router->Post(ordered);
}

void Commanders::Relieve(const Roster::Unit& unit, std::string_view reason) {
  OrdersRow orders = OrdersOf(unit);
  WorldEvent relieved = {
      .type = kRelieved,
      .sender = orders.from,
      .target = unit.handle,
      .arguments = {{kTaskWord, FieldValue::OfId(orders.task)},
                    {kReasonWord, FieldValue::OfId(IdOf(reason))}}};
  // Nobody else may have sent it, if that one is gone.
  if (parts().router->receivers().ObjectOf(orders.from) == kNoObject) {
    relieved.sender = unit.handle;
  }
  parts().router->Post(relieved);
  orders.task = kNoId;
  orders.from = kNullHandle;
  orders.goal = kNullHandle;
  orders.number = 0;
  orders.group = 0;
  orders.score = 0.0;
  orders.kind = 0;
  orders.since = parts().game_tick;
  WriteOrders(unit, orders);
}

void Commanders::SetGoal(ObjectId goal, WorldEvent& event) {
  if (goal == kNoObject) return;
  event.arguments.Set(kGoalWord, FieldValue::OfObject(goal)).IgnoreError();
}

void Commanders::EndTask(ObjectId commander, TaskRow& task,
                         std::string_view reason) {
  const Handle handle = parts().router->receivers().HandleOf(commander);
  WorldEvent ended = {
      .type = kTaskEnded,
      .sender = handle,
      .target = handle,
      .arguments = {{kTaskWord, FieldValue::OfId(task.task)},
                    {kReasonWord, FieldValue::OfId(IdOf(reason))}}};
  SetGoal(task.goal, ended);
  parts().router->Post(ended);
  task.units = 0;
  task.since = parts().game_tick;
}

void Commanders::Bound(const Roster::Commander& commander,
                       std::string_view reason, uint64_t count) {
  TellObject(parts(), kOrdersBounded, commander.object,
             {{kReasonWord, FieldValue::OfId(IdOf(reason))},
              {kCountWord, FieldValue::OfInt64(static_cast<int64_t>(count))}});
}

bool Commanders::OnEvent(uint32_t row, const WorldEvent& event) {
  const uint32_t type = parts().objects.TypeOf(row);
  if (roster_.OrdersUseOf(type) == nullptr) return false;
  const OrdersRow before =
      state()
          .table(parts().tables.objects.components[orders_component_])
          .Get<OrdersRow>(parts().objects.ComponentRow(row, orders_component_));
  if (before.task == kNoId) return true;
  const EventArgument* const result = event.arguments.Find(kResultWord);
  const bool has_failed = result != nullptr &&
                          result->value.type == ScalarType::kId &&
                          Id{result->value.bits} == IdOf(kFailedReason);
  const std::string_view reason = has_failed ? kFailedReason : kDoneReason;
  roster_.Look();
  for (const Roster::Unit& unit : roster_.units()) {
    const OrdersRow& orders = OrdersOf(unit);
    if (orders.task != kNoId && orders.from == before.from &&
        orders.kind == before.kind && orders.goal == before.goal) {
      Relieve(unit, reason);
    }
  }
  const auto commander = std::ranges::find(roster_.commanders(), before.from,
                                           &Roster::Commander::handle);
  if (commander == roster_.commanders().end()) return true;
  const ObjectId goal = parts().router->receivers().ObjectOf(before.goal);
  const RowRange tasks = RowsOfOwner(table(kTasks), commander->object);
  for (uint32_t each = tasks.first; each < tasks.last; ++each) {
    TaskRow task = table(kTasks).Get<TaskRow>(each);
    if (task.kind != before.kind || task.goal != goal) continue;
    EndTask(commander->object, task, reason);
    task.rests_until =
        parts().game_tick +
        roster_.DefinitionOf(commander->type).tasks[task.kind].rest;
    WriteRow(mutable_table(kTasks), each, task);
  }
  return true;
}

const CommandRow& Commanders::CommandOf(
    const Roster::Commander& commander) const {
  return state()
      .table(parts().tables.objects.components[command_component_])
      .Get<CommandRow>(commander.component_row);
}

void Commanders::WriteCommand(const Roster::Commander& commander,
                              const CommandRow& row) {
  WriteRow(mutable_component(command_component_), commander.component_row, row);
}

const OrdersRow& Commanders::OrdersOf(const Roster::Unit& unit) const {
  return state()
      .table(parts().tables.objects.components[orders_component_])
      .Get<OrdersRow>(unit.component_row);
}

void Commanders::WriteOrders(const Roster::Unit& unit, const OrdersRow& row) {
  WriteRow(mutable_component(orders_component_), unit.component_row, row);
}

Handle Commanders::ActiveHandle(ObjectId object) const {
  const uint32_t row =
      object == kNoObject ? kNoRow : parts().objects.RowOf(state(), object);
  if (row == kNoRow) return kNullHandle;
  const auto& found =
      state().table(parts().tables.objects.objects).Get<ObjectRow>(row);
  return found.status == ObjectStatus::kActive ? found.handle : kNullHandle;
}

}  // namespace reprise::sim
