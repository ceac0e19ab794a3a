// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a fuzzer of bytes makes of a game that hides something: each tick takes
// a bit for each button, a byte for each axis and one for a command, until the
// bytes or a minute of 60 ticks a second end. With REPRISE_GAME, one of
// HidingPacks or PlantedBugs, and REPRISE_TICKS_MAX it ends the process once it
// failed as is meant, or after so many ticks, and says which:
// tools/fuzz/finding.sh compares that to what `reprise fuzz` takes. Without
// them it is a test that the lock takes any bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/inputs/action_changes.h"
#include "sim/base/check.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/simulation.h"
#include "tests/fuzzing/finding.h"

namespace reprise::tests {
namespace {

using Kind = sim::Action::Kind;

constexpr sim::Tick kRunTicks = 3600;

// Bytes from the front, and zeros behind them.
class RawBytes {
 public:
  explicit RawBytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool is_at_end() const { return bytes_.empty(); }

  uint8_t Next() {
    if (bytes_.empty()) return 0;
    const uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }

  // Eight of a byte.
  bool NextBit() {
    if (bit_count_ == 0) {
      bits_ = Next();
      bit_count_ = 8;
    }
    --bit_count_;
    const bool bit = (bits_ & 1u) != 0;
    bits_ = static_cast<uint8_t>(bits_ >> 1);
    return bit;
  }
  void EndBits() { bit_count_ = 0; }

 private:
  std::span<const uint8_t> bytes_;
  uint8_t bits_ = 0;
  int bit_count_ = 0;
};

// What a player does at a tick. Commands with arguments are left out: none of
// the games takes one.
void TakeChanges(const sim::InputGrammar& grammar, sim::Tick tick,
                 uint32_t player, RawBytes& bytes,
                 std::vector<replays::ActionChange>& changes) {
  std::vector<uint32_t> commands;
  for (uint32_t i = 0; i < grammar.actions.size(); ++i) {
    const sim::Action& action = grammar.actions[i];
    replays::ActionChange change = {
        .tick = tick, .player = player, .action = i, .value = {}};
    if (action.kind == Kind::kCommand) {
      if (action.arguments.empty()) commands.push_back(i);
      continue;
    }
    if (action.kind == Kind::kAxis) {
      // The whole way in 127 steps to either side.
      const int steps = std::max(static_cast<int8_t>(bytes.Next()),
                                 static_cast<int8_t>(-127));
      change.value.numbers[0] = steps * sim::kAxisMax / 127;
    } else if (action.is_button()) {
      change.value.numbers[0] = bytes.NextBit() ? 1 : 0;
    } else {
      continue;
    }
    changes.push_back(std::move(change));
  }
  bytes.EndBits();
  if (commands.empty()) return;
  // As often none as any.
  const size_t which = bytes.Next() % (2 * commands.size());
  if (which >= commands.size()) return;
  changes.push_back(
      {.tick = tick, .player = player, .action = commands[which], .value = {}});
}

// A game, and how many ticks of it were made by all runs.
class Target {
 public:
  Target()
      : game_(OpenGame(Environment("REPRISE_GAME", "lock"))),
        simulation_(game_.start->Fork()),
        watch_(&game_.rules, *game_.start),
        ticks_max_(std::strtoull(Environment("REPRISE_TICKS_MAX", "0").c_str(),
                                 nullptr, 10)) {}

  void Play(std::span<const uint8_t> data) {
    const sim::InputGrammar& grammar = game_.start->info().inputs;
    CHECK(simulation_->Restore(game_.start->state()).ok());
    simulation_->DrainEvents();
    watch_.Restore(game_.start->state(), {});
    RawBytes bytes(data);
    replays::HeldDevices held(grammar.player_count);
    while (!bytes.is_at_end() && simulation_->tick() < kRunTicks &&
           simulation_->outcome().status == sim::Outcome::Status::kRunning) {
      std::vector<replays::ActionChange> changes;
      for (uint32_t player = 0; player < grammar.player_count; ++player) {
        TakeChanges(grammar, simulation_->tick(), player, bytes, changes);
      }
      if (!Step(replays::ToTickInputs(grammar, changes, held))) return;
    }
  }

 private:
  static std::string Environment(const char* name, const char* otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
  }

  // False: it failed.
  bool Step(const std::vector<replays::TickInputs>& inputs) {
    std::span<const sim::InputFrame> frames;
    if (!inputs.empty()) frames = inputs.front().frames;
    if (!simulation_->Validate(frames).ok()) frames = {};
    simulation_->Step(frames, /*observer=*/nullptr);
    ++ticks_;
    const std::optional<replays::RunFailure> failure =
        watch_.Look(*simulation_, simulation_->DrainEvents(), !frames.empty());
    const bool is_meant = failure && (game_.signature.empty() ||
                                      failure->signature == game_.signature);
    if (ticks_max_ > 0 && (is_meant || ticks_ >= ticks_max_)) {
      std::printf("%s after %llu ticks\n", is_meant ? "found" : "not found",
                  static_cast<unsigned long long>(ticks_));
      std::fflush(stdout);
      // Nothing is to be told of a leak or an input.
      std::_Exit(0);
    }
    return !failure;
  }

  const HidingGame game_;
  const std::unique_ptr<sim::Simulation> simulation_;
  replays::RunWatch watch_;
  const uint64_t ticks_max_;
  uint64_t ticks_ = 0;
};

}  // namespace
}  // namespace reprise::tests

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static reprise::tests::Target* const target = new reprise::tests::Target;
  target->Play({data, size});
  return 0;
}
