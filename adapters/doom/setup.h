// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* What a pack says of its game: lines of game.txt, and the WAD levels.wad. */

#ifndef REPRISE_ADAPTERS_DOOM_SETUP_H_
#define REPRISE_ADAPTERS_DOOM_SETUP_H_

#include <stddef.h>

#include "reprise/simulation.h"

/* Each is a line "name number" of game.txt; those without one are 0, players
 * 1. */
struct doom_setup {
  int is_doom2; /* numbers levels as Doom II: MAP01 */
  int episode;
  int map;
  int skill; /* 0 to 4 */
  int players;
  int deathmatch; /* 0 to 2 */
  int respawn;
  int fast;
  int no_monsters;
};

/* 1, or 0 and what is wrong. The directory of the WAD is checked, too: each
 * lump lies within it. */
int doom_read_pack(const reprise_list* files, struct doom_setup* setup,
                   const reprise_file** levels, char* mistake, size_t capacity);

#endif  // REPRISE_ADAPTERS_DOOM_SETUP_H_
