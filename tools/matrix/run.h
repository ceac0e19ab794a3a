// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One run of a simulation, from a pack or a replay, stepped tick by tick. It
// needs nothing that a server brings along, so that it can be built for any
// architecture.

#ifndef REPRISE_TOOLS_MATRIX_RUN_H_
#define REPRISE_TOOLS_MATRIX_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/input_source.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "tools/matrix/injection.h"
#include "tools/reprise/input_selection.h"

namespace reprise::tools {

struct RunSpecification {
  // A pack (its folder or archive), or a replay.
  std::string source;
  // Where unset: those of the replay, or 0 and no inputs.
  std::optional<uint64_t> seed;
  std::string inputs;  // an input track or a replay
  std::optional<uint64_t> random_inputs;
  // Where unset: as many as there are inputs for.
  std::optional<uint64_t> tick_count;
  std::optional<Injection> injection;
};

// Used by one thread at a time.
class Run {
 public:
  // At tick 0. INVALID_ARGUMENT: mistakes in the pack, the inputs or the
  // specification. NOT_FOUND: a file or the simulation is missing. Other errors
  // as replays::ReadPackFolder's and InputFile::Open's.
  static absl::StatusOr<std::unique_ptr<Run>> Open(
      const RunSpecification& specification);

  const sim::Simulation& simulation() const { return *simulation_; }

  // How many ticks the run is long.
  sim::Tick tick_count() const { return tick_count_; }

  // Makes one tick. INVALID_ARGUMENT: the pack refuses its inputs; the errors
  // of their file.
  absl::Status Step();

 private:
  Run() = default;

  absl::Status Load(const RunSpecification& specification);
  absl::Status SelectInputs(const RunSpecification& specification);
  absl::Status InjectIfDue();

  std::optional<InputFile> input_file_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<replays::InputSource> inputs_;
  sim::Tick tick_count_ = 0;
  std::optional<Injection> injection_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_MATRIX_RUN_H_
