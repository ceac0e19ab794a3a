// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Runs scenarios, and says what came of them.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_RUN_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_RUN_H_

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/base/tick.h"
#include "tools/reprise/scenarios/scenario.h"

namespace reprise::tools {

// An expectation that didn't hold.
struct ScenarioFailure {
  sim::Tick tick = 0;       // after which it showed
  std::string expectation;  // "at the end: outcome == won"
  std::string found;        // what its words came to
  std::string place;        // of the expectation

  friend bool operator==(const ScenarioFailure&,
                         const ScenarioFailure&) = default;
};

struct ScenarioResult {
  std::vector<ScenarioFailure> failures;  // in the order of their expectations
  replays::PlayedInputs played;           // also those of bots
  std::vector<std::string> bot_errors;
  double seconds = 0.0;

  bool passed() const { return failures.empty(); }
};

// Plays the scenario from its start. INVALID_ARGUMENT: the game refuses an
// input; INTERNAL: a tick couldn't be made.
absl::StatusOr<ScenarioResult> RunScenario(const Scenario& scenario);

// What came of a scenario, for reports.
struct ReportedScenario {
  std::string pack;  // its path
  std::string name;
  ScenarioResult result;
  std::string reproduction;  // the command that does it again
  std::string replay;        // of a failure that is kept; may be empty
};

// A document of XML 1.0: a test case a scenario, its class the pack.
std::string FormatScenariosAsJunit(std::span<const ReportedScenario> scenarios);

// "tick 61: at tick 61: ball.x > 3; ball.x = 2.4 (tests/serve.txtpb:12:3)".
std::string FormatScenarioFailure(const ScenarioFailure& failure);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_RUN_H_
