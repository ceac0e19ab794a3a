// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

/* A libretro core with one game, in a copy of its library of its own: cores
 * keep their machine in global variables.
 */

#ifndef REPRISE_ADAPTERS_LIBRETRO_CORE_H_
#define REPRISE_ADAPTERS_LIBRETRO_CORE_H_

#include <stddef.h>
#include <stdint.h>

#include "adapters/libretro/libretro.h"

enum { CORE_PLAYERS_MAX = 4, CORE_ERROR_BYTES = 512 };

struct core {
  struct retro_core calls;
  void* library;
  int file;      /* the copy, in memory */
  char id[128];  /* "Nestopia 1.52.0" */
  int has_begun; /* init was called */
  int has_game;

  /* The machine's memory from an address on, where the core has a map of it. */
  size_t memory_begin;
  const unsigned char* mapped;
  size_t mapped_size;

  /* What players hold: bit i is button i of libretro's joypad. */
  uint16_t held[CORE_PLAYERS_MAX];

  /* The picture that it drew last, where it is wanted: rows from the top, three
   * bytes a pixel, red, green, blue. */
  int wants_picture;
  unsigned pixel_format; /* RETRO_PIXELS_... */
  unsigned char* picture;
  size_t picture_capacity;
  uint32_t picture_width; /* 0: none was drawn */
  uint32_t picture_height;

  unsigned char* state; /* as the core serialises it, and zeros up to the end */
  size_t state_size;
  size_t state_capacity;
};

/* A state has whole units; the largest machine has some MiB. */
enum { CORE_STATE_UNIT = 64, CORE_STATE_MAX = 64 << 20 };

/* In each direction; of reprise_picture. */
enum { CORE_PICTURE_MAX = 4096 };

/* Loads the core `name` ("nestopia") of $REPRISE_LIBRETRO or Debian's folder,
 * and the game. 0, and a sentence: it can't. `rom` must outlive the core. */
int core_open(struct core* core, const char* name, size_t memory_begin,
              const void* rom, size_t rom_size,
              char sentence[CORE_ERROR_BYTES]);
void core_close(struct core* core);

/* Makes one frame with what is held. 0: its state can't be taken. */
int core_run(struct core* core);

/* Draws what the frame behind a state shows if nothing is held, or the one
 * behind that where the core draws none. 0: it draws nothing. What the core was
 * at is gone. */
int core_draw(struct core* core, const void* state, size_t size);

/* Goes on from a state that it gave. 0: it refuses. */
int core_restore(struct core* core, const void* state, size_t size);

/* The machine's memory from memory_begin on; null where the core shows none. */
const unsigned char* core_memory(struct core* core, size_t* size);

#endif  // REPRISE_ADAPTERS_LIBRETRO_CORE_H_
