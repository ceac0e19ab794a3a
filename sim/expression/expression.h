// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An expression that was checked against a scope: every name means something,
// every type fits, and what is left is a list of steps for a stack.

#ifndef REPRISE_SIM_EXPRESSION_EXPRESSION_H_
#define REPRISE_SIM_EXPRESSION_EXPRESSION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/expression/scope.h"
#include "sim/expression/value.h"

namespace reprise::sim {

// Whether a name is that of one of the language's own functions, which are
// there in every scope.
bool IsExpressionFunction(std::string_view name);

// Takes its operands off the stack and pushes one value.
struct ExpressionStep {
  enum class Kind {
    kLiteral,    // takes none
    kReference,  // takes none; a reader knows it
    kOperator,   // takes one or two
    kMinimum,
    kMaximum,
    kAbsolute,    // takes one
    kSquareRoot,  // takes one
  };

  Kind kind = Kind::kLiteral;
  ExpressionOperator op = ExpressionOperator::kOr;
  uint32_t operand_count = 0;
  uint32_t reference = 0;
  ExpressionValue literal;
};

// There are at most as many steps as the text has bytes, and evaluating it
// makes each of them once.
struct ExpressionProgram {
  std::vector<ExpressionStep> steps;
  // The most values that are on the stack at once.
  size_t stack_size_max = 0;
};

// Immutable; any number of threads may evaluate it.
class Expression {
 public:
  // INVALID_ARGUMENT: "column 8: ...", with the nearest name where one is near.
  static absl::StatusOr<Expression> Parse(std::string_view text,
                                          ExpressionScope& scope);

  const std::string& text() const { return text_; }
  ExpressionType type() const { return type_; }

  // The first is the expression; the others are the conditions that it gives to
  // functions of the scope.
  const std::vector<ExpressionProgram>& programs() const { return programs_; }

 private:
  Expression(std::string text, ExpressionType type,
             std::vector<ExpressionProgram> programs);

  std::string text_;
  ExpressionType type_;
  std::vector<ExpressionProgram> programs_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_EXPRESSION_H_
