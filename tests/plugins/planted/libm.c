/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * libm's functions, which go by what the processor has.
 */

#include <math.h>
#include <string.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  int i;
  for (i = 0; i < 64; ++i) {
    const double x = 0.37 * (double)(game->tick * 64 + (uint64_t)i);
    const double y = sin(x) + exp(sin(x)) + pow(1.0 + x, 0.3);
    uint64_t bits;
    memcpy(&bits, &y, sizeof(bits));
    *game->random ^= bits;
  }
}
