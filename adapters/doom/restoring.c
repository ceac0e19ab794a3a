/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* From rows to the engine's state. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/doom/row_checks.h"
#include "adapters/doom/state_rows.h"
#include "z_zone.h"

extern int iquehead;
extern int iquetail;
extern mapthing_t itemrespawnque[];
extern int itemrespawntime[];

static const reprise_rows* given; /* tables of rows, during a call */

#define ROWS(table, type) DOOM_ROWS(given, table, type)
#define COUNT(table) DOOM_COUNT(given, table)

/* The thinkers of the tables, found by number, as they are made. */
static thinker_t** made[DOOM_TABLES];
static thinker_t** made_memory;

static int64_t place_of(uint32_t table, uint64_t number) {
  return doom_place_of(given, table, number);
}

static void free_thinkers(void) {
  thinker_t* thinker = thinkercap.next;
  uint32_t i;
  while (thinker != &thinkercap) {
    thinker_t* const next = thinker->next;
    Z_Free(thinker);
    thinker = next;
  }
  for (i = 0; i < doom_removed_count; ++i) Z_Free(doom_removed[i]);
  P_InitThinkers(); /* and forgets those that are gone */
  memset(blocklinks, 0,
         (size_t)bmapwidth * (size_t)bmapheight * sizeof(*blocklinks));
}

static mobj_t* mobj_at(uint64_t number) {
  if (number == 0) return NULL;
  return (mobj_t*)made[DOOM_MOBJS][place_of(DOOM_MOBJS, number)];
}

static void* special_at(uint64_t number) {
  uint32_t table;
  for (table = DOOM_SPECIALS; number != 0 && table < DOOM_TABLES; ++table) {
    const int64_t place = place_of(table, number);
    if (place >= 0) return made[table][place];
  }
  return NULL;
}

static thinker_t* make_mobj(const struct mobj_row* row) {
  mobj_t* const mobj = (mobj_t*)Z_Malloc(sizeof(*mobj), PU_LEVEL, NULL);
  mobj_t* const raw = mobj;
  DOOM_MOBJ_FIELDS(DOOM_TAKE)
  mobj->spawnpoint = row->spawnpoint;
  mobj->info = &mobjinfo[mobj->type];
  mobj->state = row->state < 0 ? NULL : &states[row->state];
  mobj->player = row->player < 0 ? NULL : &players[row->player];
  mobj->subsector = R_PointInSubsector(mobj->x, mobj->y);
  mobj->thinker.function.acp1 = (actionf_p1)P_MobjThinker;
  return &mobj->thinker;
}

static thinker_t* make_special(const struct special_kind* kind,
                               const struct special_head* head) {
  thinker_t* const thinker =
      (thinker_t*)Z_Malloc((int)kind->size, PU_LEVSPEC, NULL);
  sector_t* const sector = &sectors[head->sector];
  kind->take(head, thinker);
  memcpy((char*)thinker + kind->sector_offset, &sector, sizeof(sector));
  thinker->function.acp1 = head->in_stasis ? NULL : kind->think;
  return thinker;
}

static int compare_thinkers(const void* a, const void* b) {
  const uint32_t x = (*(thinker_t* const*)a)->number;
  const uint32_t y = (*(thinker_t* const*)b)->number;
  return x < y ? -1 : x > y;
}

/* The engine's list has them in the order in which they came. */
static void link_thinkers(thinker_t** all, uint32_t count) {
  uint32_t i;
  qsort(all, count, sizeof(*all), &compare_thinkers);
  for (i = 0; i < count; ++i) {
    thinkers_made = all[i]->number - 1;
    P_AddThinker(all[i]);
  }
}

static int make_thinkers(void) {
  uint32_t total = 0;
  uint32_t linked = 0;
  uint32_t table;
  uint32_t i;
  thinker_t** all;
  for (table = DOOM_MOBJS; table < DOOM_TABLES; ++table) total += COUNT(table);
  all = (thinker_t**)calloc(2 * (size_t)total + 1, sizeof(*all));
  if (all == NULL) return 0;
  made_memory = all;
  made[DOOM_MOBJS] = all + total;
  for (table = DOOM_MOBJS; table < DOOM_TABLES; ++table) {
    const struct special_kind* const kind =
        table == DOOM_MOBJS ? NULL : &doom_special_kinds[table - DOOM_SPECIALS];
    if (table + 1 < DOOM_TABLES) made[table + 1] = made[table] + COUNT(table);
    for (i = 0; i < COUNT(table); ++i) {
      const void* const row =
          ROWS(table, char) +
          (size_t)i * (kind == NULL ? sizeof(struct mobj_row) : kind->row_size);
      thinker_t* const thinker =
          kind == NULL ? make_mobj((const struct mobj_row*)row)
                       : make_special(kind, (const struct special_head*)row);
      thinker->number = (uint32_t) * (const uint64_t*)row;
      made[table][i] = thinker;
      if (kind == NULL && ((const struct mobj_row*)row)->removed) {
        thinker->function.acv = (actionf_v)(-1);
        thinker->is_removed_mobj = 1;
        thinker->is_kept = 1;
        doom_keep_removed((mobj_t*)thinker);
      } else {
        all[linked++] = thinker;
      }
    }
  }
  link_thinkers(all, linked);
  return 1;
}

/* The lists of things: their heads are those whom nobody is before. */
static void link_mobj(mobj_t* mobj) {
  const int x = (mobj->x - bmaporgx) >> MAPBLOCKSHIFT;
  const int y = (mobj->y - bmaporgy) >> MAPBLOCKSHIFT;
  if (!(mobj->flags & MF_NOSECTOR) && mobj->sprev == NULL) {
    mobj->subsector->sector->thinglist = mobj;
  }
  if (!(mobj->flags & MF_NOBLOCKMAP) && mobj->bprev == NULL && x >= 0 &&
      x < bmapwidth && y >= 0 && y < bmapheight) {
    blocklinks[y * bmapwidth + x] = mobj;
  }
}

static void take_references(void) {
  const struct mobj_row* const rows = ROWS(DOOM_MOBJS, struct mobj_row);
  uint32_t i;
  for (i = 0; i < COUNT(DOOM_MOBJS); ++i) {
    mobj_t* const mobj = (mobj_t*)made[DOOM_MOBJS][i];
    mobj->target = mobj_at(rows[i].target);
    mobj->tracer = mobj_at(rows[i].tracer);
    mobj->snext = mobj_at(rows[i].sector_next);
    mobj->bnext = mobj_at(rows[i].block_next);
    if (mobj->snext != NULL) mobj->snext->sprev = mobj;
    if (mobj->bnext != NULL) mobj->bnext->bprev = mobj;
  }
  for (i = 0; i < COUNT(DOOM_MOBJS); ++i) {
    if (!rows[i].removed) link_mobj((mobj_t*)made[DOOM_MOBJS][i]);
  }
}

static void take_level(const struct level_row* row) {
  int i;
  prndindex = row->random_index;
  rndindex = row->menu_random_index;
  leveltime = row->time;
  gametic = row->tic;
  paused = row->paused != 0;
  doom_ending = row->ending;
  totalkills = row->kills;
  totalitems = row->items;
  totalsecret = row->secrets;
  onground = row->on_ground != 0;
  opentop = row->open_top;
  openbottom = row->open_bottom;
  openrange = row->open_range;
  lowfloor = row->low_floor;
  iquehead = row->respawn_head;
  iquetail = row->respawn_tail;
  brain_easy = row->brain_easy;
  numbraintargets = row->brain_target_count;
  braintargeton = row->brain_target_next;
  bodyqueslot = row->body_count;
  thinkers_made = row->thinkers_made;
  for (i = 0; i < DOOM_BRAIN_TARGETS; ++i) {
    braintargets[i] = mobj_at(row->brain_targets[i]);
  }
  for (i = 0; i < DOOM_BODIES; ++i) bodyque[i] = mobj_at(row->bodies[i]);
  for (i = 0; i < MAXCEILINGS; ++i) {
    activeceilings[i] = (ceiling_t*)special_at(row->active_ceilings[i]);
  }
  for (i = 0; i < MAXPLATS; ++i) {
    activeplats[i] = (plat_t*)special_at(row->active_plats[i]);
  }
}

#define TAKE_ALL(type, name, count) \
  memcpy(raw->name, row->name, sizeof(raw->name));

static void take_player(const struct player_row* row, player_t* player) {
  player_t* const raw = player;
  int i;
  memset(player, 0, sizeof(*player));
  DOOM_PLAYER_FIELDS(DOOM_TAKE, TAKE_ALL)
  player->cmd.forwardmove = (signed char)row->forwardmove;
  player->cmd.sidemove = (signed char)row->sidemove;
  player->cmd.angleturn = row->angleturn;
  player->cmd.buttons = (byte)row->buttons;
  player->mo = mobj_at(row->mobj);
  player->attacker = mobj_at(row->attacker);
  for (i = 0; i < NUMPSPRITES; ++i) {
    pspdef_t* const sprite = &player->psprites[i];
    sprite->state =
        row->sprite_state[i] < 0 ? NULL : &states[row->sprite_state[i]];
    sprite->tics = row->sprite_tics[i];
    sprite->sx = row->sprite_x[i];
    sprite->sy = row->sprite_y[i];
  }
}

static void take_sector(const struct sector_row* row, sector_t* raw) {
  DOOM_SECTOR_FIELDS(DOOM_TAKE)
  raw->thinglist = NULL;
  raw->soundtarget = mobj_at(row->sound_target);
  raw->specialdata = special_at(row->special_thinker);
}

static void take_side(const struct side_row* row, side_t* raw) {
  DOOM_SIDE_FIELDS(DOOM_TAKE)
}

static void take_line(const struct line_row* row, line_t* raw) {
  DOOM_LINE_FIELDS(DOOM_TAKE)
}

static void take_places(void) {
  int i;
  for (i = 0; i < numsectors; ++i) {
    take_sector(&ROWS(DOOM_SECTORS, struct sector_row)[i], &sectors[i]);
  }
  for (i = 0; i < numsides; ++i) {
    take_side(&ROWS(DOOM_SIDES, struct side_row)[i], &sides[i]);
  }
  for (i = 0; i < numlines; ++i) {
    take_line(&ROWS(DOOM_LINES, struct line_row)[i], &lines[i]);
  }
  for (i = 0; i < MAXBUTTONS; ++i) {
    const struct button_row* const row =
        &ROWS(DOOM_BUTTONS, struct button_row)[i];
    memset(&buttonlist[i], 0, sizeof(buttonlist[i]));
    if (row->line >= 0) {
      buttonlist[i].line = &lines[row->line];
      buttonlist[i].soundorg = &lines[row->line].frontsector->soundorg;
    }
    buttonlist[i].where = (bwhere_e)row->where;
    buttonlist[i].btexture = row->texture;
    buttonlist[i].btimer = row->timer;
  }
  for (i = 0; i < DOOM_RESPAWNS; ++i) {
    const struct respawn_row* const row =
        &ROWS(DOOM_RESPAWN_QUEUE, struct respawn_row)[i];
    itemrespawntime[i] = row->time;
    itemrespawnque[i] = row->thing;
  }
}

int32_t doom_restore(const reprise_list* tables, reprise_error* error) {
  const char* mistake;
  reprise_rows copies[DOOM_TABLES];
  uint32_t i;
  for (i = 0; i < DOOM_TABLES; ++i) {
    copies[i] = *REPRISE_ITEM(*tables, reprise_rows, i);
  }
  given = copies;
  mistake = doom_check_rows(copies);
  if (mistake != NULL) {
    snprintf(error->text, error->capacity, "%s", mistake);
    return REPRISE_DATA_LOSS;
  }
  free_thinkers();
  if (!make_thinkers()) abort();
  take_places(); /* empties the lists of sectors */
  take_references();
  take_level(ROWS(DOOM_LEVEL, struct level_row));
  for (i = 0; i < COUNT(DOOM_PLAYERS); ++i) {
    take_player(&ROWS(DOOM_PLAYERS, struct player_row)[i], &players[i]);
  }
  free(made_memory);
  doom_sort_removed();
  doom_collect_thinkers();
  doom_collect_walls();
  return REPRISE_OK;
}
