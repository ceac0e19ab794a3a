/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "adapters/doom/row_checks.h"

#include <stdlib.h>
#include <string.h>

int64_t doom_place_of(const reprise_rows* given, uint32_t table,
                      uint64_t number) {
  const size_t size = table == DOOM_MOBJS
                          ? sizeof(struct mobj_row)
                          : doom_special_kinds[table - DOOM_SPECIALS].row_size;
  const unsigned char* const rows = (const unsigned char*)given[table].rows;
  int64_t first = 0;
  int64_t end = (int64_t)given[table].row_count;
  while (first < end) {
    const int64_t middle = (first + end) / 2;
    uint64_t there;
    memcpy(&there, rows + (size_t)middle * size, sizeof(there));
    if (there == number) return middle;
    if (there < number) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return -1;
}

static const reprise_rows* given; /* during a call */

#define ROWS(table, type) DOOM_ROWS(given, table, type)
#define COUNT(table) DOOM_COUNT(given, table)

static int64_t place_of(uint32_t table, uint64_t number) {
  return doom_place_of(given, table, number);
}

static int is_mobj(uint64_t number) {
  return number == 0 || place_of(DOOM_MOBJS, number) >= 0;
}

static int is_special(uint64_t number) {
  uint32_t table;
  if (number == 0) return 1;
  for (table = DOOM_SPECIALS; table < DOOM_TABLES; ++table) {
    if (place_of(table, number) >= 0) return 1;
  }
  return 0;
}

static int is_of_kind(uint32_t kind, uint64_t number) {
  return number == 0 || place_of(DOOM_SPECIALS + kind, number) >= 0;
}

/* Each says what is wrong, or null. */

static const char* check_counts(void) {
  if (COUNT(DOOM_LEVEL) != 1 ||
      COUNT(DOOM_PLAYERS) != (uint32_t)doom_player_count ||
      COUNT(DOOM_SECTORS) != (uint32_t)numsectors ||
      COUNT(DOOM_SIDES) != (uint32_t)numsides ||
      COUNT(DOOM_LINES) != (uint32_t)numlines ||
      COUNT(DOOM_BUTTONS) != MAXBUTTONS ||
      COUNT(DOOM_RESPAWN_QUEUE) != DOOM_RESPAWNS) {
    return "they are of another level";
  }
  return NULL;
}

static const char* check_level(const struct level_row* row) {
  int i;
  if (row->random_index < 0 || row->random_index > 255 ||
      row->menu_random_index < 0 || row->menu_random_index > 255) {
    return "an index of the random table is not 0 to 255";
  }
  if (row->brain_target_count < 0 ||
      row->brain_target_count > DOOM_BRAIN_TARGETS ||
      row->brain_target_next < 0 ||
      row->brain_target_next >= DOOM_BRAIN_TARGETS || row->body_count < 0 ||
      row->respawn_head < 0 || row->respawn_head >= DOOM_RESPAWNS ||
      row->respawn_tail < 0 || row->respawn_tail >= DOOM_RESPAWNS) {
    return "a count of the level is out of range";
  }
  for (i = 0; i < DOOM_BRAIN_TARGETS; ++i) {
    if (!is_mobj(row->brain_targets[i])) return "a brain target isn't there";
  }
  for (i = 0; i < DOOM_BODIES; ++i) {
    if (!is_mobj(row->bodies[i])) return "a body isn't there";
  }
  for (i = 0; i < MAXCEILINGS; ++i) {
    if (!is_of_kind(DOOM_CEILINGS, row->active_ceilings[i])) {
      return "an active ceiling isn't there";
    }
  }
  for (i = 0; i < MAXPLATS; ++i) {
    if (!is_of_kind(DOOM_PLATS, row->active_plats[i])) {
      return "an active plat isn't there";
    }
  }
  return NULL;
}

static const char* check_players(void) {
  uint32_t i;
  int j;
  for (i = 0; i < COUNT(DOOM_PLAYERS); ++i) {
    const struct player_row* const row =
        &ROWS(DOOM_PLAYERS, struct player_row)[i];
    if (row->mobj == 0 || !is_mobj(row->mobj) || !is_mobj(row->attacker)) {
      return "a player's map object isn't there";
    }
    for (j = 0; j < NUMPSPRITES; ++j) {
      if (row->sprite_state[j] < -1 || row->sprite_state[j] >= NUMSTATES) {
        return "a weapon's state isn't there";
      }
    }
    if (row->readyweapon < 0 || row->readyweapon >= NUMWEAPONS ||
        row->pendingweapon < 0 || row->pendingweapon > wp_nochange) {
      return "a weapon isn't there";
    }
  }
  return NULL;
}

static const char* check_places(void) {
  uint32_t i;
  for (i = 0; i < COUNT(DOOM_SECTORS); ++i) {
    const struct sector_row* const row =
        &ROWS(DOOM_SECTORS, struct sector_row)[i];
    if (!is_mobj(row->sound_target) || !is_special(row->special_thinker)) {
      return "a sector refers to a thinker that isn't there";
    }
  }
  for (i = 0; i < MAXBUTTONS; ++i) {
    const struct button_row* const row =
        &ROWS(DOOM_BUTTONS, struct button_row)[i];
    if (row->line < -1 || row->line >= numlines ||
        (row->line == -1 && row->timer != 0) || row->where < top ||
        row->where > bottom) {
      return "a button isn't on a line";
    }
  }
  return NULL;
}

/* Which list of things of a sector or a block a row names its follower in. */
static uint64_t next_of(const struct mobj_row* row, int is_block) {
  return is_block ? row->block_next : row->sector_next;
}

/* That no thing follows two, or itself at any distance: each list ends. */
static const char* check_lists(int is_block) {
  const struct mobj_row* const rows = ROWS(DOOM_MOBJS, struct mobj_row);
  const uint32_t count = COUNT(DOOM_MOBJS);
  unsigned char* const has_before =
      (unsigned char*)calloc(count + 1, sizeof(*has_before));
  uint32_t reached = 0;
  uint32_t i;
  const char* mistake = NULL;
  if (has_before == NULL) return "there is no memory";
  for (i = 0; i < count && mistake == NULL; ++i) {
    const uint64_t next = next_of(&rows[i], is_block);
    const int64_t place = next == 0 ? -1 : place_of(DOOM_MOBJS, next);
    if (next == 0) continue;
    if (place < 0 || has_before[place] || rows[place].removed ||
        rows[i].removed) {
      mistake = "a list of map objects contradicts itself";
    } else {
      has_before[place] = 1;
    }
  }
  for (i = 0; i < count && mistake == NULL; ++i) {
    uint64_t number = rows[i].number;
    if (has_before[i]) continue;
    for (; number != 0; ++reached) {
      number = next_of(&rows[place_of(DOOM_MOBJS, number)], is_block);
    }
  }
  free(has_before);
  if (mistake == NULL && reached != count) {
    mistake = "a list of map objects is a ring";
  }
  return mistake;
}

static const char* check_mobjs(uint32_t thinkers_made) {
  uint32_t i;
  for (i = 0; i < COUNT(DOOM_MOBJS); ++i) {
    const struct mobj_row* const row = &ROWS(DOOM_MOBJS, struct mobj_row)[i];
    if (row->number == 0 || row->number > thinkers_made) {
      return "a map object's number was never given";
    }
    if (row->type < 0 || row->type >= NUMMOBJTYPES || row->state < -1 ||
        row->state >= NUMSTATES || row->player < -1 ||
        row->player >= doom_player_count || row->removed < 0 ||
        row->removed > 1 || (row->state == -1 && !row->removed) ||
        row->movedir < 0 || row->movedir > 8 || row->lastlook < 0 ||
        row->lastlook >= MAXPLAYERS) {
      return "a map object is of no kind";
    }
    if (!is_mobj(row->target) || !is_mobj(row->tracer)) {
      return "a map object refers to one that isn't there";
    }
  }
  return NULL;
}

static const char* check_specials(uint32_t thinkers_made) {
  uint32_t table;
  uint32_t i;
  for (table = DOOM_SPECIALS; table < DOOM_TABLES; ++table) {
    const struct special_kind* const kind =
        &doom_special_kinds[table - DOOM_SPECIALS];
    const unsigned char* const rows = ROWS(table, unsigned char);
    for (i = 0; i < COUNT(table); ++i) {
      const struct special_head* const head =
          (const struct special_head*)(rows + (size_t)i * kind->row_size);
      if (head->number == 0 || head->number > thinkers_made ||
          is_mobj(head->number) || head->sector < 0 ||
          head->sector >= numsectors || head->in_stasis < 0 ||
          head->in_stasis > 1) {
        return "a special is of no sector";
      }
    }
  }
  return NULL;
}

const char* doom_check_rows(const reprise_rows* rows) {
  const char* mistake;
  const struct level_row* level;
  given = rows;
  mistake = check_counts();
  if (mistake != NULL) return mistake;
  level = ROWS(DOOM_LEVEL, struct level_row);
  mistake = check_level(level);
  if (mistake == NULL) mistake = check_players();
  if (mistake == NULL) mistake = check_places();
  if (mistake == NULL) mistake = check_mobjs(level->thinkers_made);
  if (mistake == NULL) mistake = check_specials(level->thinkers_made);
  if (mistake == NULL) mistake = check_lists(0);
  if (mistake == NULL) mistake = check_lists(1);
  return mistake;
}
