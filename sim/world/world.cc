// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/float_control.h"
#include "sim/physics/body_forces.h"
#include "sim/physics/touching_pairs.h"
#include "sim/world/overlaps.h"
#include "sim/world/world_frame.h"
#include "sim/world/world_rows.h"

namespace reprise::sim {
namespace {

// Events wait here for a listener; a run that nobody listens to keeps the first
// ones and counts the rest.
constexpr size_t kWaitingEventsMax = 1 << 16;

constexpr Id kTriggerEntered = IdOf("trigger_entered");
constexpr Id kTriggerLeft = IdOf("trigger_left");
constexpr Id kGameWon = IdOf("game_won");
constexpr Id kGameLost = IdOf("game_lost");
constexpr Id kJumped = IdOf("jumped");
constexpr Id kBodyRefused = IdOf("body_refused");
constexpr Id kEventsDropped = IdOf("events_dropped");
constexpr Id kVisitor = IdOf("visitor");
constexpr Id kPlayer = IdOf("player");
constexpr Id kCount = IdOf("count");

constexpr std::array kEventWords = {
    "trigger_entered", "trigger_left",   "game_won", "game_lost", "jumped",
    "body_refused",    "events_dropped", "visitor",  "player",    "count"};

constexpr Vector3 kUp = {0.0, 1.0, 0.0};

absl::Status Contradiction(std::string_view text) {
  return absl::DataLossError(fmt::format("snapshot: {}", text));
}

}  // namespace

std::vector<std::string> WorldPhaseNames() {
  return {"inputs", "pre_physics", "physics", "contacts", "commit"};
}

absl::Status AddWorldNames(NameTable& names) {
  for (const char* word : kEventWords) {
    if (absl::Status status = names.Add(word); !status.ok()) return status;
  }
  return absl::OkStatus();
}

World::World(std::shared_ptr<const WorldDefinition> definition)
    : definition_(std::move(definition)),
      tables_(AddTables(state_)),
      // The definition owns the physics definition: one shared lifetime.
      physics_(std::shared_ptr<const PhysicsDefinition>(definition_,
                                                        &definition_->physics),
               tables_.physics) {
  InitializeState();
}

World::Tables World::AddTables(State& state) {
  Tables tables;
  tables.run = state.AddTable("world", RowSchema::Of<RunRow>());
  tables.objects = state.AddTable("world", RowSchema::Of<ObjectRow>());
  tables.overlaps = state.AddTable("world", RowSchema::Of<OverlapRow>());
  tables.devices = state.AddTable("input", RowSchema::Of<DeviceRow>());
  tables.physics = PhysicsWorld::AddTables(state);
  return tables;
}

void World::InitializeState() {
  state_.mutable_table(tables_.run).Resize(1);
  Table& objects = state_.mutable_table(tables_.objects);
  objects.Resize(static_cast<uint32_t>(definition_->objects.size()));
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const ObjectDefinition& object = definition_->objects[row];
    objects.Mutable<ObjectRow>(row) = {.object = object.object,
                                       .name = object.name_id,
                                       .type = object.type_id};
  }
  Table& devices = state_.mutable_table(tables_.devices);
  devices.Resize(definition_->info.inputs.player_count);
  for (uint32_t player = 0; player < devices.row_count(); ++player) {
    devices.Mutable<DeviceRow>(player).player = player;
  }
  physics_.InitializeState(state_);
  const absl::Status status = physics_.Load(state_);
  CHECK(status.ok(), "{}", status.ToString());
}

Tick World::tick() const {
  return state_.table(tables_.run).Get<RunRow>(0).tick;
}

absl::Status World::Validate(std::span<const InputFrame> frames) const {
  return ValidateInputs(definition_->info.inputs, frames);
}

void World::Step(std::span<const InputFrame> frames, PhaseObserver* observer) {
  CHECK(Validate(frames).ok());
  const ScopedFloatControl float_control;
  const auto finish = [&](WorldPhase phase) {
    if (observer == nullptr) return;
    observer->OnPhase(static_cast<uint32_t>(phase), state_);
  };
  TakeInputs(frames);
  finish(WorldPhase::kInputs);
  UpdateBeforePhysics();
  finish(WorldPhase::kPrePhysics);
  StepPhysics();
  finish(WorldPhase::kPhysics);
  FollowContacts();
  finish(WorldPhase::kContacts);
  Commit();
  finish(WorldPhase::kCommit);
}

void World::TakeInputs(std::span<const InputFrame> frames) {
  Table& devices = state_.mutable_table(tables_.devices);
  for (uint32_t player = 0; player < devices.row_count(); ++player) {
    const auto frame = std::ranges::find(frames, player, &InputFrame::player);
    const DeviceRow& old = devices.Get<DeviceRow>(player);
    DeviceRow row = old;
    row.buttons_before = row.buttons;
    if (frame != frames.end()) {
      row.buttons = frame->device.buttons;
      row.axes = frame->device.axes;
    }
    if (row != old) devices.Mutable<DeviceRow>(player) = row;
    if (frame == frames.end()) continue;
    for (const Command& command : frame->commands) {
      std::vector<EventArgument> arguments = {
          {kPlayer, FieldValue::OfInt64(player)}};
      const Action& action = *definition_->info.inputs.Find(command.name);
      for (size_t i = 0; i < command.arguments.size(); ++i) {
        arguments.push_back({IdOf(action.arguments[i].name),
                             FieldValue::OfInt64(command.arguments[i])});
      }
      Emit(command.name, kNoObject, std::move(arguments));
    }
  }
}

void World::UpdateBeforePhysics() {
  for (const RollerDefinition& roller : definition_->rollers) Roll(roller);
}

void World::Roll(const RollerDefinition& roller) {
  const std::optional<uint32_t> body =
      FindBody(state_, tables_.physics, roller.object);
  if (!body.has_value()) return;
  const MassProperties& mass = physics_.mass_properties(
      state_.table(tables_.physics.bodies).Get<BodyRow>(*body).kind);
  const auto& device =
      state_.table(tables_.devices).Get<DeviceRow>(roller.player);
  const Vector3 stick = {
      static_cast<double>(device.axes[roller.axis_x]) / kAxisMax, 0.0,
      static_cast<double>(device.axes[roller.axis_z]) / kAxisMax};
  if (stick != Vector3{}) {
    ApplyForce(state_, tables_.physics, *body, mass, roller.force_n * stick);
  }
  if (!roller.jump_button.has_value()) return;
  const uint64_t pressed = device.buttons & ~device.buttons_before;
  if ((pressed >> *roller.jump_button & 1) == 0) return;
  if (!StandsOnSomething(roller.object, *body)) return;
  ApplyImpulse(state_, tables_.physics, *body, mass,
               roller.jump_impulse_ns * kUp);
  Emit(kJumped, roller.object, {});
}

bool World::StandsOnSomething(ObjectId object, uint32_t body) const {
  const double centre_y =
      state_.table(tables_.physics.bodies).Get<BodyRow>(body).position.y;
  const Table& points = state_.table(tables_.physics.contact_points);
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto& point = points.Get<ContactPointRow>(row);
    const bool touches =
        (point.object_a == object || point.object_b == object) &&
        point.distance <= 0.0;
    if (touches && point.world_b.y < centre_y) return true;
  }
  return false;
}

void World::StepPhysics() {
  physics_.Step(state_);
  for (const ObjectId object : physics_.refused()) {
    Emit(kBodyRefused, object, {});
  }
}

void World::FollowContacts() {
  const OverlapChanges changes = UpdateOverlaps(
      FindOverlaps(definition_->physics, state_.table(tables_.physics.bodies),
                   CollectTouchingPairs(state_, tables_.physics)),
      tick(), state_.mutable_table(tables_.overlaps));
  for (const Overlap& overlap : changes.left) {
    Emit(kTriggerLeft, overlap.trigger,
         {{kVisitor, FieldValue::OfObject(overlap.object)}});
  }
  for (const Overlap& overlap : changes.entered) {
    Emit(kTriggerEntered, overlap.trigger,
         {{kVisitor, FieldValue::OfObject(overlap.object)}});
    DecideOutcome(overlap.trigger, overlap.object);
  }
}

void World::DecideOutcome(ObjectId trigger, ObjectId visitor) {
  if (outcome().status != Outcome::Status::kRunning) return;
  const auto decision = std::ranges::find(definition_->decisions, trigger,
                                          &DecisionDefinition::trigger);
  const bool is_roller = std::ranges::find(definition_->rollers, visitor,
                                           &RollerDefinition::object) !=
                         definition_->rollers.end();
  if (decision == definition_->decisions.end() || !is_roller) return;
  RunRow& run = state_.mutable_table(tables_.run).Mutable<RunRow>(0);
  run.outcome = static_cast<int64_t>(decision->outcome);
  run.decided_by = trigger;
  run.decided_at = run.tick;
  Emit(decision->outcome == Outcome::Status::kWon ? kGameWon : kGameLost,
       trigger, {{kVisitor, FieldValue::OfObject(visitor)}});
}

void World::Commit() {
  ++state_.mutable_table(tables_.run).Mutable<RunRow>(0).tick;
}

void World::Emit(Id type, ObjectId object,
                 std::vector<EventArgument> arguments) {
  if (events_.size() >= kWaitingEventsMax) {
    ++dropped_event_count_;
    return;
  }
  events_.push_back({.tick = tick(),
                     .type = type,
                     .object = object,
                     .arguments = std::move(arguments)});
}

absl::Status World::Restore(const State& snapshot) {
  absl::Status status = state_.CheckSameShape(snapshot);
  if (status.ok()) status = CheckRows(snapshot);
  // Physics checks its own tables, and loads them or changes nothing.
  if (status.ok()) status = physics_.Load(snapshot);
  if (!status.ok()) return status;
  state_ = snapshot;
  events_.clear();
  dropped_event_count_ = 0;
  return absl::OkStatus();
}

absl::Status World::CheckRows(const State& snapshot) const {
  if (snapshot.table(tables_.run).row_count() != 1) {
    return Contradiction("the table of the run has not one row");
  }
  const auto& run = snapshot.table(tables_.run).Get<RunRow>(0);
  if (run.tick > kTickMax || run.outcome < 0 || run.outcome > 2) {
    return Contradiction("the tick or outcome is out of range");
  }
  const Table& objects = snapshot.table(tables_.objects);
  if (objects.row_count() != definition_->objects.size()) {
    return Contradiction("the objects are not those of the pack");
  }
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    if (objects.Get<ObjectRow>(row).object !=
        definition_->objects[row].object) {
      return Contradiction("the objects are not those of the pack");
    }
  }
  const Table& devices = snapshot.table(tables_.devices);
  if (devices.row_count() != definition_->info.inputs.player_count) {
    return Contradiction("the players are not those of the pack");
  }
  for (uint32_t player = 0; player < devices.row_count(); ++player) {
    if (devices.Get<DeviceRow>(player).player != player) {
      return Contradiction("the players are not those of the pack");
    }
  }
  const Table& overlaps = snapshot.table(tables_.overlaps);
  for (uint32_t row = 1; row < overlaps.row_count(); ++row) {
    const auto& before = overlaps.Get<OverlapRow>(row - 1);
    const auto& after = overlaps.Get<OverlapRow>(row);
    if (std::pair(before.trigger, before.object) >=
        std::pair(after.trigger, after.object)) {
      return Contradiction("the overlaps are not in order");
    }
  }
  return absl::OkStatus();
}

std::unique_ptr<Simulation> World::Fork() const {
  auto fork = std::make_unique<World>(definition_);
  const absl::Status status = fork->Restore(state_);
  CHECK(status.ok(), "{}", status.ToString());
  return fork;
}

std::vector<Event> World::DrainEvents() {
  if (dropped_event_count_ > 0) {
    const auto count = static_cast<int64_t>(dropped_event_count_);
    events_.push_back({.tick = tick(),
                       .type = kEventsDropped,
                       .object = kNoObject,
                       .arguments = {{kCount, FieldValue::OfInt64(count)}}});
    dropped_event_count_ = 0;
  }
  return std::exchange(events_, {});
}

Outcome World::outcome() const {
  const auto& run = state_.table(tables_.run).Get<RunRow>(0);
  Outcome outcome{.status = static_cast<Outcome::Status>(run.outcome),
                  .reason = ""};
  const auto decision = std::ranges::find(
      definition_->decisions, run.decided_by, &DecisionDefinition::trigger);
  if (decision != definition_->decisions.end()) {
    outcome.reason = decision->reason;
  }
  return outcome;
}

Frame World::ProduceFrame() const {
  return MakeWorldFrame(*definition_, state_.table(tables_.physics.bodies),
                        tick());
}

std::string World::ObjectName(ObjectId object) const {
  // The objects of a pack are numbered from 1 in the order of their rows.
  if (object == kNoObject) return "none";
  if (object.serial > definition_->objects.size()) {
    return fmt::format("object#{}", object.serial);
  }
  return definition_->objects[object.serial - 1].name;
}

std::string World::IdName(Id id) const {
  if (id == kNoId) return "none";
  const std::string_view name = definition_->names.NameOf(id);
  return name.empty() ? fmt::format("id#{:016x}", id.value) : std::string(name);
}

absl::Status World::Inject(const FieldAddress& address, FieldValue value) {
  State changed = state_;
  absl::Status status = WriteScalar(changed, address, value);
  if (!status.ok()) return status;
  const RowSchema& schema = changed.table(address.table).schema();
  if (address.scalar.field < schema.key_field_count()) {
    return absl::InvalidArgumentError(
        fmt::format("{}.{} identifies its row", schema.name(),
                    schema.fields()[address.scalar.field].name));
  }
  return Restore(changed);
}

}  // namespace reprise::sim
