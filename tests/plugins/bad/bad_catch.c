/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plug-in of docs/plugins.md, as one does it that breaks the interface in
 * one way, which the build chooses.
 */

#define _GNU_SOURCE

#define reprise_plugin_describe catch_describe
#include "docs/examples/plugin/catch.c"
#undef reprise_plugin_describe

#include <pthread.h>
#include <sys/mman.h>

/* C++, and only there for those that throw. */
void bad_throw(void);

enum { BEHIND = 64, AT_TICK = 50 };

static const reprise_step_arguments* last_arguments;
static void (*last_emit)(void* sink, const reprise_event* event);
static void* last_sink;

static void bad_tell(void) {
  reprise_event event = {sizeof(event), "lost", 0, {0, 0, 0}};
#if defined(SIZES_EVENT)
  event.struct_size = 0;
#endif
  if (last_emit != NULL) last_emit(last_sink, &event);
}

static void* bad_thread(void* nothing) {
  bad_tell();
  return nothing;
}

static void* bad_abort(void* nothing) {
  abort();
  return nothing;
}

#if defined(CRASHES_LOADING)
__attribute__((constructor)) static void bad_load(void) { abort(); }
#elif defined(EXITS_LOADING)
__attribute__((constructor)) static void bad_load(void) { exit(0); }
#endif

static int32_t bad_create(const reprise_create_arguments* arguments,
                          reprise_simulation** simulation,
                          reprise_error* error) {
#if defined(CRASHES_CREATING)
  abort();
#elif defined(HANGS_CREATING)
  volatile int forever = 1;
  while (forever) {
  }
#elif defined(THROWS_CREATING)
  bad_throw();
#elif defined(WRITES_INTO_FILES)
  *(char*)REPRISE_ITEM(arguments->files, reprise_file, 0)->bytes ^= 1;
#elif defined(WRITES_BEHIND_FILE)
  const reprise_file* const file =
      REPRISE_ITEM(arguments->files, reprise_file, 0);
  memset((char*)file->bytes + file->size, 7, BEHIND);
#endif
  return create(arguments, simulation, error);
}

static void bad_destroy(reprise_simulation* simulation) {
#if defined(TELLS_DESTROYING)
  bad_tell();
#endif
  destroy(simulation);
}

/* The description with one thing in it that can't be. */
static void bad_description(reprise_info* described) {
  static reprise_table some_tables[2];
  static reprise_field some_fields[5];
  static reprise_event_type some_events[2];
  static reprise_legend_entry entries[2] = {{0, "none"}, {1, "one"}};
  static reprise_legend legends[1] = {{"lost", 0, REPRISE_LIST(entries)}};
  const reprise_list legend_list = REPRISE_LIST(legends);
  reprise_field* const last = &some_fields[4]; /* lost */
  memcpy(some_tables, tables, sizeof(some_tables));
  memcpy(some_fields, game_fields, sizeof(some_fields));
  memcpy(some_events, events, sizeof(some_events));
  some_tables[GAME].fields.items = some_fields;
  some_tables[GAME].legends = legend_list;
#if defined(NAMES_NO_TABLE)
  some_tables[GAME].name = NULL;
#elif defined(NAMES_NO_FIELD)
  last->name = NULL;
#elif defined(NAMES_FIELD_TWICE)
  last->name = "caught";
#elif defined(REACHES_BEHIND_ROW)
  last->offset = 4000;
#elif defined(COUNTS_ABSURDLY)
  last->shape = REPRISE_ARRAY;
  last->count = 4000000000u;
#elif defined(NAMES_NO_ENTRY)
  entries[1].name = NULL;
#elif defined(NAMES_ENTRY_TWICE)
  entries[1].name = "none";
#elif defined(NAMES_EVENT_TWICE)
  some_events[1].name = some_events[0].name;
#endif
  described->tables.items = some_tables;
  described->events.items = some_events;
}

static void bad_info(const reprise_simulation* simulation,
                     reprise_info* described) {
  static int times;
  ++times;
  info(simulation, described);
  bad_description(described);
#if defined(WRITES_BEHIND_INFO)
  memset(described + 1, 7, BEHIND);
#elif defined(CHANGES)
  described->ticks_per_second = times % 2 == 0 ? 30 : 60;
#elif defined(LIES_IN_LISTS)
  described->actions.count = 4000000000u;
#elif defined(LISTS_SMALL_ITEMS)
  described->tables.item_size = 8;
#elif defined(SIZES_INFO)
  described->struct_size = 3;
#elif defined(LISTS_AT_NULL)
  described->actions.items = NULL;
#endif
}

static int32_t bad_step(reprise_simulation* simulation,
                        const reprise_step_arguments* arguments,
                        reprise_error* error) {
  last_arguments = arguments;
  last_emit = arguments->emit;
  last_sink = arguments->sink;
  if (arguments->tick == AT_TICK) {
#if defined(EXITS)
    exit(0);
#elif defined(THROWS)
    bad_throw();
#elif defined(WRITES_BEHIND_ERROR)
    memset(error->text, 'x', error->capacity + BEHIND);
    return REPRISE_INTERNAL;
#elif defined(TELLS_ON_A_THREAD)
    pthread_t thread;
    if (pthread_create(&thread, NULL, bad_thread, NULL) == 0) {
      pthread_join(thread, NULL);
    }
#elif defined(CRASHES_ON_A_THREAD)
    pthread_t thread;
    if (pthread_create(&thread, NULL, bad_abort, NULL) == 0) {
      pthread_join(thread, NULL);
    }
#elif defined(HANGS)
    volatile int forever = 1;
    while (forever) {
    }
#elif defined(CRASHES)
    abort();
#elif defined(CRASHES_WRITING)
    volatile int* volatile nowhere = NULL;
    *nowhere = 0;
#elif defined(WRITES_INTO_PLAYERS)
    ((reprise_player*)arguments->players.items)->axes[0] = 7;
#elif defined(WRITES_BEHIND_PLAYERS)
    const size_t size =
        arguments->players.count * (size_t)arguments->players.item_size;
    memset((char*)arguments->players.items + size, 7, BEHIND);
#elif defined(SIZES_EVENT)
    bad_tell();
#elif defined(TELLS_TOO_MUCH)
    for (int i = 0; i <= 1 << 20; ++i) bad_tell();
#elif defined(TELLS_NOTHING)
    arguments->emit(arguments->sink, NULL);
#endif
  }
  return step(simulation, arguments, error);
}

static void bad_rows(reprise_simulation* simulation, uint32_t table,
                     reprise_rows* rows_of) {
  rows(simulation, table, rows_of);
#if defined(WRITES_BEHIND_ROWS)
  if (last_arguments != NULL) memset(rows_of + 1, 7, BEHIND);
#elif defined(TELLS_IN_ROWS)
  bad_tell();
#elif defined(LIES_ABOUT_ROWS)
  if (last_arguments != NULL) rows_of->row_count = (uint64_t)1 << 40;
#elif defined(READS_BEHIND)
  /* So many may be, and behind the first page is no memory. */
  if (last_arguments != NULL) {
    const size_t page = 4096;
    char* const memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    mprotect(memory + page, page, PROT_NONE);
    rows_of->rows = memory;
    rows_of->row_count = 100000;
  }
#endif
}

static int32_t bad_restore(reprise_simulation* simulation,
                           const reprise_list* tables, reprise_error* error) {
#if defined(WRITES_BEHIND_GIVEN)
  const reprise_rows* const given = REPRISE_ITEM(*tables, reprise_rows, GAME);
  memset((char*)given->rows + sizeof(struct game), 7, BEHIND);
#endif
  return restore(simulation, tables, error);
}

static void bad_outcome(const reprise_simulation* simulation,
                        reprise_outcome* result) {
  outcome(simulation, result);
#if defined(WRITES_BEHIND_OUTCOME)
  if (last_arguments != NULL) memset(result + 1, 7, BEHIND);
#endif
}

static void bad_object_name(const reprise_simulation* simulation,
                            uint64_t object, char* name, uint32_t capacity) {
#if defined(WRITES_BEHIND_NAME)
  memset(name, 'x', (size_t)capacity + BEHIND);
#else
  object_name(simulation, object, name, capacity);
#endif
}

REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void) {
  static reprise_plugin bad;
  (void)bad_thread;
  (void)bad_abort;
  bad = *catch_describe();
  bad.create = bad_create;
  bad.destroy = bad_destroy;
  bad.info = bad_info;
  bad.step = bad_step;
  bad.rows = bad_rows;
  bad.restore = bad_restore;
  bad.outcome = bad_outcome;
  bad.object_name = bad_object_name;
#if defined(OF_ANOTHER_VERSION)
  bad.interface_version = 1;
#elif defined(LACKS_STEP)
  bad.step = NULL;
#elif defined(IS_SMALL)
  bad.struct_size = 16;
#elif defined(IS_HUGE)
  bad.struct_size = 1 << 30;
#elif defined(IS_NAMELESS)
  bad.name = "";
#elif defined(DESCRIBES_NOTHING)
  return NULL;
#endif
  return &bad;
}
