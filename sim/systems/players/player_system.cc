// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/players/player_system.h"

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/physics_world.h"
#include "sim/state/field_value.h"
#include "sim/systems/contacts/overlaps.h"
#include "sim/systems/players/player_events.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

enum PlayerStep : uint32_t { kRollersStep, kGoalsStep, kOutcomeStep };

constexpr Vector3 kUp = {0.0, 1.0, 0.0};

// What is steeper is a wall, from which nobody jumps: the cosine of 84 degrees.
constexpr double kGroundCosineMin = 0.1;

bool StandsOnSomething(const WorldParts& parts, ObjectId object) {
  const Table& points = parts.state.table(parts.tables.physics.contact_points);
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto& point = points.Get<ContactPointRow>(row);
    if (point.distance > 0.0) continue;
    // The normal points out of the second body.
    const double up = point.object_a == object   ? point.normal.y
                      : point.object_b == object ? -point.normal.y
                                                 : 0.0;
    if (up > kGroundCosineMin) return true;
  }
  return false;
}

void Roll(const WorldParts& parts, ObjectId object,
          const RollerDefinition& roller) {
  const PhysicsTables& tables = parts.tables.physics;
  const auto& device = parts.state.table(parts.tables.input.devices)
                           .Get<DeviceRow>(roller.player);
  const uint32_t body = *FindBody(parts.state, tables, object);
  const auto& row = parts.state.table(tables.bodies).Get<BodyRow>(body);
  const MassProperties& mass = parts.physics.mass_properties(row.kind);
  const Vector3 stick = {AxisOf(device, roller.axis_x), 0.0,
                         AxisOf(device, roller.axis_z)};
  if (stick != Vector3{}) {
    ApplyForce(parts.state, tables, body, mass, roller.force_n * stick);
  }
  if (!roller.jump_button.has_value()) return;
  if (!IsPressed(parts.state, parts.tables.input, roller.player,
                 *roller.jump_button)) {
    return;
  }
  if (!StandsOnSomething(parts, object)) return;
  ApplyImpulse(parts.state, tables, body, mass, roller.jump_impulse_ns * kUp);
  TellObject(parts, kRollerJumped, object, {});
}

}  // namespace

const SystemDeclaration& PlayersDefinition::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "bodies that players push, and goals and hazards for them",
      .steps = {{.name = "rollers",
                 .point = StepPoint::kPrePhysics,
                 .after = {"steer characters", "steer vehicles"},
                 .before = {"behaviours"},
                 .writes = {"events", "physics"}},
                {.name = "goals",
                 .point = StepPoint::kContacts,
                 .after = {"triggers"},
                 .before = {"contacts"},
                 .writes = {"world.run"}},
                // Behind the events of triggers, and before objectives, which
                // may wait for it.
                {.name = "outcome",
                 .point = StepPoint::kCommit,
                 .after = {"event queue"},
                 .before = {"objects"}}},
      .events = kPlayerEvents};
  return declaration;
}

std::unique_ptr<System> PlayersDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Players>(place);
}

void PlayersDefinition::Describe(const WorldDefinition& world,
                                 GameDescription& description) const {
  for (const TypeDefinition& type : world.types) {
    const auto* const decision = type.parts.Find<DecisionDefinition>();
    if (decision == nullptr) continue;
    description.outcome_rules.push_back(
        {.is_won = decision->outcome == Outcome::Status::kWon,
         .when = fmt::format("what a player steers comes into {}", type.name),
         .reason = decision->reason});
  }
}

Players::Players(const SystemPlace& place)
    : System(place),
      rollers_(PartsOfTypes<RollerDefinition>(place.parts.definition)),
      decisions_(PartsOfTypes<DecisionDefinition>(place.parts.definition)),
      steered_(PartsOfTypes<SteeredDefinition>(place.parts.definition)) {}

void Players::Connect(const Systems& systems) {
  contacts_ = systems.Find<Contacts>();
}

void Players::Run(uint32_t step) {
  switch (static_cast<PlayerStep>(step)) {
    case kRollersStep:
      PushRollers();
      break;
    case kGoalsStep:
      DecideByGoals();
      break;
    case kOutcomeStep:
      TellDecision();
      break;
  }
}

void Players::PushRollers() const {
  const Table& objects = state().table(parts().tables.objects.objects);
  for (uint32_t type = 0; type < rollers_.size(); ++type) {
    if (rollers_[type] == nullptr) continue;
    for (const uint32_t row : parts().objects.RowsOfType(type)) {
      const auto& object = objects.Get<ObjectRow>(row);
      if (object.status == ObjectStatus::kActive) {
        Roll(parts(), object.object, *rollers_[type]);
      }
    }
  }
}

void Players::DecideByGoals() {
  untold_.reset();
  if (contacts_ == nullptr) return;
  for (const Overlap& overlap : contacts_->entered()) {
    const uint32_t trigger = parts().objects.RowOf(state(), overlap.trigger);
    const uint32_t visitor = parts().objects.RowOf(state(), overlap.object);
    if (trigger == kNoRow || visitor == kNoRow) continue;
    const DecisionDefinition* const goal =
        decisions_[parts().objects.TypeOf(trigger)];
    const SteeredDefinition* const steered =
        steered_[parts().objects.TypeOf(visitor)];
    if (goal == nullptr || steered == nullptr) continue;
    const Decision decision = {
        .outcome = goal->outcome,
        .reason = goal->reason.empty() ? kNoId : IdOf(goal->reason),
        .by = overlap.trigger};
    if (DecideRun(parts(), decision)) {
      untold_ = {.decision = decision, .visitor = overlap.object};
    }
  }
}

void Players::TellDecision() {
  if (!untold_.has_value()) return;
  TellOutcome(parts(), untold_->decision,
              {{kVisitor, FieldValue::OfObject(untold_->visitor)}});
  untold_.reset();
}

}  // namespace reprise::sim
