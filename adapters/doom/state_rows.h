// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: GPL-2.0-or-later

/* The rows that show the engine's state: what is state of its structs, and what
 * stands for their pointers. They lie as tables have them, without gaps and
 * with no number of 8 bits, so that Reprise takes them as they are. */

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

#define DOOM_PACKED __attribute__((packed))

/* Fields that the engine's structs and the rows have alike: ONE(type, name),
 * of a kind that DOOM_KIND_OF gives for the type, and ALL(type, name, count).
 * From these lists come the rows, their descriptions, and both ways between
 * them and the engine. */
#define DOOM_PLAYER_FIELDS(ONE, ALL)    \
  ONE(int32_t, playerstate)             \
  ONE(int32_t, viewz)                   \
  ONE(int32_t, viewheight)              \
  ONE(int32_t, deltaviewheight)         \
  ONE(int32_t, bob)                     \
  ONE(int32_t, health)                  \
  ONE(int32_t, armorpoints)             \
  ONE(int32_t, armortype)               \
  ALL(int32_t, powers, NUMPOWERS)       \
  ALL(int32_t, cards, NUMCARDS)         \
  ONE(int32_t, backpack)                \
  ALL(int32_t, frags, MAXPLAYERS)       \
  ONE(int32_t, readyweapon)             \
  ONE(int32_t, pendingweapon)           \
  ALL(int32_t, weaponowned, NUMWEAPONS) \
  ALL(int32_t, ammo, NUMAMMO)           \
  ALL(int32_t, maxammo, NUMAMMO)        \
  ONE(int32_t, attackdown)              \
  ONE(int32_t, usedown)                 \
  ONE(int32_t, cheats)                  \
  ONE(int32_t, refire)                  \
  ONE(int32_t, killcount)               \
  ONE(int32_t, itemcount)               \
  ONE(int32_t, secretcount)             \
  ONE(int32_t, damagecount)             \
  ONE(int32_t, bonuscount)              \
  ONE(int32_t, extralight)              \
  ONE(int32_t, fixedcolormap)           \
  ONE(int32_t, colormap)                \
  ONE(int32_t, didsecret)

#define DOOM_SECTOR_FIELDS(ONE) \
  ONE(int32_t, floorheight)     \
  ONE(int32_t, ceilingheight)   \
  ONE(int16_t, floorpic)        \
  ONE(int16_t, ceilingpic)      \
  ONE(int16_t, lightlevel)      \
  ONE(int16_t, special)         \
  ONE(int16_t, tag)             \
  ONE(int32_t, soundtraversed)

#define DOOM_SIDE_FIELDS(ONE) \
  ONE(int32_t, textureoffset) \
  ONE(int16_t, toptexture)    \
  ONE(int16_t, bottomtexture) \
  ONE(int16_t, midtexture)

#define DOOM_LINE_FIELDS(ONE) \
  ONE(int16_t, flags)         \
  ONE(int16_t, special)       \
  ONE(int16_t, tag)

#define DOOM_MOBJ_FIELDS(ONE) \
  ONE(int32_t, type)          \
  ONE(int32_t, x)             \
  ONE(int32_t, y)             \
  ONE(int32_t, z)             \
  ONE(uint32_t, angle)        \
  ONE(int32_t, momx)          \
  ONE(int32_t, momy)          \
  ONE(int32_t, momz)          \
  ONE(int32_t, floorz)        \
  ONE(int32_t, ceilingz)      \
  ONE(int32_t, radius)        \
  ONE(int32_t, height)        \
  ONE(int32_t, health)        \
  ONE(int32_t, flags)         \
  ONE(int32_t, tics)          \
  ONE(int32_t, sprite)        \
  ONE(int32_t, frame)         \
  ONE(int32_t, movedir)       \
  ONE(int32_t, movecount)     \
  ONE(int32_t, reactiontime)  \
  ONE(int32_t, threshold)     \
  ONE(int32_t, lastlook)

#define DOOM_CEILING_FIELDS(ONE) \
  ONE(int32_t, type)             \
  ONE(int32_t, bottomheight)     \
  ONE(int32_t, topheight)        \
  ONE(int32_t, speed)            \
  ONE(int32_t, crush)            \
  ONE(int32_t, direction)        \
  ONE(int32_t, tag)              \
  ONE(int32_t, olddirection)
#define DOOM_DOOR_FIELDS(ONE) \
  ONE(int32_t, type)          \
  ONE(int32_t, topheight)     \
  ONE(int32_t, speed)         \
  ONE(int32_t, direction)     \
  ONE(int32_t, topwait)       \
  ONE(int32_t, topcountdown)
#define DOOM_FLOOR_FIELDS(ONE)  \
  ONE(int32_t, type)            \
  ONE(int32_t, crush)           \
  ONE(int32_t, direction)       \
  ONE(int32_t, newspecial)      \
  ONE(int16_t, texture)         \
  ONE(int32_t, floordestheight) \
  ONE(int32_t, speed)
#define DOOM_PLAT_FIELDS(ONE) \
  ONE(int32_t, speed)         \
  ONE(int32_t, low)           \
  ONE(int32_t, high)          \
  ONE(int32_t, wait)          \
  ONE(int32_t, count)         \
  ONE(int32_t, status)        \
  ONE(int32_t, oldstatus)     \
  ONE(int32_t, crush)         \
  ONE(int32_t, tag)           \
  ONE(int32_t, type)
#define DOOM_FLICKER_FIELDS(ONE) \
  ONE(int32_t, count)            \
  ONE(int32_t, maxlight)         \
  ONE(int32_t, minlight)
#define DOOM_FLASH_FIELDS(ONE) \
  ONE(int32_t, count)          \
  ONE(int32_t, maxlight)       \
  ONE(int32_t, minlight)       \
  ONE(int32_t, maxtime)        \
  ONE(int32_t, mintime)
#define DOOM_STROBE_FIELDS(ONE) \
  ONE(int32_t, count)           \
  ONE(int32_t, minlight)        \
  ONE(int32_t, maxlight)        \
  ONE(int32_t, darktime)        \
  ONE(int32_t, brighttime)
#define DOOM_GLOW_FIELDS(ONE) \
  ONE(int32_t, minlight)      \
  ONE(int32_t, maxlight)      \
  ONE(int32_t, direction)

#define DOOM_MEMBER(type, name) type name;
#define DOOM_MEMBERS(type, name, count) type name[count];

/* One field from the engine's struct into the row, and back. */
#define DOOM_SHOW(type, name) row->name = (type)raw->name;
#define DOOM_TAKE(type, name) raw->name = row->name;

/* References are numbers of thinkers, which count from 1 in a level; 0: none.
 */
struct DOOM_PACKED level_row {
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

struct DOOM_PACKED player_row {
  uint64_t mobj;
  uint64_t attacker;
  int32_t sprite_state[NUMPSPRITES]; /* -1: none */
  int32_t sprite_tics[NUMPSPRITES];
  int32_t sprite_x[NUMPSPRITES];
  int32_t sprite_y[NUMPSPRITES];
  int16_t forwardmove; /* of its ticcmd, as those that follow */
  int16_t sidemove;
  int16_t angleturn;
  uint32_t buttons;
  DOOM_PLAYER_FIELDS(DOOM_MEMBER, DOOM_MEMBERS)
};

struct DOOM_PACKED sector_row {
  uint64_t sound_target;
  uint64_t special_thinker;
  DOOM_SECTOR_FIELDS(DOOM_MEMBER)
};

struct DOOM_PACKED side_row {
  DOOM_SIDE_FIELDS(DOOM_MEMBER)
};

struct DOOM_PACKED line_row {
  DOOM_LINE_FIELDS(DOOM_MEMBER)
};

struct DOOM_PACKED button_row {
  int32_t line; /* -1: none */
  int32_t where;
  int32_t texture;
  int32_t timer;
};

struct DOOM_PACKED respawn_row {
  int32_t time;
  mapthing_t thing;
};

struct DOOM_PACKED mobj_row {
  uint64_t number;
  uint64_t target;
  uint64_t tracer;
  uint64_t sector_next; /* the next in the list of its sector */
  uint64_t block_next;  /* the next in the list of its block of the map */
  int32_t state;
  int32_t player; /* -1: none */
  int32_t removed;
  DOOM_MOBJ_FIELDS(DOOM_MEMBER)
  mapthing_t spawnpoint;
};

/* What the rows of all specials begin with. */
struct DOOM_PACKED special_head {
  uint64_t number;
  int32_t sector;
  int32_t in_stasis;
};

#define DOOM_SPECIAL_ROW(name, fields) \
  struct DOOM_PACKED name {            \
    struct special_head head;          \
    fields(DOOM_MEMBER)                \
  }
DOOM_SPECIAL_ROW(ceiling_row, DOOM_CEILING_FIELDS);
DOOM_SPECIAL_ROW(door_row, DOOM_DOOR_FIELDS);
DOOM_SPECIAL_ROW(floor_row, DOOM_FLOOR_FIELDS);
DOOM_SPECIAL_ROW(plat_row, DOOM_PLAT_FIELDS);
DOOM_SPECIAL_ROW(flicker_row, DOOM_FLICKER_FIELDS);
DOOM_SPECIAL_ROW(flash_row, DOOM_FLASH_FIELDS);
DOOM_SPECIAL_ROW(strobe_row, DOOM_STROBE_FIELDS);
DOOM_SPECIAL_ROW(glow_row, DOOM_GLOW_FIELDS);

/* A kind of special, in the engine and as a row. Both calls leave the head of
 * the row alone, and what it stands for. */
struct special_kind {
  actionf_p1 think;
  uint32_t size; /* of the engine's struct */
  uint32_t sector_offset;
  uint32_t row_size;
  void (*show)(const void* special, void* row);
  void (*take)(const void* row, void* special);
};

extern const struct special_kind doom_special_kinds[DOOM_SPECIAL_KINDS];

/* What is in each table: its descriptions are in tables.c. */
reprise_list doom_tables(void);

/* Shows a table as it is now, and what of it isn't as at the last call. */
void doom_show_rows(uint32_t table, reprise_rows* rows);

/* Makes the rows of thinkers, for doom_show_rows. */
void doom_collect_thinkers(void);

/* Makes the rows of sides and lines anew, or of those that a step may have
 * changed. */
void doom_collect_walls(void);
void doom_collect_changed_walls(void);

/* As doom_show_rows, of DOOM_SIDES and DOOM_LINES. */
void doom_show_walls(uint32_t table, reprise_rows* rows);

/* Frees what doom_show_rows made. */
void doom_free_rows(void);
void doom_free_walls(void);

/* Takes rows that doom_show_rows once showed. */
int32_t doom_restore(const reprise_list* tables, reprise_error* error);

#endif  // REPRISE_ADAPTERS_DOOM_STATE_ROWS_H_
