/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An address in the state.
 */

#include "tests/plugins/planted/planted.h"

void plant(const struct planted* game) {
  if (game->tick == 10) *game->random = (uint64_t)(uintptr_t)game->memory;
}
