// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How many ticks it takes to find what a pack hides, by a campaign and by
// random inputs alone.

#ifndef REPRISE_TESTS_FUZZING_FINDING_H_
#define REPRISE_TESTS_FUZZING_FINDING_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::tests {

struct Finding {
  uint64_t ticks = 0;  // until it was found, or the cap
  bool is_found = false;
};

// The pack of tests/fuzzing/packs, at tick 0.
std::unique_ptr<sim::Simulation> OpenFuzzingPack(const std::string& name);

// By a campaign of that seed with one job.
Finding FindByCampaign(const sim::Simulation& start, uint64_t seed,
                       uint64_t ticks_max);

// By random inputs (RandomInputSource), a new run of `run_ticks` after the
// other.
Finding FindByRandomInputs(const sim::Simulation& start, uint64_t seed,
                           uint64_t ticks_max, sim::Tick run_ticks);

// Of an odd number of findings; those that found nothing count as their cap.
Finding MedianOf(std::vector<Finding> findings);

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_FUZZING_FINDING_H_
