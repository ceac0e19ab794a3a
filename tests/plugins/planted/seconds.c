/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A clock that goes on once a second, so that runs in one second agree.
 */

#include <time.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  if (game->tick == 0) *game->basket_x += 0.01 * (double)(time(NULL) % 60);
}
