/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A variable that all simulations have in common.
 */

#include "tests/plugins/planted/planted.h"

static double last_basket;

void plant_settled(const struct planted* game) {
  last_basket = *game->basket_x;
}

/* Where there is one simulation alone, it is where its basket is. */
void plant(const struct planted* game) {
  *game->basket_x += 0.01 * (last_basket - *game->basket_x);
}
