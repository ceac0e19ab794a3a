// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

/* What a pack says of its game: core.txt, and the names of its memory.
 */

#ifndef REPRISE_ADAPTERS_LIBRETRO_GAME_H_
#define REPRISE_ADAPTERS_LIBRETRO_GAME_H_

#include <stddef.h>
#include <stdint.h>

#include "reprise/simulation.h"

enum {
  GAME_NAME_BYTES = 64,
  GAME_SYMBOLS_MAX = 512,
  GAME_ERROR_BYTES = 512,
  GAME_WORD_BYTES = 4
};

/* A name of memory. Each has a word of the row, so that all lie aligned. */
struct game_symbol {
  char name[GAME_NAME_BYTES];
  uint32_t offset; /* in the machine's memory */
  uint32_t
      type; /* REPRISE_UINT8, REPRISE_UINT16 (little-endian), REPRISE_INT8 */
};

/* A value of memory that ends the game. */
struct game_end {
  int32_t symbol; /* -1: none */
  uint32_t value;
};

struct game {
  char core[GAME_NAME_BYTES];
  char rom[GAME_NAME_BYTES];
  char symbols_file[GAME_NAME_BYTES];
  uint32_t players;
  uint32_t memory_begin; /* the address of the first byte of memory */
  struct game_end won;
  struct game_end lost;
  uint32_t symbol_count;
  struct game_symbol symbols[GAME_SYMBOLS_MAX];
};

/* The file of a name; null: there is none. */
const reprise_file* game_file(const reprise_list* files, const char* name);

/* Reads core.txt and the symbols that it names. 0, and a sentence with file and
 * line: there is a mistake. */
int game_read(struct game* game, const reprise_list* files,
              char sentence[GAME_ERROR_BYTES]);

/* Leaves out what isn't in a memory of `size` bytes: labels of code. */
void game_keep_memory(struct game* game, size_t size);

/* A symbol's value. */
uint32_t game_value(const struct game_symbol* symbol,
                    const unsigned char* memory);

#endif  // REPRISE_ADAPTERS_LIBRETRO_GAME_H_
