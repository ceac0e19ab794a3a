// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What whoever searches a game for mistakes is to know of it, as a pack or a
// program declares it. No state follows from it. Expressions are those of
// queries (docs/query.md).

#ifndef REPRISE_SIM_FUZZING_DESCRIPTION_H_
#define REPRISE_SIM_FUZZING_DESCRIPTION_H_

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::sim {

// An expression, and the name by which findings tell of it.
struct FuzzingExpression {
  std::string name;
  std::string text;

  friend bool operator==(const FuzzingExpression&,
                         const FuzzingExpression&) = default;
};

// Each combination of the values is one to see.
struct FuzzingSet {
  std::string name;
  std::vector<std::string> expressions;
  double step = 1.0;  // numbers in one multiple of it are the same

  friend bool operator==(const FuzzingSet&, const FuzzingSet&) = default;
};

struct FuzzingWeight {
  std::string action;
  uint32_t weight = 1;  // of those that say nothing it is 1

  friend bool operator==(const FuzzingWeight&, const FuzzingWeight&) = default;
};

// Buttons and keys that are pressed in turn.
struct FuzzingSequence {
  std::string name;
  std::vector<std::string> actions;
  uint32_t hold_ticks = 1;  // of each, and of the pause behind it

  friend bool operator==(const FuzzingSequence&,
                         const FuzzingSequence&) = default;
};

struct FuzzingDescription {
  std::vector<FuzzingExpression> always;
  std::vector<FuzzingExpression> sometimes;
  std::vector<std::string> reachable;    // events
  std::vector<std::string> unreachable;  // events
  std::vector<FuzzingExpression> maximize;
  std::vector<FuzzingExpression> minimize;
  std::vector<FuzzingSet> sets;
  std::vector<std::string> never_used;  // actions
  std::vector<FuzzingWeight> weights;
  std::vector<FuzzingSequence> sequences;
  uint32_t stuck_ticks = 0;         // 0: it isn't looked for
  double world_radius_m = 100'000;  // what is further away has left the world

  friend bool operator==(const FuzzingDescription&,
                         const FuzzingDescription&) = default;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_FUZZING_DESCRIPTION_H_
