// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The seam between the language and what it speaks of. A scope says what the
// names in an expression mean, once, when it is parsed; a reader hands out
// their values whenever it is evaluated.

#ifndef REPRISE_SIM_EXPRESSION_SCOPE_H_
#define REPRISE_SIM_EXPRESSION_SCOPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/expression/tree.h"
#include "sim/expression/value.h"

namespace reprise::sim {

// The only texts that something can be, two or more.
struct ExpressionChoices {
  std::string_view kind;  // "an outcome"
  std::span<const std::string_view> texts;
};

// What a name or a call means: a constant, or something to read.
struct ExpressionMeaning {
  ExpressionType type = ExpressionType::kNumber;
  // Of `type`; unset: it is read.
  std::optional<ExpressionValue> constant;
  // What the reader is asked for. The scope chooses it.
  uint32_t reference = 0;
  // Of a text that is one of a few; nullptr: of any. Lives as long as the
  // scope.
  const ExpressionChoices* choices = nullptr;
};

// A function that a scope adds to the language's own. It takes one argument.
struct ScopeFunction {
  enum class Argument {
    kName,       // goal or "goal", as it is
    kCondition,  // true or false, as a program of its own
  };

  std::string_view name;
  Argument argument = Argument::kName;
};

// A call of such a function.
struct ScopeCall {
  std::string_view function;
  std::string text;            // as it is written: "event('goal')"
  size_t argument_column = 1;  // from 1 on
  std::string name;            // the argument, of kName
  uint32_t program = 0;        // its index in Expression::programs()
};

// Used for one expression, by one thread.
class ExpressionScope {
 public:
  virtual ~ExpressionScope() = default;

  // What a node of kind kName or kField means; nullopt: nothing.
  // INVALID_ARGUMENT: it would mean something if it weren't for a mistake, told
  // by ExpressionErrorAt.
  virtual absl::StatusOr<std::optional<ExpressionMeaning>> FindName(
      const ExpressionNode& node) = 0;

  // What FindName knows, to guess what a name without a meaning was meant to
  // be.
  virtual std::vector<std::string> KnownNames() const = 0;

  // None of them is called as one of the language's own.
  virtual std::span<const ScopeFunction> functions() const { return {}; }

  // What a call of one of functions() means. INVALID_ARGUMENT: its argument
  // isn't one, told by ExpressionErrorAt.
  virtual absl::StatusOr<ExpressionMeaning> FindCall(const ScopeCall& call);
};

// Hands out values. It may be another for each evaluation.
class ExpressionReader {
 public:
  virtual ~ExpressionReader() = default;

  // What `reference` comes to now: of the type that the scope has told, not
  // NaN, and one of the choices; or absence. OUT_OF_RANGE: why there is no
  // value.
  virtual ExpressionAnswer Read(uint32_t reference) = 0;
};

// INVALID_ARGUMENT: "column 3: there is no component 'bodys'; did you mean
// 'bodies'?".
absl::Status UnknownNameAt(size_t column, std::string_view kind,
                           std::string_view name,
                           std::span<const std::string> known);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_EXPRESSION_SCOPE_H_
