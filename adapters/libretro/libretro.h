// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

/* As much of libretro's interface, version 1, as is used here: what a core
 * exports, and what it asks of the program that loads it.
 */

#ifndef REPRISE_ADAPTERS_LIBRETRO_LIBRETRO_H_
#define REPRISE_ADAPTERS_LIBRETRO_LIBRETRO_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RETRO_API = 1, RETRO_JOYPAD = 1, RETRO_JOYPAD_BUTTONS = 16 };

/* What a core asks by number; others are answered with no. */
enum {
  RETRO_GET_CAN_DUPE = 3,
  RETRO_SET_MESSAGE = 6,
  RETRO_SET_PERFORMANCE_LEVEL = 8,
  RETRO_GET_SYSTEM_DIRECTORY = 9,
  RETRO_SET_PIXEL_FORMAT = 10,
  RETRO_SET_INPUT_DESCRIPTORS = 11,
  RETRO_GET_VARIABLE = 15,
  RETRO_SET_VARIABLES = 16,
  RETRO_GET_VARIABLE_UPDATE = 17,
  RETRO_GET_LOG = 27,
  RETRO_GET_SAVE_DIRECTORY = 31,
  RETRO_SET_MEMORY_MAPS = 0x10000 + 36
};

/* How pixels lie in memory: 16 bits with 5 for each colour, 32 bits with 8, 16
 * bits with 5, 6 and 5; red in the highest of them. */
enum {
  RETRO_PIXELS_1555 = 0, /* unless the core says another */
  RETRO_PIXELS_8888 = 1,
  RETRO_PIXELS_565 = 2
};

/* Kinds of memory. */
enum { RETRO_SYSTEM_RAM = 2 };

/* The mask of a request for all buttons at once. */
enum { RETRO_JOYPAD_MASK = 256 };

struct retro_variable {
  const char* key;
  const char* value;
};

/* Memory at addresses of the machine. */
struct retro_memory_descriptor {
  uint64_t flags;
  void* pointer;
  size_t offset;
  size_t start;
  size_t select;
  size_t disconnect;
  size_t size; /* 0: up to what `select` tells apart */
  const char* address_space;
};

struct retro_memory_map {
  const struct retro_memory_descriptor* descriptors;
  unsigned count;
};

struct retro_log {
  void (*log)(int level, const char* format, ...);
};

struct retro_system_info {
  const char* library_name;
  const char* library_version;
  const char* valid_extensions;
  bool need_fullpath;
  bool block_extract;
};

struct retro_game_info {
  const char* path;
  const void* data;
  size_t size;
  const char* meta;
};

/* What a core exports, in the order of core.c's list of names. */
struct retro_core {
  void (*set_environment)(bool (*callback)(unsigned command, void* data));
  void (*set_video_refresh)(void (*callback)(const void* data, unsigned width,
                                             unsigned height, size_t pitch));
  void (*set_audio_sample)(void (*callback)(int16_t left, int16_t right));
  void (*set_audio_sample_batch)(size_t (*callback)(const int16_t* data,
                                                    size_t frames));
  void (*set_input_poll)(void (*callback)(void));
  void (*set_input_state)(int16_t (*callback)(unsigned port, unsigned device,
                                              unsigned index, unsigned id));
  unsigned (*api_version)(void);
  void (*get_system_info)(struct retro_system_info* info);
  void (*set_controller_port_device)(unsigned port, unsigned device);
  void (*init)(void);
  void (*deinit)(void);
  bool (*load_game)(const struct retro_game_info* game);
  void (*unload_game)(void);
  void (*run)(void);
  size_t (*serialize_size)(void);
  bool (*serialize)(void* data, size_t size);
  bool (*unserialize)(const void* data, size_t size);
  void* (*get_memory_data)(unsigned id);
  size_t (*get_memory_size)(unsigned id);
};

#endif  // REPRISE_ADAPTERS_LIBRETRO_LIBRETRO_H_
