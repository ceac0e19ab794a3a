// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// An expression as a tree, as its text says it; what its names mean is found
// later.

#ifndef REPRISE_SIM_EXPRESSION_TREE_H_
#define REPRISE_SIM_EXPRESSION_TREE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/expression/value.h"

namespace reprise::sim {

// Parentheses, calls, nots and minuses within each other: what the parser goes
// down into. Nothing else walks a tree by calling itself.
inline constexpr size_t kExpressionNestingMax = 64;

struct ExpressionNode {
  enum class Kind {
    kLiteral,   // 3, "text", true
    kName,      // tick
    kField,     // crate_7.bodies.position.y
    kCall,      // min(a, b)
    kOperator,  // a + b
  };

  Kind kind = Kind::kLiteral;
  // Where it is named in the text, from 1 on; of an operator, its own place.
  size_t column = 1;
  ExpressionValue literal;
  // Of a name or a call, the one name; of a field, what the dots part.
  std::vector<std::string> path;
  // Of each part of the path.
  std::vector<size_t> path_columns;
  // Of a field, whether its first part is in quotes, and so surely an object.
  bool is_object_quoted = false;
  ExpressionOperator op = ExpressionOperator::kOr;
  // Operands and arguments.
  std::vector<uint32_t> children;

  // "crate_7.bodies.position.y", "min".
  std::string FullName() const;
};

struct ExpressionTree {
  std::string text;
  // Children before parents, from left to right; the root is the last.
  std::vector<ExpressionNode> nodes;

  const ExpressionNode& root() const { return nodes.back(); }
};

// Reads the text of an expression; docs/query.md has the grammar.
// INVALID_ARGUMENT names the column of the mistake.
absl::StatusOr<ExpressionTree> ParseExpression(std::string_view text);

// Operands before operators: `5 + 6 * 10` is "5 6 10 * +". A call is its name
// and the number of its arguments, "min/2".
std::string FormatPostfix(const ExpressionTree& tree);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_TREE_H_
