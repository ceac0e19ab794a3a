// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/brains/brain_system.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"
#include "sim/game_description.h"
#include "sim/state/row_schema.h"
#include "sim/systems/brains/brain_events.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

enum StepNumber : uint32_t { kUpdate, kRows };

constexpr auto kNotes = std::to_array<PropertyNote>({
    {"is_active", "1: it decides; 0: all that it does has been stopped", 0.0,
     1.0},
    {"state", "the innermost state that it is in"},
    {"node", "the leaf that it is at, the first of several"},
    {"goal", "what its last plan is for"},
});

NodeMemory MemoryOf(const BrainNodeRow& row) {
  return {.status = static_cast<NodeStatus>(row.status),
          .done = static_cast<NodeStatus>(row.done),
          .child = row.child,
          .since = row.since,
          .update_at = row.update_at,
          .due = row.due,
          .count = row.count,
          .score = row.score};
}

BrainNodeRow RowOf(ObjectId object, uint64_t number, Id name,
                   const NodeMemory& memory) {
  return {.object = object,
          .number = number,
          .name = name,
          .status = static_cast<uint64_t>(memory.status),
          .done = static_cast<uint64_t>(memory.done),
          .child = memory.child,
          .since = memory.since,
          .update_at = memory.update_at,
          .due = memory.due,
          .count = memory.count,
          .score = memory.score};
}

uint32_t PlanRowsOf(const BrainTree& tree) {
  return tree.plan_count * static_cast<uint32_t>(kPlanStepsMax);
}

absl::Status Misfit() {
  return absl::DataLossError(
      "snapshot: a brain without its rows, or with "
      "rows that no run leaves");
}

}  // namespace

const SystemDeclaration& BrainsDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "objects that decide by trees, states, use and plans",
      .tables = {RowSchema::Of<BrainNodeRow>(), RowSchema::Of<PlanStepRow>(),
                 RowSchema::Of<BrainTurnRow>()},
      .steps = {{.name = "brains",
                 .point = StepPoint::kPrePhysics,
                 .after = {kDecideStep.name},
                 .before = {"navigators", "vehicles look", "characters",
                            "vehicles"},
                 // Effects write what connections' do.
                 .writes = {"components", "events", "physics", "time", "world"},
                 .asks = {"navigation", PlanSearchesDefinition::kSystem}},
                {.name = "brain rows", .point = StepPoint::kAfterObjects}},
      .events = kBrainEvents,
      .components = {NativeComponent<BrainRow>("decides", kNotes)},
      .legends = {MakeLegend("brains", BrainNodeRow::kTable, "status",
                             kNodeStatusNames),
                  MakeLegend("brains", BrainNodeRow::kTable, "done",
                             kNodeStatusNames)},
      .words = {kBrainUpdateName, kExpansionsReason, kNoPlanReason,
                kNodesReason, kPlansReason, kTransitionsReason}};
  return declaration;
}

std::unique_ptr<System> BrainsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Brains>(*this, place);
}

std::vector<Id> BrainsDefinition::overheard_events() const {
  std::vector<Id> heard;
  for (const BrainDefinition& brain : brains) {
    heard.insert(heard.end(), brain.heard.begin(), brain.heard.end());
  }
  // A total order: equal ids are the same.
  std::ranges::sort(heard);
  heard.erase(std::unique(heard.begin(), heard.end()), heard.end());
  return heard;
}

Brains::Brains(const BrainsDefinition& definition, const SystemPlace& place)
    : System(place),
      definition_(definition),
      uses_(PartsOfTypes<BrainUse>(place.parts.definition)),
      component_(place.parts.definition.FindComponent(IdOf(BrainRow::kTable))) {
  for (const BrainDefinition& brain : definition.brains) {
    runs_.emplace_back(brain.tree, planner_);
  }
}

void Brains::Initialize() {
  mutable_table(kTurns).Resize(1);
  Follow();
}

void Brains::Connect(const Systems& systems) {
  agent_ = std::make_unique<BrainAgent>(parts(), systems.Find<Navigators>());
  plan_searches_ = systems.Find<PlanSearches>();
}

void Brains::Run(uint32_t step) {
  if (step == kUpdate) {
    UpdateAll();
  } else {
    Follow();
  }
}

void Brains::Follow() {
  const bool is_current =
      FollowsAll(parts(), table(kNodes), [this](uint32_t type) {
        return uses_[type] == nullptr
                   ? 0
                   : static_cast<uint32_t>(BrainOf(type).tree.nodes.size());
      });
  if (is_current) return;
  const std::vector<RowOwner> owners =
      OwnersIn(state(), parts(),
               [this](uint32_t type) { return uses_[type] != nullptr; });
  FollowOwners(owners, state(), index(kNodes),
               [this](const RowOwner& owner, Table& table) {
                 const BrainTree& tree = BrainOf(owner.type).tree;
                 uint32_t row = table.LowerBound(
                     std::array{owner.object.serial, uint64_t{0}});
                 for (uint32_t i = 0; i < tree.nodes.size(); ++i, ++row) {
                   table.Insert(row);
                   table.Mutable<BrainNodeRow>(row) =
                       RowOf(owner.object, i, tree.nodes[i].name, NodeMemory{});
                 }
               });
  FollowOwners(owners, state(), index(kPlanSteps),
               [this](const RowOwner& owner, Table& table) {
                 uint32_t row = table.LowerBound(
                     std::array{owner.object.serial, uint64_t{0}});
                 const uint32_t count = PlanRowsOf(BrainOf(owner.type).tree);
                 for (uint32_t i = 0; i < count; ++i, ++row) {
                   table.Insert(row);
                   table.Mutable<PlanStepRow>(row) = {.object = owner.object,
                                                      .number = i};
                 }
               });
}

void Brains::UpdateAll() {
  if (!component_.has_value()) return;
  const Table& objects = state().table(parts().tables.objects.objects);
  const ObjectId turn = table(kTurns).Get<BrainTurnRow>(0).next;
  // Until it is the turn of whoever had to wait, half is kept for that one.
  bool is_turn_over =
      turn == kNoObject || parts().objects.RowOf(state(), turn) == kNoRow;
  bool has_thought = is_turn_over;
  BrainTurnRow before;
  BrainTurnRow behind;
  expansions_left_ = kPlanExpansionsPerTickMax;
  for (uint32_t type = 0; type < uses_.size(); ++type) {
    if (uses_[type] == nullptr) continue;
    const Tick every = BrainOf(type).every;
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      const ObjectId id = object.object;
      const bool is_active = object.status == ObjectStatus::kActive;
      const bool is_turn = id == turn;
      is_turn_over |= is_turn;
      has_thought |= is_turn && !is_active;
      if (!is_active || (parts().game_tick + id.serial) % every != 0) continue;
      has_thought |= is_turn;
      Think(type, row, nullptr,
            is_turn_over ? 0 : kPlanExpansionsPerTickMax / 2);
      BrainTurnRow& first = is_turn_over ? behind : before;
      if (has_waited_ && first.next == kNoObject) first.next = id;
    }
  }
  BrainTurnRow next = {.next = turn};
  if (has_thought) next = behind.next != kNoObject ? behind : before;
  if (next.next == turn) return;
  mutable_table(kTurns).Mutable<BrainTurnRow>(0) = next;
}

void Brains::Overhear(uint32_t row, const WorldEvent& event) {
  const uint32_t type = parts().objects.TypeOf(row);
  if (uses_[type] == nullptr) return;
  const auto& object =
      state().table(parts().tables.objects.objects).Get<ObjectRow>(row);
  if (object.status != ObjectStatus::kActive) return;
  if (!std::ranges::binary_search(BrainOf(type).heard, event.type)) return;
  // What is heard begins no search.
  Think(type, row, &event, 0);
}

void Brains::Think(uint32_t type, uint32_t row, const WorldEvent* event,
                   uint64_t reserve) {
  const BrainDefinition& brain = BrainOf(type);
  const auto& object =
      state().table(parts().tables.objects.objects).Get<ObjectRow>(row);
  const TableIndex component = parts().tables.objects.components[*component_];
  const uint32_t own_row = parts().objects.ComponentRow(row, *component_);
  BrainRow own = state().table(component).Get<BrainRow>(own_row);
  WorldEvent about =
      event != nullptr
          ? *event
          : WorldEvent{.type = IdOf(kBrainUpdateName), .sender = object.handle};
  about.target = object.handle;
  if (own.changed_at != parts().game_tick) {
    own.changed_at = parts().game_tick;
    own.changes = 0;
  }
  const uint64_t changes_left =
      brain.transitions_per_tick -
      std::min(own.changes, brain.transitions_per_tick);
  ReadMemory(object.object, brain);
  agent_->Begin(brain, row, about, own);
  BrainRun& run = runs_[uses_[type]->brain];
  run.Begin(
      parts().game_tick, memory_, steps_, searches_,
      {.nodes = brain.nodes_per_update,
       .transitions = changes_left,
       .expansions = expansions_left_ - std::min(expansions_left_, reserve)},
      *agent_);
  const uint64_t expansions_before = run.budget().expansions;
  if (own.is_active == 0) {
    run.Stop();
  } else if (event != nullptr) {
    run.Hear(event->type);
  } else {
    run.Update();
  }
  own.changes += changes_left - run.budget().transitions;
  expansions_left_ -= expansions_before - run.budget().expansions;
  has_waited_ = run.budget().has_waited;
  WriteMemory(object.object, brain);
  NameActive(brain.tree, own);
  // An effect may have written its properties meanwhile.
  BrainRow after = state().table(component).Get<BrainRow>(own_row);
  after.state = own.state;
  after.node = own.node;
  after.goal = own.goal;
  // Ticks without transitions write nothing.
  if (own.changes != 0) {
    after.changed_at = own.changed_at;
    after.changes = own.changes;
  }
  after.draws = own.draws;
  WriteRow(state().mutable_table(component), own_row, after);
}

void Brains::ReadMemory(ObjectId object, const BrainDefinition& brain) {
  const auto count = static_cast<uint32_t>(brain.tree.nodes.size());
  const Table& nodes = table(kNodes);
  const uint32_t first = *FindOwnedRow(nodes, object);
  memory_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    memory_[i] = MemoryOf(nodes.Get<BrainNodeRow>(first + i));
  }
  searches_ = {};
  if (plan_searches_ != nullptr) {
    searches_ = plan_searches_->Read(object, brain.tree);
  }
  steps_.resize(PlanRowsOf(brain.tree));
  if (steps_.empty()) return;
  const Table& steps = table(kPlanSteps);
  const uint32_t first_step = *FindOwnedRow(steps, object);
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    steps_[i] = steps.Get<PlanStepRow>(first_step + i).step;
  }
}

void Brains::WriteMemory(ObjectId object, const BrainDefinition& brain) {
  const BrainTree& tree = brain.tree;
  const uint32_t first = *FindOwnedRow(table(kNodes), object);
  for (uint32_t i = 0; i < memory_.size(); ++i) {
    WriteRow(mutable_table(kNodes), first + i,
             RowOf(object, i, tree.nodes[i].name, memory_[i]));
  }
  if (plan_searches_ != nullptr) plan_searches_->Write(object, tree);
  if (steps_.empty()) return;
  const uint32_t first_step = *FindOwnedRow(table(kPlanSteps), object);
  for (const BrainNode& node : tree.nodes) {
    if (node.kind != BrainNodeKind::kPlan) continue;
    for (uint32_t k = 0; k < kPlanStepsMax; ++k) {
      const uint32_t i = node.plan * kPlanStepsMax + k;
      const uint64_t step = steps_[i];
      const Id action =
          step == 0 ? kNoId : tree.nodes[tree.ChildOf(node, step - 1)].name;
      WriteRow(mutable_table(kPlanSteps), first_step + i,
               PlanStepRow{object, i, action, step});
    }
  }
}

void Brains::NameActive(const BrainTree& tree, BrainRow& own) const {
  own.state = kNoId;
  own.node = kNoId;
  uint32_t at = 0;
  if (memory_[0].status != NodeStatus::kRunning) return;
  for (;;) {
    const BrainNode& node = tree.nodes[at];
    if (node.is_state) own.state = node.name;
    own.node = node.name;
    uint32_t next = kNothing;
    for (uint32_t i = 0; i < node.child_count && next == kNothing; ++i) {
      const uint32_t child = tree.ChildOf(node, i);
      if (memory_[child].status == NodeStatus::kRunning) next = child;
    }
    if (next == kNothing) return;
    at = next;
  }
}

absl::Status Brains::CheckRows(const State& snapshot) const {
  const std::vector<RowOwner> owners =
      OwnersIn(snapshot, parts(),
               [this](uint32_t type) { return uses_[type] != nullptr; });
  uint32_t node_row = 0;
  uint32_t step_row = 0;
  for (const RowOwner& owner : owners) {
    absl::Status status = CheckNodes(snapshot, owner, node_row, step_row);
    if (!status.ok()) return status;
  }
  const Table& turns = snapshot.table(index(kTurns));
  if (turns.row_count() != 1 ||
      node_row != snapshot.table(index(kNodes)).row_count() ||
      step_row != snapshot.table(index(kPlanSteps)).row_count()) {
    return Misfit();
  }
  // The turn of what has no brain would never be over.
  const ObjectId turn = turns.Get<BrainTurnRow>(0).next;
  if (turn != kNoObject &&
      std::ranges::find(owners, turn, &RowOwner::object) == owners.end() &&
      parts().objects.RowOf(snapshot, turn) != kNoRow) {
    return Misfit();
  }
  if (plan_searches_ == nullptr) return absl::OkStatus();
  return plan_searches_->CheckRowsOf(
      snapshot, [this](uint32_t type) -> const BrainTree* {
        return uses_[type] == nullptr ? nullptr : &BrainOf(type).tree;
      });
}

absl::Status Brains::CheckNodes(const State& snapshot, const RowOwner& owner,
                                uint32_t& node_row, uint32_t& step_row) const {
  const BrainTree& tree = BrainOf(owner.type).tree;
  const Table& nodes = snapshot.table(index(kNodes));
  const Table& steps = snapshot.table(index(kPlanSteps));
  const auto count = static_cast<uint32_t>(tree.nodes.size());
  const uint32_t step_count = PlanRowsOf(tree);
  if (nodes.row_count() - node_row < count ||
      steps.row_count() - step_row < step_count) {
    return Misfit();
  }
  constexpr auto kHighest = static_cast<uint64_t>(NodeStatus::kStopped);
  std::vector<NodeMemory> memory;
  for (uint32_t i = 0; i < count; ++i) {
    const auto& row = nodes.Get<BrainNodeRow>(node_row++);
    if (row.object != owner.object || row.number != i ||
        row.name != tree.nodes[i].name || row.status > kHighest ||
        row.done > kHighest) {
      return Misfit();
    }
    memory.push_back(MemoryOf(row));
  }
  std::vector<uint64_t> plans;
  for (uint32_t i = 0; i < step_count; ++i) {
    const auto& row = steps.Get<PlanStepRow>(step_row++);
    if (row.object != owner.object || row.number != i) return Misfit();
    plans.push_back(row.step);
  }
  return CanBeMemory(tree, memory, plans) ? absl::OkStatus() : Misfit();
}

}  // namespace reprise::sim
