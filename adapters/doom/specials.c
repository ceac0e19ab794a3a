/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* The kinds of thinkers that move or light a sector. */

#include <stddef.h>

#include "adapters/doom/state_rows.h"

void T_FireFlicker(fireflicker_t* flick);

#define CALLS(kind, special, fields)                                      \
  static void show_##kind(const void* engine_s, void* row_s) {            \
    const special* const raw = (const special*)engine_s;                  \
    struct kind##_row* const row = (struct kind##_row*)row_s;             \
    fields(DOOM_SHOW)                                                     \
  }                                                                       \
  static void take_##kind(const void* row_s, void* engine_s) {            \
    const struct kind##_row* const row = (const struct kind##_row*)row_s; \
    special* const raw = (special*)engine_s;                              \
    fields(DOOM_TAKE)                                                     \
  }

CALLS(ceiling, ceiling_t, DOOM_CEILING_FIELDS)
CALLS(door, vldoor_t, DOOM_DOOR_FIELDS)
CALLS(floor, floormove_t, DOOM_FLOOR_FIELDS)
CALLS(plat, plat_t, DOOM_PLAT_FIELDS)
CALLS(flicker, fireflicker_t, DOOM_FLICKER_FIELDS)
CALLS(flash, lightflash_t, DOOM_FLASH_FIELDS)
CALLS(strobe, strobe_t, DOOM_STROBE_FIELDS)
CALLS(glow, glow_t, DOOM_GLOW_FIELDS)

#define KIND(think, special, kind)                                   \
  {                                                                  \
    (actionf_p1)(think), sizeof(special), offsetof(special, sector), \
        sizeof(struct kind##_row), &show_##kind, &take_##kind        \
  }

const struct special_kind doom_special_kinds[DOOM_SPECIAL_KINDS] = {
    KIND(T_MoveCeiling, ceiling_t, ceiling),
    KIND(T_VerticalDoor, vldoor_t, door),
    KIND(T_MoveFloor, floormove_t, floor),
    KIND(T_PlatRaise, plat_t, plat),
    KIND(T_FireFlicker, fireflicker_t, flicker),
    KIND(T_LightFlash, lightflash_t, flash),
    KIND(T_StrobeFlash, strobe_t, strobe),
    KIND(T_Glow, glow_t, glow)};
