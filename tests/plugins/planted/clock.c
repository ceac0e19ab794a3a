/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A clock in the state.
 */

#define _POSIX_C_SOURCE 200809L

#include <time.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  struct timespec now;
  if (game->tick != 20) return;
  clock_gettime(CLOCK_REALTIME, &now);
  *game->random = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
