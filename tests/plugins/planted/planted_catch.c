/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The game of docs/plugins.md with a mistake that another file plants.
 */

#define reprise_plugin_describe catch_describe
#include "docs/examples/plugin/catch.c"
#undef reprise_plugin_describe

#include "tests/plugins/planted/planted.h"

__attribute__((weak)) void plant_settled(const struct Planted* game) {
  (void)game;
}

__attribute__((weak)) void plant_drawn(const struct Planted* game) {
  (void)game;
}

__attribute__((weak)) void plant_range(const struct Planted* game,
                                       uint64_t* begin, uint64_t* end) {
  (void)game;
  (void)begin;
  (void)end;
}

__attribute__((weak)) uint32_t planted_fields(uint32_t all) { return all; }

static struct Planted planted_of(reprise_simulation* simulation,
                                 uint64_t tick) {
  struct Planted game;
  game.tick = tick;
  game.basket_x = &simulation->game.basket_x;
  game.random = &simulation->game.random;
  game.lost = simulation->game.lost;
  game.memory = simulation;
  return game;
}

static int32_t planted_create(const reprise_create_arguments* arguments,
                              reprise_simulation** simulation,
                              reprise_error* error) {
  const int32_t code = create(arguments, simulation, error);
  if (code == REPRISE_OK) {
    const struct Planted game = planted_of(*simulation, PLANTED_MADE);
    plant_settled(&game);
  }
  return code;
}

static void planted_info(const reprise_simulation* simulation,
                         reprise_info* described) {
  static reprise_table some[2];
  info(simulation, described);
  memcpy(some, tables, sizeof(some));
  some[GAME].fields.count = planted_fields(some[GAME].fields.count);
  described->tables.items = some;
}

static int32_t planted_step(reprise_simulation* simulation,
                            const reprise_step_arguments* arguments,
                            reprise_error* error) {
  struct Planted game = planted_of(simulation, arguments->tick);
  int32_t code;
  plant(&game);
  code = step(simulation, arguments, error);
  game = planted_of(simulation, arguments->tick);
  plant_settled(&game);
  return code;
}

static void planted_rows(reprise_simulation* simulation, uint32_t table,
                         reprise_rows* shown) {
  const struct Planted game = planted_of(simulation, PLANTED_ASKED);
  rows(simulation, table, shown);
  if (table != GAME) return;
  plant_range(&game, &shown->changed_begin, &shown->changed_end);
}

static int32_t planted_restore(reprise_simulation* simulation,
                               const reprise_list* rows_of_tables,
                               reprise_error* error) {
  const int32_t code = restore(simulation, rows_of_tables, error);
  const struct Planted game = planted_of(simulation, PLANTED_RESTORED);
  plant_settled(&game);
  return code;
}

static void planted_frame(const reprise_simulation* simulation,
                          const reprise_frame_arguments* arguments) {
  const struct Planted game =
      planted_of((reprise_simulation*)simulation, PLANTED_DRAWN);
  plant_drawn(&game);
  frame(simulation, arguments);
}

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  static reprise_plugin planted;
  planted = *catch_describe();
  planted.create = planted_create;
  planted.info = planted_info;
  planted.step = planted_step;
  planted.rows = planted_rows;
  planted.restore = planted_restore;
  planted.frame = planted_frame;
  return &planted;
}
