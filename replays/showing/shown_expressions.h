// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Expressions of the query language, answered at the frames of a stream.

#ifndef REPRISE_REPLAYS_SHOWING_SHOWN_EXPRESSIONS_H_
#define REPRISE_REPLAYS_SHOWING_SHOWN_EXPRESSIONS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/query/query.h"
#include "replays/query/query_evaluation.h"
#include "replays/showing/frame_stream.h"
#include "sim/expression/state_subjects.h"
#include "sim/expression/value.h"

namespace reprise::replays {

// The expressions of lists with commas between them; those within brackets and
// quotes belong to the expressions. INVALID_ARGUMENT: one is empty.
absl::StatusOr<std::vector<std::string>> SplitExpressions(
    std::span<const std::string> lists);

class ShownExpressions {
 public:
  // Of expression `index`, and of a subject of it.
  using Visitor =
      std::function<void(size_t index, const sim::StateSubject& subject,
                         const sim::ExpressionValue& value)>;

  // `stream` must remain live while these are in use. INVALID_ARGUMENT names
  // the expression that is wrong.
  static absl::StatusOr<std::unique_ptr<ShownExpressions>> Create(
      const FrameStream* stream, const std::vector<std::string>& texts);

  ShownExpressions(const ShownExpressions&) = delete;
  ShownExpressions& operator=(const ShownExpressions&) = delete;

  size_t size() const { return expressions_.size(); }
  const std::string& text(size_t index) const {
    return expressions_[index].query.text();
  }

  sim::ExpressionType TypeOf(size_t index) const {
    return expressions_[index].query.type();
  }

  // Whether it has a value for each of some objects, and not the one.
  bool IsOfObjects(size_t index) const;

  // Answers all of them about the frame that the stream is at, in their order
  // and in that of their subjects. What has no answer is counted.
  void Visit(const Visitor& visit);

  // During a visit, of what it was called with; see QueryEvaluation.
  std::string NameOf(size_t index, const sim::StateSubject& subject) const {
    return expressions_[index].evaluation.NameOf(subject);
  }
  std::vector<uint64_t> KeyOf(size_t index,
                              const sim::StateSubject& subject) const {
    return expressions_[index].evaluation.KeyOf(subject);
  }

  // How often there was no answer, and why the first time.
  uint64_t problem_count() const { return problem_count_; }
  const std::string& first_problem() const { return first_problem_; }

  // How often an answer was an infinity or no number at all, and which was the
  // first: not every format has such numbers.
  uint64_t not_finite_count() const { return not_finite_count_; }
  const std::string& first_not_finite() const { return first_not_finite_; }

 private:
  struct Expression {
    Query query;
    QueryEvaluation evaluation;

    explicit Expression(Query parsed)
        : query(std::move(parsed)), evaluation(&query) {}
  };

  explicit ShownExpressions(const FrameStream* stream) : stream_(*stream) {}

  void CountIfNotFinite(size_t index, const sim::ExpressionValue& value);

  const FrameStream& stream_;
  std::deque<Expression> expressions_;  // they stay where they are
  uint64_t problem_count_ = 0;
  std::string first_problem_;
  uint64_t not_finite_count_ = 0;
  std::string first_not_finite_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_SHOWING_SHOWN_EXPRESSIONS_H_
