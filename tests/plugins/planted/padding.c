/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A member of a row that no field describes: the last, `lost`.
 */

#include "tests/plugins/planted/planted.h"

uint32_t planted_fields(uint32_t all) { return all - 1; }

void plant(const struct planted* game) {
  *game->basket_x += 0.001 * game->lost;
}
