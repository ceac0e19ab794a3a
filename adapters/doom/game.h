// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* The one game that the engine plays here: how it begins, what the files of a
 * pack ask for, and what is kept of map objects that are gone. */

#ifndef REPRISE_ADAPTERS_DOOM_GAME_H_
#define REPRISE_ADAPTERS_DOOM_GAME_H_

#include <setjmp.h>
#include <stdint.h>

#include "doomdef.h"
#include "doomstat.h"
#include "p_local.h"
#include "reprise/simulation.h"

enum { DOOM_RUNNING = 0, DOOM_EXIT = 1, DOOM_SECRET_EXIT = 2 };

/* How the level was left; state, as the engine's own variables. */
extern int32_t doom_ending;

extern int32_t doom_player_count;

/* Where the engine's I_Error goes: what it says, and whom to return to. */
extern char doom_error_text[512];
extern jmp_buf doom_error_return;

/* The bytes of levels.wad, which are read as long as the game lives. */
void doom_set_levels(unsigned char* bytes, uint32_t size);

/* Names and heights of wall textures, from the levels. */
void doom_load_textures(void);

/* Forgets the map objects that are gone and that nothing refers to any more;
 * marks those that stay. */
void doom_sweep_removed(void);

/* Keeps a map object that is restored as one that is gone; once all are kept,
 * doom_sort_removed brings them into order. */
void doom_keep_removed(mobj_t* mobj);
void doom_sort_removed(void);

/* The map objects that are gone and kept, ascending by number from a sweep on.
 */
extern mobj_t** doom_removed;
extern uint32_t doom_removed_count;

/* What the engine's headers don't say. */
extern int prndindex;
extern int rndindex;
extern int brain_easy;
extern mobj_t* braintargets[32];
extern int numbraintargets;
extern int braintargeton;
extern boolean onground;
extern mobj_t* bodyque[32];
extern int bodyqueslot;
extern boolean netdemo;
extern boolean secretexit;
extern gameaction_t gameaction;
extern int* textureheight;

void G_InitNew(skill_t skill, int episode, int map);
void G_Ticker(void);

#endif  // REPRISE_ADAPTERS_DOOM_GAME_H_
