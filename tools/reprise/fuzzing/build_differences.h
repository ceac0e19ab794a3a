// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether another build of this program makes the same of runs that a search
// has found: what differs is a failure, known by the first field that does.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_BUILD_DIFFERENCES_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_BUILD_DIFFERENCES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "replays/fuzzing/checks/run_oracle.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/fuzzing/isolated_process.h"
#include "tools/reprise/fuzzing/stop_signals.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/scratch_folder.h"

namespace reprise::tools {

// Signatures of these failures begin with this: "build difference
// objects.lantern.phase_rad", "build difference outcome".
inline constexpr std::string_view kBuildSignature = "build difference ";

// Of a corpus so many runs are compared, and so many ticks of them in all; a
// warning tells of those that aren't.
inline constexpr size_t kComparedRunsMax = 256;
inline constexpr sim::Tick kComparedTicksMax = sim::Tick{1} << 22;

// Each run takes processes of both builds (see DiffBuilds), and a replay of it.
class BuildOracle final : public replays::RunOracle {
 public:
  // Both must remain live; `start` is at tick 0 and of `pack`. UNAVAILABLE: no
  // folder for temporary files; NOT_FOUND: `program` isn't there or can't be
  // run.
  static absl::StatusOr<std::unique_ptr<BuildOracle>> Create(
      const sim::PackArchive* pack, const sim::Simulation* start,
      std::string program, Console* console);

  // The first difference, and the inputs up to it; a run that the other build
  // refuses, or doesn't survive, differs, too. INVALID_ARGUMENT: the game
  // refuses the inputs; other errors are of processes and the disk. REQUIRES:
  // this process has one thread, and the game survives the inputs.
  absl::StatusOr<std::optional<replays::FoundFailure>> Compare(
      const replays::PlayedInputs& inputs);

  // Compare; a run that can't be compared counts as one without a difference.
  std::optional<replays::RunFailure> Run(
      std::span<const replays::TickInputs> inputs,
      sim::Tick tick_count) override;
  void Adopt() override {}
  uint64_t ticks() const override { return ticks_; }

 private:
  BuildOracle(const sim::PackArchive* pack, const sim::Simulation* start,
              std::string program, Console* console)
      : pack_(*pack),
        start_(*start),
        program_(std::move(program)),
        console_(*console) {}

  const sim::PackArchive& pack_;
  const sim::Simulation& start_;
  const std::string program_;
  Console& console_;
  const ScratchFolder scratch_;
  uint64_t ticks_ = 0;
};

struct BuildSearchOptions {
  std::string corpus;   // a folder
  std::string program;  // the other build
  // Of the game, which may end the process; nullopt: it is played in this one.
  std::optional<ProcessLimits> limits;
  bool is_quiet = false;
  // Ends it behind the run under way; may be null.
  const StopSignals* stop = nullptr;
};

// The runs and failures that the corpus keeps, as both builds play them: the
// differences, one a signature, each kept among the failures of the corpus.
// Tells each, unless it is quiet. Errors are those of the corpus and of
// Compare. `start` is at tick 0 and of `pack`. REQUIRES: this process has one
// thread.
absl::StatusOr<std::vector<replays::FoundFailure>> FindBuildDifferences(
    const BuildSearchOptions& options, const sim::PackArchive& pack,
    const sim::Simulation& start, Console& console);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_BUILD_DIFFERENCES_H_
