/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The user's time zone.
 */

#define _DEFAULT_SOURCE

#include <time.h>

#include "tests/plugins/planted/planted.h"

void plant_settled(const struct planted* game) {
  if (game->tick == PLANTED_MADE) tzset();
}

void plant(const struct planted* game) {
  const time_t noon = 43200; /* of the first of January 1970, UTC */
  struct tm here;
  localtime_r(&noon, &here);
  *game->basket_x += 0.001 * here.tm_hour;
}
