/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in of 100,000 boxes that rise, each at its own pace: more than one
 * message of an export holds. In the first tick a quarter of them tell of it:
 * more than a timeline marks.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reprise/simulation.h"

enum { BOXES = 100000 };

struct box {
  uint64_t number;
  double height;
};

struct reprise_simulation {
  struct box boxes[BOXES];
};

static const reprise_field fields[] = {
    REPRISE_MEMBER(struct box, number, "", REPRISE_OBJECT),
    REPRISE_MEMBER(struct box, height, "m", REPRISE_DOUBLE)};

static const reprise_table tables[] = {
    {"crowd", "boxes", 1, sizeof(struct box), REPRISE_LIST(fields), {0, 0, 0}}};

static const reprise_event_type events[] = {
    {"rises", "a box leaves the ground", {0, 0, 0}}};

static int32_t create(const reprise_create_arguments* arguments,
                      reprise_simulation** simulation, reprise_error* error) {
  uint32_t i;
  (void)arguments;
  (void)error;
  *simulation = calloc(1, sizeof(**simulation));
  if (*simulation == NULL) return REPRISE_RESOURCE_EXHAUSTED;
  for (i = 0; i < BOXES; ++i) (*simulation)->boxes[i].number = i + 1;
  return REPRISE_OK;
}

static void destroy(reprise_simulation* simulation) { free(simulation); }

static void info(const reprise_simulation* simulation, reprise_info* info) {
  const reprise_list table_list = REPRISE_LIST(tables);
  const reprise_list event_list = REPRISE_LIST(events);
  (void)simulation;
  info->ticks_per_second = 60;
  info->rules_revision = 1;
  info->player_count = 1;
  info->tables = table_list;
  info->events = event_list;
}

static int32_t step(reprise_simulation* simulation,
                    const reprise_step_arguments* arguments,
                    reprise_error* error) {
  uint32_t i;
  (void)error;
  for (i = 0; i < BOXES; ++i) {
    simulation->boxes[i].height += 0.001 * (i % 7);
    if (arguments->tick == 0 && i % 4 == 0) {
      const reprise_event event = {sizeof(event), "rises", i + 1, {0, 0, 0}};
      arguments->emit(arguments->sink, &event);
    }
  }
  return REPRISE_OK;
}

static void rows(reprise_simulation* simulation, uint32_t table,
                 reprise_rows* rows) {
  (void)table;
  rows->rows = simulation->boxes;
  rows->row_count = BOXES;
}

static int32_t restore(reprise_simulation* simulation,
                       const reprise_list* given, reprise_error* error) {
  (void)error;
  memcpy(simulation->boxes, REPRISE_ITEM(*given, reprise_rows, 0)->rows,
         sizeof(simulation->boxes));
  return REPRISE_OK;
}

static void frame(const reprise_simulation* simulation,
                  const reprise_frame_arguments* arguments) {
  static const reprise_shape shape[] = {
      {REPRISE_BOX, {0, 0, 0}, {0, 0, 0, 1}, {0.4, 0.4, 0.4}},
      {REPRISE_BOX, {0, 0.5, 0}, {0, 0, 0, 1}, {0.1, 0.1, 0.1}}};
  uint32_t i;
  for (i = 0; i < BOXES; ++i) {
    const reprise_list shapes = REPRISE_LIST(shape);
    char name[32];
    reprise_frame_object object = {0};
    object.struct_size = sizeof(object);
    snprintf(name, sizeof(name), "box_%u", (unsigned)(i + 1));
    object.object = i + 1;
    object.name = name;
    object.type = "box";
    object.position[0] = i % 400;
    object.position[1] = simulation->boxes[i].height;
    object.position[2] = i / 400;
    object.rotation[3] = 1.0;
    object.shapes = shapes;
    arguments->add(arguments->sink, &object);
  }
}

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  static const reprise_plugin plugin = {sizeof(reprise_plugin),
                                        REPRISE_INTERFACE_VERSION,
                                        "crowd",
                                        create,
                                        destroy,
                                        info,
                                        step,
                                        rows,
                                        restore,
                                        NULL,
                                        frame,
                                        NULL};
  return &plugin;
}
