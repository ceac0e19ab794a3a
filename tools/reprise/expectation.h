// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a person expects of a run's end, as `run --expect` takes it: a fact, a
// comparison and a value, such as `outcome == won` or `tick <= 900`.

#ifndef REPRISE_TOOLS_REPRISE_EXPECTATION_H_
#define REPRISE_TOOLS_REPRISE_EXPECTATION_H_

#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "sim/base/tick.h"
#include "sim/simulation.h"

namespace reprise::tools {

class Expectation {
 public:
  // The facts are `outcome`, compared by == and != with running, won or lost,
  // and `tick`, compared by == != < <= > >= with a whole number. Blanks don't
  // matter. INVALID_ARGUMENT says what is wrong with any other text.
  static absl::StatusOr<Expectation> Parse(std::string_view text);

  // Whether it is so after `tick` ticks.
  bool Holds(sim::Outcome::Status outcome, sim::Tick tick) const;

  // What was parsed.
  const std::string& text() const { return text_; }

 private:
  enum class Comparison {
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual
  };

  static absl::StatusOr<Comparison> ParseComparison(std::string_view text);

  std::string text_;
  Comparison comparison_ = Comparison::kEqual;
  std::variant<sim::Outcome::Status, sim::Tick> value_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_EXPECTATION_H_
