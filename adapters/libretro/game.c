/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

#include "adapters/libretro/game.h"

#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 256 };

static const char settings_file[] = "core.txt";

/* Where a sentence is about. */
struct place {
  const char* file;
  unsigned line;
  char* sentence;
};

static int fail(const struct place* place, const char* what) {
  snprintf(place->sentence, GAME_ERROR_BYTES, "%s:%u: %s", place->file,
           place->line, what);
  return 0;
}

const reprise_file* game_file(const reprise_list* files, const char* name) {
  uint32_t i;
  for (i = 0; i < files->count; ++i) {
    const reprise_file* const file = REPRISE_ITEM(*files, reprise_file, i);
    if (strcmp(file->path, name) == 0) return file;
  }
  return NULL;
}

/* The next line without its comment; 0: there is none. */
static int next_line(const reprise_file* file, uint64_t* offset,
                     char line[LINE_BYTES]) {
  const char* const bytes = file->bytes;
  size_t count = 0;
  if (*offset >= file->size) return 0;
  while (*offset < file->size && bytes[*offset] != '\n') {
    if (count + 1 < LINE_BYTES) line[count++] = bytes[*offset];
    ++*offset;
  }
  ++*offset;
  line[count] = '\0';
  line[strcspn(line, "#;\r")] = '\0';
  return 1;
}

static int32_t find_symbol(const struct game* game, const char* name) {
  uint32_t i;
  for (i = 0; i < game->symbol_count; ++i) {
    if (strcmp(game->symbols[i].name, name) == 0) return (int32_t)i;
  }
  return -1;
}

static int type_of(const char* word, uint32_t* type) {
  if (strcmp(word, "u8") == 0) *type = REPRISE_UINT8;
  else if (strcmp(word, "s8") == 0) *type = REPRISE_INT8;
  else if (strcmp(word, "u16") == 0) *type = REPRISE_UINT16;
  else return 0;
  return 1;
}

/* A label of ld65 (-Ln), "al 000010 .basket_x", or "ADDRESS NAME TYPE". */
static int read_symbol(struct game* game, const char* line,
                       const struct place* place) {
  struct game_symbol symbol = {"", 0, REPRISE_UINT8};
  unsigned address = 0;
  char type[8] = "u8";
  char end = 0;
  if (sscanf(line, " %c", &end) != 1) return 1;
  if (sscanf(line, "al %x .%63s", &address, symbol.name) == 2) {
    /* Names that a compiler makes. */
    if (symbol.name[0] == '_' || symbol.name[0] == '@') return 1;
  } else if (sscanf(line, "%x %63s %7s %c", &address, symbol.name, type,
                    &end) != 3 ||
             !type_of(type, &symbol.type)) {
    return fail(place, "it is neither 'al ADDRESS .NAME' nor 'ADDRESS NAME "
                       "TYPE', of u8, s8, u16");
  }
  if (address < game->memory_begin) return 1;
  symbol.offset = address - game->memory_begin;
  if (find_symbol(game, symbol.name) >= 0) {
    return fail(place, "there are two of the name");
  }
  if (game->symbol_count == GAME_SYMBOLS_MAX) {
    return fail(place, "there are more than 512 names");
  }
  game->symbols[game->symbol_count++] = symbol;
  return 1;
}

static int read_symbols(struct game* game, const reprise_list* files,
                        struct place* place) {
  const reprise_file* const file = game_file(files, game->symbols_file);
  char line[LINE_BYTES];
  uint64_t offset = 0;
  if (file == NULL) return fail(place, "there is no file of the symbols");
  place->file = game->symbols_file;
  place->line = 0;
  while (next_line(file, &offset, line)) {
    ++place->line;
    if (!read_symbol(game, line, place)) return 0;
  }
  return 1;
}

static int read_setting(struct game* game, const char* line, char end[2][64],
                        const struct place* place) {
  char key[GAME_NAME_BYTES] = "";
  char word[GAME_NAME_BYTES] = "";
  unsigned value = 0;
  char rest = 0;
  if (sscanf(line, "%63s %63s", key, word) < 1) return 1;
  if (strcmp(key, "core") == 0) {
    if (word[0] == '\0' || strpbrk(word, "/.") != NULL) {
      return fail(place, "a core is a name as 'nestopia'");
    }
    strcpy(game->core, word);
  } else if (strcmp(key, "rom") == 0) {
    strcpy(game->rom, word);
  } else if (strcmp(key, "symbols") == 0) {
    strcpy(game->symbols_file, word);
  } else if (strcmp(key, "players") == 0) {
    if (sscanf(word, "%u%c", &value, &rest) != 1 || value < 1 || value > 4) {
      return fail(place, "players are 1 to 4");
    }
    game->players = value;
  } else if (strcmp(key, "memory_begin") == 0) {
    if (sscanf(word, "%x%c", &game->memory_begin, &rest) != 1) {
      return fail(place, "memory_begin is a hexadecimal address");
    }
  } else if (strcmp(key, "won") == 0 || strcmp(key, "lost") == 0) {
    struct game_end* const which = key[0] == 'w' ? &game->won : &game->lost;
    if (sscanf(line, "%*s %*s %u %c", &which->value, &rest) != 1) {
      return fail(place, "it has a name of memory and a number");
    }
    strcpy(end[key[0] == 'w' ? 0 : 1], word);
  } else {
    return fail(place, "it is none of core, rom, symbols, players, "
                       "memory_begin, won, lost");
  }
  return 1;
}

int game_read(struct game* game, const reprise_list* files,
              char sentence[GAME_ERROR_BYTES]) {
  const reprise_file* const settings = game_file(files, settings_file);
  struct place place = {settings_file, 0, sentence};
  char end[2][64] = {"", ""};
  char line[LINE_BYTES];
  uint64_t offset = 0;
  memset(game, 0, sizeof(*game));
  game->players = 1;
  game->won.symbol = -1;
  game->lost.symbol = -1;
  if (settings == NULL) return fail(&place, "there is no such file");
  while (next_line(settings, &offset, line)) {
    ++place.line;
    if (!read_setting(game, line, end, &place)) return 0;
  }
  if (game->core[0] == '\0') return fail(&place, "it names no core");
  if (game_file(files, game->rom) == NULL) {
    return fail(&place, "there is no file of the rom");
  }
  if (game->symbols_file[0] != '\0' && !read_symbols(game, files, &place)) {
    return 0;
  }
  place.file = settings_file;
  game->won.symbol = end[0][0] == '\0' ? -1 : find_symbol(game, end[0]);
  game->lost.symbol = end[1][0] == '\0' ? -1 : find_symbol(game, end[1]);
  if ((end[0][0] != '\0' && game->won.symbol < 0) ||
      (end[1][0] != '\0' && game->lost.symbol < 0)) {
    return fail(&place, "won or lost has a name that no symbol has");
  }
  return 1;
}

void game_keep_memory(struct game* game, size_t size) {
  uint32_t kept = 0;
  uint32_t i;
  for (i = 0; i < game->symbol_count; ++i) {
    const struct game_symbol* const symbol = &game->symbols[i];
    const size_t bytes = symbol->type == REPRISE_UINT16 ? 2 : 1;
    if (symbol->offset + bytes > size) {
      if (game->won.symbol == (int32_t)i) game->won.symbol = -1;
      if (game->lost.symbol == (int32_t)i) game->lost.symbol = -1;
      continue;
    }
    if (game->won.symbol == (int32_t)i) game->won.symbol = (int32_t)kept;
    if (game->lost.symbol == (int32_t)i) game->lost.symbol = (int32_t)kept;
    game->symbols[kept++] = *symbol;
  }
  game->symbol_count = kept;
}

uint32_t game_value(const struct game_symbol* symbol,
                    const unsigned char* memory) {
  const unsigned char* const byte = memory + symbol->offset;
  if (symbol->type == REPRISE_UINT16) return byte[0] | (uint32_t)byte[1] << 8;
  return byte[0];
}
