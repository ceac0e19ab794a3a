// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What two players, or one player in two recordings, did differently at a tick,
// in the words of the pack's actions.

#ifndef REPRISE_TOOLS_REPRISE_DIFFERENCES_INPUT_DIFFERENCE_H_
#define REPRISE_TOOLS_REPRISE_DIFFERENCES_INPUT_DIFFERENCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/format/input_source.h"
#include "sim/base/tick.h"
#include "sim/input/input_grammar.h"

namespace reprise::tools {

struct InputDifference {
  uint32_t player = 0;
  std::string action;  // "commands" for the commands of a tick as a whole
  std::string expected;
  std::string actual;

  friend bool operator==(const InputDifference&,
                         const InputDifference&) = default;
};

// What differs at `tick`, by player and then by action: what is held counts,
// not whether it was said again. Errors are those of the sources, which are
// read from tick 0 on.
absl::StatusOr<std::vector<InputDifference>> DescribeInputs(
    replays::InputSource& expected, replays::InputSource& actual,
    sim::Tick tick, const sim::InputGrammar& grammar);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_DIFFERENCES_INPUT_DIFFERENCE_H_
