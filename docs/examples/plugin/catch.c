/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A game as a plug-in: apples fall, a basket catches them. It stands in the
 * tree as a template; docs/plugins.md goes through it.
 *
 *   cc -std=c99 -O2 -fPIC -shared -fvisibility=hidden -ffp-contract=off \
 *      -I/path/to/reprise/include catch.c -o libcatch.so
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reprise/simulation.h"

enum { APPLES_MAX = 8, TICKS_BETWEEN = 30, WANTED = 10, LOST_MAX = 3 };

/* State: two kinds of rows, and nothing else that lasts. */
struct game {
  double basket_x;
  uint64_t random;
  uint64_t next_apple;
  int32_t caught;
  int32_t lost;
};

struct apple {
  uint64_t number;
  double x;
  double y;
  float speed;
};

struct reprise_simulation {
  struct game game;
  struct apple apples[APPLES_MAX]; /* ascending by number */
  uint32_t apple_count;
};

static const reprise_field game_fields[] = {
    REPRISE_MEMBER(struct game, basket_x, "m", REPRISE_DOUBLE),
    REPRISE_MEMBER(struct game, random, "", REPRISE_UINT64),
    REPRISE_MEMBER(struct game, next_apple, "", REPRISE_UINT64),
    REPRISE_MEMBER(struct game, caught, "", REPRISE_INT32),
    REPRISE_MEMBER(struct game, lost, "", REPRISE_INT32)};

static const reprise_field apple_fields[] = {
    REPRISE_MEMBER(struct apple, number, "", REPRISE_OBJECT),
    REPRISE_MEMBER(struct apple, x, "m", REPRISE_DOUBLE),
    REPRISE_MEMBER(struct apple, y, "m", REPRISE_DOUBLE),
    REPRISE_MEMBER(struct apple, speed, "m/s", REPRISE_FLOAT)};

enum { GAME, APPLES };
static const reprise_table tables[] = {
    {"orchard", "game", 0, sizeof(struct game), REPRISE_LIST(game_fields),
     {0, 0, 0}},
    {"orchard", "apples", 1, sizeof(struct apple), REPRISE_LIST(apple_fields),
     {0, 0, 0}}};

static const reprise_action actions[] = {
    {"move", REPRISE_ACTION_AXIS, 0, 0, {0, 0, 0}}};

static const reprise_event_argument_type caught_arguments[] = {
    {"total", REPRISE_INT64, ""}};
static const reprise_event_type events[] = {
    {"caught", "an apple falls into the basket",
     REPRISE_LIST(caught_arguments)},
    {"lost", "an apple falls beside the basket", {0, 0, 0}}};

static int32_t fail(reprise_error* error, int32_t code, const char* text) {
  snprintf(error->text, error->capacity, "%s", text);
  return code;
}

static int32_t create(const reprise_create_arguments* arguments,
                      reprise_simulation** simulation, reprise_error* error) {
  *simulation = calloc(1, sizeof(**simulation));
  if (*simulation == NULL) {
    return fail(error, REPRISE_RESOURCE_EXHAUSTED, "there is no memory");
  }
  (*simulation)->game.random = arguments->seed;
  (*simulation)->game.next_apple = 1;
  return REPRISE_OK;
}

static void destroy(reprise_simulation* simulation) { free(simulation); }

static void info(const reprise_simulation* simulation, reprise_info* info) {
  const reprise_list action_list = REPRISE_LIST(actions);
  const reprise_list table_list = REPRISE_LIST(tables);
  const reprise_list event_list = REPRISE_LIST(events);
  (void)simulation;
  info->ticks_per_second = 60;
  info->rules_revision = 1;
  info->player_count = 1;
  info->actions = action_list;
  info->tables = table_list;
  info->events = event_list;
}

/* SplitMix64 (Steele, Lea, Flood 2014): its one number is a field. */
static double next_unit(uint64_t* state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void drop_apple(reprise_simulation* simulation) {
  struct apple* apple;
  if (simulation->apple_count == APPLES_MAX) return;
  apple = &simulation->apples[simulation->apple_count++];
  apple->number = simulation->game.next_apple++;
  apple->x = 10.0 * next_unit(&simulation->game.random) - 5.0;
  apple->y = 8.0;
  apple->speed = 0.0f;
}

static void tell(const reprise_step_arguments* arguments, const char* type,
                 uint64_t object, const int32_t* total) {
  reprise_event_argument argument = {"total", REPRISE_INT64, 0, 0.0, 0};
  reprise_event event = {sizeof(event), type, object, {0, 0, 0}};
  if (total != NULL) {
    argument.integer = *total;
    event.arguments.items = &argument;
    event.arguments.count = 1;
    event.arguments.item_size = sizeof(argument);
  }
  arguments->emit(arguments->sink, &event);
}

static int32_t step(reprise_simulation* simulation,
                    const reprise_step_arguments* arguments,
                    reprise_error* error) {
  const reprise_player* player =
      REPRISE_ITEM(arguments->players, reprise_player, 0);
  struct game* game = &simulation->game;
  uint32_t kept = 0;
  uint32_t i;
  (void)error;
  game->basket_x += player->axes[0] / 32767.0 / 6.0;
  if (arguments->tick % TICKS_BETWEEN == 0) drop_apple(simulation);
  for (i = 0; i < simulation->apple_count; ++i) {
    struct apple apple = simulation->apples[i];
    apple.speed += 9.81f / 60.0f / 4.0f;
    apple.y -= apple.speed / 60.0;
    if (apple.y > 0.0) {
      simulation->apples[kept++] = apple;
    } else if (apple.x > game->basket_x - 1.0 &&
               apple.x < game->basket_x + 1.0) {
      ++game->caught;
      tell(arguments, "caught", apple.number, &game->caught);
    } else {
      ++game->lost;
      tell(arguments, "lost", apple.number, NULL);
    }
  }
  simulation->apple_count = kept;
  return REPRISE_OK;
}

static void rows(reprise_simulation* simulation, uint32_t table,
                 reprise_rows* rows) {
  rows->rows = table == GAME ? (void*)&simulation->game
                             : (void*)simulation->apples;
  rows->row_count = table == GAME ? 1 : simulation->apple_count;
}

static int32_t restore(reprise_simulation* simulation,
                       const reprise_list* tables, reprise_error* error) {
  const reprise_rows* game = REPRISE_ITEM(*tables, reprise_rows, GAME);
  const reprise_rows* apples = REPRISE_ITEM(*tables, reprise_rows, APPLES);
  if (game->row_count != 1 || apples->row_count > APPLES_MAX) {
    return fail(error, REPRISE_DATA_LOSS, "so many rows can't be");
  }
  memcpy(&simulation->game, game->rows, sizeof(simulation->game));
  memcpy(simulation->apples, apples->rows,
         apples->row_count * sizeof(struct apple));
  simulation->apple_count = (uint32_t)apples->row_count;
  return REPRISE_OK;
}

static void outcome(const reprise_simulation* simulation,
                    reprise_outcome* outcome) {
  if (simulation->game.lost >= LOST_MAX) {
    outcome->status = REPRISE_LOST;
    outcome->reason = "three apples were lost";
  } else if (simulation->game.caught >= WANTED) {
    outcome->status = REPRISE_WON;
    outcome->reason = "ten apples were caught";
  }
}

static void frame(const reprise_simulation* simulation,
                  const reprise_frame_arguments* arguments) {
  static const reprise_shape ball[] = {
      {REPRISE_SPHERE, {0, 0, 0}, {0, 0, 0, 1}, {0.2, 0, 0}}};
  uint32_t i;
  for (i = 0; i < simulation->apple_count; ++i) {
    const struct apple* apple = &simulation->apples[i];
    const reprise_list shapes = REPRISE_LIST(ball);
    char name[32];
    reprise_frame_object object = {0};
    snprintf(name, sizeof(name), "apple_%u", (unsigned)apple->number);
    object.struct_size = sizeof(object);
    object.object = apple->number;
    object.name = name;
    object.type = "apple";
    object.position[0] = apple->x;
    object.position[1] = apple->y;
    object.rotation[3] = 1.0;
    object.shapes = shapes;
    arguments->add(arguments->sink, &object);
  }
}

static void object_name(const reprise_simulation* simulation, uint64_t object,
                        char* name, uint32_t capacity) {
  (void)simulation;
  snprintf(name, capacity, "apple_%u", (unsigned)object);
}

static const reprise_plugin plugin = {
    sizeof(reprise_plugin), REPRISE_INTERFACE_VERSION,
    "catch",                create,
    destroy,                info,
    step,                   rows,
    restore,                outcome,
    frame,                  object_name};

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  return &plugin;
}
