/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* The one game of this copy of the engine, behind engine.h. */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "adapters/doom/drawing.h"
#include "adapters/doom/engine.h"
#include "adapters/doom/setup.h"
#include "adapters/doom/state_rows.h"
#include "d_event.h"
#include "g_game.h"
#include "i_system.h"
#include "p_setup.h"
#include "w_wad.h"
#include "z_zone.h"

enum { ZONE_BYTES = 32 << 20 };

int32_t doom_ending;
int32_t doom_player_count;
char doom_error_text[512];
jmp_buf doom_error_return;
static unsigned char* level_bytes;
static void* zone;

/* The engine stops here; its last call never returns. */
void I_Error(const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  vsnprintf(doom_error_text, sizeof(doom_error_text), text, arguments);
  va_end(arguments);
  longjmp(doom_error_return, 1);
}

/* Pages that are zero, and stay none of the process's until they are used. */
byte* I_ZoneBase(int* size) {
  zone = mmap(NULL, ZONE_BYTES, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zone == MAP_FAILED) {
    zone = NULL;
    I_Error("there is no memory");
  }
  *size = ZONE_BYTES;
  return (byte*)zone;
}

static int32_t fail(reprise_error* error, int32_t code, const char* text) {
  snprintf(error->text, error->capacity, "%s", text);
  return code;
}

static void start_engine(const struct doom_setup* setup, uint32_t size,
                         uint64_t seed) {
  int i;
  doom_set_levels(level_bytes, size);
  Z_Init();
  W_AddFile("levels.wad");
  W_GenerateHashTable();
  gamemode = setup->is_doom2 ? commercial : retail;
  gamemission = setup->is_doom2 ? doom2 : doom;
  gameversion = setup->is_doom2 ? exe_doom_1_9 : exe_ultimate;
  doom_load_textures();
  P_Init();
  deathmatch = setup->deathmatch;
  respawnparm = setup->respawn;
  fastparm = setup->fast;
  nomonsters = setup->no_monsters;
  for (i = 0; i < MAXPLAYERS; ++i) playeringame[i] = i < setup->players;
  doom_player_count = setup->players;
  netgame = setup->players > 1;
  netdemo = netgame;
  precache = false;
  G_InitNew((skill_t)setup->skill, setup->episode, setup->map);
  usergame = false;
  /* The one byte of a seed that Doom has: where its table begins. */
  prndindex = (prndindex + (int)(seed & 0xff)) & 0xff;
}

static int32_t create(const reprise_create_arguments* arguments,
                      reprise_error* error) {
  struct doom_setup setup;
  const reprise_file* levels = NULL;
  char mistake[256];
  if (!doom_read_pack(&arguments->files, &setup, &levels, mistake,
                      sizeof(mistake))) {
    return fail(error, REPRISE_INVALID_ARGUMENT, mistake);
  }
  level_bytes = (unsigned char*)malloc((size_t)levels->size);
  if (level_bytes == NULL) {
    return fail(error, REPRISE_RESOURCE_EXHAUSTED, "there is no memory");
  }
  memcpy(level_bytes, levels->bytes, (size_t)levels->size);
  if (setjmp(doom_error_return) != 0) {
    return fail(error, REPRISE_INVALID_ARGUMENT, doom_error_text);
  }
  start_engine(&setup, (uint32_t)levels->size, arguments->seed);
  doom_sweep_removed();
  doom_collect_thinkers();
  doom_collect_walls();
  return REPRISE_OK;
}

static void destroy(void) {
  doom_free_rows();
  doom_free_walls();
  free(doom_removed);
  free(lumpinfo);
  free(level_bytes);
  if (zone != NULL) munmap(zone, ZONE_BYTES);
}

enum { BUTTON_ATTACK, BUTTON_USE, BUTTON_PAUSE, BUTTON_WEAPON_1, WEAPONS = 8 };

static const reprise_action actions[] = {
    {"move", REPRISE_ACTION_AXIS, 0, 0, {0, 0, 0}},
    {"strafe", REPRISE_ACTION_AXIS, 1, 0, {0, 0, 0}},
    {"turn", REPRISE_ACTION_AXIS, 2, 0, {0, 0, 0}},
    {"attack", REPRISE_ACTION_BUTTON, BUTTON_ATTACK, 0, {0, 0, 0}},
    {"use", REPRISE_ACTION_BUTTON, BUTTON_USE, 0, {0, 0, 0}},
    {"pause", REPRISE_ACTION_BUTTON, BUTTON_PAUSE, 0, {0, 0, 0}},
    {"weapon_1", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1, 0, {0, 0, 0}},
    {"weapon_2", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1 + 1, 0, {0, 0, 0}},
    {"weapon_3", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1 + 2, 0, {0, 0, 0}},
    {"weapon_4", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1 + 3, 0, {0, 0, 0}},
    {"weapon_5", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1 + 4, 0, {0, 0, 0}},
    {"weapon_6", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1 + 5, 0, {0, 0, 0}},
    {"weapon_7", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1 + 6, 0, {0, 0, 0}},
    {"weapon_8", REPRISE_ACTION_BUTTON, BUTTON_WEAPON_1 + 7, 0, {0, 0, 0}}};

static const reprise_event_argument_type player_arguments[] = {
    {"player", REPRISE_INT64, ""}};
static const reprise_event_type events[] = {
    {"kill", "a monster counts as killed by a player",
     REPRISE_LIST(player_arguments)},
    {"item", "a player takes an item that counts",
     REPRISE_LIST(player_arguments)},
    {"secret", "a player finds a secret", REPRISE_LIST(player_arguments)},
    {"death", "a player dies", REPRISE_LIST(player_arguments)},
    {"exit", "the level is left", {0, 0, 0}}};

static void info(reprise_info* info) {
  const reprise_list action_list = REPRISE_LIST(actions);
  const reprise_list event_list = REPRISE_LIST(events);
  info->ticks_per_second = TICRATE;
  info->rules_revision = 1;
  info->player_count = (uint32_t)doom_player_count;
  info->actions = action_list;
  info->tables = doom_tables();
  info->events = event_list;
}

/* An axis has 256 steps for each of a ticcmd; its lowest value stands for the
 * one below it, which Doom has and axes don't. */
static signed char move_of(int16_t axis) {
  const int move = (axis + 128) >> 8;
  return (signed char)(move > 127 ? 127 : move);
}

static void make_ticcmd(const reprise_player* player, ticcmd_t* command) {
  int weapon;
  memset(command, 0, sizeof(*command));
  command->forwardmove = move_of(player->axes[0]);
  command->sidemove = move_of(player->axes[1]);
  command->angleturn =
      (short)(player->axes[2] == -32767 ? -32768 : player->axes[2]);
  if (player->buttons >> BUTTON_PAUSE & 1) {
    command->buttons = BT_SPECIAL | BTS_PAUSE;
    return;
  }
  if (player->buttons >> BUTTON_ATTACK & 1) command->buttons |= BT_ATTACK;
  if (player->buttons >> BUTTON_USE & 1) command->buttons |= BT_USE;
  for (weapon = 0; weapon < WEAPONS; ++weapon) {
    if (player->buttons >> (BUTTON_WEAPON_1 + weapon) & 1) {
      command->buttons |= (byte)(BT_CHANGE | weapon << BT_WEAPONSHIFT);
      return;
    }
  }
}

static void tell(const reprise_step_arguments* arguments, const char* type,
                 int player) {
  reprise_event_argument argument = {"player", REPRISE_INT64, 0, 0.0, 0};
  reprise_event event = {sizeof(event), type, 0, {0, 0, 0}};
  if (player >= 0) {
    argument.integer = player;
    event.arguments.items = &argument;
    event.arguments.count = 1;
    event.arguments.item_size = sizeof(argument);
  }
  arguments->emit(arguments->sink, &event);
}

static void tell_changes(const reprise_step_arguments* arguments,
                         const player_t* before) {
  int i;
  for (i = 0; i < doom_player_count; ++i) {
    const player_t* const then = &before[i];
    const player_t* const now = &players[i];
    if (now->killcount > then->killcount) tell(arguments, "kill", i);
    if (now->itemcount > then->itemcount) tell(arguments, "item", i);
    if (now->secretcount > then->secretcount) tell(arguments, "secret", i);
    if (now->playerstate == PST_DEAD && then->playerstate == PST_LIVE) {
      tell(arguments, "death", i);
    }
  }
  if (doom_ending != DOOM_RUNNING) tell(arguments, "exit", -1);
}

static int32_t step(const reprise_step_arguments* arguments,
                    reprise_error* error) {
  player_t before[MAXPLAYERS];
  int i;
  if (doom_ending != DOOM_RUNNING) return REPRISE_OK; /* all is over */
  if (setjmp(doom_error_return) != 0) {
    return fail(error, REPRISE_INTERNAL, doom_error_text);
  }
  for (i = 0; i < doom_player_count; ++i) {
    make_ticcmd(REPRISE_ITEM(arguments->players, reprise_player, (uint32_t)i),
                &netcmds[i]);
  }
  memcpy(before, players, sizeof(before));
  G_Ticker();
  ++gametic;
  if (gameaction == ga_completed) {
    doom_ending = secretexit ? DOOM_SECRET_EXIT : DOOM_EXIT;
  }
  doom_sweep_removed();
  doom_collect_thinkers();
  doom_collect_changed_walls();
  tell_changes(arguments, before);
  return REPRISE_OK;
}

static void outcome(reprise_outcome* outcome) {
  if (doom_ending == DOOM_RUNNING) return;
  outcome->status = REPRISE_WON;
  outcome->reason = doom_ending == DOOM_SECRET_EXIT
                        ? "the secret exit was reached"
                        : "the exit was reached";
}

static void object_name(uint64_t object, char* name, uint32_t capacity) {
  doom_name_object(object, name, capacity);
}

REPRISE_EXPORT const struct doom_engine doom_engine = {
    create,  destroy,         info,       step, doom_show_rows, doom_restore,
    outcome, doom_draw_frame, object_name};
