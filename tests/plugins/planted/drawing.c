/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A frame that takes a random number of the game's.
 */

#include "tests/plugins/planted/planted.h"

void plant(const struct Planted* game) { (void)game; }

void plant_drawn(const struct Planted* game) { *game->random += 1; }
