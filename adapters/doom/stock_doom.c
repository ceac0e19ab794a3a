/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Chocolate Doom as it comes, without pictures and sound, playing a demo of a
 * WAD: what the plug-in is held against, in what happens and in time.
 *
 *   stock_doom WAD DEMO TIMES
 *
 * With 0, it prints a line for each tic: what is compared. Otherwise it plays
 * the demo so many times and prints tics a second.
 */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "d_loop.h"
#include "doomstat.h"
#include "g_game.h"
#include "i_system.h"
#include "p_setup.h"
#include "r_data.h"
#include "r_sky.h"
#include "w_wad.h"
#include "z_zone.h"

extern int prndindex;
extern boolean longtics;
extern gameaction_t gameaction;

void I_Error(const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  vfprintf(stderr, text, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
  exit(1);
}

byte* I_ZoneBase(int* size) {
  *size = 64 << 20;
  return (byte*)calloc(1, (size_t)*size);
}

static void print_tic(int tic) {
  const player_t* const player = &players[0];
  const mobj_t* const mobj = player->mo;
  int kills = player->killcount;
  printf("%d %d %d %d %d %u %d %d %d %d %d %d\n", tic, prndindex, mobj->x,
         mobj->y, mobj->z, mobj->angle, mobj->momx, mobj->momy, mobj->health,
         player->viewz, kills, player->itemcount);
}

/* One call too many, that at which the demo is found to have ended. */
static int play(const char* demo, int prints) {
  int tics = 0;
  G_DeferedPlayDemo(demo);
  gametic = 0;
  do {
    G_Ticker();
    ++gametic;
    if (demoplayback) {
      ++tics;
      if (prints) print_tic(tics);
    }
  } while (demoplayback);
  return tics;
}

int main(int argument_count, char** arguments) {
  struct timespec begin;
  struct timespec end;
  long tics = 0;
  int times;
  int i;
  if (argument_count != 4) {
    fprintf(stderr, "usage: stock_doom WAD DEMO TIMES\n");
    return 2;
  }
  Z_Init();
  if (W_AddFile(arguments[1]) == NULL) return 1;
  W_GenerateHashTable();
  gamemode = W_CheckNumForName("MAP01") >= 0 ? commercial : retail;
  gamemission = gamemode == commercial ? doom2 : doom;
  gameversion = gamemode == commercial ? exe_doom_1_9 : exe_ultimate;
  R_InitData();
  R_InitSkyMap();
  P_Init();
  times = atoi(arguments[3]);
  printf("\n");
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  if (times == 0) play(arguments[2], 1);
  for (i = 0; i < times; ++i) tics += play(arguments[2], 0);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  if (times > 0) {
    printf("%.0f tics/s\n",
           (double)tics / ((double)(end.tv_sec - begin.tv_sec) +
                           (double)(end.tv_nsec - begin.tv_nsec) * 1e-9));
  }
  return 0;
}
