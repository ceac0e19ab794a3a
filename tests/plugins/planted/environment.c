/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A variable of the environment.
 */

#include <stdlib.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  if (getenv("PLANTED_WIND") != NULL) *game->basket_x += 0.001;
}
