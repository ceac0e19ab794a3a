// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/time/time_rate.h"

#include <numeric>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::sim {

absl::StatusOr<TimeRate> ReducedTimeRate(TimeRate rate, int64_t minimum,
                                         int64_t maximum) {
  if (rate.denominator <= 0 || kTickParts % rate.denominator != 0) {
    return absl::InvalidArgumentError(
        fmt::format("the rate {}/{} has a denominator that doesn't divide {}",
                    rate.numerator, rate.denominator, kTickParts));
  }
  if (rate.numerator < minimum * rate.denominator ||
      rate.numerator > maximum * rate.denominator) {
    return absl::OutOfRangeError(fmt::format("the rate {}/{} is not in {}..{}",
                                             rate.numerator, rate.denominator,
                                             minimum, maximum));
  }
  const int64_t divisor = std::gcd(rate.numerator, rate.denominator);
  return TimeRate{.numerator = rate.numerator / divisor,
                  .denominator = rate.denominator / divisor};
}

}  // namespace reprise::sim
