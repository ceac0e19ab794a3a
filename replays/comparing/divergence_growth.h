// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How far two states are apart, and how that goes on after two runs have
// parted: whether a difference spreads, stays or dies out.

#ifndef REPRISE_REPLAYS_COMPARING_DIVERGENCE_GROWTH_H_
#define REPRISE_REPLAYS_COMPARING_DIVERGENCE_GROWTH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/tick.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"

namespace reprise::replays {

struct StateDistance {
  // What has an object's name and a field or row that differs; rows that only
  // one state has; and fields of rows that both have.
  uint64_t object_count = 0;
  uint64_t row_count = 0;
  uint64_t field_count = 0;
  // The doubles with the largest |expected - actual|, in their own unit, and
  // with the most units in the last place between them, where these say
  // anything: not across or from 0. The places ("physics.bodies crate_7
  // position.y") are empty where there is no such double.
  double largest_difference = 0.0;
  std::string largest_difference_at;
  std::string unit;
  uint64_t most_ulps = 0;
  std::string most_ulps_at;

  friend bool operator==(const StateDistance&, const StateDistance&) = default;
};

// REQUIRES: both states have the same shape.
StateDistance MeasureDistance(const sim::State& expected,
                              const sim::State& actual,
                              const sim::NameResolver& names);

// The state before the inputs of `tick`.
struct GrowthSample {
  sim::Tick tick = 0;
  StateDistance distance;
};

struct DivergenceGrowth {
  // 1, 2, 4, 8... ticks after the runs were last equal, and the last tick that
  // was looked at.
  std::vector<GrowthSample> samples;
  // From this tick up to the last one looked at the states are equal again;
  // unset: they are not.
  std::optional<sim::Tick> equal_from;
};

// A line a sample for a person, and one that says whether it died out.
std::string FormatGrowth(const DivergenceGrowth& growth);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_COMPARING_DIVERGENCE_GROWTH_H_
