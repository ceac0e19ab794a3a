// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Asks a query at one tick after the other, and keeps what came of it: where it
// holds and for whom, its least or greatest value, or how its value changed.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_SEARCH_H_
#define REPRISE_REPLAYS_QUERY_QUERY_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"
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

  friend bool operator==(const QueryMatch&, const QueryMatch&) = default;
};

struct QueryExtreme {
  sim::Tick tick = 0;
  std::string object;
  sim::ExpressionValue value;

  friend bool operator==(const QueryExtreme&, const QueryExtreme&) = default;
};

struct QueryChange {
  sim::Tick tick = 0;
  std::string object;
  sim::ExpressionValue from;  // absent: it has just come
  sim::ExpressionValue to;    // absent: it is gone
  // Who made it, in the step to this tick ("solver", "behaviour spawn"); empty:
  // nobody was watched, or it follows from an event.
  std::string writer;
  std::vector<uint64_t> key;  // of the subject

  friend bool operator==(const QueryChange&, const QueryChange&) = default;
};

// A tick at which there was no answer.
struct QueryError {
  sim::Tick tick = 0;
  std::string object;
  std::string problem;

  friend bool operator==(const QueryError&, const QueryError&) = default;
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

  friend bool operator==(const QueryFindings&, const QueryFindings&) = default;
};

// Takes over what was found later by a search with the same aim and limit that
// went on where this one ended: the findings are then those of one search.
void AppendFindings(QueryAim aim, uint64_t limit, QueryFindings later,
                    QueryFindings& findings);

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

  // Takes note of a tick that another search looks at, so that what changes
  // until the next one is seen. REQUIRES: comes before the first Look.
  void Start(const sim::Simulation& simulation,
             std::span<const sim::Event> events);

  const QueryFindings& findings() const { return findings_; }

  // The changes that the last Look has kept, for who finds out their writers.
  std::span<QueryChange> last_changes() {
    return std::span(findings_.changes).subspan(changes_before_);
  }

 private:
  using Values = std::map<std::vector<uint64_t>, QueryChange>;

  void Take(const sim::StateSubject& subject, const sim::ExpressionValue& value,
            QueryMatch& match);
  void TakeExtreme(const sim::StateSubject& subject,
                   const sim::ExpressionValue& value, sim::Tick tick);
  void TakeError(const sim::StateSubject& subject, const absl::Status& status,
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
  bool has_before_ = false;
  size_t changes_before_ = 0;  // kept before the last Look
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_SEARCH_H_
