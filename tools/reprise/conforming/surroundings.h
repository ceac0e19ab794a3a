// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a process finds around it: one thing at a time is another, so that what
// differs says which one a simulation goes by.

#ifndef REPRISE_TOOLS_REPRISE_CONFORMING_SURROUNDINGS_H_
#define REPRISE_TOOLS_REPRISE_CONFORMING_SURROUNDINGS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "replays/conforming/conformance.h"

namespace reprise::tools {

// The checks that need processes, by what is another there, in this order.
std::span<const replays::ConformanceCheck> SurroundingsChecks();

// What the process of a check is started with.
struct Surroundings {
  std::vector<std::string> environment;  // "NAME=value" each
  std::string folder;                    // to work in; empty: this one
  bool has_other_addresses = false;      // than each process before
};

// Those of now, for the run that others are held against.
Surroundings PresentSurroundings();

// Those of the check `name`; `folder` is an empty one that it may use. What is
// set in the environment and not needed is left out by "environment".
Surroundings SurroundingsOf(std::string_view name, const std::string& folder);

// Called in the process of the check `name`, before anything is made there:
// what can't be set from outside. UNAVAILABLE: this machine has no such
// surroundings, and why.
absl::Status EnterSurroundings(std::string_view name);

// Called there before each tick.
void StirSurroundings(std::string_view name);

// Whether all processes have the same addresses, but for those that are to have
// others.
bool AddressesAreFixed();

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_CONFORMING_SURROUNDINGS_H_
