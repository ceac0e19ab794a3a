// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/float_control.h"
#include "sim/physics/body_forces.h"
#include "sim/physics/touching_pairs.h"
#include "sim/world/overlaps.h"
#include "sim/world/slots.h"
#include "sim/world/update_context.h"
#include "sim/world/world_frame.h"
#include "sim/world/world_names.h"
#include "sim/world/world_rows.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};

absl::Status Contradiction(std::string_view text) {
  return absl::DataLossError(fmt::format("snapshot: {}", text));
}

}  // namespace

std::vector<std::string> WorldPhaseNames() {
  return {"inputs",   "pre_physics",  "physics",
          "contacts", "post_physics", "commit"};
}

World::World(std::shared_ptr<const WorldDefinition> definition)
    : definition_(std::move(definition)),
      tables_(AddTables(*definition_, state_)),
      objects_(*definition_, tables_.objects),
      order_(*definition_),
      // The definition owns the physics definition: one shared lifetime.
      physics_(std::shared_ptr<const PhysicsDefinition>(definition_,
                                                        &definition_->physics),
               tables_.physics) {
  InitializeState();
}

WorldTables World::AddTables(const WorldDefinition& definition, State& state) {
  WorldTables tables;
  tables.run = state.AddTable("world", RowSchema::Of<RunRow>());
  tables.overlaps = state.AddTable("world", RowSchema::Of<OverlapRow>());
  tables.random_streams =
      state.AddTable("world", RowSchema::Of<RandomStreamRow>());
  tables.objects = Objects::AddTables(definition, state);
  tables.devices = state.AddTable("input", RowSchema::Of<DeviceRow>());
  tables.physics = PhysicsWorld::AddTables(state);
  return tables;
}

void World::InitializeState() {
  state_.mutable_table(tables_.run).Resize(1);
  objects_.Initialize(state_);
  Table& devices = state_.mutable_table(tables_.devices);
  devices.Resize(definition_->info.inputs.player_count);
  for (uint32_t player = 0; player < devices.row_count(); ++player) {
    devices.Mutable<DeviceRow>(player).player = player;
  }
  physics_.InitializeState(state_);
  const absl::Status status = physics_.Load(state_);
  CHECK(status.ok(), "{}", status.ToString());
  AttachSpawned();
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
  UpdateAfterPhysics();
  finish(WorldPhase::kPostPhysics);
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

WorldParts World::parts() {
  return {.definition = *definition_,
          .tables = tables_,
          .state = state_,
          .objects = objects_,
          .physics = physics_,
          .journal = journal_};
}

const TypeDefinition* World::TypeOf(ObjectId object) const {
  const uint32_t row = objects_.RowOf(state_, object);
  return row == kNoRow ? nullptr : &definition_->types[objects_.TypeOf(row)];
}

void World::UpdateBeforePhysics() {
  RunRollers();
  RunBehaviours(Hook::kBeforePhysics);
}

void World::UpdateAfterPhysics() { RunBehaviours(Hook::kAfterPhysics); }

void World::RunBehaviours(Hook hook) {
  order_.Follow(objects_, state_);
  if (definition_->reads_others) cached_ = state_;
  UpdateContext context(parts(),
                        definition_->reads_others ? &cached_ : nullptr);
  uint64_t bucket = 0;
  for (const UpdateBatch& batch : order_.batches()) {
    while (bucket < batch.bucket) CarryAttached(++bucket);
    for (const BehaviourUse& use : definition_->types[batch.type].behaviours) {
      const Behaviour::Hooks hooks = use.behaviour->hooks();
      const bool is_wanted = hook == Hook::kBeforePhysics ? hooks.before_physics
                                                          : hooks.after_physics;
      if (!is_wanted) continue;
      const std::span<const uint32_t> rows = order_.DueRows(batch, use, tick());
      if (rows.empty()) continue;
      context.Begin(batch.bucket, rows);
      if (hook == Hook::kBeforePhysics) {
        use.behaviour->UpdateBeforePhysics(context);
      } else {
        use.behaviour->UpdateAfterPhysics(context);
      }
    }
  }
  while (bucket + 1 < kBucketsMax) CarryAttached(++bucket);
}

void World::CarryAttached(uint64_t bucket) {
  const Table& attachments = state_.table(tables_.objects.attachments);
  if (attachments.row_count() == 0) return;
  const Table& objects = state_.table(tables_.objects.objects);
  for (uint32_t i = 0; i < attachments.row_count(); ++i) {
    const auto& attachment = attachments.Get<AttachmentRow>(i);
    const uint32_t row = objects_.RowOf(state_, attachment.object);
    const auto& object = objects.Get<ObjectRow>(row);
    const uint32_t parent = objects_.RowOf(state_, object.parent);
    if (object.bucket != bucket || parent == kNoRow) continue;
    SetPlace(parts(), row,
             PlaceOf(parts(), state_, parent) *
                 Transform{attachment.position, attachment.rotation});
  }
}

void World::RunRollers() {
  for (uint32_t type = 0; type < definition_->types.size(); ++type) {
    const std::optional<RollerDefinition>& roller =
        definition_->types[type].roller;
    if (!roller.has_value()) continue;
    for (const uint32_t row : objects_.RowsOfType(type)) {
      const auto& object =
          state_.table(tables_.objects.objects).Get<ObjectRow>(row);
      if (object.status == ObjectStatus::kActive) Roll(object.object, *roller);
    }
  }
}

void World::Roll(ObjectId object, const RollerDefinition& roller) {
  const auto& device =
      state_.table(tables_.devices).Get<DeviceRow>(roller.player);
  const uint32_t body = *FindBody(state_, tables_.physics, object);
  const Vector3 stick = {
      static_cast<double>(device.axes[roller.axis_x]) / kAxisMax, 0.0,
      static_cast<double>(device.axes[roller.axis_z]) / kAxisMax};
  if (stick != Vector3{}) {
    ApplyForce(state_, tables_.physics, body, physics_.mass_properties(body),
               roller.force_n * stick);
  }
  if (!roller.jump_button.has_value()) return;
  const uint64_t pressed = device.buttons & ~device.buttons_before;
  if ((pressed >> *roller.jump_button & 1) == 0) return;
  const Vector3 centre =
      state_.table(tables_.physics.bodies).Get<BodyRow>(body).position;
  if (!StandsOnSomething(object, centre)) return;
  ApplyImpulse(state_, tables_.physics, body, physics_.mass_properties(body),
               roller.jump_impulse_ns * kUp);
  Emit(kJumped, object, {});
}

bool World::StandsOnSomething(ObjectId object, Vector3 centre) const {
  const Table& points = state_.table(tables_.physics.contact_points);
  for (uint32_t row = 0; row < points.row_count(); ++row) {
    const auto& point = points.Get<ContactPointRow>(row);
    const bool touches =
        (point.object_a == object || point.object_b == object) &&
        point.distance <= 0.0;
    if (touches && point.world_b.y < centre.y) return true;
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
      FindOverlaps(definition_->physics,
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
  const TypeDefinition* const type = TypeOf(trigger);
  const TypeDefinition* const visitor_type = TypeOf(visitor);
  if (type == nullptr || !type->decision.has_value() ||
      visitor_type == nullptr || !visitor_type->roller.has_value()) {
    return;
  }
  const Outcome::Status decision = type->decision->outcome;
  RunRow& run = state_.mutable_table(tables_.run).Mutable<RunRow>(0);
  run.outcome = static_cast<int64_t>(decision);
  run.decided_type = type->id;
  run.decided_by = trigger;
  run.decided_at = run.tick;
  Emit(decision == Outcome::Status::kWon ? kGameWon : kGameLost, trigger,
       {{kVisitor, FieldValue::OfObject(visitor)}});
}

void World::AttachSpawned() {
  Table& attachments = state_.mutable_table(tables_.objects.attachments);
  for (const Objects::Change& change : objects_.spawned()) {
    const uint32_t parent = objects_.RowOf(state_, change.request.parent);
    if (!change.request.is_attached || parent == kNoRow) continue;
    const Transform place =
        Inverse(PlaceOf(parts(), state_, parent)) * change.request.place;
    attachments.Resize(attachments.row_count() + 1);
    attachments.Mutable<AttachmentRow>(attachments.row_count() - 1) = {
        change.object, place.position, place.rotation};
  }
}

void World::ForgetDestroyed() {
  if (objects_.destroyed().empty()) return;
  Table& streams = state_.mutable_table(tables_.random_streams);
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < streams.row_count(); ++row) {
    const ObjectId owner = streams.Get<RandomStreamRow>(row).object;
    if (objects_.RowOf(state_, owner) == kNoRow) rows.push_back(row);
  }
  streams.Erase(rows);
}

void World::Commit() {
  objects_.Commit(tick(), state_);
  AttachSpawned();
  ForgetDestroyed();
  for (const Objects::Change& change : objects_.destroyed()) {
    Emit(kObjectDestroyed, change.object,
         {{kType, FieldValue::OfId(definition_->types[change.type].id)}});
  }
  for (const Objects::Change& change : objects_.spawned()) {
    Emit(kObjectSpawned, change.object,
         {{kType, FieldValue::OfId(definition_->types[change.type].id)}});
  }
  ++state_.mutable_table(tables_.run).Mutable<RunRow>(0).tick;
}

void World::Emit(Id type, ObjectId object,
                 std::vector<EventArgument> arguments) {
  journal_.Add({.tick = tick(),
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
  objects_.Load(state_);
  journal_.Clear();
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
  absl::Status status = objects_.CheckRows(snapshot);
  if (!status.ok()) return status;
  const Table& streams = snapshot.table(tables_.random_streams);
  for (uint32_t row = 0; row < streams.row_count(); ++row) {
    const auto key = [&](uint32_t at) {
      const auto& stream = streams.Get<RandomStreamRow>(at);
      return std::pair(stream.object, stream.name);
    };
    if ((row > 0 && key(row - 1) >= key(row)) ||
        objects_.RowOf(snapshot, key(row).first) == kNoRow) {
      return Contradiction("a random stream of no object, or out of order");
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

std::vector<Event> World::DrainEvents() { return journal_.Drain(tick()); }

Outcome World::outcome() const {
  const auto& run = state_.table(tables_.run).Get<RunRow>(0);
  Outcome outcome{.status = static_cast<Outcome::Status>(run.outcome),
                  .reason = ""};
  const std::optional<uint32_t> type = definition_->FindType(run.decided_type);
  if (outcome.status == Outcome::Status::kRunning || !type.has_value() ||
      !definition_->types[*type].decision.has_value()) {
    return outcome;
  }
  const std::string& reason = definition_->types[*type].decision->reason;
  outcome.reason = reason.empty() ? ObjectName(run.decided_by) : reason;
  return outcome;
}

Frame World::ProduceFrame() const {
  return MakeWorldFrame(*definition_, tables_, objects_, state_);
}

ObjectId World::ObjectOf(Handle handle) const {
  return ObjectInSlot(state_.table(tables_.objects.slots), handle);
}

std::string World::ObjectName(ObjectId object) const {
  if (object == kNoObject) return "none";
  const uint32_t row = objects_.RowOf(state_, object);
  if (row != kNoRow) {
    const auto& object_row =
        state_.table(tables_.objects.objects).Get<ObjectRow>(row);
    if (object_row.name != kNoId) return IdName(object_row.name);
    return fmt::format("{}#{}", IdName(object_row.type), object.serial);
  }
  // The pack's own objects are numbered from 1, and known when they are gone.
  if (object.serial <= definition_->objects.size()) {
    return definition_->objects[object.serial - 1].name;
  }
  return fmt::format("object#{}", object.serial);
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
