// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What of a game has happened in a campaign, and what never has: events that
// the pack declares, actions of players, and endings.

#ifndef REPRISE_REPLAYS_FUZZING_FUZZ_COVERAGE_H_
#define REPRISE_REPLAYS_FUZZING_FUZZ_COVERAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct FuzzCoveragePart {
  std::string name;                // "events", "actions", "outcomes"
  uint64_t count = 0;              // that there are
  std::vector<std::string> never;  // those that never came, ascending
};

// In this order, without parts of which the game has none.
using FuzzCoverage = std::vector<FuzzCoveragePart>;

// `start` is what the campaign was made of. Events that may not come aren't
// counted, nor are actions that the pack never wants used. What a game sends
// without saying so in its description isn't known.
FuzzCoverage CoverageOf(const FuzzCampaign& campaign,
                        const sim::Simulation& start);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FUZZ_COVERAGE_H_
