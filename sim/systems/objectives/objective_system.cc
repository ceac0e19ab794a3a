// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/objectives/objective_system.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/field.h"
#include "sim/base/object_id.h"
#include "sim/state/row_schema.h"
#include "sim/systems/objectives/objective_events.h"
#include "sim/world/components/event_declaration.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/slots.h"
#include "sim/world/events/event_router.h"
#include "sim/world/events/waiting_events.h"
#include "sim/world/events/world_event.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/run_outcome.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kObjectiveTable = 0;

// What a change is called; kNoId: it goes untold.
Id TypeOfChange(ObjectiveStatus status) {
  switch (status) {
    case ObjectiveStatus::kLocked:
      return kNoId;
    case ObjectiveStatus::kActive:
      return kObjectiveActive;
    case ObjectiveStatus::kComplete:
      return kObjectiveComplete;
    case ObjectiveStatus::kFailed:
      return kObjectiveFailed;
  }
  return kNoId;
}

WorldEvent EventOf(Id type, Id objective) {
  return {.type = type,
          .arguments = {{kObjective, FieldValue::OfId(objective)}}};
}

}  // namespace

const SystemDeclaration& ObjectivesDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "things to do, what they unlock, and how the run ends",
      .tables = {RowSchema::Of<ObjectiveRow>()},
      .steps = {{.name = "objectives",
                 .point = StepPoint::kCommit,
                 .after = {"objects", "doors"},
                 .writes = {"events", "world.run"},
                 .asks = {Layers::kSystem}}},
      .events = kObjectiveEvents,
      .legends = {MakeLegend(kSystem, ObjectiveRow::kTable, "status",
                             kObjectiveStatusNames)}};
  return declaration;
}

std::unique_ptr<System> ObjectivesDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<WorldObjectives>(*this, place);
}

std::vector<Id> ObjectivesDefinition::heard_events() const {
  std::vector<Id> types;
  const auto add = [&](const ObjectiveCondition& condition) {
    const auto* const event = std::get_if<EventCondition>(&condition);
    if (event != nullptr && event->type != kNoId) types.push_back(event->type);
  };
  for (const ObjectiveDefinition& objective : objectives) {
    add(objective.condition);
    for (const ObjectiveCondition& failure : objective.failures) add(failure);
  }
  return types;
}

void ObjectivesDefinition::Describe(const WorldDefinition& world,
                                    GameDescription& description) const {
  const auto name_of = [&](Id id) {
    return std::string(world.names.NameOf(id));
  };
  std::map<std::string, std::set<std::string>> penalties;
  for (const ObjectiveDefinition& objective : objectives) {
    if (objective.penalty_event == kNoId) continue;
    penalties[name_of(objective.penalty_event)].insert(name_of(objective.name));
  }
  for (const auto& [name, failed] : penalties) {
    description.events.push_back(
        {.name = name,
         .sender = std::string(kByWorld),
         .receiver = std::string(kToInterested),
         .when = fmt::format("the objective {} failed", ListNames(failed)),
         .arguments = {
             {.name = "objective", .type = ScalarType::kId, .unit = ""}}});
  }
  const auto add_rule = [&](Outcome::Status decides, Id name,
                            std::string_view what) {
    if (decides == Outcome::Status::kRunning) return;
    description.outcome_rules.push_back(
        {.is_won = decides == Outcome::Status::kWon,
         .when = fmt::format("the objective {} {}", name_of(name), what),
         .reason = name_of(name)});
  };
  for (const ObjectiveDefinition& objective : objectives) {
    add_rule(objective.decides, objective.name, "is complete");
    add_rule(objective.failure_decides, objective.name, "has failed");
  }
}

WorldObjectives::WorldObjectives(const ObjectivesDefinition& definition,
                                 const SystemPlace& place)
    : System(place), definition_(definition) {
  CHECK(definition.rules.has_value());
}

void WorldObjectives::Connect(const Systems& systems) {
  layers_ = systems.Find<Layers>();
}

void WorldObjectives::Initialize() {
  definition_.rules->Initialize(0, mutable_table(kObjectiveTable));
}

absl::Status WorldObjectives::CheckRows(const State& snapshot) const {
  return definition_.rules->CheckRows(snapshot.table(index(kObjectiveTable)));
}

void WorldObjectives::Run([[maybe_unused]] uint32_t step) {
  const ObjectiveUpdate update = definition_.rules->Update(
      parts().game_tick, parts().journal.step_events(),
      [this](Id predicate) { return HoldsNow(predicate); },
      mutable_table(kObjectiveTable), scratch_,
      [this](FieldValue object) { return NameOf(object); });
  // Announced, not posted: a run that this decides may have no tick after it.
  for (const ObjectiveChange& change : update.changes) {
    if (const Id type = TypeOfChange(change.to); type != kNoId) {
      parts().router->Announce(EventOf(type, change.objective));
    }
  }
  for (const ObjectivePenalty& penalty : update.penalties) {
    parts().router->Post(EventOf(penalty.event, penalty.objective));
  }
  for (const Id gate : update.gates) {
    CHECK(layers_ != nullptr, "a gate {:016x} without layers", gate.value);
    const absl::Status status = layers_->Ask(gate, true);
    CHECK(status.ok(), "{}", status.ToString());
  }
  if (update.decision.has_value()) {
    const Id objective = update.decision->objective;
    const Decision decision = {.outcome = update.decision->outcome,
                               .reason = objective};
    if (DecideRun(parts(), decision)) {
      TellOutcome(parts(), decision,
                  {{kObjective, FieldValue::OfId(objective)}});
    }
  }
  // What was posted waits in the queue over the end of the tick.
  parts().router->Settle();
}

bool WorldObjectives::HoldsNow(Id predicate) {
  const auto found = std::ranges::lower_bound(definition_.predicates, predicate,
                                              {}, &PredicateDefinition::name);
  CHECK(found != definition_.predicates.end() && found->name == predicate,
        "no predicate {:016x}", predicate.value);
  return Holds(parts(), *found, evaluator_);
}

Id WorldObjectives::NameOf(FieldValue object) const {
  const ObjectTables& tables = parts().tables.objects;
  const ObjectId id =
      object.type == ScalarType::kHandle
          ? ObjectInSlot(state().table(tables.slots), object.AsHandle())
          : ObjectId{object.bits};
  if (id == kNoObject) return kNoId;
  const uint32_t row = parts().objects.RowOf(state(), id);
  if (row != kNoRow) {
    return state().table(tables.objects).Get<ObjectRow>(row).name;
  }
  // The pack's own objects are numbered from 1, and known when they are gone.
  const std::vector<ObjectDefinition>& own = parts().definition.objects;
  return id.serial <= own.size() ? own[id.serial - 1].name_id : kNoId;
}

}  // namespace reprise::sim
