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
#include "sim/debug_frame.h"
#include "sim/world/components/event_priority.h"
#include "sim/world/components/slots.h"
#include "sim/world/components/sorted_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/device_inputs.h"
#include "sim/world/event_receivers.h"
#include "sim/world/events/event_rows.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/object_names.h"
#include "sim/world/systems/object_changes.h"
#include "sim/world/time/game_clock.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timeline_marks.h"
#include "sim/world/time/timers.h"
#include "sim/world/updates/request_queue.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/world_check.h"
#include "sim/world/world_debug_frame.h"
#include "sim/world/world_frame.h"

namespace reprise::sim {
namespace {

std::vector<Id> HeardEvents(const WorldDefinition& definition) {
  std::vector<Id> types;
  for (const auto& system : definition.systems) {
    const std::vector<Id> heard = system->heard_events();
    types.insert(types.end(), heard.begin(), heard.end());
  }
  // A total order: equal ids are the same.
  std::ranges::sort(types);
  types.erase(std::unique(types.begin(), types.end()), types.end());
  return types;
}

// Whether two tables have the same pages, and so the same rows: a page that two
// have is never written.
bool SharesAllPages(const Table& a, const Table& b) {
  if (a.row_count() != b.row_count()) return false;
  for (uint32_t row = 0; row < a.row_count(); row += a.rows_per_page()) {
    if (a.Row(row).data() != b.Row(row).data()) return false;
  }
  return true;
}

bool FollowsContacts(const WorldDefinition& definition) {
  return std::ranges::any_of(definition.systems, [](const auto& system) {
    return system->follows_contacts();
  });
}

}  // namespace

std::vector<std::string> WorldPhaseNames() {
  return {"inputs",  "events",   "presence",     "pre_physics",
          "physics", "contacts", "post_physics", "commit"};
}

World::World(std::shared_ptr<const WorldDefinition> definition,
             const std::function<void(const Systems&)>& prepare)
    : definition_(std::move(definition)),
      tables_(AddTables(*definition_, state_)),
      system_tables_(Systems::AddTables(*definition_, state_)),
      objects_(*definition_, tables_.objects),
      // The definition owns the physics definition: one shared lifetime.
      physics_(std::shared_ptr<const PhysicsDefinition>(definition_,
                                                        &definition_->physics),
               tables_.physics),
      texts_(definition_->names, state_, tables_.input.texts),
      heard_events_(HeardEvents(*definition_)),
      writers_(&state_),
      parts_{.definition = *definition_,
             .tables = tables_,
             .state = state_,
             .objects = objects_,
             .physics = physics_,
             .journal = journal_,
             .texts = texts_,
             .router = &router_,
             .systems = &systems_,
             .log = &log_,
             .game_tick = game_tick_},
      updates_(parts_, ReadableState(), writers_),
      receivers_(parts_, ReadableState(), writers_),
      router_(definition_->event_limits, definition_->connections, state_,
              tables_.events, receivers_, &journal_),
      systems_(parts_, system_tables_, writers_) {
  if (definition_->queries) {
    queries_.emplace(*definition_, tables_.physics);
    parts_.queries = &*queries_;
  }
  if (definition_->reads_others) parts_.readable = &cached_;
  if (FollowsContacts(*definition_)) physics_.TallyContacts();
  if (prepare) prepare(systems_);
  InitializeState();
}

WorldTables World::AddTables(const WorldDefinition& definition, State& state) {
  WorldTables tables;
  tables.run = state.AddTable("world", RowSchema::Of<RunRow>());
  tables.random_streams =
      state.AddTable("world", RowSchema::Of<RandomStreamRow>());
  tables.ray_requests = state.AddTable("world", RowSchema::Of<RayRequestRow>());
  if (!definition.requests.empty()) {
    tables.requests = state.AddTable("world", RowSchema::Of<RequestRow>());
  }
  tables.objects = Objects::AddTables(definition, state);
  tables.events = AddEventTables(state);
  tables.clocks = state.AddTable("time", RowSchema::Of<GameClockRow>());
  tables.timers = AddTimerTables(state, "time");
  tables.timelines = state.AddTable("time", RowSchema::Of<TimelineRow>());
  if (definition.marks_timelines) {
    tables.timeline_marks =
        state.AddTable("time", RowSchema::Of<TimelineMarkRow>());
  }
  tables.input =
      AddInputTables(definition.info.inputs, definition.makes_texts, state);
  tables.physics = PhysicsWorld::AddTables(state);
  return tables;
}

void World::InitializeState() {
  state_.mutable_table(tables_.run).Resize(1);
  objects_.Initialize(state_);
  InitializeInputs(definition_->info.inputs, tables_.input, state_);
  InitializeClock();
  physics_.InitializeState(state_);
  const absl::Status status = physics_.Load(state_);
  CHECK(status.ok(), "{}", status.ToString());
  systems_.Initialize();
  LookAround();
  GreetFirst(parts_);
  EndPhysics();
  router_.Settle();
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
  // What the last tick made is known to whoever reads its account.
  texts_.Forget();
  TakeInputs(parts_, frames);
  FinishPhase(WorldPhase::kInputs, observer);
  GameClockRow clock = state_.table(tables_.clocks).Get<GameClockRow>(0);
  game_tick_ = clock.game_tick;
  const uint32_t steps = Advance(clock);
  state_.mutable_table(tables_.clocks).Mutable<GameClockRow>(0) = clock;
  for (uint32_t step = 0; step < steps; ++step) {
    if (step > 0) Write("inputs", [this] { GoOnWithInputs(parts_); });
    StepGame(observer);
    ++game_tick_;
  }
  ++state_.mutable_table(tables_.run).Mutable<RunRow>(0).tick;
  FinishPhase(WorldPhase::kCommit, observer);
  writers_.set_observer(nullptr);
}

void World::StepGame(PhaseObserver* observer) {
  router_.BeginTick(game_tick_);
  journal_.BeginStep(heard_events_);
  objects_.progress().BeginStep(game_tick_);
  KeepReadable();
  LookAround();
  constexpr auto kFirst = static_cast<uint32_t>(WorldPhase::kEvents);
  constexpr auto kLast = static_cast<uint32_t>(WorldPhase::kCommit);
  for (uint32_t phase = kFirst; phase <= kLast; ++phase) {
    systems_.RunAt(static_cast<StepPoint>(phase - kFirst),
                   [this](uint32_t step) { RunOwn(step); });
    // A tick ends once, however many steps the game makes in it.
    if (phase != kLast) FinishPhase(static_cast<WorldPhase>(phase), observer);
  }
  EndPhysics();
  // What was posted last waits in the queue over the end of the step.
  router_.Settle();
}

void World::RunOwn(uint32_t index) {
  const WorldStep& step = WorldSteps()[index];
  const auto is = [&](const WorldStep& other) {
    return step.point == other.point && step.name == other.name;
  };
  if (is(kTimersStep)) {
    Write("timers", [this] {
      FireTimers();
      TellMarks();
    });
  } else if (is(kAnswersStep)) {
    Write("answers", [this] { AnswerRequests(); });
  } else if (is(kEventsStep)) {
    Write("event queue", [this] { router_.DeliverQueued(); });
  } else if (is(kDecideStep)) {
    RunBehaviours(Hook::kBeforePhysics);
  } else if (is(kSolverStep)) {
    Write("solver", [this] { StepPhysics(); });
  } else if (is(kReactStep)) {
    RunBehaviours(Hook::kAfterPhysics);
  } else if (is(kLateEventsStep)) {
    Write("event queue", [this] {
      router_.DeliverQueued();
      router_.ReportBounds();
    });
  } else {
    CHECK(is(kObjectsStep), "no step '{}'", step.name);
    Write("objects", [this] { CommitObjects(parts_); });
  }
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

void World::TellMarks() {
  if (game_tick_ == 0 || !tables_.timeline_marks.has_value()) return;
  VisitMarksPassed(state_.table(*tables_.timeline_marks),
                   state_.table(tables_.timelines), game_tick_ - 1, game_tick_,
                   [this](const TimelineRow& timeline, const MarkPassed& mark) {
                     const auto count = static_cast<int64_t>(mark.count);
                     TellObject(parts_, mark.event, timeline.object,
                                {{kTimeline, FieldValue::OfId(timeline.name)},
                                 {kCount, FieldValue::OfInt64(count)}});
                   });
}

void World::LookAround() {
  if (queries_.has_value()) queries_->Look(parts_);
}

void World::AnswerRequests() {
  // Most ticks have none, and then nothing is copied.
  if (!tables_.requests.has_value() ||
      state_.table(*tables_.requests).row_count() == 0) {
    return;
  }
  const std::vector<RequestRow> requests =
      TakeDueRequests(state_.mutable_table(*tables_.requests), game_tick_,
                      definition_->requests);
  if (requests.empty()) return;
  const std::vector<std::optional<QueryHit>> hits = CastRequested(requests);
  size_t ray = 0;
  for (const RequestRow& request : requests) {
    if (request.kind != kRayRequest) {
      systems_.Answer(request);
      continue;
    }
    EventArguments arguments;
    if (const std::optional<QueryHit>& hit = hits[ray++]; hit.has_value()) {
      arguments = {{kObject, FieldValue::OfObject(hit->what.object)},
                   {kFraction, FieldValue::OfDouble(hit->fraction)},
                   {kX, FieldValue::OfDouble(hit->point.x)},
                   {kY, FieldValue::OfDouble(hit->point.y)},
                   {kZ, FieldValue::OfDouble(hit->point.z)}};
    }
    AnswerRequest(parts_, request, arguments);
  }
}

std::vector<std::optional<QueryHit>> World::CastRequested(
    std::span<const RequestRow> requests) {
  Table& table = state_.mutable_table(tables_.ray_requests);
  std::vector<uint32_t> rows;
  std::vector<RayQuery> rays;
  for (const RequestRow& request : requests) {
    if (request.kind != kRayRequest) continue;
    const std::optional<uint32_t> row =
        FindRow(table, std::array{request.due, request.request});
    CHECK(row.has_value());
    const auto& ray = table.Get<RayRequestRow>(*row);
    rays.push_back({.from = ray.from, .to = ray.to});
    rows.push_back(*row);
  }
  if (rays.empty()) return {};
  table.Erase(rows);
  return queries_->bodies().CastRays(rays);
}

const State* World::ReadableState() const {
  return definition_->reads_others ? &cached_ : nullptr;
}

void World::KeepReadable() {
  if (!definition_->reads_others) return;
  if (cached_.table_count() != state_.table_count()) {
    cached_ = state_;
    return;
  }
  const auto keep = [this](TableIndex index) {
    const Table& table = state_.table(index);
    Table& kept = cached_.mutable_table(index);
    if (!SharesAllPages(table, kept)) kept = table;
  };
  // What UpdateContext reads of others; pages of nothing else are held, so they
  // are written where they lie.
  keep(tables_.objects.objects);
  keep(tables_.objects.places);
  keep(tables_.physics.bodies);
  for (const TableIndex component : tables_.objects.components) keep(component);
}

void World::RunBehaviours(Hook hook) {
  KeepReadable();
  LookAround();
  updates_.Run(hook);
}

void World::StepPhysics() {
  physics_.Step(state_);
  TellRefused();
  if (const uint64_t count = physics_.bounded_pair_count(); count > 0) {
    const auto pairs = FieldValue::OfInt64(static_cast<int64_t>(count));
    router_.Post({.type = kContactsRefused, .arguments = {{kCount, pairs}}});
  }
}

void World::EndPhysics() {
  Write("solver", [this] {
    physics_.EndTick(state_);
    TellRefused();
  });
}

void World::TellRefused() {
  for (const ObjectId object : physics_.refused()) {
    TellObject(parts_, kBodyRefused, object, {});
  }
}

absl::Status World::Restore(const State& snapshot) {
  // What follows from rows, as caches of physics, follows however the caller
  // rounds.
  const ScopedFloatControl float_control;
  absl::Status status = CheckWorldTables(state_, snapshot);
  if (status.ok())
    status = CheckWorldRows(*definition_, tables_, objects_, snapshot);
  if (status.ok()) status = systems_.CheckRows(snapshot);
  // Physics checks its own tables, and loads them or changes nothing.
  if (status.ok()) status = physics_.Load(snapshot);
  if (!status.ok()) return status;
  state_ = snapshot;
  objects_.Load(state_);
  texts_.Load();
  systems_.Load();
  journal_.Clear();
  game_tick_ = state_.table(tables_.clocks).Get<GameClockRow>(0).game_tick;
  return absl::OkStatus();
}

std::unique_ptr<Simulation> World::Fork() const {
  const ScopedFloatControl float_control;
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
  Frame frame = MakeWorldFrame(*definition_, tables_, objects_, state_);
  systems_.AddToFrame(frame);
  return frame;
}

DebugFrame World::ProduceDebugFrame() const {
  DebugFrame frame = MakePhysicsDebugFrame(
      definition_->physics, tables_.physics, state_,
      {.id_name = [this](Id id) { return IdName(id); },
       .object_name = [this](ObjectId object) { return ObjectName(object); }});
  systems_.AddToDebugFrame(frame);
  return frame;
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
  if (std::optional<std::string> text = texts_.Find(id); text.has_value()) {
    return *std::move(text);
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

WorldLog* FindWorldLog(Simulation& simulation) {
  auto* const world = dynamic_cast<World*>(&simulation);
  return world == nullptr ? nullptr : &world->log();
}

}  // namespace reprise::sim
