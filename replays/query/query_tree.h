// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A query as a tree, as its text says it; what its names mean is found later.

#ifndef REPRISE_REPLAYS_QUERY_QUERY_TREE_H_
#define REPRISE_REPLAYS_QUERY_QUERY_TREE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "replays/query/query_value.h"

namespace reprise::replays {

// Parentheses, calls, nots and minuses within each other: what the parser goes
// down into. Nothing else walks a tree by calling itself.
inline constexpr size_t kQueryNestingMax = 64;

struct QueryNode {
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
  QueryValue literal;
  // Of a name or a call, the one name; of a field, what the dots part.
  std::vector<std::string> path;
  // Of each part of the path.
  std::vector<size_t> path_columns;
  // Of a field, whether its first part is in quotes, and so surely an object.
  bool is_object_quoted = false;
  QueryOperator op = QueryOperator::kOr;
  // Operands and arguments.
  std::vector<uint32_t> children;

  // "crate_7.bodies.position.y", "min".
  std::string FullName() const;
};

struct QueryTree {
  std::string text;
  // Children before parents, from left to right; the root is the last.
  std::vector<QueryNode> nodes;

  const QueryNode& root() const { return nodes.back(); }
};

// Reads the text of a query; docs/query.md has the grammar. INVALID_ARGUMENT
// names the column of the mistake.
absl::StatusOr<QueryTree> ParseQuery(std::string_view text);

// Operands before operators: `5 + 6 * 10` is "5 6 10 * +". A call is its name
// and the number of its arguments, "min/2".
std::string FormatPostfix(const QueryTree& tree);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_QUERY_QUERY_TREE_H_
