// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays a scenario and holds it against what is expected of it. The same pack
// and scenario give the same result.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_RUN_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_RUN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "sim/pack_archive.h"
#include "tools/reprise/reports/script_coverage.h"
#include "tools/reprise/scenarios/scenario_file.h"

namespace reprise::tools {

// An expectation that failed.
struct ScenarioFailure {
  std::string place;     // file, line and column
  sim::Tick tick = 0;    // at which that was known
  std::string expected;  // "always court.score.left == 0"
  std::string found;     // the tick, and what the expression names came to
};

struct ScenarioResult {
  sim::Tick tick_count = 0;
  std::vector<ScenarioFailure> failures;  // in the order of the expectations
  std::string replay;  // where it was recorded; empty: it wasn't
};

// Plays `scenario` in `pack`, as it is without the scenario. A failure is
// recorded as `replay_path`, which holds its pack, unless that is empty. What
// its scripts do is added to `coverage`, unless that is null, as of files in
// `folder`, with which mistakes in the pack are told, too, unless it is empty.
// INVALID_ARGUMENT: the scenario doesn't fit the pack; other errors are those
// of the simulation and of files.
absl::StatusOr<ScenarioResult> RunScenario(const Scenario& scenario,
                                           const sim::PackArchive& pack,
                                           const std::string& replay_path,
                                           ScriptCoverage* coverage = nullptr,
                                           const std::string& folder = "");

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_RUN_H_
