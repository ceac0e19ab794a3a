/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "adapters/doom/setup.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
  const char* name;
  size_t offset;
  int minimum;
  int maximum;
};

#define SETTING(name, minimum, maximum) \
  { #name, offsetof(struct doom_setup, name), (minimum), (maximum) }

static const struct setting settings[] = {
    SETTING(is_doom2, 0, 1),   SETTING(episode, 0, 4),
    SETTING(map, 0, 32),       SETTING(skill, 0, 4),
    SETTING(players, 1, 4),    SETTING(deathmatch, 0, 2),
    SETTING(respawn, 0, 1),    SETTING(fast, 0, 1),
    SETTING(no_monsters, 0, 1)};

static int take_setting(const char* name, int value, struct doom_setup* setup) {
  size_t i;
  for (i = 0; i < sizeof(settings) / sizeof(settings[0]); ++i) {
    if (strcmp(settings[i].name, name) != 0) continue;
    if (value < settings[i].minimum || value > settings[i].maximum) return 0;
    memcpy((char*)setup + settings[i].offset, &value, sizeof(value));
    return 1;
  }
  return 0;
}

static int read_settings(const reprise_file* file, struct doom_setup* setup,
                         char* mistake, size_t capacity) {
  const char* text = (const char*)file->bytes;
  const char* const end = text + file->size;
  memset(setup, 0, sizeof(*setup));
  setup->players = 1;
  while (text < end) {
    const char* stop = (const char*)memchr(text, '\n', (size_t)(end - text));
    char line[64];
    char name[32];
    int value;
    size_t length;
    if (stop == NULL) stop = end;
    length = (size_t)(stop - text);
    if (length >= sizeof(line)) length = sizeof(line) - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    text = stop + 1;
    if (line[0] == '\0' || line[0] == '#') continue;
    if (sscanf(line, "%31[a-z0-9_] %d", name, &value) != 2 ||
        !take_setting(name, value, setup)) {
      snprintf(mistake, capacity, "game.txt: '%s' is no setting of Doom", line);
      return 0;
    }
  }
  return 1;
}

static uint32_t number_at(const unsigned char* bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
         (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Whether a WAD's directory and what it names lie within it. */
static int is_wad(const reprise_file* file) {
  const unsigned char* const bytes = (const unsigned char*)file->bytes;
  uint32_t count;
  uint64_t directory;
  uint32_t i;
  if (file->size < 12 || file->size > INT32_MAX) return 0;
  if (memcmp(bytes, "PWAD", 4) != 0 && memcmp(bytes, "IWAD", 4) != 0) return 0;
  count = number_at(bytes + 4);
  directory = number_at(bytes + 8);
  if (count > 65535 || directory + 16 * (uint64_t)count > file->size) return 0;
  for (i = 0; i < count; ++i) {
    const unsigned char* const entry = bytes + directory + 16 * (uint64_t)i;
    if ((uint64_t)number_at(entry) + number_at(entry + 4) > file->size) {
      return 0;
    }
  }
  return 1;
}

int doom_read_pack(const reprise_list* files, struct doom_setup* setup,
                   const reprise_file** levels, char* mistake,
                   size_t capacity) {
  const reprise_file* game = NULL;
  uint32_t i;
  *levels = NULL;
  for (i = 0; i < files->count; ++i) {
    const reprise_file* const file = REPRISE_ITEM(*files, reprise_file, i);
    if (strcmp(file->path, "game.txt") == 0) game = file;
    if (strcmp(file->path, "levels.wad") == 0) *levels = file;
  }
  if (game == NULL || *levels == NULL) {
    snprintf(mistake, capacity, "%s isn't there",
             game == NULL ? "game.txt" : "levels.wad");
    return 0;
  }
  if (!is_wad(*levels)) {
    snprintf(mistake, capacity, "levels.wad is no WAD");
    return 0;
  }
  return read_settings(game, setup, mistake, capacity);
}
