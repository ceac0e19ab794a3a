// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How often a test kills a process.

#ifndef REPRISE_REPLAYS_TESTING_KILLS_H_
#define REPRISE_REPLAYS_TESTING_KILLS_H_

#include <cstdlib>

namespace reprise::replays {

// As often as REPRISE_KILLS asks for: `bazel test
// --test_env=REPRISE_KILLS=1000`.
inline int KillCount(int unless_asked) {
  const char* const asked = std::getenv("REPRISE_KILLS");
  return asked == nullptr ? unless_asked : std::atoi(asked);
}

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_TESTING_KILLS_H_
