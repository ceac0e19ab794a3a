// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Steps through programs with a stack of operands. A value may be absent
// because what it names isn't there, or an error; both spread to what depends
// on them, and `false and ...` and `true or ...` don't.

#ifndef REPRISE_SIM_EXPRESSION_EVALUATOR_H_
#define REPRISE_SIM_EXPRESSION_EVALUATOR_H_

#include <vector>

#include "sim/expression/expression.h"
#include "sim/expression/scope.h"
#include "sim/expression/value.h"

namespace reprise::sim {

// Keeps the stack's memory, so that evaluating a program again allocates
// nothing but long texts and errors. Used by one thread at a time.
class ExpressionEvaluator {
 public:
  // What `program` comes to. While it is read, `reader` may evaluate another
  // program with this evaluator.
  ExpressionAnswer Evaluate(const ExpressionProgram& program,
                            ExpressionReader& reader);

 private:
  // Of an evaluation, above those that wait for it.
  std::vector<ExpressionAnswer> stack_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_EVALUATOR_H_
