// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/expression/evaluator.h"

#include <compare>
#include <cstddef>
#include <span>
#include <utility>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

using Kind = ExpressionStep::Kind;

// `a and b`, `a or b`: what decides alone also decides beside an error.
ExpressionAnswer Decide(ExpressionOperator op, const ExpressionAnswer& a,
                        const ExpressionAnswer& b) {
  const bool deciding = op == ExpressionOperator::kOr;
  for (const ExpressionAnswer* const answer : {&a, &b}) {
    if (answer->ok() && IsBool(**answer, deciding)) return *answer;
  }
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return deciding ? Or(*a, *b) : And(*a, *b);
}

ExpressionAnswer ApplyBinary(ExpressionOperator op, const ExpressionAnswer& a,
                             const ExpressionAnswer& b) {
  if (op == ExpressionOperator::kOr || op == ExpressionOperator::kAnd) {
    return Decide(op, a, b);
  }
  if (!a.ok()) return a;
  if (!b.ok()) return b;
  return op < ExpressionOperator::kAdd ? ExpressionAnswer(Compare(op, *a, *b))
                                       : Calculate(op, *a, *b);
}

ExpressionAnswer ApplyUnary(const ExpressionStep& step,
                            const ExpressionAnswer& operand) {
  if (!operand.ok()) return operand;
  if (step.kind == Kind::kAbsolute) return AbsoluteValue(*operand);
  if (step.kind == Kind::kSquareRoot) return SquareRoot(*operand);
  return step.op == ExpressionOperator::kNot ? ExpressionAnswer(Not(*operand))
                                             : Negate(*operand);
}

// The first of the extremes; absence where any operand is absent.
ExpressionAnswer FindExtreme(std::span<const ExpressionAnswer> operands,
                             bool is_maximum) {
  const ExpressionAnswer* extreme = &operands.front();
  for (const ExpressionAnswer& operand : operands) {
    if (!operand.ok()) return operand;
    if (std::holds_alternative<ExpressionAbsence>(*operand)) return operand;
    const std::strong_ordering order = CompareNumbers(*operand, **extreme);
    if (is_maximum ? order > 0 : order < 0) extreme = &operand;
  }
  return *extreme;
}

ExpressionAnswer Apply(const ExpressionStep& step,
                       std::span<const ExpressionAnswer> operands) {
  if (step.kind == Kind::kMinimum || step.kind == Kind::kMaximum) {
    return FindExtreme(operands, step.kind == Kind::kMaximum);
  }
  return operands.size() == 1 ? ApplyUnary(step, operands[0])
                              : ApplyBinary(step.op, operands[0], operands[1]);
}

}  // namespace

ExpressionAnswer ExpressionEvaluator::Evaluate(const ExpressionProgram& program,
                                               ExpressionReader& reader) {
  const size_t bottom = stack_.size();
  stack_.reserve(bottom + program.stack_size_max);
  for (const ExpressionStep& step : program.steps) {
    if (step.kind == Kind::kLiteral) {
      stack_.emplace_back(step.literal);
    } else if (step.kind == Kind::kReference) {
      // Before the stack is touched: the reader may use it.
      ExpressionAnswer answer = reader.Read(step.reference);
      stack_.push_back(std::move(answer));
    } else {
      const std::span operands = std::span(stack_).last(step.operand_count);
      operands.front() = Apply(step, operands);
      stack_.resize(stack_.size() - step.operand_count + 1);
    }
  }
  CHECK(stack_.size() == bottom + 1);
  ExpressionAnswer answer = std::move(stack_.back());
  stack_.pop_back();
  return answer;
}

}  // namespace reprise::sim
