// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin_simulation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/content_digest.h"
#include "sim/base/field.h"
#include "sim/base/math.h"
#include "sim/base/pack_name.h"
#include "sim/compiler/manifest.h"
#include "sim/plugins/foreign_call.h"
#include "sim/plugins/foreign_frame.h"
#include "sim/plugins/plugin_text.h"
#include "sim/plugins/shown_files.h"
#include "sim/plugins/shown_items.h"
#include "sim/state/state_comparison.h"
#include "sim/state/table.h"
#include "sim/world/inputs/held_devices.h"

namespace reprise::sim {
namespace {

// One row: what Reprise keeps of a run.
struct RunRow {
  Tick tick = 0;

  static constexpr std::string_view kTable = "run";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(RunRow, tick, "tick")};
  }
};

// Of a step: some 100 MB, and far more than a game has to tell. Who loops, as
// events that send each other, would take all memory.
constexpr size_t kEventsMax = size_t{1} << 20;

// The one that makes a step on this thread: events may come.
thread_local const PluginSimulation* stepping = nullptr;

// A plug-in's simulation that crashed, or whose plug-in wrote where it mustn't.
struct GivenUp {
  reprise_simulation* simulation;
  GivenUp* next;
};
constinit std::atomic<GivenUp*> all_given_up = nullptr;

// Leaks it on purpose: `destroy` would go through whatever is broken in it, and
// free what may be anything. It stays reachable, so that those who look for
// leaks find none that nobody knows of.
void GiveUp(reprise_simulation* simulation) {
  auto* const given_up = new GivenUp{simulation, all_given_up.load()};
  while (!all_given_up.compare_exchange_weak(given_up->next, given_up)) {
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Simulation>> PluginSimulation::Create(
    std::shared_ptr<const Plugin> plugin, const PackArchive& pack,
    uint64_t seed) {
  absl::StatusOr<PackHead> head = ReadPackHead(pack);
  if (!head.ok()) return head.status();
  if (!IsPackName(head->name)) {
    return absl::InvalidArgumentError(
        fmt::format("{}: name: '{}' is not 1 to {} of a-z, 0-9 and _, starting "
                    "with a letter",
                    kPackManifestPath, PrintableName(head->name.c_str()),
                    kPackNameBytesMax));
  }
  const auto run = std::make_shared<Run>();
  run->plugin = std::move(plugin);
  run->pack = pack;
  run->pack_name = std::move(head->name);
  run->info.seed = seed;
  std::unique_ptr<PluginSimulation> simulation(new PluginSimulation(run));
  absl::Status status = simulation->CreateForeign();
  if (!status.ok()) return status;
  absl::StatusOr<PluginDescription> description = simulation->Describe();
  if (!description.ok()) return description.status();
  run->description = *std::move(description);
  run->info = {.simulation = run->plugin->name,
               .pack = run->pack_name,
               .pack_digest = pack.ComputeDigest(),
               .old_pack_digest = pack.ComputeDigest(ContentHash::kXxh3),
               .seed = seed,
               .tick_rate = run->description.tick_rate,
               .rules_revision = run->description.rules_revision,
               .inputs = run->description.inputs,
               .phases = {"step"}};
  simulation->AddTables();
  const ForeignFloatControl float_control;
  const ForeignPlaceScope place(run->plugin->name.c_str(), 0);
  status = simulation->rows_.Take(simulation->foreign_, /*everything=*/true,
                                  simulation->state_);
  if (status.ok()) status = simulation->TakeOutcome();
  if (!status.ok()) return simulation->BlamePack(status);
  return simulation;
}

PluginSimulation::PluginSimulation(std::shared_ptr<const Run> run)
    : run_(std::move(run)), rows_(calls(), run_->description) {}

PluginSimulation::~PluginSimulation() {
  // There is nobody to tell.
  DestroyForeign().IgnoreError();
}

absl::Status PluginSimulation::DestroyForeign() {
  if (foreign_ == nullptr) return absl::OkStatus();
  reprise_simulation* const foreign = std::exchange(foreign_, nullptr);
  const ForeignFloatControl float_control;
  const bool has_tables = state_.table_count() > 0;
  const ForeignPlaceScope place(run_->plugin->name.c_str(),
                                has_tables ? tick() : 0);
  return CallForeign("destroy", [&] { calls().destroy(foreign); });
}

absl::Status PluginSimulation::CreateForeign() {
  absl::Status status = DestroyForeign();
  if (!status.ok()) return Blame(status);
  const ShownFiles files(&run_->pack);
  const ShownStruct<reprise_create_arguments> arguments(
      {.struct_size = sizeof(reprise_create_arguments),
       .pack = run_->pack_name.c_str(),
       .seed = run_->info.seed,
       .files = files.list()});
  // In front of a guard, as all that it writes.
  GuardedText<sizeof(reprise_simulation*)> made;
  auto* const simulation = new (made.data()) reprise_simulation*(nullptr);
  ForeignError error;
  const ForeignFloatControl float_control;
  const ForeignPlaceScope place(run_->plugin->name.c_str(), 0);
  int32_t code = REPRISE_OK;
  status = CallForeign("create", [&] {
    code = calls().create(arguments.get(), simulation, error.error());
  });
  if (!status.ok()) return BlamePack(status);
  status = At("create", made.Check("the simulation's pointer"));
  if (status.ok()) status = At("create", files.Check());
  if (status.ok()) {
    status = At("create", arguments.Check("reprise_create_arguments"));
  }
  if (status.ok()) status = error.StatusOf("create", code);
  // Of an error it is nothing.
  if (code == REPRISE_OK) foreign_ = *simulation;
  name_status_ = absl::OkStatus();
  // Whatever a plug-in calls it, the pack is what it was given.
  if (!status.ok()) return BlamePack(status);
  if (foreign_ == nullptr) {
    return Blame(absl::InternalError("create: it made nothing"));
  }
  return Blame(ForeignFloatControl::Check());
}

absl::StatusOr<PluginDescription> PluginSimulation::Describe() const {
  // In front of a guard: what is behind the struct isn't a plug-in's.
  GuardedStruct<reprise_info> info({});
  info->struct_size = sizeof(reprise_info);
  const ForeignFloatControl float_control;
  const ForeignPlaceScope place(run_->plugin->name.c_str(), 0);
  absl::Status status =
      CallForeign("info", [&] { calls().info(foreign_, info.get()); });
  if (status.ok()) status = At("info", info.Check("reprise_info"));
  if (!status.ok()) return BlamePack(status);
  absl::StatusOr<PluginDescription> description =
      ReadPluginDescription(*info.get());
  if (!description.ok()) return Blame(At("info", description.status()));
  return description;
}

void PluginSimulation::AddTables() {
  ticks_ = state_.AddTable(kPluginHostRoom, RowSchema::Of<RunRow>());
  state_.mutable_table(ticks_).Resize(1);
  inputs_ = AddInputTables(run_->description.inputs,
                           /*makes_texts=*/false, state_);
  InitializeInputs(run_->description.inputs, inputs_, state_);
  rows_.AddTables(state_);
}

Tick PluginSimulation::tick() const {
  return state_.table(ticks_).Get<RunRow>(0).tick;
}

absl::Status PluginSimulation::Validate(
    std::span<const InputFrame> frames) const {
  if (!status_.ok()) return status_;
  return ValidateInputs(run_->info.inputs, frames);
}

void PluginSimulation::Step(std::span<const InputFrame> frames,
                            PhaseObserver* observer) {
  // A look at it may have ended it since status() was asked.
  if (!status_.ok()) return;
  const absl::Status stepped = StepForeign(frames);
  if (!stepped.ok()) {
    status_ = absl::InternalError(std::string(stepped.message()));
    return;
  }
  ++state_.mutable_table(ticks_).Mutable<RunRow>(0).tick;
  if (observer != nullptr) observer->OnPhase(0, state_);
}

absl::Status PluginSimulation::StepForeign(std::span<const InputFrame> frames) {
  const InputGrammar& grammar = run_->info.inputs;
  for (uint32_t player = 0; player < grammar.player_count; ++player) {
    const auto found = std::ranges::find(frames, player, &InputFrame::player);
    TakeDevices(inputs_, player, found == frames.end() ? nullptr : &*found,
                state_);
  }
  const ShownStruct<reprise_step_arguments> arguments(
      {.struct_size = sizeof(reprise_step_arguments),
       .tick = tick(),
       .players = players_.Make(grammar, inputs_, state_, frames),
       .emit = &Emit,
       .sink = this});
  ForeignError error;
  event_status_ = absl::OkStatus();
  const ForeignFloatControl float_control;
  int32_t code = REPRISE_OK;
  const PluginSimulation* const outer = std::exchange(stepping, this);
  const ForeignPlaceScope place(run_->plugin->name.c_str(), tick());
  absl::Status status = CallForeign("step", [&] {
    code = calls().step(foreign_, arguments.get(), error.error());
  });
  stepping = outer;
  // What it wrote where it mustn't counts before what it says.
  if (status.ok()) status = At("step", players_.Check());
  if (status.ok()) {
    status = At("step", arguments.Check("reprise_step_arguments"));
  }
  if (status.ok()) status = error.StatusOf("step", code);
  if (status.ok()) status = ForeignFloatControl::Check();
  if (status.ok()) status = event_status_;
  if (status.ok()) status = TakeState();
  // Nothing may be told while it is asked.
  if (status.ok() && was_told_outside_.exchange(false)) {
    status = absl::InternalError(
        "an event: it was told outside of a step, or on another thread");
  }
  return Blame(status);
}

absl::Status PluginSimulation::TakeState() {
  const absl::Status status =
      rows_.Take(foreign_, /*everything=*/false, state_);
  return status.ok() ? TakeOutcome() : status;
}

void PluginSimulation::Emit(void* simulation, const reprise_event* event) {
  auto* const self = static_cast<PluginSimulation*>(simulation);
  if (self == nullptr) return;
  const OwnCodeScope own;
  if (stepping != self) {
    self->was_told_outside_ = true;
    return;
  }
  // The step fails already, whatever comes.
  if (!self->event_status_.ok()) return;
  const absl::StatusOr<reprise_event> read = ReadStruct(event, "reprise_event");
  const absl::Status status =
      read.ok() ? self->TakeEvent(*read) : read.status();
  if (!status.ok()) self->event_status_.Update(At("an event", status));
}

absl::Status PluginSimulation::TakeEvent(const reprise_event& event) {
  if (events_.size() == kEventsMax) {
    return absl::InternalError(
        fmt::format("a step told more than {}", kEventsMax));
  }
  const absl::Status named = CheckName(event.type);
  if (!named.ok()) return named;
  const std::vector<EventDescription>& declared = run_->description.game.events;
  const auto type = std::ranges::lower_bound(
      declared, std::string_view(event.type), {}, &EventDescription::name);
  if (type == declared.end() || type->name != event.type) {
    return absl::InternalError(fmt::format("'{}' isn't declared", event.type));
  }
  const auto arguments = ReadList<reprise_event_argument>(event.arguments);
  if (!arguments.ok()) return arguments.status();
  if (arguments->size() != type->arguments.size()) {
    return absl::InternalError(
        fmt::format("'{}' has {} arguments, and {} are declared", event.type,
                    arguments->size(), type->arguments.size()));
  }
  Event result = {.tick = tick(),
                  .type = IdOf(event.type),
                  .object = {event.object},
                  .arguments = {}};
  for (size_t i = 0; i < arguments->size(); ++i) {
    const reprise_event_argument& argument = (*arguments)[i];
    const EventArgumentDescription& wanted = type->arguments[i];
    if (argument.name == nullptr || argument.name != wanted.name ||
        argument.type != static_cast<uint32_t>(*wanted.type)) {
      return absl::InternalError(fmt::format(
          "argument {} of '{}' is not its '{}'", i, event.type, wanted.name));
    }
    FieldValue value = FieldValue::OfInt64(argument.integer);
    if (argument.type == REPRISE_OBJECT) {
      value = FieldValue::OfObject({argument.object});
    } else if (argument.type == REPRISE_DOUBLE) {
      if (IsNan(argument.number)) {
        return absl::InternalError(
            fmt::format("'{}' of '{}' is NaN", wanted.name, event.type));
      }
      value = FieldValue::OfDouble(argument.number);
    }
    result.arguments.push_back({.name = IdOf(wanted.name), .value = value});
  }
  events_.push_back(std::move(result));
  return absl::OkStatus();
}

absl::Status PluginSimulation::TakeOutcome() {
  outcome_ = {};
  if (calls().outcome == nullptr) return absl::OkStatus();
  GuardedStruct<reprise_outcome> outcome(
      {.struct_size = sizeof(reprise_outcome),
       .status = REPRISE_RUNNING,
       .reason = nullptr});
  absl::Status called =
      CallForeign("outcome", [&] { calls().outcome(foreign_, outcome.get()); });
  if (called.ok()) called = At("outcome", outcome.Check("reprise_outcome"));
  if (!called.ok()) return called;
  if (outcome->status == REPRISE_RUNNING) return absl::OkStatus();
  if (outcome->status > REPRISE_LOST) {
    return absl::InternalError(
        fmt::format("outcome: status {} is none", outcome->status));
  }
  outcome_.status = outcome->status == REPRISE_WON ? Outcome::Status::kWon
                                                   : Outcome::Status::kLost;
  const absl::Status named = CheckName(outcome->reason);
  if (!named.ok()) return At("outcome: its reason", named);
  outcome_.reason = outcome->reason;
  return absl::OkStatus();
}

absl::Status PluginSimulation::Restore(const State& snapshot) {
  absl::Status status = state_.CheckSameShape(snapshot);
  if (!status.ok()) return status;
  if (snapshot.table(ticks_).row_count() != 1) {
    return absl::DataLossError(fmt::format("table 'run' has {} rows",
                                           snapshot.table(ticks_).row_count()));
  }
  status = CheckInputRows(run_->info.inputs, inputs_, snapshot);
  if (!status.ok()) return status;
  status = rows_.Check(snapshot);
  if (!status.ok()) return status;
  // What failed in a step answers no more; another begins where it should.
  if (!status_.ok()) {
    status = CreateForeign();
    if (!status.ok()) return status;
  }
  const ForeignFloatControl float_control;
  const ForeignPlaceScope place(run_->plugin->name.c_str(), tick());
  status = Blame(rows_.Give(snapshot, foreign_));
  if (!status.ok()) {
    // It isn't known any more what it would go on from.
    if (absl::IsInternal(status)) status_ = status;
    return status;
  }
  State taken = snapshot;
  status = rows_.Take(foreign_, /*everything=*/true, taken);
  if (status.ok()) {
    const std::vector<FieldDifference> differences =
        CompareStates(snapshot, taken, /*limit=*/1);
    if (!differences.empty()) {
      status = absl::DataLossError(fmt::format(
          "restore: it doesn't have what it was given: {}",
          FormatDifference(differences.front(), taken, NamesOf(*this))));
    }
  }
  status = Blame(status);
  if (!status.ok()) {
    if (foreign_ == nullptr) return status;
    // It took the present state once. Where it doesn't again, it isn't known
    // what it would go on from.
    const absl::Status back = Blame(rows_.Give(state_, foreign_));
    if (!back.ok()) status_ = back;
    return status;
  }
  state_ = snapshot;
  status_ = Blame(TakeOutcome());
  events_.clear();
  return status_;
}

std::unique_ptr<Simulation> PluginSimulation::Fork() const {
  std::unique_ptr<PluginSimulation> fork(new PluginSimulation(run_));
  fork->AddTables();
  fork->status_ = fork->CreateForeign();
  if (fork->status_.ok()) {
    const absl::StatusOr<PluginDescription> description = fork->Describe();
    fork->status_ = description.status();
    if (description.ok() &&
        description->fingerprint != run_->description.fingerprint) {
      fork->status_ = Blame(absl::InternalError(
          "info: it describes itself otherwise than at first"));
    }
  }
  if (fork->status_.ok()) fork->status_ = fork->Restore(state_);
  return fork;
}

std::vector<Event> PluginSimulation::DrainEvents() {
  return std::exchange(events_, {});
}

Frame PluginSimulation::ProduceFrame() const {
  if (!status_.ok()) return {.tick = tick(), .objects = {}};
  const ForeignPlaceScope place(run_->plugin->name.c_str(), tick());
  ForeignFrame taken = TakeForeignFrame(calls(), foreign_, tick());
  // The caller sees what was drawn; the next tick isn't made.
  Blame(taken.status).IgnoreError();
  return std::move(taken.frame);
}

absl::StatusOr<std::optional<FramePicture>> PluginSimulation::ProducePicture()
    const {
  if (!status_.ok()) return std::nullopt;
  const ForeignPlaceScope place(run_->plugin->name.c_str(), tick());
  absl::StatusOr<std::optional<FramePicture>> taken =
      TakeForeignPicture(calls(), foreign_);
  // A picture that can't be is no reason to end the run.
  if (absl::IsAborted(taken.status())) Blame(taken.status()).IgnoreError();
  return taken;
}

std::string PluginSimulation::ObjectName(ObjectId object) const {
  if (object == kNoObject) return "none";
  if (calls().object_name != nullptr && status_.ok()) {
    GuardedText<kNameBytesMax + 1> name;
    const ForeignFloatControl float_control;
    const ForeignPlaceScope place(run_->plugin->name.c_str(), tick());
    const absl::Status called = CallForeign("object_name", [&] {
      calls().object_name(foreign_, object.serial, name.data(), name.size());
    });
    const absl::Status guarded = name.Check("a name");
    const absl::Status wrong = called.ok() ? guarded : called;
    if (!wrong.ok()) {
      Blame(called.ok() ? At("object_name", guarded) : called).IgnoreError();
      name_status_ = wrong;
      return NamelessObject(object, wrong);
    }
    // As long as there is room for is longer than a name may be.
    std::string text = name.Text();
    const absl::Status named = CheckName(text.c_str());
    return named.ok() ? std::move(text) : NamelessObject(object, named);
  }
  return NamelessObject(object, name_status_);
}

std::string PluginSimulation::IdName(Id id) const {
  const std::string_view name = run_->description.names.NameOf(id);
  return name.empty() ? fmt::format("{:016x}", id.value) : std::string(name);
}

std::string PluginSimulation::FindUndescribedBytes() const {
  if (!status_.ok()) return "";
  const absl::StatusOr<std::string> found =
      rows_.FindUndescribedBytes(foreign_);
  return Blame(found.status()).ok() ? *found : "";
}

absl::StatusOr<std::string> PluginSimulation::FindHiddenChange() {
  // Whoever says that anything may have changed hides nothing.
  if (!status_.ok() || !rows_.has_left_out()) return "";
  const ForeignFloatControl float_control;
  const ForeignPlaceScope place(run_->plugin->name.c_str(), tick());
  State taken = state_;
  const absl::Status status =
      Blame(rows_.Take(foreign_, /*everything=*/true, taken));
  if (!status.ok()) return status;
  const std::vector<FieldDifference> differences =
      CompareStates(state_, taken, /*limit=*/1);
  if (differences.empty()) return "";
  return FormatDifference(differences.front(), state_, NamesOf(*this));
}

absl::Status PluginSimulation::TakeUndescribedBytes(
    const PluginSimulation& other) {
  if (!status_.ok()) return status_;
  if (!other.status_.ok()) return other.status_;
  const absl::Status status = rows_.GiveAsShown(other.foreign_, foreign_);
  // Which of the two it was isn't known.
  other.Blame(status).IgnoreError();
  return Blame(status);
}

absl::Status PluginSimulation::Inject(const FieldAddress& address,
                                      FieldValue value) {
  State changed = state_;
  const absl::Status status = WriteScalar(changed, address, value);
  if (!status.ok()) return status;
  rows_.Follow(address.table, changed);
  // What happened stays told.
  std::vector<Event> events = DrainEvents();
  const absl::Status restored = Restore(changed);
  events_ = std::move(events);
  return restored;
}

absl::Status PluginSimulation::Blame(const absl::Status& status) const {
  if (status.ok()) return status;
  const absl::Status blamed =
      At(fmt::format("plug-in '{}'", run_->plugin->name), status);
  if (!absl::IsAborted(status)) return blamed;
  if (foreign_ != nullptr) GiveUp(std::exchange(foreign_, nullptr));
  status_ = absl::InternalError(std::string(blamed.message()));
  return status_;
}

absl::Status PluginSimulation::BlamePack(const absl::Status& status) const {
  return absl::InvalidArgumentError(std::string(Blame(status).message()));
}

}  // namespace reprise::sim
