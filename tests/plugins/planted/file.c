/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file in the middle of a run.
 */

#include <stdio.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  FILE* file;
  if (game->tick != 30) return;
  file = fopen("planted_level.txt", "r");
  if (file != NULL) fclose(file);
}
