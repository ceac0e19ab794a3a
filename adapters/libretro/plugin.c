/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any libretro core as a plug-in. A tick is a frame. The state is what the core
 * serialises, in words; the memory that the pack names is shown beside it, and
 * follows from it.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/libretro/core.h"
#include "adapters/libretro/game.h"
#include "reprise/simulation.h"

enum { WORDS = CORE_STATE_UNIT / sizeof(uint64_t) };

struct machine_row {
  uint64_t core; /* the id of its name and version: another one has other bits */
  uint64_t state_bytes;
};

struct state_row {
  uint64_t words[WORDS];
};

struct reprise_simulation {
  struct core core;
  struct game game;
  void* rom;
  size_t rom_size;
  /* The same with the same game, for pictures alone: one comes of running on. */
  struct core* drawer; /* null until one is asked for, and where it can't be */
  int has_no_drawer;
  struct machine_row machine;
  uint32_t memory[GAME_SYMBOLS_MAX]; /* a word each symbol */
  /* What `info` hands over. */
  const char* names[1];
  reprise_field memory_fields[GAME_SYMBOLS_MAX];
  reprise_table tables[3];
};

static const reprise_field machine_fields[] = {
    REPRISE_MEMBER(struct machine_row, core, "", REPRISE_ID),
    REPRISE_MEMBER(struct machine_row, state_bytes, "B", REPRISE_UINT64)};

static const reprise_field state_fields[] = {REPRISE_MEMBER_OF(
    struct state_row, words, "", REPRISE_UINT64, REPRISE_ARRAY, WORDS)};

enum { MACHINE, STATE, MEMORY };

/* Button i is button i of libretro's joypad. */
static const reprise_action actions[] = {
    {"b", REPRISE_ACTION_BUTTON, 0, 0, {0, 0, 0}},
    {"y", REPRISE_ACTION_BUTTON, 1, 0, {0, 0, 0}},
    {"select", REPRISE_ACTION_BUTTON, 2, 0, {0, 0, 0}},
    {"start", REPRISE_ACTION_BUTTON, 3, 0, {0, 0, 0}},
    {"up", REPRISE_ACTION_BUTTON, 4, 0, {0, 0, 0}},
    {"down", REPRISE_ACTION_BUTTON, 5, 0, {0, 0, 0}},
    {"left", REPRISE_ACTION_BUTTON, 6, 0, {0, 0, 0}},
    {"right", REPRISE_ACTION_BUTTON, 7, 0, {0, 0, 0}},
    {"a", REPRISE_ACTION_BUTTON, 8, 0, {0, 0, 0}},
    {"x", REPRISE_ACTION_BUTTON, 9, 0, {0, 0, 0}},
    {"l", REPRISE_ACTION_BUTTON, 10, 0, {0, 0, 0}},
    {"r", REPRISE_ACTION_BUTTON, 11, 0, {0, 0, 0}}};

static int32_t fail(reprise_error* error, int32_t code, const char* sentence) {
  snprintf(error->text, error->capacity, "%s", sentence);
  return code;
}

static void destroy(reprise_simulation* simulation) {
  core_close(&simulation->core);
  if (simulation->drawer != NULL) core_close(simulation->drawer);
  free(simulation->drawer);
  free(simulation->rom);
  free(simulation);
}

/* What follows from the core's state. */
static void show_rest(reprise_simulation* simulation) {
  size_t size = 0;
  const unsigned char* const memory = core_memory(&simulation->core, &size);
  uint32_t i;
  simulation->machine.state_bytes = simulation->core.state_size;
  for (i = 0; i < simulation->game.symbol_count; ++i) {
    simulation->memory[i] =
        memory == NULL ? 0 : game_value(&simulation->game.symbols[i], memory);
  }
}

static void describe(reprise_simulation* simulation) {
  const reprise_list no_legends = {0, 0, 0};
  const reprise_list machine_list = REPRISE_LIST(machine_fields);
  const reprise_list state_list = REPRISE_LIST(state_fields);
  struct game* const game = &simulation->game;
  reprise_table* const tables = simulation->tables;
  uint32_t i;
  for (i = 0; i < game->symbol_count; ++i) {
    reprise_field* const field = &simulation->memory_fields[i];
    field->name = game->symbols[i].name;
    field->unit = "";
    field->type = game->symbols[i].type;
    field->shape = REPRISE_SCALAR;
    field->count = 1;
    field->offset = i * GAME_WORD_BYTES;
  }
  tables[MACHINE] = (reprise_table){"console", "machine", 0,
                                    sizeof(struct machine_row), machine_list,
                                    no_legends};
  tables[STATE] = (reprise_table){"console", "state", 0,
                                  sizeof(struct state_row), state_list,
                                  no_legends};
  tables[MEMORY] = (reprise_table){
      "game",
      "memory",
      0,
      game->symbol_count * GAME_WORD_BYTES,
      {simulation->memory_fields, game->symbol_count, sizeof(reprise_field)},
      no_legends};
  simulation->names[0] = simulation->core.id;
  simulation->machine.core = reprise_id_of(simulation->core.id);
}

static int32_t create(const reprise_create_arguments* arguments,
                      reprise_simulation** simulation, reprise_error* error) {
  char sentence[GAME_ERROR_BYTES];
  size_t memory_size = 0;
  const reprise_file* rom;
  reprise_simulation* const made = calloc(1, sizeof(*made));
  if (made == NULL) {
    return fail(error, REPRISE_RESOURCE_EXHAUSTED, "there is no memory");
  }
  made->core.file = -1;
  if (!game_read(&made->game, &arguments->files, sentence)) {
    destroy(made);
    return fail(error, REPRISE_INVALID_ARGUMENT, sentence);
  }
  rom = game_file(&arguments->files, made->game.rom);
  made->rom = malloc((size_t)rom->size + 1);
  if (made->rom == NULL) {
    destroy(made);
    return fail(error, REPRISE_RESOURCE_EXHAUSTED, "there is no memory");
  }
  memcpy(made->rom, rom->bytes, (size_t)rom->size);
  made->rom_size = (size_t)rom->size;
  if (!core_open(&made->core, made->game.core,
                 made->game.memory_begin, made->rom, (size_t)rom->size, sentence)) {
    destroy(made);
    return fail(error, REPRISE_INVALID_ARGUMENT, sentence);
  }
  if (core_memory(&made->core, &memory_size) == NULL) memory_size = 0;
  game_keep_memory(&made->game, memory_size);
  describe(made);
  show_rest(made);
  *simulation = made;
  return REPRISE_OK;
}

static void info(const reprise_simulation* simulation, reprise_info* info) {
  const reprise_list action_list = REPRISE_LIST(actions);
  const reprise_list name_list = REPRISE_LIST(simulation->names);
  info->ticks_per_second = 60;
  info->rules_revision = 1;
  info->player_count = simulation->game.players;
  info->actions = action_list;
  info->names = name_list;
  info->tables.items = simulation->tables;
  info->tables.count = simulation->game.symbol_count > 0 ? 3 : 2;
  info->tables.item_size = sizeof(reprise_table);
}

static int32_t step(reprise_simulation* simulation,
                    const reprise_step_arguments* arguments,
                    reprise_error* error) {
  uint32_t i;
  for (i = 0; i < simulation->game.players; ++i) {
    const reprise_player* const player =
        REPRISE_ITEM(arguments->players, reprise_player, i);
    simulation->core.held[i] = (uint16_t)player->buttons;
  }
  if (!core_run(&simulation->core)) {
    return fail(error, REPRISE_INTERNAL,
                "the core doesn't give its state");
  }
  show_rest(simulation);
  return REPRISE_OK;
}

static void rows(reprise_simulation* simulation, uint32_t table,
                 reprise_rows* rows) {
  rows->row_count = 1;
  if (table == MACHINE) rows->rows = &simulation->machine;
  if (table == MEMORY) rows->rows = simulation->memory;
  if (table == STATE) {
    rows->rows = simulation->core.state;
    rows->row_count = simulation->core.state_capacity / CORE_STATE_UNIT;
  }
}

static int32_t restore(reprise_simulation* simulation,
                       const reprise_list* tables, reprise_error* error) {
  const reprise_rows* const machine =
      REPRISE_ITEM(*tables, reprise_rows, MACHINE);
  const reprise_rows* const state = REPRISE_ITEM(*tables, reprise_rows, STATE);
  const struct machine_row* const row = machine->rows;
  if (machine->row_count != 1 || row->core != simulation->machine.core) {
    return fail(error, REPRISE_FAILED_PRECONDITION,
                "it is of another core, or of another version of it");
  }
  if (row->state_bytes > state->row_count * CORE_STATE_UNIT) {
    return fail(error, REPRISE_DATA_LOSS, "its state is of another size");
  }
  if (!core_restore(&simulation->core, state->rows,
                    (size_t)row->state_bytes)) {
    return fail(error, REPRISE_DATA_LOSS, "the core doesn't take its state");
  }
  show_rest(simulation);
  return REPRISE_OK;
}

static int has_ended(const reprise_simulation* simulation,
                     const struct game_end* end) {
  return end->symbol >= 0 && simulation->memory[end->symbol] == end->value;
}

static void outcome(const reprise_simulation* simulation,
                    reprise_outcome* outcome) {
  if (has_ended(simulation, &simulation->game.lost)) {
    outcome->status = REPRISE_LOST;
    outcome->reason = simulation->game.symbols[simulation->game.lost.symbol].name;
  } else if (has_ended(simulation, &simulation->game.won)) {
    outcome->status = REPRISE_WON;
    outcome->reason = simulation->game.symbols[simulation->game.won.symbol].name;
  }
}

static int open_drawer(reprise_simulation* simulation) {
  char sentence[GAME_ERROR_BYTES];
  if (simulation->drawer != NULL) return 1;
  if (simulation->has_no_drawer) return 0;
  simulation->drawer = calloc(1, sizeof(*simulation->drawer));
  if (simulation->drawer != NULL &&
      core_open(simulation->drawer, simulation->game.core,
                simulation->game.memory_begin, simulation->rom,
                simulation->rom_size, sentence)) {
    return 1;
  }
  if (simulation->drawer != NULL) core_close(simulation->drawer);
  free(simulation->drawer);
  simulation->drawer = NULL;
  simulation->has_no_drawer = 1;
  return 0;
}

/* From the state alone: what a core of its own draws that goes on from it. */
static void frame(const reprise_simulation* simulation,
                  const reprise_frame_arguments* arguments) {
  /* What draws is no part of the simulation. */
  reprise_simulation* const owner = (reprise_simulation*)simulation;
  reprise_picture picture = {0};
  if (arguments->struct_size <=
          offsetof(reprise_frame_arguments, wants_picture) ||
      !arguments->wants_picture || !open_drawer(owner) ||
      !core_draw(owner->drawer, simulation->core.state,
                 simulation->core.state_size)) {
    return;
  }
  picture.struct_size = sizeof(picture);
  picture.width = owner->drawer->picture_width;
  picture.height = owner->drawer->picture_height;
  picture.pixels = owner->drawer->picture;
  arguments->show(arguments->sink, &picture);
}

static const reprise_plugin plugin = {sizeof(reprise_plugin),
                                      REPRISE_INTERFACE_VERSION,
                                      "libretro",
                                      create,
                                      destroy,
                                      info,
                                      step,
                                      rows,
                                      restore,
                                      outcome,
                                      frame,
                                      NULL};

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  return &plugin;
}
