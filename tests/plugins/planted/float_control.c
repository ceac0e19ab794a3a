/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The control of floating point, left as it pleases.
 */

#include <fenv.h>

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  if (game->tick == 40) fesetround(FE_UPWARD);
}
