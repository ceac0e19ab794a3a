// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What `reprise diff` found, for people and as JSON.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_DIFF_REPORT_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_DIFF_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replays/comparing/run_comparison.h"
#include "replays/format/replay_reader.h"
#include "sim/base/content_digest.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "tools/reprise/differences/input_difference.h"
#include "tools/reprise/inputs/pack_difference.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {

// One of the two runs.
struct DiffSide {
  std::string name;  // "game.mcap", "game.mcap on sim/packs/marble"
  std::string pack;
  sim::ContentDigest pack_digest;
  uint64_t seed = 0;
  sim::Tick tick_count = 0;
};

struct EndOutcomes {
  sim::Outcome expected;
  sim::Outcome actual;
};

struct DiffReport {
  DiffSide expected;
  DiffSide actual;
  replays::RunComparison comparison;
  // What changed from the one pack to the other, where both are at hand.
  std::vector<PackChange> pack_changes;
  // Which of them the first difference comes from, in lines (FindPackCause);
  // empty where nobody asked.
  std::string cause_lines;
  // How both runs end, where that is known of both; else as the comparison's.
  std::optional<EndOutcomes> ends;
  // At the first tick at which the inputs differ.
  std::vector<InputDifference> inputs;

  const sim::Outcome& expected_outcome() const;
  const sim::Outcome& actual_outcome() const;
  bool is_none() const;
};

// The side that plays `replay` in `simulation`.
DiffSide DescribeSide(std::string name, const sim::Simulation& simulation,
                      const replays::ReplayReader& replay);

std::string FormatDiff(const DiffReport& report);
Json ToJson(const DiffReport& report);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_DIFF_REPORT_H_
