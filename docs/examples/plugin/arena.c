/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A game whose engine keeps all it knows in one block of memory, as many do: a
 * hero walks through a vault of 64 by 64 cells and picks up gold. The block is
 * a region, and the engine draws its own pictures; docs/plugins.md goes through
 * it.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reprise/simulation.h"

enum {
  SIDE = 64,
  HERO_AT = 256,   /* bytes into the block: a struct hero */
  CELLS_AT = 4096, /* a byte each: 1 for gold, and how often he was there */
  MEMORY_BYTES = 16384,
  GOLD = 1,
  WANTED = 200
};

struct hero {
  uint16_t x;
  uint16_t y;
  uint32_t gold;
};

struct reprise_simulation {
  unsigned char* memory;
  /* What a step has written since Reprise last asked. */
  uint64_t changed_begin;
  uint64_t changed_end;
};

/* Names for what has one. Cells have none: what differs there is told by page
 * and word. */
static const reprise_field named[] = {
    {"hero_x", "", REPRISE_UINT16, REPRISE_SCALAR, 1,
     HERO_AT + offsetof(struct hero, x)},
    {"hero_y", "", REPRISE_UINT16, REPRISE_SCALAR, 1,
     HERO_AT + offsetof(struct hero, y)},
    {"gold", "", REPRISE_UINT32, REPRISE_SCALAR, 1,
     HERO_AT + offsetof(struct hero, gold)}};

static const reprise_region regions[] = {
    {"vault", "memory", MEMORY_BYTES, REPRISE_LIST(named), {0, 0, 0}}};

static const reprise_action actions[] = {
    {"east", REPRISE_ACTION_AXIS, 0, 0, {0, 0, 0}},
    {"south", REPRISE_ACTION_AXIS, 1, 0, {0, 0, 0}}};

static void write_bytes(reprise_simulation* simulation, uint64_t at,
                        const void* bytes, size_t size) {
  memcpy(simulation->memory + at, bytes, size);
  if (simulation->changed_begin > at) simulation->changed_begin = at;
  if (simulation->changed_end < at + size) simulation->changed_end = at + size;
}

static void change_nothing(reprise_simulation* simulation) {
  simulation->changed_begin = MEMORY_BYTES;
  simulation->changed_end = 0;
}

static int32_t create(const reprise_create_arguments* arguments,
                      reprise_simulation** simulation, reprise_error* error) {
  const struct hero hero = {SIDE / 2, SIDE / 2, 0};
  uint64_t random = arguments->seed;
  int i;
  reprise_simulation* const made = calloc(1, sizeof(*made));
  if (made != NULL) made->memory = calloc(1, MEMORY_BYTES);
  if (made == NULL || made->memory == NULL) {
    free(made);
    snprintf(error->text, error->capacity, "there is no memory");
    return REPRISE_RESOURCE_EXHAUSTED;
  }
  for (i = 0; i < SIDE * SIDE; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    made->memory[CELLS_AT + i] = random >> 62 == 0 ? GOLD : 0;
  }
  write_bytes(made, HERO_AT, &hero, sizeof(hero));
  *simulation = made;
  return REPRISE_OK;
}

static void destroy(reprise_simulation* simulation) {
  free(simulation->memory);
  free(simulation);
}

static void info(const reprise_simulation* simulation, reprise_info* info) {
  const reprise_list action_list = REPRISE_LIST(actions);
  const reprise_list region_list = REPRISE_LIST(regions);
  (void)simulation;
  info->ticks_per_second = 20;
  info->rules_revision = 1;
  info->player_count = 1;
  info->actions = action_list;
  info->regions = region_list;
}

static struct hero hero_of(const reprise_simulation* simulation) {
  struct hero hero;
  memcpy(&hero, simulation->memory + HERO_AT, sizeof(hero));
  return hero;
}

/* One cell on, round the vault. */
static uint16_t moved(uint16_t at, int16_t axis) {
  if (axis > 8192) return (uint16_t)((at + 1) % SIDE);
  if (axis < -8192) return (uint16_t)((at + SIDE - 1) % SIDE);
  return at;
}

static int32_t step(reprise_simulation* simulation,
                    const reprise_step_arguments* arguments,
                    reprise_error* error) {
  const reprise_player* const player =
      REPRISE_ITEM(arguments->players, reprise_player, 0);
  struct hero hero = hero_of(simulation);
  uint64_t at;
  unsigned char cell;
  (void)error;
  hero.x = moved(hero.x, player->axes[0]);
  hero.y = moved(hero.y, player->axes[1]);
  at = CELLS_AT + (uint64_t)hero.y * SIDE + hero.x;
  cell = simulation->memory[at];
  if (cell % 2 == GOLD) ++hero.gold;
  cell = (unsigned char)((cell & ~GOLD) + 2);
  write_bytes(simulation, at, &cell, 1);
  write_bytes(simulation, HERO_AT, &hero, sizeof(hero));
  return REPRISE_OK;
}

/* There are no tables, so that the first number is the region's. */
static void rows(reprise_simulation* simulation, uint32_t table,
                 reprise_rows* rows) {
  (void)table;
  rows->rows = simulation->memory;
  rows->row_count = MEMORY_BYTES;
  rows->changed_begin = simulation->changed_begin;
  rows->changed_end = simulation->changed_end;
  change_nothing(simulation);
}

static int32_t restore(reprise_simulation* simulation,
                       const reprise_list* tables, reprise_error* error) {
  const reprise_rows* const memory = REPRISE_ITEM(*tables, reprise_rows, 0);
  struct hero hero;
  memcpy(&hero, (const unsigned char*)memory->rows + HERO_AT, sizeof(hero));
  if (hero.x >= SIDE || hero.y >= SIDE) {
    snprintf(error->text, error->capacity, "the hero is outside of the vault");
    return REPRISE_DATA_LOSS;
  }
  write_bytes(simulation, 0, memory->rows, MEMORY_BYTES);
  return REPRISE_OK;
}

static void outcome(const reprise_simulation* simulation,
                    reprise_outcome* outcome) {
  if (hero_of(simulation).gold < WANTED) return;
  outcome->status = REPRISE_WON;
  outcome->reason = "two hundred pieces of gold are picked up";
}

/* A pixel a cell: gold, more or less trodden ground, and the hero in white. */
static void frame(const reprise_simulation* simulation,
                  const reprise_frame_arguments* arguments) {
  unsigned char pixels[SIDE * SIDE * 3];
  const struct hero hero = hero_of(simulation);
  reprise_picture picture = {0};
  int i;
  /* An older Reprise doesn't know how to ask for pictures. */
  if (arguments->struct_size <=
          offsetof(reprise_frame_arguments, wants_picture) ||
      !arguments->wants_picture) {
    return;
  }
  for (i = 0; i < SIDE * SIDE; ++i) {
    const unsigned char cell = simulation->memory[CELLS_AT + i];
    pixels[3 * i] = cell % 2 == GOLD ? 255 : cell;
    pixels[3 * i + 1] = cell % 2 == GOLD ? 200 : cell;
    pixels[3 * i + 2] = cell % 2 == GOLD ? 0 : cell;
  }
  memset(pixels + 3 * (hero.y * SIDE + hero.x), 255, 3);
  picture.struct_size = sizeof(picture);
  picture.width = SIDE;
  picture.height = SIDE;
  picture.pixels = pixels;
  arguments->show(arguments->sink, &picture);
}

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  static const reprise_plugin plugin = {
      sizeof(reprise_plugin), REPRISE_INTERFACE_VERSION,
      "arena",                create,
      destroy,                info,
      step,                   rows,
      restore,                outcome,
      frame,                  NULL};
  return &plugin;
}
