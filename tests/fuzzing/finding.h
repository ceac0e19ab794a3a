// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How many ticks it takes to find what a game hides, by a campaign and by
// random inputs alone.

#ifndef REPRISE_TESTS_FUZZING_FINDING_H_
#define REPRISE_TESTS_FUZZING_FINDING_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "tools/reprise/inputs/script_places.h"

namespace reprise::tests {

struct Finding {
  uint64_t ticks = 0;  // until it was found, or the cap
  bool is_found = false;
};

// A game that hides something, at tick 0.
struct HidingGame {
  std::unique_ptr<sim::Simulation> start;
  replays::FuzzRules rules;
  std::unique_ptr<tools::ScriptPlaces> scripts;  // null: it has none
  std::string signature;  // of the failure that is meant; empty: any
};

// Those of tests/fuzzing/packs that hide a failure, as they are to be told of.
std::vector<std::string> HidingPacks();

// The pack of tests/fuzzing/packs, or the one with the planted bug, of that
// name. Mended, the pack as it ships instead, or the wall's with a ball that
// passes through no solid.
HidingGame OpenGame(const std::string& name, bool is_mended = false);

// By a campaign of that seed with one job, as `reprise fuzz` searches.
Finding FindByCampaign(const HidingGame& game, uint64_t seed,
                       uint64_t ticks_max);

// By random inputs (RandomInputSource), a new run of `run_ticks` after the
// other.
Finding FindByRandomInputs(const HidingGame& game, uint64_t seed,
                           uint64_t ticks_max, sim::Tick run_ticks);

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_FUZZING_FINDING_H_
