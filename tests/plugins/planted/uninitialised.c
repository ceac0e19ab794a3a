/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memory that is read before it is set.
 */

#include <stdlib.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  volatile unsigned char* const wind = malloc(4096);
  if (wind == NULL) return;
  *game->basket_x += 0.001 * wind[1000];
  free((void*)wind);
}
