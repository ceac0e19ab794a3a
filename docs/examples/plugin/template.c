/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The least that a plug-in is, to begin with: a ball in an alley, which a player
 * pushes. Build it, and let Reprise try whether it keeps the contract:
 *
 *   cc -O2 -fPIC -shared -ffp-contract=off -I/path/to/reprise/include \
 *      template.c -o libtemplate.so
 *   reprise conform ./libtemplate.so alley
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reprise/simulation.h"

/* All that a step goes by and leaves: a row of the table `ball`. */
struct ball {
  double x;
  double speed;
  int32_t bounces;
};

struct reprise_simulation {
  struct ball ball;
};

static const reprise_field fields[] = {
    REPRISE_MEMBER(struct ball, x, "m", REPRISE_DOUBLE),
    REPRISE_MEMBER(struct ball, speed, "m/s", REPRISE_DOUBLE),
    REPRISE_MEMBER(struct ball, bounces, "", REPRISE_INT32)};

static const reprise_table tables[] = {
    {"alley", "ball", 0, sizeof(struct ball), REPRISE_LIST(fields), {0, 0, 0}}};

static const reprise_action actions[] = {
    {"push", REPRISE_ACTION_AXIS, 0, 0, {0, 0, 0}}};

/* The state before the first step: of the pack's files and the seed alone. */
static int32_t create(const reprise_create_arguments* arguments,
                      reprise_simulation** simulation, reprise_error* error) {
  *simulation = calloc(1, sizeof(**simulation));
  if (*simulation == NULL) {
    snprintf(error->text, error->capacity, "there is no memory");
    return REPRISE_RESOURCE_EXHAUSTED;
  }
  (*simulation)->ball.speed = (double)(arguments->seed % 5);
  return REPRISE_OK;
}

static void destroy(reprise_simulation* simulation) { free(simulation); }

static void info(const reprise_simulation* simulation, reprise_info* info) {
  const reprise_list action_list = REPRISE_LIST(actions);
  const reprise_list table_list = REPRISE_LIST(tables);
  (void)simulation;
  info->ticks_per_second = 60;
  info->rules_revision = 1; /* one more whenever a step does something else */
  info->player_count = 1;
  info->actions = action_list;
  info->tables = table_list;
}

/* One tick: of the state and the inputs alone. */
static int32_t step(reprise_simulation* simulation,
                    const reprise_step_arguments* arguments,
                    reprise_error* error) {
  const reprise_player* const player =
      REPRISE_ITEM(arguments->players, reprise_player, 0);
  struct ball* const ball = &simulation->ball;
  (void)error;
  ball->speed += player->axes[0] / 32767.0;
  ball->x += ball->speed / 60.0;
  if (ball->x < -10.0 || ball->x > 10.0) {
    ball->x = ball->x < 0.0 ? -10.0 : 10.0;
    ball->speed = -0.5 * ball->speed;
    ++ball->bounces;
  }
  return REPRISE_OK;
}

/* Where the rows of table 0 are. */
static void rows(reprise_simulation* simulation, uint32_t table,
                 reprise_rows* rows) {
  (void)table;
  rows->rows = &simulation->ball;
  rows->row_count = 1;
}

/* Goes on from rows that were shown once. */
static int32_t restore(reprise_simulation* simulation,
                       const reprise_list* tables, reprise_error* error) {
  const reprise_rows* const balls = REPRISE_ITEM(*tables, reprise_rows, 0);
  if (balls->row_count != 1) {
    snprintf(error->text, error->capacity, "there is one ball");
    return REPRISE_DATA_LOSS;
  }
  memcpy(&simulation->ball, balls->rows, sizeof(simulation->ball));
  return REPRISE_OK;
}

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  static const reprise_plugin plugin = {
      sizeof(reprise_plugin), REPRISE_INTERFACE_VERSION,
      "template",             create,
      destroy,                info,
      step,                   rows,
      restore,                NULL, /* outcome: it never ends */
      NULL,                         /* frame: there is nothing to draw */
      NULL};                        /* object_name: there are no objects */
  return &plugin;
}
