/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file beside whatever the user happens to do.
 */

#include <stdio.h>

#include "tests/plugins/planted/planted.h"

static int tuning;

void plant_settled(const struct planted* game) {
  FILE* file;
  if (game->tick != PLANTED_MADE) return;
  file = fopen("planted_tuning.txt", "r");
  if (file == NULL) return;
  if (fscanf(file, "%d", &tuning) != 1) tuning = 0;
  fclose(file);
}

void plant(const struct planted* game) {
  *game->basket_x += 0.001 * tuning;
}
