// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Two threads of which now the one is first, now the other.

#include <atomic>
#include <thread>

#include "tests/plugins/planted/planted.h"

void plant(const planted* game) {
  std::atomic<int> first(0);
  const auto run = [&first](int number) {
    int none = 0;
    first.compare_exchange_strong(none, number);
  };
  std::thread one(run, 1);
  std::thread two(run, 2);
  one.join();
  two.join();
  *game->basket_x += 0.001 * first;
}
