/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A number that is read in the user's language.
 */

#include <stdlib.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  *game->basket_x += strtod("0.25", NULL) / 60.0;
}
