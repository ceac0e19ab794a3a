/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* Map objects that are gone while others still refer to them. Doom lets such
 * references dangle and reads whatever came to lie there, so its next tic
 * depends on what its heap did before. Here they are kept as they were until
 * nothing refers to them, and so they are state like the others. */

#include <stdlib.h>

#include "adapters/doom/game.h"
#include "r_state.h"
#include "z_zone.h"

mobj_t** doom_removed;
uint32_t doom_removed_count;
static uint32_t removed_capacity;

/* How many are gone and still in the list of thinkers. */
static uint32_t leaving;

/* Called by the engine as one goes, and where it would free it
 * (exact_state.patch). */
void P_MarkRemoved(thinker_t* thinker) {
  if (!thinker->is_removed_mobj) ++leaving;
  thinker->is_removed_mobj = 1;
}
void P_KeepRemoved(thinker_t* thinker) {
  --leaving;
  doom_keep_removed((mobj_t*)thinker);
}

/* The same where a level begins: the memory of all goes with the last one. */
void P_ForgetRemoved(void) {
  int i;
  doom_removed_count = 0;
  leaving = 0;
  numbraintargets = 0;
  for (i = 0; i < MAXPLAYERS; ++i) {
    players[i].mo = NULL;
    players[i].attacker = NULL;
  }
}

void doom_keep_removed(mobj_t* mobj) {
  if (doom_removed_count == removed_capacity) {
    removed_capacity = removed_capacity == 0 ? 64 : 2 * removed_capacity;
    doom_removed = (mobj_t**)realloc(doom_removed,
                                     removed_capacity * sizeof(*doom_removed));
    if (doom_removed == NULL) abort();
  }
  doom_removed[doom_removed_count++] = mobj;
}

static void mark(mobj_t* mobj) {
  if (mobj != NULL) mobj->thinker.is_kept = 1;
}

/* Few, and nearly in order. */
void doom_sort_removed(void) {
  uint32_t i;
  for (i = 1; i < doom_removed_count; ++i) {
    mobj_t* const mobj = doom_removed[i];
    uint32_t place = i;
    for (; place > 0 &&
           doom_removed[place - 1]->thinker.number > mobj->thinker.number;
         --place) {
      doom_removed[place] = doom_removed[place - 1];
    }
    doom_removed[place] = mobj;
  }
}

static void forget_marks(void) {
  uint32_t i;
  thinker_t* thinker;
  for (i = 0; i < doom_removed_count; ++i) {
    doom_removed[i]->thinker.is_kept = 0;
  }
  if (leaving == 0) return;
  /* Those that wait in the list of thinkers to be freed, too. */
  for (thinker = thinkercap.next; thinker != &thinkercap;
       thinker = thinker->next) {
    mobj_t* const mobj = (mobj_t*)thinker;
    if (!thinker->is_removed_mobj) continue;
    thinker->is_kept = 0;
    /* It does nothing more, and nobody asks whom it was after. */
    mobj->target = NULL;
    mobj->tracer = NULL;
  }
}

static void mark_referred(void) {
  int i;
  thinker_t* thinker;
  for (thinker = thinkercap.next; thinker != &thinkercap;
       thinker = thinker->next) {
    if (thinker->function.acp1 != (actionf_p1)P_MobjThinker) continue;
    mark(((mobj_t*)thinker)->target);
    mark(((mobj_t*)thinker)->tracer);
  }
  for (i = 0; i < MAXPLAYERS; ++i) {
    mark(players[i].mo);
    mark(players[i].attacker);
  }
  for (i = 0; i < numsectors; ++i) mark(sectors[i].soundtarget);
  for (i = 0; i < numbraintargets; ++i) mark(braintargets[i]);
  for (i = 0; i < 32 && i < bodyqueslot; ++i) mark(bodyque[i]);
}

void doom_sweep_removed(void) {
  uint32_t kept = 0;
  uint32_t i;
  if (doom_removed_count == 0 && leaving == 0) return;
  forget_marks();
  mark_referred();
  for (i = 0; i < doom_removed_count; ++i) {
    if (doom_removed[i]->thinker.is_kept) {
      doom_removed[kept++] = doom_removed[i];
    } else {
      Z_Free(doom_removed[i]);
    }
  }
  doom_removed_count = kept;
  doom_sort_removed();
}
