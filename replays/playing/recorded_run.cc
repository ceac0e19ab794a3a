// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/playing/recorded_run.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "fmt/format.h"
#include "replays/playing/replay_player.h"
#include "sim/base/field.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/simulation_registry.h"
#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"

namespace reprise::replays {
namespace {

// The room of the run's own, first of all; behind it as many underscores as it
// takes to be none of those that were recorded.
constexpr std::string_view kOwnRoom = "recorded";

// Each takes a page. A schema has at most as many tables.
constexpr size_t kRoomsMax = 4096;

// A table of one row with one number.
std::shared_ptr<const sim::RowSchema> NumberSchema(const std::string& table,
                                                   const char* field,
                                                   const char* unit) {
  return std::make_shared<const sim::RowSchema>(
      table, 0,
      std::vector<sim::Field>{{.name = field,
                               .unit = unit,
                               .scalar = sim::ScalarType::kUint64,
                               .shape = sim::FieldShape::kScalar,
                               .count = 1,
                               .offset = 0}});
}

// The number of the table `index`.
uint64_t NumberOf(const sim::State& state, uint32_t index) {
  uint64_t number = 0;
  std::memcpy(&number, state.table({index}).Row(0).data(), sizeof(number));
  return number;
}

void SetNumber(sim::State& state, uint32_t index, uint64_t number) {
  if (NumberOf(state, index) == number) return;
  std::memcpy(state.mutable_table({index}).MutableRow(0).data(), &number,
              sizeof(number));
}

sim::Action MakeAction(sim::Action::Kind kind, uint32_t index) {
  const std::string name = fmt::format(
      "{}_{}", kind == sim::Action::Kind::kAxis ? "axis" : "button", index);
  return {.name = name,
          .id = sim::IdOf(name),
          .kind = kind,
          .device_index = index,
          .arguments = {}};
}

}  // namespace

bool IsRecordingAlone(const ReplayReader& replay) {
  const std::vector<std::string> names = sim::SimulationNames();
  return std::ranges::count(names, replay.metadata().simulation) == 0 &&
         absl::IsNotFound(replay.ReadPack().status());
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> CreateRecordedOrShown(
    const ReplayReader* replay, const sim::PackArchive* pack) {
  if (pack != nullptr || !IsRecordingAlone(*replay)) {
    return CreateRecordedSimulation(*replay, pack);
  }
  return RecordedRun::Create(replay);
}

absl::StatusOr<std::unique_ptr<RecordedRun>> RecordedRun::Create(
    const ReplayReader* replay) {
  std::unique_ptr<RecordedRun> run(new RecordedRun(replay));
  absl::Status status = run->MakeState();
  if (status.ok()) status = run->ReadInputs();
  if (status.ok()) status = run->ReadNames();
  if (status.ok()) status = run->GoTo(0, sim::State(run->state_));
  if (!status.ok()) return replay->file().Named(status);
  return run;
}

RecordedRun::RecordedRun(const ReplayReader* replay) : replay_(*replay) {
  const ReplayMetadata& metadata = replay->metadata();
  info_.simulation = metadata.simulation;
  info_.pack = metadata.pack;
  info_.pack_digest = metadata.pack_digest;
  info_.seed = metadata.seed;
  info_.tick_rate = metadata.tick_rate;
  info_.rules_revision = metadata.rules_revision;
  info_.phases = {"recorded"};
}

absl::Status RecordedRun::MakeState() {
  if (replay_.metadata().rooms.size() > kRoomsMax) {
    return absl::DataLossError(fmt::format("replay metadata: {} rooms of {}",
                                           replay_.metadata().rooms.size(),
                                           kRoomsMax));
  }
  const std::set<std::string_view> recorded(replay_.metadata().rooms.begin(),
                                            replay_.metadata().rooms.end());
  std::string own(kOwnRoom);
  while (recorded.contains(own)) own += '_';
  const sim::TableIndex clock =
      state_.AddTable(own, NumberSchema("clock", "tick", "tick"));
  state_.mutable_table(clock).Resize(1);
  std::set<std::string_view> rooms;
  for (const std::string& room : replay_.metadata().rooms) {
    if (!rooms.insert(room).second) {
      return absl::DataLossError(
          fmt::format("replay metadata: two rooms are called '{}'", room));
    }
    const sim::TableIndex table =
        state_.AddTable(room, NumberSchema(room, "digest", ""));
    state_.mutable_table(table).Resize(1);
  }
  return absl::OkStatus();
}

// What of devices was ever used.
absl::Status RecordedRun::ReadInputs() {
  uint64_t buttons = 0;
  std::set<uint32_t> axes;
  const auto inputs = replay_.ReadTickInputs();
  while (true) {
    const absl::StatusOr<std::optional<TickInputs>> next = inputs->Next();
    if (!next.ok()) return next.status();
    if (!next->has_value()) break;
    for (const sim::InputFrame& frame : (*next)->frames) {
      if (frame.player >= sim::kPlayersMax) {
        return absl::DataLossError(fmt::format("tick {}: player {} of {}",
                                               (*next)->tick, frame.player,
                                               sim::kPlayersMax));
      }
      info_.inputs.player_count =
          std::max(info_.inputs.player_count, frame.player + 1);
      buttons |= frame.device.buttons;
      for (uint32_t axis = 0; axis < frame.device.axes.size(); ++axis) {
        if (frame.device.axes[axis] != 0) axes.insert(axis);
      }
    }
  }
  for (uint32_t button = 0; button < 64; ++button) {
    if ((buttons >> button & 1) == 0) continue;
    info_.inputs.actions.push_back(
        MakeAction(sim::Action::Kind::kButton, button));
  }
  for (const uint32_t axis : axes) {
    info_.inputs.actions.push_back(MakeAction(sim::Action::Kind::kAxis, axis));
  }
  return absl::OkStatus();
}

absl::Status RecordedRun::ReadNames() {
  const auto events = replay_.ReadEvents();
  while (true) {
    const absl::StatusOr<std::optional<v1::Event>> event = events->Next();
    if (!event.ok()) return event.status();
    if (!event->has_value()) return absl::OkStatus();
    // What has no name is told by its number.
    if (!(*event)->type().empty() && names_.size() < sim::kNamesMax) {
      names_.try_emplace(sim::IdOf((*event)->type()), (*event)->type());
    }
    if (!(*event)->object_name().empty() &&
        object_names_.size() < sim::kNamesMax) {
      object_names_.try_emplace({(*event)->object()}, (*event)->object_name());
    }
  }
}

// An error changes nothing.
absl::Status RecordedRun::GoTo(sim::Tick tick, const sim::State& state) {
  auto digests = replay_.ReadDigests(tick == 0 ? 0 : tick + 1);
  absl::StatusOr<std::optional<DigestEntry>> digest = digests->Next();
  if (!digest.ok()) return digest.status();
  auto events = replay_.ReadEvents(tick);
  absl::StatusOr<std::optional<v1::Event>> event = events->Next();
  if (!event.ok()) return event.status();
  // Of tick 0 the rows come from its digest.
  std::optional<DigestEntry> first;
  if (tick == 0 && *digest && (*digest)->tick == 0) {
    first = std::exchange(*digest, std::nullopt);
    digest = digests->Next();
    if (!digest.ok()) return digest.status();
  }

  state_ = state;
  if (first) ShowDigest(*first);
  tick_ = tick;
  SetNumber(state_, 0, tick);
  happened_.clear();
  digests_ = std::move(digests);
  next_digest_ = *std::move(digest);
  events_ = std::move(events);
  next_event_ = *std::move(event);
  status_ = absl::OkStatus();
  return absl::OkStatus();
}

absl::Status RecordedRun::ReadNextEvent() {
  absl::StatusOr<std::optional<v1::Event>> event = events_->Next();
  if (!event.ok()) return event.status();
  next_event_ = *std::move(event);
  return absl::OkStatus();
}

void RecordedRun::ShowDigest(const DigestEntry& digest) {
  for (uint32_t i = 0; i < digest.rooms.size(); ++i) {
    SetNumber(state_, 1 + i, digest.rooms[i].value);
  }
}

// Shows what was recorded of the tick, if anything was.
absl::Status RecordedRun::TakeDigest() {
  if (!next_digest_ || next_digest_->tick != tick_) return absl::OkStatus();
  ShowDigest(*next_digest_);
  absl::StatusOr<std::optional<DigestEntry>> digest = digests_->Next();
  if (!digest.ok()) return digest.status();
  next_digest_ = *std::move(digest);
  return absl::OkStatus();
}

void RecordedRun::Step(std::span<const sim::InputFrame> /*frames*/,
                       sim::PhaseObserver* observer) {
  while (status_.ok() && next_event_ && next_event_->tick() == tick_) {
    happened_.push_back({.tick = tick_,
                         .type = sim::IdOf(next_event_->type()),
                         .object = {next_event_->object()},
                         .arguments = {}});
    status_ = ReadNextEvent();
  }
  if (!status_.ok()) return;
  ++tick_;
  SetNumber(state_, 0, tick_);
  status_ = TakeDigest();
  if (!status_.ok()) return;
  if (observer != nullptr) observer->OnPhase(0, state_);
}

absl::Status RecordedRun::Restore(const sim::State& snapshot) {
  absl::Status status = snapshot.CheckSameShape(state_);
  if (!status.ok()) return status;
  for (uint32_t i = 0; i < snapshot.table_count(); ++i) {
    const sim::Table& table = snapshot.table({i});
    if (table.row_count() == 1) continue;
    return absl::FailedPreconditionError(
        fmt::format("table {} has {} rows, and a recorded run's has 1",
                    table.schema().name(), table.row_count()));
  }
  const sim::Tick tick = NumberOf(snapshot, 0);
  if (tick > replay_.tick_count()) {
    return absl::DataLossError(
        fmt::format("tick {} of {}", tick, replay_.tick_count()));
  }
  return GoTo(tick, snapshot);
}

std::unique_ptr<sim::Simulation> RecordedRun::Fork() const {
  std::unique_ptr<RecordedRun> fork(new RecordedRun(&replay_));
  fork->info_ = info_;
  fork->names_ = names_;
  fork->object_names_ = object_names_;
  fork->state_ = state_;
  fork->tick_ = tick_;
  fork->status_ = status_.ok() ? fork->GoTo(tick_, state_) : status_;
  return fork;
}

std::vector<sim::Event> RecordedRun::DrainEvents() {
  return std::exchange(happened_, {});
}

sim::Outcome RecordedRun::outcome() const {
  if (!replay_.is_complete() || tick_ < replay_.tick_count()) return {};
  return replay_.end()->outcome;
}

sim::Frame RecordedRun::ProduceFrame() const {
  return {.tick = tick_, .objects = {}};
}

std::string RecordedRun::ObjectName(sim::ObjectId object) const {
  const auto found = object_names_.find(object);
  return found == object_names_.end() ? fmt::format("#{}", object.serial)
                                      : found->second;
}

std::string RecordedRun::IdName(sim::Id id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? fmt::format("{:016x}", id.value)
                               : found->second;
}

absl::Status RecordedRun::Inject(const sim::FieldAddress& address,
                                 sim::FieldValue value) {
  return sim::WriteScalar(state_, address, value);
}

}  // namespace reprise::replays
