/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A variable that each thread has for itself.
 */

#include "tests/plugins/planted/planted.h"

static _Thread_local int is_warm;
static int is_made;

void plant_settled(const struct planted* game) {
  (void)game;
  if (!is_made) is_warm = 1;
  is_made = 1;
}

void plant(const struct planted* game) {
  if (!is_warm) *game->basket_x += 0.001;
}
