// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Two sides of a benchmark, timed in turns: each goes first in every other one,
// so that neither always finds the caches warm or meets what else the machine
// does.

#ifndef REPRISE_TESTS_PLUGINS_TURNS_H_
#define REPRISE_TESTS_PLUGINS_TURNS_H_

#include <chrono>
#include <cstdint>

#include "absl/functional/function_ref.h"

namespace reprise::tests {

class Turns {
 public:
  using Clock = std::chrono::steady_clock;
  using Side = absl::FunctionRef<void()>;

  // How long `side` takes.
  static Clock::duration TimeOf(Side side) {
    const Clock::time_point start = Clock::now();
    side();
    return Clock::now() - start;
  }

  // Makes both, once each.
  void Take(Side one, Side other) {
    const bool is_reversed = turn_++ % 2 != 0;
    if (is_reversed) of_other_ += TimeOf(other);
    of_one_ += TimeOf(one);
    if (!is_reversed) of_other_ += TimeOf(other);
  }

  // The time of all turns.
  Clock::duration of_one() const { return of_one_; }
  Clock::duration of_other() const { return of_other_; }

 private:
  uint64_t turn_ = 0;
  Clock::duration of_one_{};
  Clock::duration of_other_{};
};

// How many times `b` goes into `a`.
inline double RatioOf(Turns::Clock::duration a, Turns::Clock::duration b) {
  return static_cast<double>(a.count()) / static_cast<double>(b.count());
}

}  // namespace reprise::tests

#endif  // REPRISE_TESTS_PLUGINS_TURNS_H_
