// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_search.h"

#include <utility>

namespace reprise::replays {
namespace {

bool IsExtreme(QueryAim aim) {
  return aim == QueryAim::kMinimum || aim == QueryAim::kMaximum;
}

}  // namespace

absl::Status QuerySearch::CheckAim(const Query& query, QueryAim aim) {
  if (aim == QueryAim::kChanges) return absl::OkStatus();
  if (IsExtreme(aim) && query.type() != QueryType::kNumber) {
    return absl::InvalidArgumentError(
        "a minimum or maximum is of a number, and this is none");
  }
  if (!IsExtreme(aim) && query.type() != QueryType::kBool) {
    return absl::InvalidArgumentError(
        "this never holds, because it is not true or false: compare it with "
        "something, or ask for its minimum or maximum, or watch it");
  }
  return absl::OkStatus();
}

QuerySearch::QuerySearch(const Query* query, QueryAim aim, uint64_t limit)
    : aim_(aim), limit_(limit), evaluation_(query) {}

bool QuerySearch::Look(const sim::Simulation& simulation,
                       std::span<const sim::Event> events) {
  QueryMatch match{.tick = simulation.tick(), .objects = {}};
  evaluation_.Visit(
      simulation, events,
      [&](const QuerySubject& subject, const QueryEvaluation::Answer& answer) {
        if (!answer.ok()) {
          TakeError(subject, answer.status(), match.tick);
        } else if (!std::holds_alternative<QueryAbsence>(*answer)) {
          ++findings_.answer_count;
          Take(subject, *answer, match);
        }
      });
  ++findings_.ticks_asked;
  if (aim_ == QueryAim::kChanges) TakeChanges(match.tick);
  if (match.subject_count == 0) return true;
  ++findings_.match_count;
  if (aim_ != QueryAim::kCount && findings_.matches.size() < limit_) {
    findings_.matches.push_back(std::move(match));
  }
  return aim_ != QueryAim::kFirst;
}

void QuerySearch::Take(const QuerySubject& subject, const QueryValue& value,
                       QueryMatch& match) {
  if (IsExtreme(aim_)) {
    TakeExtreme(subject, value, match.tick);
    return;
  }
  if (aim_ == QueryAim::kChanges) {
    now_[subject.key] = {.tick = match.tick,
                         .object = evaluation_.NameOf(subject),
                         .from = {},
                         .to = value};
    return;
  }
  if (!IsBool(value, true)) return;
  ++match.subject_count;
  if (match.objects.size() == kQueryNamesMax || aim_ == QueryAim::kCount) {
    return;
  }
  std::string name = evaluation_.NameOf(subject);
  if (!name.empty()) match.objects.push_back(std::move(name));
}

void QuerySearch::TakeExtreme(const QuerySubject& subject,
                              const QueryValue& value, sim::Tick tick) {
  if (findings_.extreme) {
    const std::strong_ordering order =
        CompareNumbers(value, findings_.extreme->value);
    if (aim_ == QueryAim::kMinimum ? order >= 0 : order <= 0) return;
  }
  findings_.extreme = {tick, evaluation_.NameOf(subject), value};
}

void QuerySearch::TakeError(const QuerySubject& subject,
                            const absl::Status& status, sim::Tick tick) {
  if (++findings_.error_count > 1) return;
  findings_.first_error = {tick, evaluation_.NameOf(subject),
                           std::string(status.message())};
}

// Walks the values of two ticks by ascending key.
void QuerySearch::TakeChanges(sim::Tick tick) {
  if (findings_.ticks_asked > 1) {
    auto before = before_.begin();
    auto now = now_.begin();
    while (before != before_.end() || now != now_.end()) {
      if (now == now_.end() ||
          (before != before_.end() && before->first < now->first)) {
        AddChange({tick, before->second.object, before->second.to, {}});
        ++before;
      } else if (before == before_.end() || now->first < before->first) {
        AddChange({tick, now->second.object, {}, now->second.to});
        ++now;
      } else {
        if (!IsSame(before->second.to, now->second.to)) {
          AddChange(
              {tick, now->second.object, before->second.to, now->second.to});
        }
        ++before;
        ++now;
      }
    }
  }
  before_ = std::exchange(now_, {});
}

void QuerySearch::AddChange(QueryChange change) {
  ++findings_.change_count;
  if (findings_.changes.size() < limit_) {
    findings_.changes.push_back(std::move(change));
  }
}

}  // namespace reprise::replays
