// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The first difference between two runs that should be the same, in words and
// numbers that need neither of the runs any more.

#ifndef REPRISE_REPLAYS_VERIFYING_DIVERGENCE_H_
#define REPRISE_REPLAYS_VERIFYING_DIVERGENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"
#include "sim/state/state.h"
#include "sim/state/state_comparison.h"

namespace reprise::replays {

// One scalar, or one whole row, that differs.
struct FieldDivergence {
  std::string room;
  std::string table;
  std::string object;      // the row's key, in names
  bool is_object = false;  // whether that key is an object's
  std::string field;       // "linear_velocity.y"; empty: the whole row
  std::string unit;        // empty for a pure number
  std::string expected;    // "missing" where the row isn't there
  std::string actual;
  // What the numbers stand for ("dormant"); empty: they are just numbers.
  std::string expected_name = {};
  std::string actual_name = {};
  std::optional<uint64_t> ulps;  // of doubles: units in the last place
  // Who wrote it last in the tick that made the difference ("solver",
  // "behaviour spawn"); empty: nobody did, or the tick wasn't watched.
  std::string expected_writer;
  std::string actual_writer;
  // The place and the values as one line.
  std::string text;

  friend bool operator==(const FieldDivergence&,
                         const FieldDivergence&) = default;
};

struct Divergence {
  enum class Kind {
    kState,          // the states differ
    kHistory,        // the states are equal again, the chain over them is not
    kOutcome,        // the states are equal, the outcome is not
    kRefusedInputs,  // one run accepts inputs that the other refuses
    kEvents,         // the states are equal, what happened in a tick is not
    kBranch,         // the states are equal, a branch claims another past
  };

  Kind kind = Kind::kState;
  // Between these two the runs parted: equal before the inputs of
  // `last_equal_tick` (unset: never known to be equal), no more equal before
  // the inputs of `first_different_tick`.
  std::optional<sim::Tick> last_equal_tick;
  sim::Tick first_different_tick = 0;
  // The first phase after which they differed, where both runs were at hand.
  std::string phase;
  // The root digests at first_different_tick.
  sim::Digest expected_root;
  sim::Digest actual_root;
  // The rooms whose digests differ at first_different_tick.
  std::vector<std::string> rooms;
  // What differs, in order of room, table, object and field; at most as many as
  // were asked for. Empty where no state was at hand.
  std::vector<FieldDivergence> fields;
  bool has_more_fields = false;
  // The tick of the states that `fields` were found in; unset without fields,
  // or when the states were taken within a tick, after `phase`.
  std::optional<sim::Tick> fields_tick;
  // What else there is to say, one sentence; often empty.
  std::string remark;

  // The tick that made the difference is known: not an interval.
  bool is_exact() const;
};

// "state", "history", "outcome", "refused_inputs", "events", "branch".
std::string DivergenceKindName(Divergence::Kind kind);

// Compares two states and puts the first `limit` differences into
// `divergence.fields`, with the names of `simulation`; returns them as they
// are in the states, in the same order. REQUIRES: both states have the same
// shape.
std::vector<sim::FieldDifference> DescribeFields(
    const sim::State& expected, const sim::State& actual, size_t limit,
    const sim::Simulation& simulation, Divergence& divergence);

// The units in the last place between both values, where they say how far these
// are apart: not across or from 0.
std::optional<uint64_t> TellableUlps(const FieldDivergence& field);

// "1 | 1.0000000000000002 (1 ulp) [m]; last written by solver"; "active (1) |
// dormant (2)"; "2 | 1.5 (2251799813685248 ulp, -25 %)"; "-1 | 1 (changes
// sign)"; "0 | 1.5"; "1.5 | 0 (-100 %)".
std::string FormatValues(const FieldDivergence& field);

// A few lines for a person. Where the place is exact the first says all of the
// first field: "tick 1841, physics, object crate_7, bodies.position.y: 1 | 2
// (4503599627370496 ulp, +100 %) [m]; last written by solver".
std::string FormatDivergence(const Divergence& divergence);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_VERIFYING_DIVERGENCE_H_
