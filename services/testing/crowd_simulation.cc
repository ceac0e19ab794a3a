// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/crowd_simulation.h"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/field.h"
#include "sim/base/float_control.h"
#include "sim/base/object_id.h"
#include "sim/simulation_registry.h"
#include "sim/state/table.h"

namespace reprise::services {
namespace {

// One row.
struct GameRow {
  sim::Tick tick = 0;

  static constexpr std::string_view kTable = "game";
  static constexpr uint32_t kKeyFields = 0;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(GameRow, tick, "tick")};
  }
};

// A row a player, in their order.
struct WalkerRow {
  sim::ObjectId object;  // the player and 1
  double trail = 0.0;
  int64_t push = 0;  // as it is held
  uint64_t buttons = 0;

  static constexpr std::string_view kTable = "walkers";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(WalkerRow, object, ""),
                      REPRISE_FIELD(WalkerRow, trail, ""),
                      REPRISE_FIELD(WalkerRow, push, ""),
                      REPRISE_FIELD(WalkerRow, buttons, "")};
  }
};

constexpr std::string_view kPackHead = "name: \"crowd\"\nplayers: ";

REPRISE_REGISTER_SIMULATION(crowd, kCrowdSimulationName,
                            &CrowdSimulation::Create);

}  // namespace

void WriteCrowdPack(const TestFolders& folders, uint32_t player_count) {
  folders.Write(fmt::format("packs/crowd/{}", sim::kPackManifestPath),
                fmt::format("{}{}\n", kPackHead, player_count));
}

absl::StatusOr<std::unique_ptr<sim::Simulation>> CrowdSimulation::Create(
    const sim::PackArchive& pack, uint64_t seed) {
  std::string_view text = pack.Find(sim::kPackManifestPath).value_or("");
  const bool is_crowd = text.starts_with(kPackHead) && text.ends_with('\n');
  if (is_crowd) {
    text.remove_prefix(kPackHead.size());
    text.remove_suffix(1);
  }
  uint32_t player_count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, player_count);
  if (!is_crowd || error != std::errc() || stop != end || player_count == 0 ||
      player_count > sim::kPlayersMax) {
    return absl::InvalidArgumentError("no pack of a crowd");
  }
  sim::SimulationInfo info = {
      .simulation = std::string(kCrowdSimulationName),
      .pack = "crowd",
      .pack_digest = pack.ComputeDigest(),
      .old_pack_digest = pack.ComputeDigest(sim::ContentHash::kXxh3),
      .seed = seed,
      .tick_rate = {.ticks_per_second = 60},
      .rules_revision = 1,
      .inputs = {.player_count = player_count,
                 .commands_per_tick_max = 0,
                 .actions = {{.name = "push",
                              .id = sim::IdOf("push"),
                              .kind = sim::Action::Kind::kAxis,
                              .device_index = 0},
                             {.name = "stop",
                              .id = sim::IdOf("stop"),
                              .kind = sim::Action::Kind::kButton,
                              .device_index = 0}}},
      .phases = {"walk"},
  };
  return std::unique_ptr<sim::Simulation>(new CrowdSimulation(std::move(info)));
}

CrowdSimulation::CrowdSimulation(sim::SimulationInfo info)
    : info_(std::move(info)),
      game_(state_.AddTable("game", sim::RowSchema::Of<GameRow>())),
      walkers_(state_.AddTable("game", sim::RowSchema::Of<WalkerRow>())) {
  state_.mutable_table(game_).Resize(1);
  sim::Table& walkers = state_.mutable_table(walkers_);
  walkers.Resize(info_.inputs.player_count);
  for (uint32_t i = 0; i < info_.inputs.player_count; ++i) {
    walkers.Mutable<WalkerRow>(i).object = {i + 1};
  }
}

sim::Tick CrowdSimulation::tick() const {
  return state_.table(game_).Get<GameRow>(0).tick;
}

absl::Status CrowdSimulation::Validate(
    std::span<const sim::InputFrame> frames) const {
  return sim::ValidateInputs(info_.inputs, frames);
}

void CrowdSimulation::Step(std::span<const sim::InputFrame> frames,
                           sim::PhaseObserver* observer) {
  const sim::ScopedFloatControl float_control;
  CHECK(Validate(frames).ok());
  sim::Table& walkers = state_.mutable_table(walkers_);
  for (const sim::InputFrame& frame : frames) {
    WalkerRow& walker = walkers.Mutable<WalkerRow>(frame.player);
    walker.push = frame.device.axes[0];
    walker.buttons = frame.device.buttons;
  }
  for (uint32_t i = 0; i < info_.inputs.player_count; ++i) {
    WalkerRow& walker = walkers.Mutable<WalkerRow>(i);
    walker.trail =
        walker.trail * kTrailDecay + static_cast<double>(walker.push);
  }
  ++state_.mutable_table(game_).Mutable<GameRow>(0).tick;
  if (observer != nullptr) observer->OnPhase(0, state_);
}

absl::Status CrowdSimulation::Restore(const sim::State& snapshot) {
  if (absl::Status same = state_.CheckSameShape(snapshot); !same.ok()) {
    return same;
  }
  for (const sim::TableIndex table : {game_, walkers_}) {
    if (snapshot.table(table).row_count() != state_.table(table).row_count()) {
      return absl::DataLossError("another crowd");
    }
  }
  state_ = snapshot;
  return absl::OkStatus();
}

std::unique_ptr<sim::Simulation> CrowdSimulation::Fork() const {
  std::unique_ptr<CrowdSimulation> fork(new CrowdSimulation(info_));
  fork->state_ = state_;
  return fork;
}

sim::Frame CrowdSimulation::ProduceFrame() const {
  sim::Frame frame{.tick = tick(), .objects = {}};
  for (uint32_t i = 0; i < info_.inputs.player_count; ++i) {
    const auto& walker = state_.table(walkers_).Get<WalkerRow>(i);
    frame.objects.push_back({.object = walker.object,
                             .name = ObjectName(walker.object),
                             .type = "walker",
                             .position = {walker.trail, 0.0, 0.0},
                             .rotation = {},
                             .shapes = {sim::FrameShape()}});
  }
  return frame;
}

std::string CrowdSimulation::ObjectName(sim::ObjectId object) const {
  return fmt::format("walker_{}", object.serial - 1);
}

std::string CrowdSimulation::IdName(sim::Id id) const {
  return fmt::format("{:016x}", id.value);
}

absl::Status CrowdSimulation::Inject(const sim::FieldAddress& address,
                                     sim::FieldValue value) {
  return sim::WriteScalar(state_, address, value);
}

}  // namespace reprise::services
