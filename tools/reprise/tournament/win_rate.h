// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How often somebody wins, and between what that is known to lie.

#ifndef REPRISE_TOOLS_REPRISE_TOURNAMENT_WIN_RATE_H_
#define REPRISE_TOOLS_REPRISE_TOURNAMENT_WIN_RATE_H_

#include <cstdint>

namespace reprise::tools {

struct GameCount {
  uint64_t won = 0;
  uint64_t lost = 0;
  uint64_t drawn = 0;

  uint64_t games() const { return won + lost + drawn; }
  friend bool operator==(const GameCount&, const GameCount&) = default;
};

struct WinRate {
  double rate = 0.0;  // 0 to 1; a drawn game is half a one that is won
  // The interval of Wilson (1927) for it, at 95 %.
  double low = 0.0;
  double high = 1.0;
};

// Of no games it is nothing that is known: 0.5, 0 to 1.
WinRate WinRateOf(const GameCount& count);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TOURNAMENT_WIN_RATE_H_
