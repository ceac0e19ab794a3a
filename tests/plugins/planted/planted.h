// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

/* What a planted mistake sees of the game of docs/plugins.md, and may change.
 * Each file beside this one has one mistake, and planted_catch.c the game.
 */

#ifndef REPRISE_TESTS_PLUGINS_PLANTED_PLANTED_H_
#define REPRISE_TESTS_PLUGINS_PLANTED_PLANTED_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In place of a tick: a simulation is made, restored, drawn, or asked for its
 * rows. */
#define PLANTED_MADE UINT64_MAX
#define PLANTED_RESTORED (UINT64_MAX - 1)
#define PLANTED_DRAWN (UINT64_MAX - 2)
#define PLANTED_ASKED (UINT64_MAX - 3)

struct Planted {
  uint64_t tick;
  double* basket_x;
  uint64_t* random;
  int32_t lost;
  void* memory; /* of the simulation */
};

/* Before each step. */
void plant(const struct Planted* game);

/* Once a simulation is made, restored or stepped. Needn't be there. */
void plant_settled(const struct Planted* game);

/* Before each frame. Needn't be there. */
void plant_drawn(const struct Planted* game);

/* Once the row of the game is asked for: which rows are said to have changed.
 * All, if it isn't there. */
void plant_range(const struct Planted* game, uint64_t* begin, uint64_t* end);

/* How many of the game's fields are described. All, if it isn't there. */
uint32_t planted_fields(uint32_t all);

#ifdef __cplusplus
}
#endif

#endif  // REPRISE_TESTS_PLUGINS_PLANTED_PLANTED_H_
