// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/testing/tiny_simulation.h"

#include <array>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"
#include "sim/base/field.h"
#include "sim/base/float_control.h"
#include "sim/base/math.h"
#include "sim/base/random.h"
#include "sim/input/testing_grammar.h"
#include "sim/state/table.h"

namespace reprise::replays {
namespace {

constexpr sim::Id kTeleport = sim::IdOf("teleport");
constexpr sim::Id kGoalReached = sim::IdOf("goal_reached");
constexpr sim::Id kHundredTicks = sim::IdOf("hundred_ticks");
constexpr sim::Id kScore = sim::IdOf("score");

// One row.
struct GameState {
  sim::Tick tick = 0;
  int64_t score = 0;
  int64_t outcome = 0;  // sim::Outcome::Status as a number

  static constexpr std::string_view kTable = "game";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(GameState, tick, "tick"),
                      REPRISE_FIELD(GameState, score, ""),
                      REPRISE_FIELD(GameState, outcome, "")};
  }
};

// One row: the player's device as it is held.
struct DeviceRow {
  uint64_t buttons = 0;
  std::array<int16_t, 8> axes = {};

  static constexpr std::string_view kTable = "device";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(DeviceRow, buttons, ""),
                      REPRISE_FIELD(DeviceRow, axes, "1/32767")};
  }
};

struct PieceState {
  sim::ObjectId object;
  double x = 0.0;
  double y = 0.0;

  static constexpr std::string_view kTable = "pieces";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(PieceState, object, ""),
                      REPRISE_FIELD(PieceState, x, "m"),
                      REPRISE_FIELD(PieceState, y, "m")};
  }
};

// One row.
struct DieState {
  sim::RandomStream stream;

  static constexpr std::string_view kTable = "die";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(DieState, stream, "")};
  }
};

// One row, where the pack wants every input: what of the inputs decides the
// run, so that whatever is lost of them shows.
struct EveryInputRow {
  uint64_t held = 0;   // a digest of the device
  uint64_t given = 0;  // a chain of all devices held, activities and commands

  static constexpr std::string_view kTable = "every_input";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(EveryInputRow, held, ""),
                      REPRISE_FIELD(EveryInputRow, given, "")};
  }
};

// A digest of numbers and texts, one after another.
class Chain {
 public:
  explicit Chain(uint64_t start) : digest_{start} {}

  template <typename... Numbers>
  void Add(Numbers... numbers) {
    ((digest_ = sim::ExtendChain(digest_, {static_cast<uint64_t>(numbers)})),
     ...);
  }
  void Add(const std::string& text) { Add(sim::IdOf(text).value); }

  uint64_t value() const { return digest_.value; }

 private:
  sim::Digest digest_;
};

uint64_t DigestOf(const sim::DeviceState& device) {
  Chain chain(0);
  chain.Add(device.buttons, device.mouse.buttons, device.mouse.x,
            device.mouse.y);
  for (const int16_t axis : device.axes) chain.Add(axis);
  for (const uint64_t keys : device.keys.bits) chain.Add(keys);
  for (const sim::Touch& touch : device.touches) {
    chain.Add(touch.id, touch.x, touch.y, touch.pressure);
  }
  for (uint32_t i = 0; i < 3; ++i) {
    chain.Add(device.motion_sensor.acceleration_mm_s2[i],
              device.motion_sensor.angular_velocity_mrad_s[i]);
  }
  return chain.value();
}

void AddActivity(const sim::DeviceActivity& activity, Chain& chain) {
  if (activity == sim::DeviceActivity{}) return;
  chain.Add(activity.mouse_x, activity.mouse_y, activity.wheel_x,
            activity.wheel_y);
  chain.Add(activity.text);
}

void AddCommand(const sim::Command& command, Chain& chain) {
  chain.Add(command.name.value);
  for (const sim::InputValue& argument : command.arguments) {
    chain.Add(sim::FormatInputValue(argument));
  }
}

// Takes "key: value\n" off the front of `text`; false if it isn't there.
bool TakeLine(std::string_view key, std::string_view& text,
              std::string& value) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(key)) return false;
  value = std::string(text.substr(key.size(), end - key.size()));
  text.remove_prefix(end + 1);
  return true;
}

sim::InputGrammar Grammar(bool has_every_input) {
  sim::InputGrammar grammar = {
      .player_count = 1,
      .commands_per_tick_max = 2,
      .actions = {{.name = "steer",
                   .id = sim::IdOf("steer"),
                   .kind = sim::Action::Kind::kAxis,
                   .device_index = 0,
                   .arguments = {}},
                  {.name = "drift",
                   .id = sim::IdOf("drift"),
                   .kind = sim::Action::Kind::kButton,
                   .device_index = 0,
                   .arguments = {}},
                  {.name = "teleport",
                   .id = kTeleport,
                   .kind = sim::Action::Kind::kCommand,
                   .device_index = 0,
                   .arguments = {
                       {.name = "place", .minimum = -1000, .maximum = 1000}}}}};
  if (has_every_input) {
    const sim::InputGrammar every = sim::EveryInputGrammar();
    grammar.commands_per_tick_max += every.commands_per_tick_max;
    grammar.actions.insert(grammar.actions.end(), every.actions.begin(),
                           every.actions.end());
  }
  return grammar;
}

// No pack changes what there is.
sim::GameDescription Describe() {
  return {
      .types = {{.name = "piece",
                 .extends = "",
                 .components = {},
                 .behaviours = {},
                 .archetypes = {},
                 .objects_max = 2}},
      .components = {},
      .events = {{.name = "goal_reached",
                  .sender = "the runner",
                  .receiver = "the account of the run",
                  .when = "the runner is at the goal",
                  .arguments = {{.name = "score",
                                 .type = sim::ScalarType::kInt64,
                                 .unit = ""}}},
                 {.name = "hundred_ticks",
                  .sender = "the board",
                  .receiver = "the account of the run",
                  .when = "another hundred ticks are over",
                  .arguments = {}}},
      .legends = {sim::MakeLegend("board", GameState::kTable, "outcome",
                                  sim::kOutcomeNames)},
  };
}

}  // namespace

sim::PackArchive MakeTinyPack(double step, double goal, bool has_every_input) {
  sim::PackArchive pack;
  const absl::Status added =
      pack.Add(std::string(sim::kPackManifestPath),
               fmt::format("name: \"tiny\"\nstep: {}\ngoal: {}\n{}", step, goal,
                           has_every_input ? "inputs: every\n" : ""));
  CHECK(added.ok());
  return pack;
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> TinySimulation::Create(
    const sim::PackArchive& pack, uint64_t seed) {
  std::string_view text = pack.Find(sim::kPackManifestPath).value_or("");
  std::string name;
  std::string step_text;
  std::string goal_text;
  std::string inputs_text;
  double step = 0.0;
  double goal = 0.0;
  if (!TakeLine("name: ", text, name) || !TakeLine("step: ", text, step_text) ||
      !TakeLine("goal: ", text, goal_text) ||
      !absl::SimpleAtod(step_text, &step) ||
      !absl::SimpleAtod(goal_text, &goal) || !sim::IsFinite(step) ||
      !sim::IsFinite(goal) ||
      (TakeLine("inputs: ", text, inputs_text) && inputs_text != "every")) {
    return absl::InvalidArgumentError(
        fmt::format("{}:1: expected the lines name, step and goal, and "
                    "perhaps inputs",
                    sim::kPackManifestPath));
  }
  sim::SimulationInfo info = {
      .simulation = std::string(kTinySimulationName),
      .pack = "tiny",
      .pack_digest = pack.ComputeDigest(),
      .old_pack_digest = pack.ComputeDigest(sim::ContentHash::kXxh3),
      .seed = seed,
      .tick_rate = {.ticks_per_second = 60},
      .rules_revision = 1,
      .inputs = Grammar(!inputs_text.empty()),
      .phases = {"input", "move", "score"},
  };
  return std::unique_ptr<sim::Simulation>(
      new TinySimulation(std::move(info), step, goal));
}

TinySimulation::TinySimulation(sim::SimulationInfo info, double step,
                               double goal)
    : info_(std::move(info)), step_(step), goal_(goal) {
  for (const char* name : {"steer", "drift", "teleport", "goal_reached",
                           "hundred_ticks", "score", "die"}) {
    CHECK(names_.Add(name).ok());
  }
  game_ = state_.AddTable("board", sim::RowSchema::Of<GameState>());
  device_ = state_.AddTable("board", sim::RowSchema::Of<DeviceRow>());
  pieces_ = state_.AddTable("board", sim::RowSchema::Of<PieceState>());
  if (info_.inputs.Has(sim::Action::Kind::kText)) {
    every_input_ =
        state_.AddTable("board", sim::RowSchema::Of<EveryInputRow>());
    state_.mutable_table(*every_input_).Resize(1);
  }
  die_ = state_.AddTable("chance", sim::RowSchema::Of<DieState>());
  for (const sim::TableIndex table : {game_, device_, die_}) {
    state_.mutable_table(table).Resize(1);
  }
  sim::Table& pieces = state_.mutable_table(pieces_);
  pieces.Resize(2);
  pieces.Mutable<PieceState>(0) = {.object = kRunner};
  pieces.Mutable<PieceState>(1) = {.object = kDrifter, .x = 1.0, .y = 1.0};
  state_.mutable_table(die_).Mutable<DieState>(0).stream =
      sim::MakeRandomStream(info_.seed, sim::IdOf("die"));
}

const sim::GameDescription& TinySimulation::description() const {
  static const sim::GameDescription kDescription = Describe();
  return kDescription;
}

sim::Tick TinySimulation::tick() const {
  return state_.table(game_).Get<GameState>(0).tick;
}

absl::Status TinySimulation::Validate(
    std::span<const sim::InputFrame> frames) const {
  return sim::ValidateInputs(info_.inputs, frames);
}

void TinySimulation::Step(std::span<const sim::InputFrame> frames,
                          sim::PhaseObserver* observer) {
  const sim::ScopedFloatControl float_control;
  const auto show = [&](uint32_t phase) {
    if (observer != nullptr) observer->OnPhase(phase, state_);
  };
  TakeInputs(frames);
  show(0);
  Move();
  show(1);
  Score();
  show(2);
}

void TinySimulation::TakeInputs(std::span<const sim::InputFrame> frames) {
  CHECK(Validate(frames).ok());
  for (const sim::InputFrame& frame : frames) {
    const DeviceRow held = {.buttons = frame.device.buttons,
                            .axes = frame.device.axes};
    state_.mutable_table(device_).Mutable<DeviceRow>(0) = held;
    for (const sim::Command& command : frame.commands) {
      if (command.name != kTeleport) continue;
      const int64_t place = command.arguments[0].values.front().integer;
      state_.mutable_table(pieces_).Mutable<PieceState>(0).x =
          static_cast<double>(place) / 100.0;
    }
  }
  if (every_input_.has_value()) TakeEveryInput(frames);
}

void TinySimulation::TakeEveryInput(std::span<const sim::InputFrame> frames) {
  EveryInputRow& row =
      state_.mutable_table(*every_input_).Mutable<EveryInputRow>(0);
  Chain chain(row.given);
  for (const sim::InputFrame& frame : frames) {
    row.held = DigestOf(frame.device);
    AddActivity(frame.activity, chain);
    for (const sim::Command& command : frame.commands) {
      AddCommand(command, chain);
    }
  }
  chain.Add(row.held);
  row.given = chain.value();
}

void TinySimulation::Move() {
  const DeviceRow& held = state_.table(device_).Get<DeviceRow>(0);
  if (held.axes[0] != 0) {
    state_.mutable_table(pieces_).Mutable<PieceState>(0).x +=
        step_ * held.axes[0] / sim::kAxisMax;
  }
  if (held.buttons != 0) {
    const double draw =
        sim::NextUnit(state_.mutable_table(die_).Mutable<DieState>(0).stream);
    PieceState& drifter = state_.mutable_table(pieces_).Mutable<PieceState>(1);
    drifter.x += draw - 0.5;
    drifter.y = sim::Sin(drifter.x);
  }
}

void TinySimulation::Score() {
  const bool is_held = state_.table(device_).Get<DeviceRow>(0).buttons != 0;
  const PieceState& runner = state_.table(pieces_).Get<PieceState>(0);
  GameState& game = state_.mutable_table(game_).Mutable<GameState>(0);
  if (is_held) ++game.score;
  if (game.outcome == 0 && runner.x >= goal_) {
    game.outcome = static_cast<int64_t>(sim::Outcome::Status::kWon);
    events_.push_back(
        {.tick = game.tick,
         .type = kGoalReached,
         .object = kRunner,
         .arguments = {
             {.name = kScore, .value = sim::FieldValue::OfInt64(game.score)}}});
  }
  if (game.tick % 100 == 99) {
    events_.push_back({.tick = game.tick,
                       .type = kHundredTicks,
                       .object = sim::kNoObject,
                       .arguments = {}});
  }
  ++game.tick;
}

absl::Status TinySimulation::Restore(const sim::State& snapshot) {
  absl::Status status = state_.CheckSameShape(snapshot);
  if (!status.ok()) return status;
  for (uint32_t i = 0; i < state_.table_count(); ++i) {
    const sim::TableIndex table{i};
    if (snapshot.table(table).row_count() != state_.table(table).row_count()) {
      return absl::DataLossError(fmt::format(
          "table {} has {} rows", snapshot.table(table).schema().name(),
          snapshot.table(table).row_count()));
    }
  }
  state_ = snapshot;
  events_.clear();
  return absl::OkStatus();
}

std::unique_ptr<sim::Simulation> TinySimulation::Fork() const {
  std::unique_ptr<TinySimulation> fork(new TinySimulation(info_, step_, goal_));
  fork->state_ = state_;
  return fork;
}

std::vector<sim::Event> TinySimulation::DrainEvents() {
  return std::exchange(events_, {});
}

sim::Outcome TinySimulation::outcome() const {
  if (state_.table(game_).Get<GameState>(0).outcome == 0) return {};
  return {.status = sim::Outcome::Status::kWon, .reason = "goal reached"};
}

sim::Frame TinySimulation::ProduceFrame() const {
  sim::Frame frame{.tick = tick(), .objects = {}};
  sim::FrameShape disc;
  disc.size = {0.5, 0.0, 0.0};
  for (uint32_t row = 0; row < 2; ++row) {
    const PieceState& piece = state_.table(pieces_).Get<PieceState>(row);
    frame.objects.push_back({.object = piece.object,
                             .name = ObjectName(piece.object),
                             .type = "piece",
                             .position = {piece.x, piece.y, 0.0},
                             .rotation = {},
                             .shapes = {disc}});
  }
  return frame;
}

std::string TinySimulation::ObjectName(sim::ObjectId object) const {
  if (object == kRunner) return "runner";
  if (object == kDrifter) return "drifter";
  return fmt::format("#{}", object.serial);
}

std::string TinySimulation::IdName(sim::Id id) const {
  const std::string_view name = names_.NameOf(id);
  return name.empty() ? fmt::format("{:016x}", id.value) : std::string(name);
}

absl::Status TinySimulation::Inject(const sim::FieldAddress& address,
                                    sim::FieldValue value) {
  return sim::WriteScalar(state_, address, value);
}

}  // namespace reprise::replays
