// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* The rows that show the engine's state: its own structs as they are, beside
 * what stands for their pointers. Of the structs, tables.c describes what is
 * state; the rest of their bytes is not. */

#ifndef REPRISE_ADAPTERS_DOOM_STATE_ROWS_H_
#define REPRISE_ADAPTERS_DOOM_STATE_ROWS_H_

#include <stdint.h>

#include "adapters/doom/game.h"
#include "p_spec.h"
#include "r_state.h"
#include "reprise/simulation.h"

enum {
  DOOM_BODIES = 32,
  DOOM_BRAIN_TARGETS = 32,
  DOOM_RESPAWNS = 128 /* ITEMQUESIZE */
};

/* Tables in their order; behind DOOM_MOBJS those of specials. */
enum {
  DOOM_LEVEL,
  DOOM_PLAYERS,
  DOOM_SECTORS,
  DOOM_SIDES,
  DOOM_LINES,
  DOOM_BUTTONS,
  DOOM_RESPAWN_QUEUE,
  DOOM_MOBJS,
  DOOM_SPECIALS
};

/* Kinds of specials: thinkers that move or light a sector. */
enum {
  DOOM_CEILINGS,
  DOOM_DOORS,
  DOOM_FLOORS,
  DOOM_PLATS,
  DOOM_FLICKERS,
  DOOM_FLASHES,
  DOOM_STROBES,
  DOOM_GLOWS,
  DOOM_SPECIAL_KINDS
};

enum { DOOM_TABLES = DOOM_SPECIALS + DOOM_SPECIAL_KINDS };

/* References are numbers of thinkers, which count from 1 in a level; 0: none.
 */
struct level_row {
  int32_t random_index;
  int32_t menu_random_index;
  int32_t time; /* tics of the level */
  int32_t tic;  /* of the game */
  int32_t paused;
  int32_t ending; /* DOOM_RUNNING ... */
  int32_t kills;
  int32_t items;
  int32_t secrets;
  int32_t on_ground; /* of the player who moved last */
  int32_t open_top;  /* of the last line that was looked through */
  int32_t open_bottom;
  int32_t open_range;
  int32_t low_floor;
  int32_t respawn_head;
  int32_t respawn_tail;
  int32_t brain_easy;
  int32_t brain_target_count;
  int32_t brain_target_next;
  int32_t body_count;
  uint32_t thinkers_made;
  uint64_t brain_targets[DOOM_BRAIN_TARGETS];
  uint64_t bodies[DOOM_BODIES];
  uint64_t active_ceilings[MAXCEILINGS];
  uint64_t active_plats[MAXPLATS];
};

struct player_row {
  uint64_t mobj;
  uint64_t attacker;
  int32_t sprite_state[NUMPSPRITES]; /* -1: none */
  int32_t sprite_tics[NUMPSPRITES];
  int32_t sprite_x[NUMPSPRITES];
  int32_t sprite_y[NUMPSPRITES];
  player_t raw;
};

struct sector_row {
  uint64_t sound_target;
  uint64_t special_thinker;
  sector_t raw;
};

struct button_row {
  int32_t line; /* -1: none */
  int32_t where;
  int32_t texture;
  int32_t timer;
};

struct respawn_row {
  int32_t time;
  mapthing_t thing;
};

struct mobj_row {
  uint64_t number;
  uint64_t target;
  uint64_t tracer;
  uint64_t sector_next; /* the next in the list of its sector */
  uint64_t block_next;  /* the next in the list of its block of the map */
  int32_t state;
  int32_t player; /* -1: none */
  int32_t removed;
  mobj_t raw;
};

/* What the rows of all specials begin with. */
struct special_head {
  uint64_t number;
  int32_t sector;
  int32_t in_stasis;
};

struct ceiling_row {
  struct special_head head;
  ceiling_t raw;
};
struct door_row {
  struct special_head head;
  vldoor_t raw;
};
struct floor_row {
  struct special_head head;
  floormove_t raw;
};
struct plat_row {
  struct special_head head;
  plat_t raw;
};
struct flicker_row {
  struct special_head head;
  fireflicker_t raw;
};
struct flash_row {
  struct special_head head;
  lightflash_t raw;
};
struct strobe_row {
  struct special_head head;
  strobe_t raw;
};
struct glow_row {
  struct special_head head;
  glow_t raw;
};

/* How a kind of special lies in the engine and in its row. */
struct special_kind {
  actionf_p1 think;
  uint32_t size; /* of the engine's struct */
  uint32_t sector_offset;
  uint32_t row_size;
  uint32_t raw_offset;
};

extern const struct special_kind doom_special_kinds[DOOM_SPECIAL_KINDS];

/* What is in each table: its descriptions are in tables.c. */
reprise_list doom_tables(void);

/* Shows a table as it is now. */
void doom_show_rows(uint32_t table, reprise_rows* rows);

/* Collects the rows of thinkers, for doom_show_rows. */
void doom_collect_thinkers(void);

/* Frees what doom_show_rows made. */
void doom_free_rows(void);

/* Takes rows that doom_show_rows once showed. */
int32_t doom_restore(const reprise_list* tables, reprise_error* error);

#endif  // REPRISE_ADAPTERS_DOOM_STATE_ROWS_H_
