/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * State that no row shows.
 */

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  static double wind;
  if (game->tick == 0) wind = 0.0;
  wind += 0.001;
  *game->basket_x += wind;
}
