/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* Sides and lines: thousands of them, of which a tic changes next to none. The
 * engine says which lines are crossed, used and shot (exact_state.patch); those
 * whose wall scrolls or whose switch turns back are known. */

#include <stdlib.h>
#include <string.h>

#include "adapters/doom/state_rows.h"

extern short numlinespecials;
extern line_t* linespeciallist[];

/* What of a table isn't as it was shown last. */
struct range {
  uint32_t begin;
  uint32_t end;
};

static struct side_row* side_rows;
static struct line_row* line_rows;
static struct range changed_sides;
static struct range changed_lines;

/* Lines that may have changed; once there are more, all may have. */
enum { TOUCHED_MAX = 256 };
static int32_t touched[TOUCHED_MAX];
static int32_t touched_count;

/* Called by the engine before it does what a line does. */
void P_TouchLine(const line_t* line) {
  if (touched_count < TOUCHED_MAX) {
    touched[touched_count] = (int32_t)(line - lines);
  }
  if (touched_count <= TOUCHED_MAX) ++touched_count;
}

static void extend(struct range* range, uint32_t index) {
  if (range->begin == range->end) range->begin = range->end = index;
  if (index < range->begin) range->begin = index;
  if (index >= range->end) range->end = index + 1;
}

static void take_side(int32_t index) {
  const side_t* const raw = &sides[index];
  struct side_row side = {0};
  struct side_row* const row = &side;
  DOOM_SIDE_FIELDS(DOOM_SHOW)
  if (memcmp(&side_rows[index], row, sizeof(*row)) == 0) return;
  side_rows[index] = side;
  extend(&changed_sides, (uint32_t)index);
}

static void take_line(int32_t index) {
  const line_t* const raw = &lines[index];
  struct line_row line = {0};
  struct line_row* const row = &line;
  DOOM_LINE_FIELDS(DOOM_SHOW)
  if (memcmp(&line_rows[index], row, sizeof(*row)) == 0) return;
  line_rows[index] = line;
  extend(&changed_lines, (uint32_t)index);
}

static void take_wall(const line_t* line) {
  take_line((int32_t)(line - lines));
  if (line->sidenum[0] >= 0) take_side(line->sidenum[0]);
  if (line->sidenum[1] >= 0) take_side(line->sidenum[1]);
}

/* The lines of buttons, which are forgotten as they turn back. */
static const line_t* pressed[MAXBUTTONS];

void doom_collect_walls(void) {
  int i;
  if (side_rows == NULL) {
    side_rows = (struct side_row*)calloc((size_t)numsides, sizeof(*side_rows));
    line_rows = (struct line_row*)calloc((size_t)numlines, sizeof(*line_rows));
    if (side_rows == NULL || line_rows == NULL) abort();
  }
  for (i = 0; i < numsides; ++i) take_side(i);
  for (i = 0; i < numlines; ++i) take_line(i);
  for (i = 0; i < MAXBUTTONS; ++i) pressed[i] = buttonlist[i].line;
  touched_count = 0;
}

void doom_collect_changed_walls(void) {
  int i;
  if (touched_count > TOUCHED_MAX) {
    doom_collect_walls();
    return;
  }
  for (i = 0; i < touched_count; ++i) take_wall(&lines[touched[i]]);
  for (i = 0; i < numlinespecials; ++i) {
    take_side(linespeciallist[i]->sidenum[0]);
  }
  for (i = 0; i < MAXBUTTONS; ++i) {
    if (pressed[i] != NULL) take_wall(pressed[i]);
    pressed[i] = buttonlist[i].line;
  }
  touched_count = 0;
}

void doom_show_walls(uint32_t table, reprise_rows* rows) {
  const int is_sides = table == DOOM_SIDES;
  struct range* const changed = is_sides ? &changed_sides : &changed_lines;
  rows->rows = is_sides ? (const void*)side_rows : (const void*)line_rows;
  rows->row_count = (uint64_t)(is_sides ? numsides : numlines);
  rows->changed_begin = changed->begin;
  rows->changed_end = changed->end;
  changed->begin = changed->end = 0;
}

void doom_free_walls(void) {
  free(side_rows);
  free(line_rows);
}
