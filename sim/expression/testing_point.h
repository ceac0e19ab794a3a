// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The smallest thing that expressions can speak of, for tests: two numbers,
// without a state or a simulation.

#ifndef REPRISE_SIM_EXPRESSION_TESTING_POINT_H_
#define REPRISE_SIM_EXPRESSION_TESTING_POINT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/expression/evaluator.h"
#include "sim/expression/expression.h"
#include "sim/expression/scope.h"
#include "sim/expression/token.h"
#include "sim/expression/tree.h"
#include "sim/expression/value.h"

namespace reprise::sim {

struct Point {
  std::optional<double> x;  // unset: absent
  std::optional<double> y;
};

// What the references of a PointScope are; from kMirrored on, each is that of
// the program of a condition.
enum PointReference : uint32_t { kX, kY, kSide, kMirrored };

// `x` and `y`; `side`, on which x is, `left` or `right`; `axis(name)`, whether
// it is that of an axis; `mirrored(condition)`, whether it holds where x and y
// change places.
class PointScope final : public ExpressionScope {
 public:
  absl::StatusOr<std::optional<ExpressionMeaning>> FindName(
      const ExpressionNode& node) override {
    const std::string name = node.FullName();
    if (name == "x") return ExpressionMeaning{.reference = kX};
    if (name == "y") return ExpressionMeaning{.reference = kY};
    if (name == "side") {
      return ExpressionMeaning{.type = ExpressionType::kText,
                               .reference = kSide,
                               .choices = &kSides};
    }
    if (name == "left" || name == "right") {
      return ExpressionMeaning{.type = ExpressionType::kText, .constant = name};
    }
    return std::nullopt;
  }

  std::vector<std::string> KnownNames() const override {
    return {"x", "y", "side", "left", "right"};
  }

  std::span<const ScopeFunction> functions() const override {
    return kFunctions;
  }

  absl::StatusOr<ExpressionMeaning> FindCall(const ScopeCall& call) override {
    if (call.function == "mirrored") {
      return ExpressionMeaning{.type = ExpressionType::kBool,
                               .reference = kMirrored + call.program};
    }
    if (call.name.size() != 1) {
      return ExpressionErrorAt(call.argument_column, "an axis is one letter");
    }
    return ExpressionMeaning{.type = ExpressionType::kBool,
                             .constant = call.name == "x" || call.name == "y"};
  }

 private:
  static constexpr std::string_view kSideTexts[] = {"left", "right"};
  static constexpr ExpressionChoices kSides = {"a side", kSideTexts};
  static constexpr ScopeFunction kFunctions[] = {
      {"axis", ScopeFunction::Argument::kName},
      {"mirrored", ScopeFunction::Argument::kCondition}};
};

class PointReader final : public ExpressionReader {
 public:
  // All must remain live while this reader is in use.
  PointReader(const Expression* expression, ExpressionEvaluator* evaluator,
              Point point)
      : expression_(*expression), evaluator_(*evaluator), point_(point) {}

  ExpressionAnswer Read(uint32_t reference) override {
    if (reference == kX) return ValueOf(point_.x);
    if (reference == kY) return ValueOf(point_.y);
    if (reference == kSide) {
      return ExpressionValue(point_.x.value_or(0) < 0 ? "left" : "right");
    }
    PointReader mirrored(&expression_, &evaluator_, {point_.y, point_.x});
    return evaluator_.Evaluate(expression_.programs()[reference - kMirrored],
                               mirrored);
  }

 private:
  static ExpressionValue ValueOf(const std::optional<double>& coordinate) {
    if (coordinate) return *coordinate;
    return ExpressionAbsence{};
  }

  const Expression& expression_;
  ExpressionEvaluator& evaluator_;
  const Point point_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_TESTING_POINT_H_
