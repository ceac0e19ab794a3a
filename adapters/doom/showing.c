/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* From the engine's state to rows. */

#include <stdlib.h>
#include <string.h>

#include "adapters/doom/state_rows.h"

extern int iquehead;
extern int iquetail;
extern mapthing_t itemrespawnque[];
extern int itemrespawntime[];

/* Rows that are made for one table. */
struct row_buffer {
  unsigned char* rows;
  uint32_t count;
  uint32_t capacity;
};

static struct row_buffer buffers[DOOM_TABLES];

static void grow(struct row_buffer* buffer, size_t size) {
  buffer->capacity = buffer->capacity == 0 ? 32 : 2 * buffer->capacity;
  buffer->rows = (unsigned char*)realloc(buffer->rows, buffer->capacity * size);
  if (buffer->rows == NULL) abort();
}

static inline void* add_row(uint32_t table, size_t size) {
  struct row_buffer* const buffer = &buffers[table];
  if (buffer->count == buffer->capacity) grow(buffer, size);
  return buffer->rows + size * buffer->count++;
}

static uint64_t number_of(const void* thinker) {
  return thinker == NULL ? 0 : ((const thinker_t*)thinker)->number;
}

/* The kind of a special; that of one that stands still is known by who lists
 * it. */
static uint32_t kind_of(const thinker_t* thinker) {
  uint32_t kind;
  int i;
  if (thinker->function.acv == NULL) {
    for (i = 0; i < MAXCEILINGS; ++i) {
      if ((const void*)activeceilings[i] == thinker) return DOOM_CEILINGS;
    }
    return DOOM_PLATS;
  }
  for (kind = 0; kind < DOOM_SPECIAL_KINDS; ++kind) {
    if (doom_special_kinds[kind].think == thinker->function.acp1) return kind;
  }
  return DOOM_SPECIAL_KINDS;
}

static void add_special(const thinker_t* thinker) {
  const uint32_t index = kind_of(thinker);
  const struct special_kind* kind;
  struct special_head* head;
  sector_t* sector;
  if (index == DOOM_SPECIAL_KINDS) abort(); /* there are no others */
  kind = &doom_special_kinds[index];
  head = (struct special_head*)add_row(DOOM_SPECIALS + index, kind->row_size);
  memcpy(&sector, (const char*)thinker + kind->sector_offset, sizeof(sector));
  head->number = thinker->number;
  head->sector = (int32_t)(sector - sectors);
  head->in_stasis = thinker->function.acv == NULL;
  kind->show(thinker, head);
}

static inline void add_mobj(const mobj_t* raw) {
  struct mobj_row* const row =
      (struct mobj_row*)add_row(DOOM_MOBJS, sizeof(struct mobj_row));
  const int is_removed = raw->thinker.is_removed_mobj;
  row->number = raw->thinker.number;
  row->target = number_of(raw->target);
  row->tracer = number_of(raw->tracer);
  row->sector_next = is_removed ? 0 : number_of(raw->snext);
  row->block_next = is_removed ? 0 : number_of(raw->bnext);
  row->state = raw->state == NULL ? -1 : (int32_t)(raw->state - states);
  row->player = raw->player == NULL ? -1 : (int32_t)(raw->player - players);
  row->removed = is_removed;
  DOOM_MOBJ_FIELDS(DOOM_SHOW)
  row->spawnpoint = raw->spawnpoint;
}

/* In one go through the engine's list, which ascends by number, as do those
 * that are gone. */
void doom_collect_thinkers(void) {
  const thinker_t* thinker;
  uint32_t removed = 0;
  uint32_t i;
  for (i = DOOM_MOBJS; i < DOOM_TABLES; ++i) buffers[i].count = 0;
  for (thinker = thinkercap.next; thinker != &thinkercap;
       thinker = thinker->next) {
    while (removed < doom_removed_count &&
           doom_removed[removed]->thinker.number < thinker->number) {
      add_mobj(doom_removed[removed++]);
    }
    if (thinker->function.acp1 == (actionf_p1)P_MobjThinker ||
        (thinker->is_removed_mobj && thinker->is_kept)) {
      add_mobj((const mobj_t*)thinker);
    } else if (thinker->function.acv != (actionf_v)(-1)) {
      add_special(thinker);
    }
  }
  while (removed < doom_removed_count) add_mobj(doom_removed[removed++]);
}

static void make_level(struct level_row* row) {
  int i;
  memset(row, 0, sizeof(*row));
  row->random_index = prndindex;
  row->menu_random_index = rndindex;
  row->time = leveltime;
  row->tic = gametic;
  row->paused = paused;
  row->ending = doom_ending;
  row->kills = totalkills;
  row->items = totalitems;
  row->secrets = totalsecret;
  row->on_ground = onground;
  row->open_top = opentop;
  row->open_bottom = openbottom;
  row->open_range = openrange;
  row->low_floor = lowfloor;
  row->respawn_head = iquehead;
  row->respawn_tail = iquetail;
  row->brain_easy = brain_easy;
  row->brain_target_count = numbraintargets;
  row->brain_target_next = braintargeton;
  row->body_count = bodyqueslot;
  row->thinkers_made = thinkers_made;
  for (i = 0; i < numbraintargets; ++i) {
    row->brain_targets[i] = number_of(braintargets[i]);
  }
  for (i = 0; i < DOOM_BODIES && i < bodyqueslot; ++i) {
    row->bodies[i] = number_of(bodyque[i]);
  }
  for (i = 0; i < MAXCEILINGS; ++i) {
    row->active_ceilings[i] = number_of(activeceilings[i]);
  }
  for (i = 0; i < MAXPLATS; ++i) {
    row->active_plats[i] = number_of(activeplats[i]);
  }
}

#define SHOW_ALL(type, name, count)                                          \
  _Static_assert(sizeof(row->name) == sizeof(raw->name), "it isn't " #type); \
  memcpy(row->name, raw->name, sizeof(row->name));

static void make_player(const player_t* raw, struct player_row* row) {
  int i;
  row->mobj = number_of(raw->mo);
  row->attacker = number_of(raw->attacker);
  for (i = 0; i < NUMPSPRITES; ++i) {
    const pspdef_t* const sprite = &raw->psprites[i];
    row->sprite_state[i] =
        sprite->state == NULL ? -1 : (int32_t)(sprite->state - states);
    row->sprite_tics[i] = sprite->tics;
    row->sprite_x[i] = sprite->sx;
    row->sprite_y[i] = sprite->sy;
  }
  row->forwardmove = raw->cmd.forwardmove;
  row->sidemove = raw->cmd.sidemove;
  row->angleturn = raw->cmd.angleturn;
  row->buttons = raw->cmd.buttons;
  DOOM_PLAYER_FIELDS(DOOM_SHOW, SHOW_ALL)
}

static void make_sector(const sector_t* raw, struct sector_row* row) {
  row->sound_target = number_of(raw->soundtarget);
  row->special_thinker = number_of(raw->specialdata);
  DOOM_SECTOR_FIELDS(DOOM_SHOW)
}

static void make_button(const button_t* button, struct button_row* row) {
  row->line = button->line == NULL ? -1 : (int32_t)(button->line - lines);
  row->where = (int32_t)button->where;
  row->texture = button->btexture;
  row->timer = button->btimer;
}

/* Of the small tables. */
static void make_rows(uint32_t table) {
  int32_t i;
  buffers[table].count = 0;
  switch (table) {
    case DOOM_LEVEL:
      make_level(add_row(table, sizeof(struct level_row)));
      break;
    case DOOM_PLAYERS:
      for (i = 0; i < doom_player_count; ++i) {
        make_player(&players[i], add_row(table, sizeof(struct player_row)));
      }
      break;
    case DOOM_SECTORS:
      for (i = 0; i < numsectors; ++i) {
        make_sector(&sectors[i], add_row(table, sizeof(struct sector_row)));
      }
      break;
    case DOOM_BUTTONS:
      for (i = 0; i < MAXBUTTONS; ++i) {
        make_button(&buttonlist[i], add_row(table, sizeof(struct button_row)));
      }
      break;
    case DOOM_RESPAWN_QUEUE:
      for (i = 0; i < DOOM_RESPAWNS; ++i) {
        struct respawn_row* const row =
            (struct respawn_row*)add_row(table, sizeof(struct respawn_row));
        row->time = itemrespawntime[i];
        row->thing = itemrespawnque[i];
      }
      break;
    default:
      break;
  }
}

void doom_show_rows(uint32_t table, reprise_rows* rows) {
  if (table == DOOM_SIDES || table == DOOM_LINES) {
    doom_show_walls(table, rows);
    return;
  }
  if (table < DOOM_MOBJS) make_rows(table);
  rows->rows = buffers[table].rows;
  rows->row_count = buffers[table].count;
}

void doom_free_rows(void) {
  uint32_t i;
  for (i = 0; i < DOOM_TABLES; ++i) free(buffers[i].rows);
}
