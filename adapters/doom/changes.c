/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "adapters/doom/changes.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/doom/state_rows.h"

/* The rows of a table as they were shown last, pointers and all. */
struct shown {
  unsigned char* rows;
  uint64_t count;
  uint64_t capacity;
};

static struct shown shown[DOOM_TABLES];

static void keep(struct shown* last, const reprise_rows* rows, size_t size) {
  if (rows->row_count > last->capacity) {
    last->capacity = rows->row_count + 64;
    last->rows =
        (unsigned char*)realloc(last->rows, (size_t)last->capacity * size);
    if (last->rows == NULL) abort();
  }
  if (rows->changed_begin < rows->changed_end) {
    const size_t begin = (size_t)rows->changed_begin * size;
    memcpy(last->rows + begin, (const unsigned char*)rows->rows + begin,
           (size_t)rows->changed_end * size - begin);
  }
  last->count = rows->row_count;
}

void doom_show_changes(uint32_t table, reprise_rows* rows) {
  const reprise_list tables = doom_tables();
  const size_t size = REPRISE_ITEM(tables, reprise_table, table)->row_size;
  struct shown* const last = &shown[table];
  const unsigned char* now;
  uint64_t begin = 0;
  uint64_t end;
  doom_show_rows(table, rows);
  now = (const unsigned char*)rows->rows;
  end = rows->row_count;
  while (begin < end && begin < last->count &&
         memcmp(now + begin * size, last->rows + begin * size, size) == 0) {
    ++begin;
  }
  while (end > begin && end <= last->count &&
         memcmp(now + (end - 1) * size, last->rows + (end - 1) * size, size) ==
             0) {
    --end;
  }
  rows->changed_begin = begin;
  rows->changed_end = end;
  keep(last, rows, size);
}

void doom_free_changes(void) {
  uint32_t i;
  for (i = 0; i < DOOM_TABLES; ++i) free(shown[i].rows);
}
