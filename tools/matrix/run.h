// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One run of a simulation, from a pack or a replay, stepped tick by tick or
// recorded. It needs nothing that a server brings along, so that it can be
// built for any architecture.

#ifndef REPRISE_TOOLS_MATRIX_RUN_H_
#define REPRISE_TOOLS_MATRIX_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/format/input_source.h"
#include "replays/format/replay_reader.h"
#include "sim/base/tick.h"
#include "sim/bots/bot_players.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/matrix/injection.h"
#include "tools/reprise/inputs/bot_seats.h"
#include "tools/reprise/inputs/input_selection.h"

namespace reprise::tools {

struct RunSpecification {
  // A pack (its folder or archive), or a replay.
  std::string source;
  // Where unset: those of the replay, or 0 and no inputs.
  std::optional<uint64_t> seed;
  std::string inputs;  // an input track or a replay
  std::optional<uint64_t> random_inputs;
  BotFlags bots;  // who plays instead of them
  // Of a replay: the tick of the keyframe to begin at. Where unset: 0.
  std::optional<uint64_t> from;
  // Where it ends. Where unset: where the inputs do.
  std::optional<uint64_t> tick_count;
  std::optional<Injection> injection;
};

// Used by one thread at a time.
class Run {
 public:
  // Where it begins. INVALID_ARGUMENT: mistakes in the pack, the inputs, the
  // bots or the specification. NOT_FOUND: a file, the simulation or the
  // keyframe is missing. Other errors as replays::ReadPackFolder's,
  // InputFile::Open's and replays::RestoreKeyframe's.
  static absl::StatusOr<std::unique_ptr<Run>> Open(
      const RunSpecification& specification);

  const sim::Simulation& simulation() const { return *simulation_; }

  // The tick at which the run ends.
  sim::Tick tick_count() const { return tick_count_; }

  // Makes one tick, at which bots decide. INVALID_ARGUMENT: the pack refuses
  // its inputs; the errors of their file.
  absl::Status Step();

  // Makes all ticks and records them, with a keyframe at each of `keyframes`.
  // INVALID_ARGUMENT: as above, it ends before the last of them, began at a
  // keyframe, or has an injection. Other errors are the sink's. No Step before.
  absl::Status Record(const std::set<sim::Tick>& keyframes,
                      std::unique_ptr<replays::ByteSink> sink);

 private:
  Run() = default;

  absl::Status Load(const RunSpecification& specification);
  absl::Status GoToKeyframe(sim::Tick tick);
  absl::Status SelectInputs(const RunSpecification& specification);
  absl::Status SeatBots(const RunSpecification& specification);
  absl::StatusOr<std::span<const sim::InputFrame>> FramesDue();
  // Tells bots what happened in the last tick.
  void Tell(std::span<const sim::Event> events);
  absl::Status InjectIfDue();

  // The replay, if there is one.
  const replays::ReplayReader* replay() const;

  std::optional<InputFile> input_file_;
  sim::PackArchive pack_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<replays::InputSource> inputs_;
  std::unique_ptr<sim::BotPlayers> bots_;    // nullptr: there are none
  std::vector<sim::InputFrame> bot_frames_;  // of this tick
  sim::Tick tick_count_ = 0;
  std::optional<Injection> injection_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_MATRIX_RUN_H_
