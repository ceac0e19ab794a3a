// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin_simulation.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/base/field.h"
#include "sim/base/float_control.h"
#include "sim/base/math.h"
#include "sim/base/pack_name.h"
#include "sim/base/state_comparison.h"
#include "sim/base/table.h"
#include "sim/base/utf8.h"
#include "sim/compiler/manifest.h"
#include "sim/plugins/plugin_text.h"
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

constexpr size_t kErrorBytes = 1024;

constexpr uint64_t kAnyRow = std::numeric_limits<uint64_t>::max();

// The setting of floating point that simulations run under, for a call into a
// plug-in; whether it was left as it is.
class ForeignFloatControl {
 public:
  ForeignFloatControl() : caller_(ReadFloatControl()) {
    SetDeterministicFloatControl();
  }
  ~ForeignFloatControl() { WriteFloatControl(caller_); }
  ForeignFloatControl(const ForeignFloatControl&) = delete;
  ForeignFloatControl& operator=(const ForeignFloatControl&) = delete;

  static absl::Status Check() {
    if (FloatControlIsDeterministic()) return absl::OkStatus();
    return absl::InternalError(
        "it changed the control of floating point, and with it the results "
        "of whatever comes next");
  }

 private:
  const uint64_t caller_;
};

// What a plug-in writes its errors into.
class ForeignError {
 public:
  reprise_error* error() { return &error_; }

  // The status of a call of `name` that returned `code`.
  absl::Status StatusOf(std::string_view name, int32_t code) const {
    if (code == REPRISE_OK) return absl::OkStatus();
    constexpr int32_t kCodeMax = 16;
    const auto known = code > 0 && code <= kCodeMax
                           ? static_cast<absl::StatusCode>(code)
                           : absl::StatusCode::kInternal;
    return absl::Status(known, fmt::format("{}: {}", name, Text()));
  }

 private:
  std::string Text() const {
    const std::string text(text_.data(), strnlen(text_.data(), kErrorBytes));
    if (text.empty()) return "it failed and doesn't say why";
    const absl::Status status = CheckName(text.c_str());
    return status.ok() ? text : PrintableName(text.c_str());
  }

  std::array<char, kErrorBytes> text_ = {};
  reprise_error error_ = {.text = text_.data(), .capacity = kErrorBytes};
};

bool IsFinite(std::span<const double> numbers) {
  return std::ranges::all_of(
      numbers, [](double number) { return sim::IsFinite(number); });
}

Vector3 VectorOf(std::span<const double, 3> numbers) {
  return {.x = numbers[0], .y = numbers[1], .z = numbers[2]};
}

Quaternion RotationOf(std::span<const double, 4> numbers) {
  return {.x = numbers[0], .y = numbers[1], .z = numbers[2], .w = numbers[3]};
}

// The objects of a frame as they come; those that can't be are left out.
struct FrameSink {
  Frame frame;

  static void Add(void* sink, const reprise_frame_object* object) {
    if (sink == nullptr || object == nullptr) return;
    std::vector<FrameObject>& objects =
        static_cast<FrameSink*>(sink)->frame.objects;
    const ObjectId id{object->object};
    if (!objects.empty() && objects.back().object >= id) return;
    if (!CheckName(object->name).ok() || !CheckName(object->type).ok() ||
        !IsFinite(object->position) || !IsFinite(object->rotation)) {
      return;
    }
    FrameObject result = {.object = id,
                          .name = object->name,
                          .type = object->type,
                          .position = VectorOf(object->position),
                          .rotation = RotationOf(object->rotation),
                          .shapes = {}};
    const auto shapes = ReadList<reprise_shape>(object->shapes);
    if (!shapes.ok()) return;
    for (const reprise_shape& shape : *shapes) {
      if (shape.kind > REPRISE_PLANE || !IsFinite(shape.position) ||
          !IsFinite(shape.rotation) || !IsFinite(shape.size)) {
        continue;
      }
      result.shapes.push_back(
          {.kind = static_cast<FrameShape::Kind>(shape.kind),
           .position = VectorOf(shape.position),
           .rotation = RotationOf(shape.rotation),
           .size = VectorOf(shape.size)});
    }
    objects.push_back(std::move(result));
  }
};

uint64_t KeyOf(std::span<const std::byte> row, uint32_t field) {
  uint64_t key = 0;
  std::memcpy(&key, row.data() + size_t{field} * sizeof(key), sizeof(key));
  return key;
}

// Whether the key of `row` is above that of the row before it.
bool Ascends(const Table& table, uint32_t row) {
  const std::span<const std::byte> before = table.Row(row - 1);
  const std::span<const std::byte> after = table.Row(row);
  for (uint32_t field = 0; field < table.schema().key_field_count(); ++field) {
    const uint64_t a = KeyOf(before, field);
    const uint64_t b = KeyOf(after, field);
    if (a != b) return a < b;
  }
  return false;
}

// That each row from `begin` up to `end` is above the one before it.
absl::Status CheckKeys(const Table& table, uint32_t begin, uint32_t end) {
  if (table.schema().key_field_count() == 0) return absl::OkStatus();
  for (uint32_t row = std::max(begin, 1u); row < end; ++row) {
    if (Ascends(table, row)) continue;
    return absl::DataLossError(
        fmt::format("table '{}' row {}: its key isn't above that of the row "
                    "before it",
                    table.schema().name(), row));
  }
  return absl::OkStatus();
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
  status = simulation->TakeRows(/*everything=*/true, simulation->state_);
  if (status.ok()) status = simulation->TakeOutcome();
  if (!status.ok()) return simulation->Blame(status);
  return simulation;
}

PluginSimulation::PluginSimulation(std::shared_ptr<const Run> run)
    : run_(std::move(run)), page_(kPageSize) {}

PluginSimulation::~PluginSimulation() {
  if (foreign_ != nullptr) calls().destroy(foreign_);
}

absl::Status PluginSimulation::CreateForeign() {
  if (foreign_ != nullptr) calls().destroy(std::exchange(foreign_, nullptr));
  std::vector<reprise_file> files;
  for (const auto& [path, contents] : run_->pack.files()) {
    files.push_back({.path = path.c_str(),
                     .bytes = contents.data(),
                     .size = contents.size()});
  }
  const reprise_create_arguments arguments = {.struct_size = sizeof(arguments),
                                              .pack = run_->pack_name.c_str(),
                                              .seed = run_->info.seed,
                                              .files = ListOf(files)};
  ForeignError error;
  const ForeignFloatControl float_control;
  const int32_t code = calls().create(&arguments, &foreign_, error.error());
  absl::Status status = error.StatusOf("create", code);
  if (!status.ok()) {
    foreign_ = nullptr;
    // Whatever a plug-in calls it, the pack is what it was given.
    return Blame(absl::InvalidArgumentError(std::string(status.message())));
  }
  if (foreign_ == nullptr) {
    return Blame(absl::InternalError("create: it made nothing"));
  }
  return Blame(ForeignFloatControl::Check());
}

absl::StatusOr<PluginDescription> PluginSimulation::Describe() const {
  reprise_info info = {};
  info.struct_size = sizeof(info);
  calls().info(foreign_, &info);
  absl::StatusOr<PluginDescription> description = ReadPluginDescription(info);
  if (!description.ok()) return Blame(At("info", description.status()));
  return description;
}

void PluginSimulation::AddTables() {
  ticks_ = state_.AddTable(kPluginHostRoom, RowSchema::Of<RunRow>());
  state_.mutable_table(ticks_).Resize(1);
  inputs_ = AddInputTables(run_->description.inputs,
                           /*makes_texts=*/false, state_);
  InitializeInputs(run_->description.inputs, inputs_, state_);
  first_table_ = state_.table_count();
  for (const PluginDescription::Table& table : run_->description.tables) {
    state_.AddTable(table.room, table.layout.schema());
  }
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
  CHECK(status_.ok(), "{}", std::string(status_.message()));
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
  const reprise_step_arguments arguments = {
      .struct_size = sizeof(arguments),
      .tick = tick(),
      .players = players_.Make(grammar, inputs_, state_, frames),
      .emit = &Emit,
      .sink = this};
  ForeignError error;
  event_status_ = absl::OkStatus();
  const ForeignFloatControl float_control;
  is_stepping_ = true;
  const int32_t code = calls().step(foreign_, &arguments, error.error());
  is_stepping_ = false;
  absl::Status status = error.StatusOf("step", code);
  if (status.ok()) status = ForeignFloatControl::Check();
  if (status.ok()) status = event_status_;
  if (status.ok()) status = TakeRows(/*everything=*/false, state_);
  if (status.ok()) status = TakeOutcome();
  // Nothing may be told while it is asked.
  if (status.ok()) status = event_status_;
  return Blame(status);
}

void PluginSimulation::Emit(void* simulation, const reprise_event* event) {
  auto* const self = static_cast<PluginSimulation*>(simulation);
  if (self == nullptr) return;
  absl::Status status =
      !self->is_stepping_ ? absl::InternalError("it was told outside of a step")
      : event == nullptr  ? absl::InternalError("it was none")
                          : self->TakeEvent(*event);
  if (!status.ok()) self->event_status_.Update(At("an event", status));
}

absl::Status PluginSimulation::TakeEvent(const reprise_event& event) {
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

absl::Status PluginSimulation::TakeRows(bool everything, State& state) {
  for (uint32_t i = 0; i < run_->description.tables.size(); ++i) {
    const absl::Status status =
        TakeTable(i, everything, state.mutable_table({first_table_ + i}));
    if (!status.ok()) return At("rows", status);
  }
  return absl::OkStatus();
}

absl::Status PluginSimulation::TakeTable(uint32_t index, bool everything,
                                         Table& table) {
  const PluginDescription::Table& described = run_->description.tables[index];
  reprise_rows rows = {.rows = nullptr,
                       .row_count = 0,
                       .changed_begin = 0,
                       .changed_end = kAnyRow};
  calls().rows(foreign_, index, &rows);
  if (rows.row_count > kTableRowsMax ||
      (rows.rows == nullptr && rows.row_count != 0)) {
    return absl::DataLossError(
        fmt::format("table '{}' has {} rows{}, and at most {} can be",
                    table.schema().name(), rows.row_count,
                    rows.rows == nullptr ? " at null" : "", kTableRowsMax));
  }
  const auto row_count = static_cast<uint32_t>(rows.row_count);
  const uint32_t old_count = table.row_count();
  if (row_count != old_count) table.Resize(row_count);
  const uint32_t foreign_size = described.layout.foreign_size();
  bool has_changed = false;  // the page before
  for (uint32_t page = 0; page < table.page_count(); ++page) {
    const uint32_t begin = page * table.rows_per_page();
    const uint32_t end = std::min(begin + table.rows_per_page(), row_count);
    const bool may_differ =
        everything || end > old_count ||
        (end > rows.changed_begin && begin < rows.changed_end);
    const std::span<const std::byte> foreign(
        static_cast<const std::byte*>(rows.rows) + size_t{begin} * foreign_size,
        size_t{end - begin} * foreign_size);
    const absl::StatusOr<bool> is_other =
        may_differ ? TakePage(described, foreign, page, table) : false;
    if (!is_other.ok()) return is_other.status();
    // New rows may be what the table grew by: zeros. Of a page that is as it
    // was, the first row may have a new neighbour.
    const bool changes = *is_other || end > old_count;
    const uint32_t unchecked = changes ? end : begin + (has_changed ? 1 : 0);
    const absl::Status ordered = CheckKeys(table, begin, unchecked);
    if (!ordered.ok()) return ordered;
    has_changed = changes;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> PluginSimulation::TakePage(
    const PluginDescription::Table& described,
    std::span<const std::byte> foreign, uint32_t page, Table& table) {
  const std::span<const std::byte> old = table.PageBytes(page);
  std::span<const std::byte> rows = foreign;
  if (!described.layout.is_plain()) {
    const std::span<std::byte> taken = std::span(page_).first(old.size());
    described.layout.FromForeign(foreign, taken);
    rows = taken;
  }
  if (std::memcmp(rows.data(), old.data(), rows.size()) == 0) {
    return false;
  }
  const uint32_t first = page * table.rows_per_page();
  const absl::Status status = described.layout.Check(rows, first);
  if (!status.ok()) return status;
  // Of pointers, a copy isn't made byte by byte.
  std::copy_n(rows.data(), rows.size(), table.MutablePageBytes(page).data());
  return true;
}

absl::Status PluginSimulation::TakeOutcome() {
  outcome_ = {};
  if (calls().outcome == nullptr) return absl::OkStatus();
  reprise_outcome outcome = {.struct_size = sizeof(outcome),
                             .status = REPRISE_RUNNING,
                             .reason = nullptr};
  calls().outcome(foreign_, &outcome);
  if (outcome.status == REPRISE_RUNNING) return absl::OkStatus();
  if (outcome.status > REPRISE_LOST) {
    return absl::InternalError(
        fmt::format("outcome: status {} is none", outcome.status));
  }
  outcome_.status = outcome.status == REPRISE_WON ? Outcome::Status::kWon
                                                  : Outcome::Status::kLost;
  const absl::Status named = CheckName(outcome.reason);
  if (!named.ok()) return At("outcome: its reason", named);
  outcome_.reason = outcome.reason;
  return absl::OkStatus();
}

absl::Status PluginSimulation::GiveRows(const State& state) {
  std::vector<std::vector<std::byte>> memory;
  std::vector<reprise_rows> tables;
  for (uint32_t i = 0; i < run_->description.tables.size(); ++i) {
    const RowLayout& layout = run_->description.tables[i].layout;
    const Table& table = state.table({first_table_ + i});
    std::vector<std::byte>& foreign =
        memory.emplace_back(size_t{table.row_count()} * layout.foreign_size());
    size_t offset = 0;
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      const std::span<const std::byte> rows = table.PageBytes(page);
      const size_t size =
          rows.size() / table.row_size() * layout.foreign_size();
      layout.ToForeign(rows, std::span(foreign).subspan(offset, size));
      offset += size;
    }
    tables.push_back({.rows = foreign.data(),
                      .row_count = table.row_count(),
                      .changed_begin = 0,
                      .changed_end = kAnyRow});
  }
  const reprise_list list = ListOf(tables);
  ForeignError error;
  const ForeignFloatControl float_control;
  const int32_t code = calls().restore(foreign_, &list, error.error());
  const absl::Status status = error.StatusOf("restore", code);
  return status.ok() ? ForeignFloatControl::Check() : status;
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
  for (uint32_t i = 0; i < run_->description.tables.size(); ++i) {
    const Table& table = snapshot.table({first_table_ + i});
    for (uint32_t page = 0; page < table.page_count(); ++page) {
      status = run_->description.tables[i].layout.Check(
          table.PageBytes(page), uint64_t{page} * table.rows_per_page());
      if (!status.ok()) return status;
    }
    status = CheckKeys(table, 0, table.row_count());
    if (!status.ok()) return status;
  }
  // What failed in a step answers no more; another begins where it should.
  if (!status_.ok()) {
    status = CreateForeign();
    if (!status.ok()) return status;
  }
  status = GiveRows(snapshot);
  if (!status.ok()) return Blame(status);
  State taken = snapshot;
  status = TakeRows(/*everything=*/true, taken);
  if (status.ok()) {
    const std::vector<FieldDifference> differences =
        CompareStates(snapshot, taken, /*limit=*/1);
    if (!differences.empty()) {
      status = absl::DataLossError(fmt::format(
          "restore: it doesn't have what it was given: {}",
          FormatDifference(differences.front(), taken, NamesOf(*this))));
    }
  }
  if (!status.ok()) {
    // It took the present state once.
    GiveRows(state_).IgnoreError();
    return Blame(status);
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
  FrameSink sink;
  sink.frame.tick = tick();
  if (calls().frame == nullptr || !status_.ok()) return std::move(sink.frame);
  const reprise_frame_arguments arguments = {
      .struct_size = sizeof(arguments), .add = &FrameSink::Add, .sink = &sink};
  const ForeignFloatControl float_control;
  calls().frame(foreign_, &arguments);
  return std::move(sink.frame);
}

std::string PluginSimulation::ObjectName(ObjectId object) const {
  if (object == kNoObject) return "none";
  if (calls().object_name != nullptr && status_.ok()) {
    std::array<char, kNameBytesMax + 1> name = {};
    calls().object_name(foreign_, object.serial, name.data(), name.size());
    name.back() = '\0';
    if (CheckName(name.data()).ok()) return name.data();
  }
  return fmt::format("object#{}", object.serial);
}

std::string PluginSimulation::IdName(Id id) const {
  const std::string_view name = run_->description.names.NameOf(id);
  return name.empty() ? fmt::format("{:016x}", id.value) : std::string(name);
}

absl::Status PluginSimulation::Inject(const FieldAddress& address,
                                      FieldValue value) {
  State changed = state_;
  const absl::Status status = WriteScalar(changed, address, value);
  if (!status.ok()) return status;
  // What happened stays told.
  std::vector<Event> events = DrainEvents();
  const absl::Status restored = Restore(changed);
  events_ = std::move(events);
  return restored;
}

absl::Status PluginSimulation::Blame(const absl::Status& status) const {
  if (status.ok()) return status;
  return At(fmt::format("plug-in '{}'", run_->plugin->name), status);
}

}  // namespace reprise::sim
