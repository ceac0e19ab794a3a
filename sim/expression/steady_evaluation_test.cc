// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that evaluating an expression again allocates nothing, of a point and
// of a state, by counting the allocator's calls.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "gtest/gtest.h"
#include "sim/expression/evaluator.h"
#include "sim/expression/state_evaluation.h"
#include "sim/expression/testing_board.h"
#include "sim/expression/testing_point.h"

namespace {

uint64_t allocation_count = 0;

}  // namespace

void* operator new(size_t size) {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace reprise::sim {
namespace {

TEST(SteadyEvaluationTest, EvaluatingAgainAllocatesNothing) {
  PointScope scope;
  const absl::StatusOr<Expression> expression = Expression::Parse(
      "max(abs(x - y), sqrt(x), 2) < 3.5 * y and not (side == left) and "
      "mirrored(x * 2 >= y or y < -1e3)",
      scope);
  ASSERT_TRUE(expression.ok()) << expression.status();
  ExpressionEvaluator evaluator;
  PointReader reader(&*expression, &evaluator, {.x = 3, .y = 4});
  const ExpressionProgram& program = expression->programs()[0];
  const uint64_t count_before = allocation_count;
  const ExpressionAnswer first = evaluator.Evaluate(program, reader);
  const uint64_t count_between = allocation_count;
  const ExpressionAnswer again = evaluator.Evaluate(program, reader);
  EXPECT_EQ(allocation_count, count_between);
  EXPECT_GT(count_between, count_before);
  EXPECT_EQ(*first, ExpressionValue(true));
  EXPECT_EQ(*again, ExpressionValue(true));
}

TEST(SteadyEvaluationTest, VisitingAgainAllocatesNothing) {
  const State state = MakeBoard();
  const absl::StatusOr<StateExpression> expression = StateExpression::Parse(
      "(pieces.x > drifter.pieces.x - 1 or tags.colour == 'red') and "
      "count(contacts.depth > game.score) > 0 and exists(walker) and "
      "not exists(runner#9)",
      state, BoardNames(), /*facts=*/nullptr);
  ASSERT_TRUE(expression.ok()) << expression.status();
  StateEvaluation evaluation(&*expression, BoardNames());
  uint64_t true_count = 0;
  const auto visit = [&] {
    evaluation.Visit(state, /*facts=*/nullptr,
                     [&](const StateSubject&, const ExpressionAnswer& answer) {
                       if (answer.ok() && IsBool(*answer, true)) ++true_count;
                     });
  };
  visit();
  const uint64_t count_between = allocation_count;
  visit();
  EXPECT_EQ(allocation_count, count_between);
  EXPECT_EQ(true_count, 2u);
}

}  // namespace
}  // namespace reprise::sim
