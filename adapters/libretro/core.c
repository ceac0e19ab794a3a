/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

#define _GNU_SOURCE
#include "adapters/libretro/core.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* In the order of struct retro_core. */
static const char* const names[] = {
    "retro_set_environment",        "retro_set_video_refresh",
    "retro_set_audio_sample",       "retro_set_audio_sample_batch",
    "retro_set_input_poll",         "retro_set_input_state",
    "retro_api_version",            "retro_get_system_info",
    "retro_set_controller_port_device", "retro_init",
    "retro_deinit",                 "retro_load_game",
    "retro_unload_game",            "retro_run",
    "retro_serialize_size",         "retro_serialize",
    "retro_unserialize",            "retro_get_memory_data",
    "retro_get_memory_size"};

enum { NAME_COUNT = sizeof(names) / sizeof(names[0]) };

_Static_assert(sizeof(struct retro_core) == NAME_COUNT * sizeof(void*),
               "a name for each call");

#if defined(__x86_64__)
static const char default_folder[] = "/usr/lib/x86_64-linux-gnu/libretro";
#else
static const char default_folder[] = "/usr/lib/aarch64-linux-gnu/libretro";
#endif

/* Of which core a callback is: they carry nothing. */
static _Thread_local struct core* current;

static void ignore_log(int level, const char* format, ...) {
  (void)level;
  (void)format;
}

static void take_map(const struct retro_memory_map* map) {
  unsigned i;
  for (i = 0; current != NULL && i < map->count; ++i) {
    const struct retro_memory_descriptor* const one = &map->descriptors[i];
    if (one->pointer == NULL || current->memory_begin < one->start ||
        current->memory_begin - one->start >= one->size) {
      continue;
    }
    current->mapped = (const unsigned char*)one->pointer + one->offset +
                      (current->memory_begin - one->start);
    current->mapped_size = one->size - (current->memory_begin - one->start);
    return;
  }
}

static bool on_environment(unsigned command, void* data) {
  switch (command) {
    case RETRO_GET_CAN_DUPE:
      *(bool*)data = true;
      return true;
    case RETRO_SET_MESSAGE:
    case RETRO_SET_PERFORMANCE_LEVEL:
    case RETRO_SET_INPUT_DESCRIPTORS:
    case RETRO_SET_VARIABLES:
      return true;
    case RETRO_SET_PIXEL_FORMAT:
      if (current == NULL || *(const unsigned*)data > RETRO_PIXELS_565) {
        return false;
      }
      current->pixel_format = *(const unsigned*)data;
      return true;
    case RETRO_GET_SYSTEM_DIRECTORY:
    case RETRO_GET_SAVE_DIRECTORY:
      /* All that a game goes by is in its pack. */
      *(const char**)data = "/nonexistent";
      return true;
    case RETRO_GET_VARIABLE:
      ((struct retro_variable*)data)->value = NULL; /* its default */
      return false;
    case RETRO_GET_VARIABLE_UPDATE:
      *(bool*)data = false;
      return true;
    case RETRO_SET_MEMORY_MAPS:
      take_map(data);
      return true;
    case RETRO_GET_LOG:
      ((struct retro_log*)data)->log = ignore_log;
      return true;
    default:
      return false;
  }
}

/* A colour of `bits` bits, of which the lowest is bit `from`, in eight. */
static unsigned char colour_of(uint32_t pixel, int from, int bits) {
  const uint32_t highest = (1u << bits) - 1;
  return (unsigned char)((pixel >> from & highest) * 255 / highest);
}

static void convert_pixel(unsigned format, const unsigned char* from,
                          unsigned char* to) {
  uint32_t wide;
  uint16_t pixel;
  if (format == RETRO_PIXELS_8888) {
    memcpy(&wide, from, sizeof(wide));
    to[0] = colour_of(wide, 16, 8);
    to[1] = colour_of(wide, 8, 8);
    to[2] = colour_of(wide, 0, 8);
    return;
  }
  memcpy(&pixel, from, sizeof(pixel));
  if (format == RETRO_PIXELS_565) {
    to[0] = colour_of(pixel, 11, 5);
    to[1] = colour_of(pixel, 5, 6);
  } else {
    to[0] = colour_of(pixel, 10, 5);
    to[1] = colour_of(pixel, 5, 5);
  }
  to[2] = colour_of(pixel, 0, 5);
}

/* No data: what was shown before is shown again. */
static void on_video(const void* data, unsigned width, unsigned height,
                     size_t pitch) {
  struct core* const core = current;
  size_t size, x, y;
  if (core == NULL || !core->wants_picture || data == NULL || width == 0 ||
      height == 0 || width > CORE_PICTURE_MAX || height > CORE_PICTURE_MAX) {
    return;
  }
  size = (size_t)width * height * 3;
  if (size > core->picture_capacity) {
    free(core->picture);
    core->picture = malloc(size);
    core->picture_capacity = core->picture == NULL ? 0 : size;
  }
  core->picture_width = core->picture == NULL ? 0 : width;
  core->picture_height = height;
  if (core->picture == NULL) return;
  for (y = 0; y < height; ++y) {
    const unsigned char* const row = (const unsigned char*)data + y * pitch;
    const size_t pixel_size =
        core->pixel_format == RETRO_PIXELS_8888 ? 4 : 2;
    for (x = 0; x < width; ++x) {
      convert_pixel(core->pixel_format, row + x * pixel_size,
                    core->picture + (y * width + x) * 3);
    }
  }
}

static void on_sample(int16_t left, int16_t right) {
  (void)left;
  (void)right;
}

static size_t on_samples(const int16_t* data, size_t frames) {
  (void)data;
  return frames;
}

static void on_poll(void) {}

static int16_t on_input(unsigned port, unsigned device, unsigned index,
                        unsigned id) {
  if (current == NULL || port >= CORE_PLAYERS_MAX || index != 0 ||
      (device & 0xff) != RETRO_JOYPAD) {
    return 0;
  }
  if (id == RETRO_JOYPAD_MASK) return (int16_t)current->held[port];
  if (id >= RETRO_JOYPAD_BUTTONS) return 0;
  return (int16_t)((current->held[port] >> id) & 1);
}

static int fail(char sentence[CORE_ERROR_BYTES], const char* what,
                const char* why) {
  snprintf(sentence, CORE_ERROR_BYTES, "%.200s: %.300s", what, why);
  return 0;
}

static int copy_library(struct core* core, const char* path,
                        char sentence[CORE_ERROR_BYTES]) {
  unsigned char* image = NULL;
  struct stat status;
  size_t written = 0;
  FILE* const file = fopen(path, "rb");
  if (file == NULL) return fail(sentence, path, strerror(errno));
  if (fstat(fileno(file), &status) == 0) image = malloc((size_t)status.st_size);
  if (image == NULL || fread(image, 1, (size_t)status.st_size, file) !=
                           (size_t)status.st_size) {
    fclose(file);
    free(image);
    return fail(sentence, path, "it can't be read");
  }
  fclose(file);
  core->file = memfd_create("reprise_libretro", MFD_CLOEXEC);
  while (core->file >= 0 && written < (size_t)status.st_size) {
    const ssize_t count =
        write(core->file, image + written, (size_t)status.st_size - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += (size_t)count;
  }
  free(image);
  return written == (size_t)status.st_size
             ? 1
             : fail(sentence, "a copy of the core", strerror(errno));
}

static int load_library(struct core* core, const char* name,
                        char sentence[CORE_ERROR_BYTES]) {
  const char* folder = getenv("REPRISE_LIBRETRO");
  char path[256];
  void** const calls = (void**)&core->calls;
  unsigned i;
  snprintf(path, sizeof(path), "%s/%s_libretro.so",
           folder == NULL ? default_folder : folder, name);
  if (!copy_library(core, path, sentence)) return 0;
  snprintf(path, sizeof(path), "/proc/self/fd/%d", core->file);
  core->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (core->library == NULL) return fail(sentence, name, dlerror());
  for (i = 0; i < NAME_COUNT; ++i) {
    calls[i] = dlsym(core->library, names[i]);
    if (calls[i] == NULL) return fail(sentence, name, dlerror());
  }
  if (core->calls.api_version() != RETRO_API) {
    return fail(sentence, name, "it is of another version of libretro");
  }
  return 1;
}

/* Its size may be another each time. */
static int take_state(struct core* core) {
  const size_t size = core->calls.serialize_size();
  const size_t capacity =
      (size + CORE_STATE_UNIT - 1) / CORE_STATE_UNIT * CORE_STATE_UNIT;
  if (size == 0 || size > CORE_STATE_MAX) return 0;
  if (capacity != core->state_capacity) {
    free(core->state);
    core->state = malloc(capacity);
    core->state_capacity = core->state == NULL ? 0 : capacity;
  }
  core->state_size = size;
  if (core->state == NULL) return 0;
  memset(core->state, 0, capacity);
  return core->calls.serialize(core->state, size);
}

int core_open(struct core* core, const char* name, size_t memory_begin,
              const void* rom, size_t rom_size,
              char sentence[CORE_ERROR_BYTES]) {
  struct retro_system_info info;
  struct retro_game_info game;
  unsigned port;
  memset(core, 0, sizeof(*core));
  core->file = -1;
  core->memory_begin = memory_begin;
  current = core;
  if (!load_library(core, name, sentence)) return 0;
  memset(&info, 0, sizeof(info));
  core->calls.get_system_info(&info);
  snprintf(core->id, sizeof(core->id), "%s %s", info.library_name,
           info.library_version);
  if (info.need_fullpath) {
    return fail(sentence, core->id, "it reads games from files alone");
  }
  core->calls.set_environment(on_environment);
  core->calls.init();
  core->has_begun = 1;
  core->calls.set_video_refresh(on_video);
  core->calls.set_audio_sample(on_sample);
  core->calls.set_audio_sample_batch(on_samples);
  core->calls.set_input_poll(on_poll);
  core->calls.set_input_state(on_input);
  memset(&game, 0, sizeof(game));
  game.path = "game";
  game.data = rom;
  game.size = rom_size;
  if (!core->calls.load_game(&game)) {
    return fail(sentence, core->id, "it takes no such game");
  }
  core->has_game = 1;
  for (port = 0; port < CORE_PLAYERS_MAX; ++port) {
    core->calls.set_controller_port_device(port, RETRO_JOYPAD);
  }
  if (!take_state(core)) {
    return fail(sentence, core->id, "it doesn't give its state");
  }
  return 1;
}

void core_close(struct core* core) {
  current = core;
  if (core->has_game) core->calls.unload_game();
  if (core->has_begun) core->calls.deinit();
  if (core->library != NULL) dlclose(core->library);
  if (core->file >= 0) close(core->file);
  free(core->state);
  free(core->picture);
  current = NULL;
}

int core_run(struct core* core) {
  current = core;
  core->calls.run();
  return take_state(core);
}

int core_draw(struct core* core, const void* state, size_t size) {
  current = core;
  core->wants_picture = 1;
  memset(core->held, 0, sizeof(core->held));
  if (!core->calls.unserialize(state, size)) return 0;
  /* What it drew before is of another state. A core that shows "the same again"
   * has to draw in the frame behind. */
  core->picture_width = 0;
  core->calls.run();
  if (core->picture_width == 0) core->calls.run();
  return core->picture_width > 0;
}

int core_restore(struct core* core, const void* state, size_t size) {
  current = core;
  return core->calls.unserialize(state, size) && take_state(core);
}

const unsigned char* core_memory(struct core* core, size_t* size) {
  current = core;
  *size = core->mapped_size;
  if (core->mapped != NULL) return core->mapped;
  *size = core->calls.get_memory_size(RETRO_SYSTEM_RAM);
  return core->calls.get_memory_data(RETRO_SYSTEM_RAM);
}
