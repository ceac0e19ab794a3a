// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/shown_expressions.h"

#include <algorithm>
#include <variant>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/expression/state_expression.h"

namespace reprise::replays {
namespace {

// Whether a comma here stands between two expressions.
class Nesting {
 public:
  bool IsOutside(char c) {
    if (quote_ != 0) {
      if (c == quote_) quote_ = 0;
      return false;
    }
    if (c == '\'' || c == '"') quote_ = c;
    if (c == '(' || c == '[') ++depth_;
    if (c == ')' || c == ']') --depth_;
    return depth_ <= 0;
  }

 private:
  char quote_ = 0;
  int depth_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitExpressions(
    std::span<const std::string> lists) {
  std::vector<std::string> expressions;
  for (const std::string& list : lists) {
    const size_t first = expressions.size();
    expressions.emplace_back();
    Nesting nesting;
    for (const char c : list) {
      if (nesting.IsOutside(c) && c == ',') {
        expressions.emplace_back();
      } else if (c != ' ' || !expressions.back().empty()) {
        expressions.back() += c;
      }
    }
    if (std::any_of(expressions.begin() + static_cast<ptrdiff_t>(first),
                    expressions.end(),
                    [](const std::string& text) { return text.empty(); })) {
      return absl::InvalidArgumentError(fmt::format(
          "'{}' has an empty expression: commas stand between two", list));
    }
  }
  return expressions;
}

absl::StatusOr<std::unique_ptr<ShownExpressions>> ShownExpressions::Create(
    const FrameStream* stream, const std::vector<std::string>& texts) {
  std::unique_ptr<ShownExpressions> made(new ShownExpressions(stream));
  for (const std::string& text : texts) {
    absl::StatusOr<Query> query = Query::Parse(text, stream->simulation());
    if (!query.ok()) {
      return absl::Status(
          query.status().code(),
          fmt::format("{}: {}", text, std::string(query.status().message())));
    }
    made->expressions_.emplace_back(*std::move(query));
  }
  return made;
}

bool ShownExpressions::IsOfObjects(size_t index) const {
  const sim::StateExpression& expression =
      expressions_[index].query.expression();
  return !expression.subject_tables().front().empty();
}

void ShownExpressions::Visit(const Visitor& visit) {
  const ShownFrame& frame = stream_.frame();
  for (size_t i = 0; i < expressions_.size(); ++i) {
    expressions_[i].evaluation.Visit(
        stream_.simulation(), frame.events,
        [&](const sim::StateSubject& subject,
            const sim::ExpressionAnswer& answer) {
          if (answer.ok()) {
            CountIfNotFinite(i, *answer);
            visit(i, subject, *answer);
            return;
          }
          if (problem_count_++ > 0) return;
          first_problem_ = fmt::format("tick {}: {}: {}", frame.tick, text(i),
                                       std::string(answer.status().message()));
        });
  }
}

void ShownExpressions::CountIfNotFinite(size_t index,
                                        const sim::ExpressionValue& value) {
  const auto* const number = std::get_if<double>(&value);
  if (number == nullptr || sim::IsFinite(*number)) return;
  if (not_finite_count_++ > 0) return;
  first_not_finite_ = fmt::format("tick {}: {} is {}", stream_.frame().tick,
                                  text(index), *number);
}

}  // namespace reprise::replays
