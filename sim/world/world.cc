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
#include "sim/systems/chunks/world_chunks.h"
#include "sim/systems/contacts/contact_events.h"
#include "sim/systems/destructibles/destructibles.h"
#include "sim/systems/joints/joint_events.h"
#include "sim/systems/movers/world_movers.h"
#include "sim/systems/objectives/run_outcome.h"
#include "sim/systems/objectives/world_objectives.h"
#include "sim/systems/regions/world_regions.h"
#include "sim/systems/rollers/rollers.h"
#include "sim/world/components/event_priority.h"
#include "sim/world/components/slots.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/level_tables.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/event_receivers.h"
#include "sim/world/events/event_rows.h"
#include "sim/world/inputs/device_inputs.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/inputs/input_texts.h"
#include "sim/world/objects/object_changes.h"
#include "sim/world/objects/object_names.h"
#include "sim/world/time/game_clock.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timers.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/world_check.h"
#include "sim/world/world_frame.h"

namespace reprise::sim {
namespace {

// Null where nothing explodes.
std::unique_ptr<PhysicsQueries> MakeBlastQueries(
    const std::shared_ptr<const WorldDefinition>& definition,
    const PhysicsTables& tables) {
  const bool is_asked = std::ranges::any_of(
      definition->types,
      [](const TypeDefinition& type) { return type.explosive.has_value(); });
  if (!is_asked) return nullptr;
  return std::make_unique<PhysicsQueries>(
      std::shared_ptr<const PhysicsDefinition>(definition,
                                               &definition->physics),
      tables);
}

}  // namespace

std::vector<std::string> WorldPhaseNames() {
  return {"inputs",  "chunks",   "events",       "pre_physics",
          "physics", "contacts", "post_physics", "commit"};
}

World::World(std::shared_ptr<const WorldDefinition> definition)
    : definition_(std::move(definition)),
      tables_(AddTables(*definition_, state_)),
      objects_(*definition_, tables_.objects),
      order_(*definition_),
      // The definition owns the physics definition: one shared lifetime.
      physics_(std::shared_ptr<const PhysicsDefinition>(definition_,
                                                        &definition_->physics),
               tables_.physics),
      blast_queries_(MakeBlastQueries(definition_, tables_.physics)),
      writers_(&state_),
      receivers_(parts(), ReadableState()),
      router_(definition_->event_limits, definition_->connections, state_,
              tables_.events, receivers_, &journal_) {
  receivers_.set_router(&router_);
  receivers_.set_writers(&writers_);
  if (definition_->queries) {
    queries_.emplace(*definition_, tables_.physics);
    receivers_.set_queries(&*queries_);
  }
  if (!definition_->fields.empty()) fields_.emplace(*definition_);
  if (definition_->follows_contacts) physics_.TallyContacts();
  if (HasMovers(*definition_)) {
    mover_queries_.emplace(std::shared_ptr<const PhysicsDefinition>(
                               definition_, &definition_->physics),
                           tables_.physics);
  }
  InitializeState();
}

WorldTables World::AddTables(const WorldDefinition& definition, State& state) {
  WorldTables tables;
  tables.run = state.AddTable("world", RowSchema::Of<RunRow>());
  tables.overlaps = state.AddTable("world", RowSchema::Of<OverlapRow>());
  tables.random_streams =
      state.AddTable("world", RowSchema::Of<RandomStreamRow>());
  tables.ray_requests = state.AddTable("world", RowSchema::Of<RayRequestRow>());
  if (definition.follows_contacts) {
    tables.contacts = state.AddTable("world", RowSchema::Of<ContactRow>());
  }
  if (!definition.fields.empty()) {
    tables.field_sleepers =
        state.AddTable("world", RowSchema::Of<FieldSleeperRow>());
  }
  AddLevelTables(state, tables.level);
  tables.objects = Objects::AddTables(definition, state);
  tables.events = AddEventTables(state);
  tables.clocks = state.AddTable("time", RowSchema::Of<GameClockRow>());
  tables.timers = AddTimerTables(state, "time");
  tables.timelines = state.AddTable("time", RowSchema::Of<TimelineRow>());
  tables.input = AddInputTables(definition.info.inputs, state);
  AddChunkTables(state, tables.level);
  tables.physics = PhysicsWorld::AddTables(state);
  if (HasMovers(definition)) {
    tables.movers = AddMoverTables(state, HasDrivetrains(definition));
  }
  return tables;
}

void World::InitializeState() {
  state_.mutable_table(tables_.run).Resize(1);
  objects_.Initialize(state_);
  InitializeInputs(definition_->info.inputs, tables_.input, state_);
  InitializeClock();
  InitializeLevel(definition_->level, *definition_->level_rules, tables_.level,
                  state_);
  physics_.InitializeState(state_);
  const absl::Status status = physics_.Load(state_);
  CHECK(status.ok(), "{}", status.ToString());
  FollowMovers(parts());
  GreetSpawned(parts());
}

void World::InitializeClock() {
  Table& clocks = state_.mutable_table(tables_.clocks);
  clocks.Resize(1);
  GameClockRow& clock = clocks.Mutable<GameClockRow>(0);
  clock = {.name = kGameClock};
  const absl::Status status = SetRate(clock, definition_->clock.rate);
  CHECK(status.ok(), "{}", status.ToString());
  if (definition_->clock.is_paused) Pause(clock);
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
  writers_.set_observer(observer);
  journal_.Begin(tick());
  TakeInputs(parts(), frames);
  FinishPhase(WorldPhase::kInputs, observer);
  GameClockRow clock = state_.table(tables_.clocks).Get<GameClockRow>(0);
  game_tick_ = clock.game_tick;
  const uint32_t steps = Advance(clock);
  state_.mutable_table(tables_.clocks).Mutable<GameClockRow>(0) = clock;
  for (uint32_t step = 0; step < steps; ++step) {
    StepGame(observer);
    ++game_tick_;
  }
  ++state_.mutable_table(tables_.run).Mutable<RunRow>(0).tick;
  FinishPhase(WorldPhase::kCommit, observer);
  writers_.set_observer(nullptr);
}

void World::StepGame(PhaseObserver* observer) {
  router_.BeginTick(game_tick_);
  journal_.BeginStep(definition_->level_rules->heard_events);
  if (HasChunkPhase(*definition_)) MoveChunks();
  FinishPhase(WorldPhase::kChunks, observer);
  if (definition_->reads_others) cached_ = state_;
  LookAround();
  Write("timers", [this] { FireTimers(); });
  Write("rays", [this] { AnswerRays(); });
  Write("event queue", [this] { router_.DeliverQueued(); });
  FinishPhase(WorldPhase::kEvents, observer);
  Write("movers", [this] {
    FollowMovers(parts());
    SteerMovers(parts());
  });
  Write("rollers", [this] { RunRollers(parts()); });
  RunBehaviours(Hook::kBeforePhysics);
  if (mover_queries_.has_value()) {
    Write("movers", [this] {
      FollowMovers(parts());  // a behaviour may have put one to sleep
      MoveMovers(parts(), *mover_queries_,
                 fields_.has_value() ? &*fields_ : nullptr);
    });
  }
  FinishPhase(WorldPhase::kPrePhysics, observer);
  StepPhysics();
  FinishPhase(WorldPhase::kPhysics, observer);
  FollowTouches();
  FinishPhase(WorldPhase::kContacts, observer);
  RunBehaviours(Hook::kAfterPhysics);
  FinishPhase(WorldPhase::kPostPhysics, observer);
  Write("event queue", [this] {
    router_.DeliverQueued();
    router_.ReportBounds();
  });
  Write("spawns and destructions", [this] {
    CommitObjects(parts());
    FollowMovers(parts());
  });
  Write("doors", [this] { AskForDoors(parts()); });
  Write("objectives", [this] { UpdateObjectives(parts()); });
}

template <typename Part>
void World::Write(const char* writer, const Part& part) {
  const ScopedWriter scoped(writers_, [writer] { return writer; });
  part();
}

void World::FinishPhase(WorldPhase phase, PhaseObserver* observer) const {
  if (observer == nullptr) return;
  observer->OnPhase(static_cast<uint32_t>(phase), state_);
}

void World::MoveChunks() {
  const std::vector<PresenceChange> changes = UpdateChunks(parts());
  if (SendAway(parts(), changes)) CommitObjects(parts());
  if (BringIn(parts(), changes)) CommitObjects(parts());
}

void World::FireTimers() {
  Timers timers(state_, tables_.timers);
  timers.FireDue(game_tick_, [&](const TimerRow& timer) {
    const uint32_t row = objects_.RowOf(state_, timer.object);
    CHECK(row != kNoRow, "a timer of object {}", timer.object.serial);
    const Handle handle =
        state_.table(tables_.objects.objects).Get<ObjectRow>(row).handle;
    router_.Post({.type = timer.event,
                  .sender = handle,
                  .target = handle,
                  .priority = PriorityOfRank(timer.priority_rank),
                  .arguments = {{kTimer, FieldValue::OfId(timer.name)}}});
  });
}

void World::LookAround() {
  if (queries_.has_value()) queries_->Look(parts());
}

void World::AnswerRays() {
  if (!queries_.has_value()) return;
  Table& requests = state_.mutable_table(tables_.ray_requests);
  std::vector<uint32_t> due;
  std::vector<RayQuery> rays;
  while (due.size() < requests.row_count()) {
    const auto row = static_cast<uint32_t>(due.size());
    const auto& request = requests.Get<RayRequestRow>(row);
    if (request.due > game_tick_) break;
    due.push_back(row);
    rays.push_back({.from = request.from, .to = request.to});
  }
  if (due.empty()) return;
  const std::vector<std::optional<QueryHit>> hits =
      queries_->bodies().CastRays(rays);
  for (const uint32_t row : due) {
    const auto& request = requests.Get<RayRequestRow>(row);
    if (ObjectOf(request.object) == kNoObject) continue;  // nobody waits
    WorldEvent event{.type = request.event, .target = request.object};
    event.arguments = {
        {kRequest, FieldValue::OfInt64(static_cast<int64_t>(request.request))}};
    if (hits[row].has_value()) {
      const QueryHit& hit = *hits[row];
      event.arguments = {event.arguments.all()[0],
                         {kObject, FieldValue::OfObject(hit.what.object)},
                         {kFraction, FieldValue::OfDouble(hit.fraction)},
                         {kX, FieldValue::OfDouble(hit.point.x)},
                         {kY, FieldValue::OfDouble(hit.point.y)},
                         {kZ, FieldValue::OfDouble(hit.point.z)}};
    }
    router_.Post(event);
  }
  requests.Erase(due);
}

const State* World::ReadableState() const {
  return definition_->reads_others ? &cached_ : nullptr;
}

WorldParts World::parts() {
  return {.definition = *definition_,
          .tables = tables_,
          .state = state_,
          .objects = objects_,
          .physics = physics_,
          .journal = journal_,
          .router = &router_,
          .queries = queries_.has_value() ? &*queries_ : nullptr,
          .ragdolls = &ragdolls_,
          .blast_queries = blast_queries_.get(),
          .game_tick = game_tick_};
}

const TypeDefinition* World::TypeOf(ObjectId object) const {
  const uint32_t row = objects_.RowOf(state_, object);
  return row == kNoRow ? nullptr : &definition_->types[objects_.TypeOf(row)];
}

void World::RunBehaviours(Hook hook) {
  order_.Follow(objects_, state_);
  if (definition_->reads_others) cached_ = state_;
  LookAround();
  UpdateContext context(parts(), ReadableState());
  uint64_t bucket = 0;
  for (const UpdateBatch& batch : order_.batches()) {
    while (bucket < batch.bucket) CarryAttached(++bucket);
    for (const BehaviourUse& use : definition_->types[batch.type].behaviours) {
      const Behaviour::Hooks hooks = use.behaviour->hooks();
      const bool is_wanted = hook == Hook::kBeforePhysics ? hooks.before_physics
                                                          : hooks.after_physics;
      if (!is_wanted) continue;
      const std::span<const uint32_t> rows =
          order_.DueRows(batch, use, game_tick_);
      if (rows.empty()) continue;
      context.Begin(batch.bucket, rows);
      const ScopedWriter writer(
          writers_, [&use] { return fmt::format("behaviour {}", use.name); });
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
  const ScopedWriter writer(writers_, [] { return "attachments"; });
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

void World::StepPhysics() {
  if (fields_.has_value()) {
    Write("fields", [this] { fields_->Push(parts()); });
  }
  Write("solver", [this] { physics_.Step(state_); });
  if (fields_.has_value()) fields_->NoteSleepers(parts());
  for (const ObjectId object : physics_.refused()) {
    TellObject(parts(), kBodyRefused, object, {});
  }
  if (const uint64_t count = physics_.bounded_pair_count(); count > 0) {
    const auto pairs = FieldValue::OfInt64(static_cast<int64_t>(count));
    router_.Post({.type = kContactsRefused, .arguments = {{kCount, pairs}}});
  }
  TellBrokenJoints(parts());
}

void World::FollowTouches() {
  const ScopedWriter writer(writers_, [] { return "triggers"; });
  const OverlapChanges& changes =
      overlaps_.Follow(definition_->physics, state_, tables_.physics, tick(),
                       state_.mutable_table(tables_.overlaps));
  for (const Overlap& overlap : changes.left) {
    // With no trigger left to hear it, everybody with interest would.
    if (objects_.RowOf(state_, overlap.trigger) == kNoRow) continue;
    TellObject(parts(), kTriggerLeft, overlap.trigger,
               {{kVisitor, FieldValue::OfObject(overlap.object)}});
  }
  for (const Overlap& overlap : changes.entered) {
    TellObject(parts(), kTriggerEntered, overlap.trigger,
               {{kVisitor, FieldValue::OfObject(overlap.object)}});
    DecideOutcome(overlap.trigger, overlap.object);
  }
  Write("contacts", [this] { FollowContacts(parts()); });
  Write("destructibles", [this] { BreakObjects(parts()); });
  Write("regions", [this] { UpdateRegions(parts()); });
}

void World::DecideOutcome(ObjectId trigger, ObjectId visitor) {
  const TypeDefinition* const type = TypeOf(trigger);
  const TypeDefinition* const visitor_type = TypeOf(visitor);
  if (type == nullptr || !type->decision.has_value() ||
      visitor_type == nullptr || !IsSteered(*visitor_type)) {
    return;
  }
  const std::string& reason = type->decision->reason;
  DecideRun(parts(),
            {.outcome = type->decision->outcome,
             .reason = reason.empty() ? kNoId : IdOf(reason),
             .by = trigger},
            {{kVisitor, FieldValue::OfObject(visitor)}});
}

absl::Status World::Restore(const State& snapshot) {
  absl::Status status = state_.CheckSameShape(snapshot);
  if (status.ok())
    status = CheckWorldRows(*definition_, tables_, objects_, snapshot);
  // Physics checks its own tables, and loads them or changes nothing.
  if (status.ok()) status = physics_.Load(snapshot);
  if (!status.ok()) return status;
  state_ = snapshot;
  objects_.Load(state_);
  journal_.Clear();
  game_tick_ = state_.table(tables_.clocks).Get<GameClockRow>(0).game_tick;
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
  if (outcome.status != Outcome::Status::kRunning) {
    outcome.reason =
        run.reason == kNoId ? ObjectName(run.decided_by) : IdName(run.reason);
  }
  return outcome;
}

Frame World::ProduceFrame() const {
  return MakeWorldFrame(*definition_, tables_, objects_, state_);
}

std::vector<FrameMesh> World::FrameMeshes() const {
  return MakeFrameMeshes(definition_->physics);
}

ObjectId World::ObjectOf(Handle handle) const {
  return ObjectInSlot(state_.table(tables_.objects.slots), handle);
}

std::string World::ObjectName(ObjectId object) const {
  if (object == kNoObject) return "none";
  const uint32_t row = objects_.RowOf(state_, object);
  if (row != kNoRow) {
    return NameOfObject(*definition_, objects_, state_, row);
  }
  // The pack's own objects are numbered from 1, and known when they are gone.
  if (object.serial <= definition_->objects.size()) {
    return definition_->objects[object.serial - 1].name;
  }
  return fmt::format("object#{}", object.serial);
}

std::string World::IdName(Id id) const {
  if (id == kNoId) return "none";
  if (const std::string_view name = definition_->names.NameOf(id);
      !name.empty()) {
    return std::string(name);
  }
  if (tables_.input.texts.has_value()) {
    const std::optional<std::string> text =
        FindInputText(state_.table(*tables_.input.texts), id);
    if (text.has_value()) return *text;
  }
  return fmt::format("id#{:016x}", id.value);
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
