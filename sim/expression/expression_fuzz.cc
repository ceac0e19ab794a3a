// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the text of expressions, for crashes and for work without bound. What
// parses is evaluated, of a point and of a state; no answer is NaN.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/expression/evaluator.h"
#include "sim/expression/expression.h"
#include "sim/expression/state_evaluation.h"
#include "sim/expression/state_expression.h"
#include "sim/expression/testing_board.h"
#include "sim/expression/testing_point.h"
#include "sim/expression/tree.h"
#include "sim/expression/value.h"

namespace reprise::sim {
namespace {

// Comparing a number with itself checks that it is one.
void CheckAnswer(ExpressionType type, const ExpressionAnswer& answer) {
  if (!answer.ok() || std::holds_alternative<ExpressionAbsence>(*answer)) {
    return;
  }
  switch (type) {
    case ExpressionType::kBool:
      CHECK(std::holds_alternative<bool>(*answer));
      break;
    case ExpressionType::kNumber:
      CHECK(CompareNumbers(*answer, *answer) == 0);
      break;
    case ExpressionType::kText:
      CHECK(std::holds_alternative<std::string>(*answer));
      break;
  }
}

void EvaluateOfPoint(std::string_view text) {
  PointScope scope;
  const absl::StatusOr<Expression> expression = Expression::Parse(text, scope);
  if (!expression.ok()) return;
  for (const ExpressionProgram& program : expression->programs()) {
    CHECK(program.steps.size() <= text.size());
  }
  ExpressionEvaluator evaluator;
  PointReader reader(&*expression, &evaluator, {.x = 3, .y = std::nullopt});
  CheckAnswer(expression->type(),
              evaluator.Evaluate(expression->programs()[0], reader));
}

void EvaluateOfState(std::string_view text) {
  static const State* const board = new State(MakeBoard());
  const absl::StatusOr<StateExpression> expression =
      StateExpression::Parse(text, *board, BoardNames(), /*facts=*/nullptr);
  if (!expression.ok()) return;
  StateEvaluation evaluation(&*expression, BoardNames());
  evaluation.Visit(*board, /*facts=*/nullptr,
                   [&](const StateSubject&, const ExpressionAnswer& answer) {
                     CheckAnswer(expression->type(), answer);
                   });
}

void ParseAndEvaluate(std::string_view text) {
  const absl::StatusOr<ExpressionTree> tree = ParseExpression(text);
  if (!tree.ok()) return;
  CHECK(tree->nodes.size() <= text.size());
  EvaluateOfPoint(text);
  EvaluateOfState(text);
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::sim::ParseAndEvaluate({reinterpret_cast<const char*>(data), size});
  return 0;
}
