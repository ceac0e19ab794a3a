/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* The levels, as a WAD in memory, and of their textures what a level's rules
 * ask for: names and heights. */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adapters/doom/game.h"
#include "i_swap.h"
#include "i_system.h"
#include "r_data.h"
#include "w_file.h"
#include "w_wad.h"
#include "z_zone.h"

static wad_file_t levels;

static size_t read_levels(wad_file_t* file, unsigned int offset, void* buffer,
                          size_t size) {
  size_t left = file->length > offset ? file->length - offset : 0;
  if (size < left) left = size;
  memcpy(buffer, file->mapped + offset, left);
  return left;
}

static wad_file_class_t levels_class = {NULL, NULL, &read_levels};

void doom_set_levels(unsigned char* bytes, uint32_t size) {
  levels.file_class = &levels_class;
  levels.mapped = bytes;
  levels.length = size;
  levels.path = "levels.wad";
}

wad_file_t* W_OpenFile(const char* path) {
  (void)path;
  return &levels;
}

void W_CloseFile(wad_file_t* file) { (void)file; }

size_t W_Read(wad_file_t* file, unsigned int offset, void* buffer,
              size_t size) {
  return read_levels(file, offset, buffer, size);
}

struct texture {
  char name[8];
  int next; /* of the same hash, or -1 */
};

enum { BUCKETS = 1024 };

static struct texture* textures;
static int texture_count;
static int buckets[BUCKETS];
int numflats;
lighttable_t* colormaps; /* none */

int* textureheight;
int* flattranslation;
int* texturetranslation;
int firstflat;

static int count_textures(const char* lump) {
  const int number = W_CheckNumForName(lump);
  int count;
  if (number < 0) return 0;
  if (W_LumpLength(number) < 4) I_Error("%s has no textures", lump);
  memcpy(&count, W_CacheLumpNum(number, PU_STATIC), sizeof(count));
  if (count < 0 || count > (W_LumpLength(number) - 4) / 4) {
    I_Error("%s has %d textures", lump, count);
  }
  return count;
}

/* A texture's description begins with its name, and has its height in the two
 * bytes from 14 on. */
static void read_textures(const char* lump) {
  const int count = count_textures(lump);
  int number;
  int i;
  const unsigned char* bytes;
  if (count == 0) return;
  number = W_GetNumForName(lump);
  bytes = (const unsigned char*)W_CacheLumpNum(number, PU_STATIC);
  for (i = 0; i < count; ++i) {
    struct texture* const texture = &textures[texture_count];
    int offset;
    int16_t height;
    memcpy(&offset, bytes + 4 + 4 * i, sizeof(offset));
    if (offset < 0 || offset > W_LumpLength(number) - 16) {
      I_Error("%s ends within texture %d", lump, i);
    }
    memcpy(texture->name, bytes + offset, sizeof(texture->name));
    memcpy(&height, bytes + offset + 14, sizeof(height));
    textureheight[texture_count] = height << FRACBITS;
    texturetranslation[texture_count] = texture_count;
    ++texture_count;
  }
}

static unsigned int bucket_of(const char* name) {
  return W_LumpNameHash(name) % BUCKETS;
}

void doom_load_textures(void) {
  const int count = count_textures("TEXTURE1") + count_textures("TEXTURE2");
  int i;
  textures = Z_Malloc((count + 1) * (int)sizeof(*textures), PU_STATIC, NULL);
  textureheight =
      Z_Malloc((count + 1) * (int)sizeof(*textureheight), PU_STATIC, NULL);
  texturetranslation =
      Z_Malloc((count + 1) * (int)sizeof(*texturetranslation), PU_STATIC, NULL);
  read_textures("TEXTURE1");
  read_textures("TEXTURE2");
  for (i = 0; i < BUCKETS; ++i) buckets[i] = -1;
  /* The first of a name is found. */
  for (i = texture_count - 1; i >= 0; --i) {
    const unsigned int bucket = bucket_of(textures[i].name);
    textures[i].next = buckets[bucket];
    buckets[bucket] = i;
  }
  firstflat = W_GetNumForName("F_START") + 1;
  numflats = W_GetNumForName("F_END") - firstflat;
  flattranslation =
      Z_Malloc((numflats + 1) * (int)sizeof(*flattranslation), PU_STATIC, NULL);
}

int R_CheckTextureNumForName(const char* name) {
  int i;
  if (name[0] == '-') return 0; /* none */
  for (i = buckets[bucket_of(name)]; i >= 0; i = textures[i].next) {
    if (strncasecmp(textures[i].name, name, 8) == 0) return i;
  }
  return -1;
}

int R_TextureNumForName(const char* name) {
  const int number = R_CheckTextureNumForName(name);
  if (number < 0) I_Error("there is no texture %.8s", name);
  return number;
}

int R_FlatNumForName(const char* name) {
  const int number = W_CheckNumForName(name);
  if (number < 0) I_Error("there is no flat %.8s", name);
  return number - firstflat;
}

/* Pictures aren't here. */
void R_PrecacheLevel(void) {}
