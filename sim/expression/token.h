// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The words of an expression: names, numbers, texts and symbols, each with its
// place.

#ifndef REPRISE_SIM_EXPRESSION_TOKEN_H_
#define REPRISE_SIM_EXPRESSION_TOKEN_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/expression/value.h"

namespace reprise::sim {

// Longer than anybody types, and it bounds all that is made of an expression.
inline constexpr size_t kExpressionBytesMax = 4096;

struct ExpressionToken {
  enum class Kind {
    kName,    // a letter or _, then letters, digits, _ and #
    kNumber,  // 12, 0.5, 1e-3
    kText,    // "in quotes", 'or these'
    kSymbol,  // == != <= >= < > + - * / ( ) [ ] , .
    kEnd,
  };

  Kind kind = Kind::kEnd;
  // Of its first byte, from 1 on.
  size_t column = 1;
  // As written; of a text, what stands between the quotes.
  std::string text;
  // Of a number.
  ExpressionValue value;
};

// The longest token first, kEnd last. INVALID_ARGUMENT names the column of a
// byte that begins none, a text without its end, a number that isn't one.
absl::StatusOr<std::vector<ExpressionToken>> SplitExpression(
    std::string_view text);

// INVALID_ARGUMENT: "column 8: ...".
absl::Status ExpressionErrorAt(size_t column, std::string_view problem);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_TOKEN_H_
