// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Work that never changes: what the time of a tick is held to, so that a ratio
// stays where another machine, another clock rate or a neighbour makes both
// slower.

#ifndef REPRISE_TOOLS_REPRISE_BENCHMARKING_REFERENCE_LOAD_H_
#define REPRISE_TOOLS_REPRISE_BENCHMARKING_REFERENCE_LOAD_H_

#include <cstdint>
#include <vector>

namespace reprise::tools {

// Looks up 256 KiB at random, adds and multiplies whole numbers and doubles,
// takes roots and branches on what it finds, as a step of a game does. Never
// change it: every baseline holds a ratio to it.
class ReferenceLoad {
 public:
  // A thousandth of a millisecond's work or several, by machine.
  static constexpr uint32_t kRoundsPerUnit = 1000;

  ReferenceLoad();

  // Works on for `units`, and returns a number that follows from all of the
  // work since construction, the same on every machine.
  uint64_t Run(uint32_t units);

 private:
  std::vector<uint64_t> cells_;
  uint64_t state_ = 1;
  uint64_t sum_ = 0;
  double value_ = 0;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BENCHMARKING_REFERENCE_LOAD_H_
