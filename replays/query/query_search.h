// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Asks a query at one tick after the other, and keeps what came of it: where it
// holds and for whom, its least or greatest value, or how its value changed.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_SEARCH_H_
#define REPRISE_REPLAYS_QUERY_QUERY_SEARCH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "replays/query/query_value.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/simulation.h"

namespace reprise::replays {

enum class QueryAim {
  kTicks,    // every tick at which it holds
  kFirst,    // the first of them
  kCount,    // how many there are
  kMinimum,  // its least value, where it first had it
  kMaximum,  // its greatest
  kChanges,  // every tick at which its value was another than at the one before
};

// A tick at which it holds.
struct QueryMatch {
  sim::Tick tick = 0;
  uint64_t subject_count = 0;
  // The first kQueryNamesMax of them; none where it is about the tick.
  std::vector<std::string> objects;
};

struct QueryExtreme {
  sim::Tick tick = 0;
  std::string object;
  QueryValue value;
};

struct QueryChange {
  sim::Tick tick = 0;
  std::string object;
  QueryValue from;  // absent: it has just come
  QueryValue to;    // absent: it is gone
};

// A tick at which there was no answer.
struct QueryError {
  sim::Tick tick = 0;
  std::string object;
  std::string problem;
};

struct QueryFindings {
  uint64_t ticks_asked = 0;
  // Answers that were neither absent nor an error.
  uint64_t answer_count = 0;
  // All of them, however many are kept.
  uint64_t match_count = 0;
  uint64_t change_count = 0;
  uint64_t error_count = 0;
  std::vector<QueryMatch> matches;
  std::vector<QueryChange> changes;
  std::optional<QueryExtreme> extreme;
  std::optional<QueryError> first_error;

  bool is_empty() const {
    return match_count == 0 && change_count == 0 && !extreme;
  }
};

inline constexpr size_t kQueryNamesMax = 8;

// Used by one thread at a time.
class QuerySearch {
 public:
  // INVALID_ARGUMENT: the aim takes a query of another type.
  static absl::Status CheckAim(const Query& query, QueryAim aim);

  // Keeps the first `limit` matches or changes and counts the others. `query`
  // must remain live while this search is in use. REQUIRES: CheckAim.
  QuerySearch(const Query* query, QueryAim aim, uint64_t limit);

  // Asks at the simulation's tick; `events` are those of the step that led to
  // it. Ticks ascend. False once nothing later could add to the findings.
  bool Look(const sim::Simulation& simulation,
            std::span<const sim::Event> events);

  const QueryFindings& findings() const { return findings_; }

 private:
  using Values = std::map<std::vector<uint64_t>, QueryChange>;

  void Take(const QuerySubject& subject, const QueryValue& value,
            QueryMatch& match);
  void TakeExtreme(const QuerySubject& subject, const QueryValue& value,
                   sim::Tick tick);
  void TakeError(const QuerySubject& subject, const absl::Status& status,
                 sim::Tick tick);
  void TakeChanges(sim::Tick tick);
  void AddChange(QueryChange change);

  const QueryAim aim_;
  const uint64_t limit_;
  QueryEvaluation evaluation_;
  QueryFindings findings_;
  // Of kChanges: by key, `to` of the tick before and of this one.
  Values before_;
  Values now_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_SEARCH_H_
