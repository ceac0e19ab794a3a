// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a game says of itself to those who search it, with its expressions
// parsed: ALWAYS, SOMETIMES, REACHABLE, UNREACHABLE, MAXIMIZE, MINIMIZE, SET.

#ifndef REPRISE_REPLAYS_FUZZING_FEEDBACK_FUZZ_RULES_H_
#define REPRISE_REPLAYS_FUZZING_FEEDBACK_FUZZ_RULES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/query/query.h"
#include "sim/base/id.h"
#include "sim/fuzzing_description.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct FuzzWord {
  std::string name;
  Query query;
};

struct FuzzEvent {
  std::string name;
  sim::Id id;
};

struct FuzzSet {
  std::string name;
  std::vector<Query> queries;
  double step = 1.0;
};

// Immutable once made; any number of threads may use it.
struct FuzzRules {
  sim::FuzzingDescription description;
  std::vector<FuzzWord> always;
  std::vector<FuzzWord> sometimes;
  std::vector<FuzzEvent> reachable;
  std::vector<FuzzEvent> unreachable;
  // Events by which a game says that it failed itself. They are failures unless
  // `reachable` or `unreachable` names them.
  std::vector<FuzzEvent> mistakes;
  std::vector<FuzzWord> maximize;
  std::vector<FuzzWord> minimize;
  std::vector<FuzzSet> sets;

  // Parses what `description` says against `simulation` as it is now.
  // INVALID_ARGUMENT: "fuzzing.always 'lives': column 8: ...".
  static absl::StatusOr<FuzzRules> Create(
      const sim::FuzzingDescription& description,
      const sim::Simulation& simulation);
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FEEDBACK_FUZZ_RULES_H_
