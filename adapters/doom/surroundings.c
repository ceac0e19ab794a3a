/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* What the engine calls around itself and isn't here: pictures, sound, menus,
 * nets, files of saved games. What a game can't reach stops it. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "d_loop.h"
#include "doomstat.h"
#include "i_system.h"

/* Without them a game is the same. */
#define NOTHING(name) \
  void name(void) {}
NOTHING(AM_Stop)
NOTHING(AM_Ticker)
NOTHING(D_PageTicker)
NOTHING(F_Ticker)
NOTHING(HU_Start)
NOTHING(HU_Ticker)
NOTHING(R_FillBackScreen)
NOTHING(R_InitBuffer)
NOTHING(R_InitSprites)
NOTHING(S_ChangeMusic)
NOTHING(S_PauseSound)
NOTHING(S_ResumeSound)
NOTHING(S_Start)
NOTHING(S_StartSound)
NOTHING(S_StopSound)
NOTHING(ST_Start)
NOTHING(ST_Ticker)
NOTHING(StatCopy)
NOTHING(V_BeginRead)
NOTHING(WI_End)
NOTHING(WI_Start)
NOTHING(WI_Ticker)
NOTHING(D_AdvanceDemo)

/* No game gets there. */
#define NOT_HERE(name) \
  void name(void) { I_Error("%s isn't here", #name); }
NOT_HERE(F_StartFinale)
NOT_HERE(I_Quit)
NOT_HERE(P_ArchivePlayers)
NOT_HERE(P_ArchiveSpecials)
NOT_HERE(P_ArchiveThinkers)
NOT_HERE(P_ArchiveWorld)
NOT_HERE(P_ReadSaveGameEOF)
NOT_HERE(P_ReadSaveGameHeader)
NOT_HERE(P_SaveGameFile)
NOT_HERE(P_TempSaveGameFile)
NOT_HERE(P_UnArchivePlayers)
NOT_HERE(P_UnArchiveSpecials)
NOT_HERE(P_UnArchiveThinkers)
NOT_HERE(P_UnArchiveWorld)
NOT_HERE(P_WriteSaveGameEOF)
NOT_HERE(P_WriteSaveGameHeader)
NOT_HERE(R_DrawColumn)
NOT_HERE(R_DrawColumnLow)
NOT_HERE(R_DrawFuzzColumn)
NOT_HERE(R_DrawFuzzColumnLow)
NOT_HERE(R_DrawSpan)
NOT_HERE(R_DrawSpanLow)
NOT_HERE(R_DrawTranslatedColumn)
NOT_HERE(R_DrawTranslatedColumnLow)
NOT_HERE(V_ScreenShot)

int M_CheckParm(const char* name) {
  (void)name;
  return 0;
}
int M_CheckParmWithArgs(const char* name, int count) {
  (void)name;
  (void)count;
  return 0;
}
boolean M_ParmExists(const char* name) {
  (void)name;
  return false;
}
boolean D_NonVanillaPlayback(boolean wanted, int lump, const char* feature) {
  (void)lump;
  (void)feature;
  return wanted;
}
/* What DOS had at the address, which some levels read: the engine says what
 * was usual. */
boolean I_GetMemoryValue(unsigned int offset, void* value, int size) {
  (void)offset;
  (void)value;
  (void)size;
  return false;
}
int I_GetTime(void) { return 0; }
boolean I_ConsoleStdout(void) { return false; }
void I_Tactile(int on, int off, int total) {
  (void)on;
  (void)off;
  (void)total;
}
void* I_Realloc(void* memory, size_t size) {
  void* const result = realloc(memory, size);
  if (result == NULL && size != 0) abort();
  return result;
}

boolean automapactive;
boolean fastparm;
boolean menuactive;
boolean nomonsters;
boolean respawnparm;
boolean savegame_error;
FILE* save_stream;
char** myargv;
char* player_names[MAXPLAYERS] = {"Green", "Indigo", "Brown", "Red"};
gamestate_t wipegamestate;
int gametic;
int ticdup = 1;
int key_demo_quit;
int numsprites;
int viewwidth;
int viewheight;
int scaledviewwidth;
int distscale[320];
int yslope[200];
int pspriteiscale;
int pspritescale;
short screenheightarray[320];
void* sprites;
static ticcmd_t commands[MAXPLAYERS];
ticcmd_t* netcmds = commands;
