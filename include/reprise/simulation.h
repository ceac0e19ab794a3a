// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

/* A simulation of your own, in plain C, as a shared library that Reprise loads:
 * recorded, replayed, verified, compared, inspected and served like any other.
 * docs/plugins.md leads through it with a template of one file.
 *
 * The contract:
 *
 * - A step is a function of the state, the inputs and nothing else: no clock,
 *   file, thread, environment, address, or order of a hash table.
 * - State is what `rows` shows, all of it. What isn't shown is neither
 *   verified nor part of a snapshot.
 * - Simulations share nothing that changes. Each is used by one thread at a
 *   time; several are used by several threads at once.
 * - What you hand over stays yours, and what you are handed stays Reprise's:
 *   neither side frees or keeps the other's memory. How long each may be read
 *   stands beside it.
 * - Floating point rounds to nearest, without flushing to zero. Leave the
 *   control registers as they are. libm's functions give other bits on other
 *   machines; bring your own.
 * - Nothing is thrown or jumped across these calls.
 *
 * Text is UTF-8; names end with a zero byte, have no control characters and at
 * most 1,024 bytes.
 */

#ifndef REPRISE_INCLUDE_REPRISE_SIMULATION_H_
#define REPRISE_INCLUDE_REPRISE_SIMULATION_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A library of another version is refused. Within a version structs grow at
 * their ends, and each says how large the one who made it knows it: a struct
 * that is given by its address begins with struct_size, and the items of a list
 * have item_size. What a smaller one lacks is zero; a size that can't be is an
 * error. The list itself never grows.
 *
 * A struct of Reprise's that you fill in has its size set before you are asked.
 * One of yours is set to zero first, but for its struct_size = sizeof(it). */
#define REPRISE_INTERFACE_VERSION 2

#if defined(_WIN32)
#define REPRISE_EXPORT __declspec(dllexport)
#else
#define REPRISE_EXPORT __attribute__((visibility("default")))
#endif

/* One of your simulations; what it points to is yours alone. */
typedef struct reprise_simulation reprise_simulation;

/* Some items one after another, each of item_size bytes. */
typedef struct reprise_list {
  const void* items; /* may be null where count is 0 */
  uint32_t count;
  uint32_t item_size;
} reprise_list;

/* A list of all items of an array. */
#define REPRISE_LIST(array)                                  \
  {                                                          \
    (array), (uint32_t)(sizeof(array) / sizeof((array)[0])), \
        (uint32_t)sizeof((array)[0])                         \
  }

/* Item `index` of a list of `type`: a newer Reprise's items may be larger than
 * those of your compiler. */
#define REPRISE_ITEM(list, type, index)               \
  ((const type*)((const unsigned char*)(list).items + \
                 (size_t)(index) * (list).item_size))

/* What calls return: 0, or an error that says what is wrong in `text`. The
 * numbers are those of google.rpc.Code. */
enum {
  REPRISE_OK = 0,
  REPRISE_INVALID_ARGUMENT = 3,    /* a pack or an input has a mistake */
  REPRISE_RESOURCE_EXHAUSTED = 8,  /* a limit of yours is reached */
  REPRISE_FAILED_PRECONDITION = 9, /* rows of another version of the game */
  REPRISE_INTERNAL = 13,           /* the simulation can't go on */
  REPRISE_DATA_LOSS = 15           /* rows that contradict each other */
};

/* Where an error's text goes: capacity bytes, the last of them for a zero. */
typedef struct reprise_error {
  uint32_t struct_size; /* set before you are asked */
  uint32_t capacity;
  char* text;
} reprise_error;

/* ---- State ----------------------------------------------------------------
 *
 * State is tables of rows; a row is a struct in your memory that you describe
 * field by field. From the description come digests, snapshots, comparison by
 * name and `reprise inspect`. Bytes of a row that no field describes (padding,
 * pointers, caches) are no state.
 *
 * An engine that keeps its own memory, as an arena or as a console's RAM, shows
 * it as regions: bytes that are state as they lie, all of them, with names for
 * those that have one.
 */

/* What a scalar is in your memory. The smaller whole numbers and floats are
 * kept and shown as what is in brackets, which holds each of their values. */
enum {
  REPRISE_BOOL = 1, /* 1 byte, 0 or 1 */
  REPRISE_INT16 = 2,
  REPRISE_INT32 = 3,
  REPRISE_INT64 = 4,
  REPRISE_UINT32 = 5,
  REPRISE_UINT64 = 6,
  REPRISE_DOUBLE = 7,  /* never NaN */
  REPRISE_ID = 8,      /* reprise_id_of(name), of a name in reprise_info */
  REPRISE_OBJECT = 9,  /* uint64_t, the object's number; 0: none */
  REPRISE_INT8 = 16,   /* (int16) */
  REPRISE_UINT8 = 17,  /* (uint32) */
  REPRISE_UINT16 = 18, /* (uint32) */
  REPRISE_FLOAT = 19   /* (double), never NaN */
};

/* How the scalars of a field are called. */
enum {
  REPRISE_SCALAR = 1,     /* speed */
  REPRISE_ARRAY = 2,      /* speed[0] ... */
  REPRISE_VECTOR3 = 3,    /* speed.x y z */
  REPRISE_QUATERNION = 4, /* x y z w */
  REPRISE_MATRIX3 = 5,    /* xx xy xz yx ... zz */
  REPRISE_VECTOR2 = 6     /* x y */
};

typedef struct reprise_field {
  const char* name;
  const char* unit; /* an SI symbol; "" for a pure number */
  uint32_t type;    /* REPRISE_BOOL ... */
  uint32_t shape;   /* REPRISE_SCALAR ... */
  uint32_t count;   /* scalars; of an array 1 to 512 */
  uint32_t offset;  /* of the first in the row, in bytes */
} reprise_field;

/* A field of a struct: REPRISE_MEMBER(struct ball, x, "m", REPRISE_DOUBLE) and
 * REPRISE_MEMBER_OF(struct ball, speed, "m/s", REPRISE_FLOAT, REPRISE_VECTOR3,
 * 3). */
#define REPRISE_MEMBER_OF(row, member, unit, type, shape, count) \
  { #member, (unit), (type), (shape), (count), (uint32_t)offsetof(row, member) }
#define REPRISE_MEMBER(row, member, unit, type) \
  REPRISE_MEMBER_OF(row, member, unit, type, REPRISE_SCALAR, 1)

/* What one number of a field stands for. */
typedef struct reprise_legend_entry {
  int64_t value; /* of a mask: the bit, from 0 on */
  const char* name;
} reprise_legend_entry;

typedef struct reprise_legend {
  const char* field;
  uint32_t is_mask;
  reprise_list entries; /* of reprise_legend_entry */
} reprise_legend;

typedef struct reprise_table {
  const char* room; /* tables of one room stand together; "reprise" and "input"
                       are taken */
  const char* name; /* unique in its room */
  /* So many of its first fields, all REPRISE_UINT64 or REPRISE_OBJECT, identify
   * a row, and rows ascend by them. 0: a row is known by its place. */
  uint32_t key_fields;
  uint32_t row_size;    /* sizeof(struct) */
  reprise_list fields;  /* of reprise_field; at most 4,096 bytes as kept */
  reprise_list legends; /* of reprise_legend */
} reprise_table;

/* Some bytes without a pointer, an address or whatever else differs from one
 * process to another. A named field is state twice, as bytes and by its name,
 * so that what differs has the name; what differs elsewhere has the number of
 * its page of 4,096 bytes and of its word in it, in a table `name`_pages. */
typedef struct reprise_region {
  const char* room; /* as of tables, of which it stands behind all */
  const char* name; /* unique in its room */
  uint64_t size; /* bytes, 1 to 2^30: the same in all simulations of a pack */
  /* Of reprise_field, with offsets from the region's first byte; at most 4,096
   * bytes as kept, and none at all will do. Of an array of structs, make a
   * table whose rows lie in the region. */
  reprise_list fields;
  reprise_list legends; /* of reprise_legend */
} reprise_region;

/* The rows of one table in your memory; of a region its bytes, each a row. */
typedef struct reprise_rows {
  uint32_t struct_size; /* set before you are asked */
  const void* rows;     /* row_count times row_size bytes */
  uint64_t row_count;
  /* Rows outside of this range are as they were when they were last asked for.
   * 0 and UINT64_MAX, which are set before you are asked: any may differ. */
  uint64_t changed_begin;
  uint64_t changed_end;
} reprise_rows;

/* ---- Inputs ---------------------------------------------------------------
 */

enum {
  REPRISE_ACTION_BUTTON = 0,  /* device_index: bit 0 to 63 of buttons */
  REPRISE_ACTION_AXIS = 1,    /* 0 to 7 */
  REPRISE_ACTION_COMMAND = 2, /* with arguments */
  REPRISE_ACTION_KEY = 3,     /* usage of the USB HID keyboard page, 4 to 231 */
  REPRISE_ACTION_MOUSE_BUTTON = 4, /* 0 to 31 */
  REPRISE_ACTION_POINTER = 5,
  REPRISE_ACTION_MOUSE_MOTION = 6,
  REPRISE_ACTION_WHEEL = 7,
  REPRISE_ACTION_TOUCH = 8, /* maximum: touches at a time, 1 to 16 */
  REPRISE_ACTION_MOTION_SENSOR = 9,
  REPRISE_ACTION_TEXT = 10 /* maximum: bytes at a tick, 1 to 256 */
};

enum {
  REPRISE_VALUE_BOOL = 0,
  REPRISE_VALUE_INTEGER = 1, /* minimum to maximum */
  REPRISE_VALUE_NUMBER = 2,  /* number_minimum to number_maximum */
  REPRISE_VALUE_TEXT = 3,    /* at most bytes_max, 1 to 256 */
  REPRISE_VALUE_VECTOR2 = 4, /* each number as above */
  REPRISE_VALUE_VECTOR3 = 5
};

/* An argument of a command. */
typedef struct reprise_argument {
  const char* name;
  uint32_t kind; /* REPRISE_VALUE_BOOL ... */
  uint32_t bytes_max;
  int64_t minimum;
  int64_t maximum;
  double number_minimum;
  double number_maximum;
} reprise_argument;

typedef struct reprise_action {
  const char* name;
  uint32_t kind; /* REPRISE_ACTION_BUTTON ... */
  uint32_t device_index;
  uint32_t maximum;
  reprise_list arguments; /* of reprise_argument; at most 7 */
} reprise_action;

typedef struct reprise_value {
  uint32_t kind;      /* REPRISE_VALUE_BOOL ... */
  uint32_t text_size; /* bytes */
  int64_t integer;    /* 0 or 1 of a bool */
  double numbers[3];
  const char* text; /* not ended by a zero */
} reprise_value;

typedef struct reprise_command {
  uint32_t action;     /* its place among reprise_info's actions */
  reprise_list values; /* of reprise_value, as many as it has arguments */
} reprise_command;

typedef struct reprise_touch {
  uint32_t id;       /* the same until the finger is lifted */
  uint32_t x;        /* 0 to 65535, from the left */
  uint32_t y;        /* from above */
  uint32_t pressure; /* 0 to 65535 */
} reprise_touch;

/* What a player holds, and does at this tick. Reprise keeps what is held, in
 * the room "input"; a player of whom nothing came holds on. */
typedef struct reprise_player {
  uint64_t buttons; /* bit i: button i is held */
  int16_t axes[8];  /* -32767 to 32767 */
  uint64_t keys[4]; /* bit k % 64 of word k / 64: key k is held */
  uint32_t mouse_buttons;
  uint32_t mouse_x; /* 0 to 65535 */
  uint32_t mouse_y;
  int32_t mouse_moved_x; /* at this tick */
  int32_t mouse_moved_y;
  int32_t wheel_x; /* in 120ths of a step */
  int32_t wheel_y;
  int32_t acceleration_mm_s2[3];
  int32_t angular_velocity_mrad_s[3];
  uint32_t text_size;    /* bytes */
  const char* text;      /* entered at this tick, not ended by a zero */
  reprise_list touches;  /* of reprise_touch, ascending by id */
  reprise_list commands; /* of reprise_command, as they came */
} reprise_player;

/* ---- What there is --------------------------------------------------------
 */

/* An argument of an event: its number in one of three ways. */
typedef struct reprise_event_argument {
  const char* name;
  uint32_t type; /* REPRISE_INT64, REPRISE_DOUBLE or REPRISE_OBJECT */
  int64_t integer;
  double number;
  uint64_t object;
} reprise_event_argument;

typedef struct reprise_event {
  uint32_t struct_size;   /* sizeof(reprise_event) */
  const char* type;       /* one that is declared */
  uint64_t object;        /* whom it happened to; 0: nobody */
  reprise_list arguments; /* of reprise_event_argument; at most 8 */
} reprise_event;

typedef struct reprise_event_argument_type {
  const char* name;
  uint32_t type; /* as above */
  const char* unit;
} reprise_event_argument_type;

typedef struct reprise_event_type {
  const char* name;
  const char* when;       /* a clause: "a ball leaves the court" */
  reprise_list arguments; /* of reprise_event_argument_type */
} reprise_event_type;

/* Constant from `create` on, and the same for each simulation of one pack; its
 * memory is yours and lives as long as the simulation. */
typedef struct reprise_info {
  uint32_t struct_size;           /* set before you are asked */
  uint32_t ticks_per_second;      /* 1 to 1,000 */
  uint32_t rules_revision;        /* goes up when you change what a step does */
  uint32_t player_count;          /* 1 to 64 */
  uint32_t commands_per_tick_max; /* a player's, 0 to 64 */
  reprise_list actions;           /* of reprise_action */
  reprise_list tables;            /* of reprise_table */
  reprise_list events;            /* of reprise_event_type */
  reprise_list names;   /* of const char*: what REPRISE_IDs stand for */
  reprise_list regions; /* of reprise_region */
} reprise_info;

/* A file of the pack. */
typedef struct reprise_file {
  const char* path; /* "levels/one.csv" */
  const void* bytes;
  uint64_t size;
} reprise_file;

/* Valid during the call. */
typedef struct reprise_create_arguments {
  uint32_t struct_size;
  const char* pack; /* its name */
  uint64_t seed;
  reprise_list files; /* of reprise_file, ascending by path */
} reprise_create_arguments;

/* Valid during the call. */
typedef struct reprise_step_arguments {
  uint32_t struct_size;
  uint64_t tick;        /* how many steps were made before this one */
  reprise_list players; /* of reprise_player, one each, in order */
  /* Tells of an event of this step: emit(sink, &event). */
  void (*emit)(void* sink, const reprise_event* event);
  void* sink;
} reprise_step_arguments;

enum { REPRISE_RUNNING = 0, REPRISE_WON = 1, REPRISE_LOST = 2 };

typedef struct reprise_outcome {
  uint32_t struct_size; /* set before you are asked */
  uint32_t status;      /* REPRISE_RUNNING ... */
  const char* reason;   /* yours, read at once; may be null while running */
} reprise_outcome;

enum {
  REPRISE_SPHERE = 0,   /* size: radius */
  REPRISE_BOX = 1,      /* half extents */
  REPRISE_CAPSULE = 2,  /* radius, half of the straight part, along y */
  REPRISE_CYLINDER = 3, /* as above */
  REPRISE_PLANE = 4     /* normal */
};

typedef struct reprise_shape {
  uint32_t kind;      /* REPRISE_SPHERE ... */
  double position[3]; /* m, relative to the object */
  double rotation[4]; /* x y z w, of length 1 */
  double size[3];     /* m */
} reprise_shape;

typedef struct reprise_frame_object {
  uint32_t struct_size; /* sizeof(reprise_frame_object) */
  uint64_t object;
  const char* name;
  const char* type;
  double position[3];  /* m */
  double rotation[4];  /* x y z w, of length 1 */
  reprise_list shapes; /* of reprise_shape */
} reprise_frame_object;

/* What an engine draws itself. */
typedef struct reprise_picture {
  uint32_t struct_size; /* sizeof(reprise_picture) */
  uint32_t width;       /* pixels, 1 to 4,096 */
  uint32_t height;
  /* Row by row from the top, three bytes each: red, green, blue, sRGB. */
  const uint8_t* pixels;
} reprise_picture;

/* Valid during the call. */
typedef struct reprise_frame_arguments {
  uint32_t struct_size;
  /* Draws an object: add(sink, &object), in ascending order of objects. */
  void (*add)(void* sink, const reprise_frame_object* object);
  void* sink;
  /* Shows a picture, which `reprise render` takes in place of one that it would
   * make of the objects: show(sink, &picture). */
  void (*show)(void* sink, const reprise_picture* picture);
  /* What is asked for, 1 or 0; the other is taken and forgotten. */
  uint32_t wants_objects;
  uint32_t wants_picture;
} reprise_frame_arguments;

/* ---- The library ----------------------------------------------------------
 */

typedef struct reprise_plugin {
  uint32_t struct_size;       /* sizeof(reprise_plugin) */
  uint32_t interface_version; /* REPRISE_INTERFACE_VERSION */
  const char* name;           /* as `simulation: "..."` of a pack calls it */

  /* Loads a pack: the state before the first step. */
  int32_t (*create)(const reprise_create_arguments* arguments,
                    reprise_simulation** simulation, reprise_error* error);
  void (*destroy)(reprise_simulation* simulation);

  void (*info)(const reprise_simulation* simulation, reprise_info* info);

  /* Makes one tick. An error ends the run, and no call but `destroy` follows
   * it. */
  int32_t (*step)(reprise_simulation* simulation,
                  const reprise_step_arguments* arguments,
                  reprise_error* error);

  /* Where the rows of a table are; read until the next call for this
   * simulation. Numbers behind the last table's are the regions'. */
  void (*rows)(reprise_simulation* simulation, uint32_t table,
               reprise_rows* rows);

  /* Takes the state that `rows` once showed, of this simulation or another of
   * the same pack: `tables` are reprise_rows, in order of the tables and then
   * of the regions, read during the call. Bytes of rows that no field describes
   * are zeros. On an error nothing changes. */
  int32_t (*restore)(reprise_simulation* simulation, const reprise_list* tables,
                     reprise_error* error);

  /* Null, or how the run stands, from the state alone. */
  void (*outcome)(const reprise_simulation* simulation,
                  reprise_outcome* outcome);

  /* Null, or what there is to draw, from the state alone. */
  void (*frame)(const reprise_simulation* simulation,
                const reprise_frame_arguments* arguments);

  /* Null, or the name of an object: written into `name`, capacity bytes, with
   * a zero behind it. */
  void (*object_name)(const reprise_simulation* simulation, uint64_t object,
                      char* name, uint32_t capacity);
} reprise_plugin;

/* The one function that a library exports. What it returns lives as long as the
 * process. */
typedef const reprise_plugin* (*reprise_plugin_function)(void);
REPRISE_EXPORT const reprise_plugin* reprise_plugin_describe(void);

/* What a REPRISE_ID holds: FNV-1a, 64 bits, of the name. */
static inline uint64_t reprise_id_of(const char* name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name != '\0'; ++name) {
    hash ^= (unsigned char)*name;
    hash *= 0x00000100000001b3u;
  }
  return hash;
}

#ifdef __cplusplus
}
#endif

#endif  // REPRISE_INCLUDE_REPRISE_SIMULATION_H_
