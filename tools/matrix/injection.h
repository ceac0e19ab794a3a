// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The smallest change there is: one unit in the last place, put into one field
// of a running simulation. A checker that doesn't name exactly this tick,
// object and field checks nothing.

#ifndef REPRISE_TOOLS_MATRIX_INJECTION_H_
#define REPRISE_TOOLS_MATRIX_INJECTION_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::tools {

struct Injection {
  sim::Tick tick = 0;  // the state before the inputs of this tick
  std::string room;
  std::string table;
  std::string key;    // the row's, as comparisons print it: "crate_7"
  std::string field;  // "linear_velocity.y"

  friend bool operator==(const Injection&, const Injection&) = default;
};

// Reads "60:physics.bodies:crate_7:linear_velocity.y". INVALID_ARGUMENT for
// anything else.
absl::StatusOr<Injection> ParseInjection(std::string_view text);

// Moves the field, a double, to its neighbour away from zero. NOT_FOUND names
// the table, row or field that isn't there; INVALID_ARGUMENT: it isn't a
// double, or has no finite neighbour. REQUIRES: simulation.tick() ==
// injection.tick.
absl::Status Inject(const Injection& injection, sim::Simulation& simulation);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_MATRIX_INJECTION_H_
