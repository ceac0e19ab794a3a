// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// When a request ends before all of its ticks are made: a condition of the
// query language that is asked after each.

#ifndef REPRISE_SERVICES_STEPPING_STOP_CONDITION_H_
#define REPRISE_SERVICES_STEPPING_STOP_CONDITION_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "services/observations/observed_field.h"
#include "sim/simulation.h"

namespace reprise::services {

// Used by one thread at a time, with the simulation that it was parsed against.
class StopCondition {
 public:
  // INVALID_ARGUMENT: `text` is no condition about `simulation`.
  static absl::StatusOr<StopCondition> Parse(const std::string& text,
                                             const sim::Simulation& simulation);

  // Whether it holds of any subject.
  bool Holds(const ObservedTick& tick);

 private:
  explicit StopCondition(replays::Query query);

  std::unique_ptr<const replays::Query> query_;
  std::unique_ptr<replays::QueryEvaluation> evaluation_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STEPPING_STOP_CONDITION_H_
