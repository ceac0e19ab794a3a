// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compares two states by name: which rooms, objects and fields differ, and both
// values. Pages with equal digests are not looked into.

#ifndef REPRISE_SIM_STATE_STATE_COMPARISON_H_
#define REPRISE_SIM_STATE_STATE_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/state/field_value.h"
#include "sim/state/row_schema.h"
#include "sim/state/state.h"

namespace reprise::sim {

// One scalar that differs, or one row that only one of the states has.
struct FieldDifference {
  TableIndex table;
  // The key fields of the row, in order; the row's position where it has none.
  std::vector<FieldValue> key;
  // Unset when the whole row is missing on one side.
  std::optional<ScalarPath> scalar;
  // Unset on the side that does not have the row.
  std::optional<FieldValue> expected;
  std::optional<FieldValue> actual;
};

// The differences in order of table, key and field, at most `limit` of them.
// REQUIRES: both states have the same shape (State::CheckSameShape).
std::vector<FieldDifference> CompareStates(const State& expected,
                                           const State& actual, size_t limit);

// Whether units in the last place say how far these two are apart: not where
// one is 0 or their signs differ, since the countless numbers next to 0 lie
// between.
bool CountsInUlps(double a, double b);

// "physics.bodies crate_7 linear_velocity.y: -1.25 | -1.2500000000000002
// (1 ulp)". `state` is either of the states compared.
std::string FormatDifference(const FieldDifference& difference,
                             const State& state, const NameResolver& names);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_STATE_STATE_COMPARISON_H_
