/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "adapters/doom/drawing.h"

#include <math.h>
#include <stdio.h>

#include "adapters/doom/state_rows.h"

static const double kUnit = 1.0 / 65536.0 / 32.0; /* m */

/* Walls are numbered above everything else. */
static const uint64_t kFirstWall = (uint64_t)1 << 32;

/* A turn about the vertical; the table's sine is near enough, made a unit. */
static void turn(angle_t angle, double* rotation) {
  const angle_t half = angle / 2;
  const double y = finesine[half >> ANGLETOFINESHIFT];
  const double w = finecosine[half >> ANGLETOFINESHIFT];
  const double length = sqrt(y * y + w * w);
  rotation[0] = 0.0;
  rotation[1] = y / length;
  rotation[2] = 0.0;
  rotation[3] = w / length;
}

static void draw(const reprise_frame_arguments* arguments,
                 reprise_frame_object* object, const reprise_shape* shape) {
  object->struct_size = sizeof(*object);
  object->shapes.items = shape;
  object->shapes.count = 1;
  object->shapes.item_size = sizeof(*shape);
  arguments->add(arguments->sink, object);
}

static void draw_mobj(const reprise_frame_arguments* arguments,
                      const struct mobj_row* row) {
  char name[32];
  reprise_shape shape = {REPRISE_CYLINDER, {0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0}};
  reprise_frame_object object = {0};
  if (row->removed) return;
  snprintf(name, sizeof(name), "mobj_%u", (unsigned)row->number);
  shape.size[0] = row->radius * kUnit;
  shape.size[1] = row->height * kUnit / 2;
  object.object = row->number;
  object.name = name;
  object.type = row->player >= 0 ? "player" : "thing";
  object.position[0] = row->x * kUnit;
  object.position[1] = row->z * kUnit + shape.size[1];
  object.position[2] = -(row->y * kUnit);
  turn(row->angle, object.rotation);
  draw(arguments, &object, &shape);
}

static void draw_wall(const reprise_frame_arguments* arguments, int index) {
  const line_t* const line = &lines[index];
  const sector_t* const sector = line->frontsector;
  char name[32];
  reprise_shape shape = {REPRISE_BOX, {0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0.02}};
  reprise_frame_object object = {0};
  snprintf(name, sizeof(name), "line_%d", index);
  shape.size[0] =
      sqrt((double)line->dx * line->dx + (double)line->dy * line->dy) * kUnit /
      2;
  shape.size[1] = (sector->ceilingheight - sector->floorheight) * kUnit / 2;
  object.object = kFirstWall + (uint64_t)index;
  object.name = name;
  object.type = "wall";
  object.position[0] = (line->v1->x + line->dx / 2) * kUnit;
  object.position[1] = sector->floorheight * kUnit + shape.size[1];
  object.position[2] = -((line->v1->y + line->dy / 2) * kUnit);
  turn(R_PointToAngle2(0, 0, line->dx, line->dy), object.rotation);
  draw(arguments, &object, &shape);
}

void doom_draw_frame(const reprise_frame_arguments* arguments) {
  reprise_rows things = {0};
  uint64_t i;
  int line;
  doom_show_rows(DOOM_MOBJS, &things);
  for (i = 0; i < things.row_count; ++i) {
    draw_mobj(arguments, &((const struct mobj_row*)things.rows)[i]);
  }
  for (line = 0; line < numlines; ++line) {
    if (lines[line].backsector == NULL) draw_wall(arguments, line);
  }
}

void doom_name_object(uint64_t object, char* name, uint32_t capacity) {
  const reprise_list tables = doom_tables();
  uint32_t table;
  for (table = DOOM_SPECIALS; table < DOOM_TABLES; ++table) {
    const uint32_t size = doom_special_kinds[table - DOOM_SPECIALS].row_size;
    reprise_rows rows = {0};
    uint64_t i;
    doom_show_rows(table, &rows);
    for (i = 0; i < rows.row_count; ++i) {
      const struct special_head* const head =
          (const struct special_head*)((const char*)rows.rows + i * size);
      if (head->number != object) continue;
      snprintf(name, capacity, "%s_%u",
               REPRISE_ITEM(tables, reprise_table, table)->name,
               (unsigned)object);
      return;
    }
  }
  snprintf(name, capacity, "mobj_%u", (unsigned)object);
}
