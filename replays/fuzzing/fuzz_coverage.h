// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What of a game has happened in a campaign, and what never has: events,
// actions of players, endings, types of objects, properties, regions, and lines
// and branches of code.

#ifndef REPRISE_REPLAYS_FUZZING_FUZZ_COVERAGE_H_
#define REPRISE_REPLAYS_FUZZING_FUZZ_COVERAGE_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/simulation.h"

namespace reprise::replays {

// What a description doesn't say of a game.
struct FuzzCoverageScope {
  // Events of the description that are every game's, and not of this one.
  std::set<std::string> foreign_events;
  std::vector<std::string> regions;  // that the game has
  // Types that no object is to be of: others only take their bodies.
  std::set<std::string> body_types;
};

struct FuzzCoveragePart {
  // "events", "actions", "outcomes", "types", "properties", "regions", "lines",
  // "branches"
  std::string name;
  uint64_t count = 0;  // that there are
  // Those that never came, ascending; of code as they stand in their files.
  std::vector<std::string> never;
};

// In the order above, without parts of which the game has none.
using FuzzCoverage = std::vector<FuzzCoveragePart>;

// `start` is what the campaign was made of. Events that may not come aren't
// counted, nor are actions that the pack never wants used. A type has come when
// an object of it, or of one that extends it, was there; a property when an
// object's changed; a region when somebody was in it. What a game does without
// saying so in its description isn't known.
FuzzCoverage CoverageOf(const FuzzCampaign& campaign,
                        const sim::Simulation& start,
                        const FuzzCoverageScope& scope);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FUZZ_COVERAGE_H_
