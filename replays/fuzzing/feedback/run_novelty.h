// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What of a run may be new: events, outcomes, conditions that hold, values that
// are to be seen, and how good what is to be large or small is.

#ifndef REPRISE_REPLAYS_FUZZING_FEEDBACK_RUN_NOVELTY_H_
#define REPRISE_REPLAYS_FUZZING_FEEDBACK_RUN_NOVELTY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/query/query_evaluation.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::replays {

struct Feature {
  // Later kinds lead further.
  enum class Kind : uint8_t {
    kState,
    kCode,
    kEvent,
    kOutcome,
    kSometimes,
    kSet
  };

  uint64_t hash = 0;
  Kind kind = Kind::kState;
  // Of a word among those of its kind; of an outcome, which it is; of code, its
  // place.
  uint32_t index = 0;
  sim::Id event;  // of a kEvent

  friend bool operator==(const Feature&, const Feature&) = default;
};

// Used by one thread at a time.
class RunNovelty {
 public:
  // `rules` must remain live.
  explicit RunNovelty(const FuzzRules* rules);

  // Appends what there is at the simulation's tick; `events` are those of the
  // step that led to it.
  void Look(const sim::Simulation& simulation,
            std::span<const sim::Event> events, std::vector<Feature>& features);

  // Of the last look: what maximize and then minimize came to, these negated;
  // the best of all objects, and nullopt where there was no value.
  const std::vector<std::optional<double>>& scores() const { return scores_; }

 private:
  struct Set {
    std::vector<QueryEvaluation> evaluations;
    double step = 1.0;
  };

  void LookAtSet(const sim::Simulation& simulation,
                 std::span<const sim::Event> events, uint32_t index,
                 std::vector<Feature>& features);

  std::vector<QueryEvaluation> sometimes_;
  std::vector<QueryEvaluation> aims_;  // maximize, then minimize
  size_t maximize_count_ = 0;
  std::vector<Set> sets_;
  std::vector<std::optional<double>> scores_;
  // By subject; kept for its memory.
  std::map<std::vector<uint64_t>, uint64_t> cells_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_FUZZING_FEEDBACK_RUN_NOVELTY_H_
