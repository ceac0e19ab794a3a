// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The scenario tests that stand beside a pack: read, and made ready to run.

#ifndef REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_H_
#define REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_track.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/bots/bot_players.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/expectation.h"

namespace reprise::tools {

// When something is to hold, or an event to come: after so many ticks.
struct ScenarioSpan {
  enum class Kind : uint8_t { kOnce, kSometimes, kAlways, kNever };

  Kind kind = Kind::kOnce;  // kOnce: `begin` and `end` are the same
  sim::Tick begin = 0;
  sim::Tick end = 0;  // included
};

struct ScenarioExpectation {
  ScenarioSpan span;
  std::optional<Expectation> condition;  // else an event
  std::string event;
  sim::Id event_id;
  std::optional<uint64_t> count;
  std::string text;   // "at tick 60: ball.score > 0"
  std::string place;  // "tests/serve.txtpb:12:3"
};

// One test, which can be run any number of times.
struct Scenario {
  std::string name;
  std::string place;  // of the scenario
  sim::Tick tick_count = 0;
  sim::PackArchive pack;                   // with what the scenario sets up
  std::unique_ptr<sim::Simulation> start;  // at tick 0
  replays::InputTrack inputs;
  std::vector<sim::BotChoice> bots;
  std::vector<ScenarioExpectation> expectations;
};

// The scenarios of the pack in the folder `path`, by file and then as they
// stand there. Whatever is wrong with them is added to `report`, with file,
// line and field, and leaves its scenario out. NOT_FOUND: there is no such
// folder, or no tests in it; other errors are those of packs and files.
absl::StatusOr<std::vector<Scenario>> ReadScenarios(const std::string& path,
                                                    sim::PackReport& report);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_SCENARIOS_SCENARIO_H_
