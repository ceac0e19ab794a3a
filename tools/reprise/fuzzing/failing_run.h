// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A run that fails, as a file has it: a replay with its pack, or an input track
// beside one.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_FAILING_RUN_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_FAILING_RUN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::tools {

struct FailingRun {
  sim::PackArchive pack;
  std::unique_ptr<sim::Simulation> start;  // at tick 0
  replays::FuzzRules rules;
  replays::PlayedInputs inputs;
};

// Opens `path` on the pack inside, or on the one that `pack` names where that
// isn't empty. `always` are conditions beside the pack's own. INVALID_ARGUMENT:
// a track without a pack, or mistakes in either; other errors are those of
// replays and packs.
absl::StatusOr<FailingRun> OpenFailingRun(
    const std::string& path, const std::string& pack,
    const std::vector<std::string>& always);

// What `simulation` says of itself, with `always` as conditions beside it.
// INVALID_ARGUMENT as FuzzRules.
absl::StatusOr<replays::FuzzRules> MakeFuzzRules(
    const sim::Simulation& simulation, const std::vector<std::string>& always);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_FAILING_RUN_H_
