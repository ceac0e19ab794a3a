// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The order of a container that goes by addresses.

#include <memory>
#include <unordered_set>
#include <vector>

#include "tests/plugins/planted/planted.h"

void plant(const planted* game) {
  std::vector<std::unique_ptr<double>> pushes;
  std::unordered_set<const double*> all;
  for (int i = 1; i <= 8; ++i) {
    pushes.emplace_back(new double(0.001 * i));
    all.insert(pushes.back().get());
  }
  for (const double* push : all) *game->basket_x += *push * *game->basket_x;
}
