// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/query/query_search.h"

#include <utility>

#include "sim/base/check.h"

namespace reprise::replays {
namespace {

bool IsExtreme(QueryAim aim) {
  return aim == QueryAim::kMinimum || aim == QueryAim::kMaximum;
}

// Whether `value` takes the place of `extreme`, which came before.
bool IsFurther(QueryAim aim, const sim::ExpressionValue& value,
               const sim::ExpressionValue& extreme) {
  const std::strong_ordering order = sim::CompareNumbers(value, extreme);
  return aim == QueryAim::kMinimum ? order < 0 : order > 0;
}

template <typename Found>
void AppendUpTo(uint64_t limit, std::vector<Found>& later,
                std::vector<Found>& found) {
  for (Found& next : later) {
    if (found.size() >= limit) return;
    found.push_back(std::move(next));
  }
}

}  // namespace

void AppendFindings(QueryAim aim, uint64_t limit, QueryFindings later,
                    QueryFindings& findings) {
  findings.ticks_asked += later.ticks_asked;
  findings.answer_count += later.answer_count;
  findings.match_count += later.match_count;
  findings.change_count += later.change_count;
  findings.error_count += later.error_count;
  AppendUpTo(limit, later.matches, findings.matches);
  AppendUpTo(limit, later.changes, findings.changes);
  if (later.extreme &&
      (!findings.extreme ||
       IsFurther(aim, later.extreme->value, findings.extreme->value))) {
    findings.extreme = std::move(later.extreme);
  }
  if (!findings.first_error)
    findings.first_error = std::move(later.first_error);
}

absl::Status QuerySearch::CheckAim(const Query& query, QueryAim aim) {
  if (aim == QueryAim::kChanges) return absl::OkStatus();
  if (IsExtreme(aim) && query.type() != sim::ExpressionType::kNumber) {
    return absl::InvalidArgumentError(
        "a minimum or maximum is of a number, and this is none");
  }
  if (!IsExtreme(aim) && query.type() != sim::ExpressionType::kBool) {
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
  changes_before_ = findings_.changes.size();
  evaluation_.Visit(
      simulation, events,
      [&](const sim::StateSubject& subject,
          const sim::ExpressionAnswer& answer) {
        if (!answer.ok()) {
          TakeError(subject, answer.status(), match.tick);
        } else if (!std::holds_alternative<sim::ExpressionAbsence>(*answer)) {
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

void QuerySearch::Start(const sim::Simulation& simulation,
                        std::span<const sim::Event> events) {
  CHECK(findings_.ticks_asked == 0);
  Look(simulation, events);
  findings_ = {};
}

void QuerySearch::Take(const sim::StateSubject& subject,
                       const sim::ExpressionValue& value, QueryMatch& match) {
  if (IsExtreme(aim_)) {
    TakeExtreme(subject, value, match.tick);
    return;
  }
  if (aim_ == QueryAim::kChanges) {
    const std::vector<uint64_t> key = evaluation_.KeyOf(subject);
    now_[key] = {.tick = match.tick,
                 .object = evaluation_.NameOf(subject),
                 .from = {},
                 .to = value,
                 .writer = {},
                 .key = key};
    return;
  }
  if (!sim::IsBool(value, true)) return;
  ++match.subject_count;
  if (match.objects.size() == kQueryNamesMax || aim_ == QueryAim::kCount) {
    return;
  }
  std::string name = evaluation_.NameOf(subject);
  if (!name.empty()) match.objects.push_back(std::move(name));
}

void QuerySearch::TakeExtreme(const sim::StateSubject& subject,
                              const sim::ExpressionValue& value,
                              sim::Tick tick) {
  if (findings_.extreme && !IsFurther(aim_, value, findings_.extreme->value)) {
    return;
  }
  findings_.extreme = {tick, evaluation_.NameOf(subject), value};
}

void QuerySearch::TakeError(const sim::StateSubject& subject,
                            const absl::Status& status, sim::Tick tick) {
  if (++findings_.error_count > 1) return;
  findings_.first_error = {tick, evaluation_.NameOf(subject),
                           std::string(status.message())};
}

// Walks the values of two ticks by ascending key.
void QuerySearch::TakeChanges(sim::Tick tick) {
  if (std::exchange(has_before_, true)) {
    auto before = before_.begin();
    auto now = now_.begin();
    while (before != before_.end() || now != now_.end()) {
      if (now == now_.end() ||
          (before != before_.end() && before->first < now->first)) {
        AddChange({.tick = tick,
                   .object = before->second.object,
                   .from = before->second.to,
                   .to = {},
                   .writer = {},
                   .key = before->first});
        ++before;
      } else if (before == before_.end() || now->first < before->first) {
        AddChange(now->second);
        ++now;
      } else {
        if (!sim::IsSame(before->second.to, now->second.to)) {
          QueryChange change = now->second;
          change.from = before->second.to;
          AddChange(std::move(change));
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
