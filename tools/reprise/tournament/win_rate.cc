// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/tournament/win_rate.h"

#include <algorithm>
#include <cmath>

namespace reprise::tools {

WinRate WinRateOf(const GameCount& count) {
  if (count.games() == 0) return {.rate = 0.5};
  // So many standard deviations hold 95 % of a normal distribution.
  constexpr double kDeviations = 1.959963984540054;
  constexpr double kSquare = kDeviations * kDeviations;
  const auto games = static_cast<double>(count.games());
  const double rate = (static_cast<double>(count.won) +
                       0.5 * static_cast<double>(count.drawn)) /
                      games;
  const double scale = 1.0 + kSquare / games;
  const double middle = (rate + kSquare / (2.0 * games)) / scale;
  const double half =
      kDeviations / scale *
      std::sqrt(rate * (1.0 - rate) / games + kSquare / (4.0 * games * games));
  return {.rate = rate,
          .low = std::max(0.0, middle - half),
          .high = std::min(1.0, middle + half)};
}

}  // namespace reprise::tools
