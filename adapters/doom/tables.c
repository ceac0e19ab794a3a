/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* What the tables say of their rows: names, kinds, places. Lengths and speeds
 * are 65536ths of a unit of the map, angles 2^32ths of a turn. */

#include <stddef.h>

#include "adapters/doom/state_rows.h"

/* A field under its own name; an array; a field under another name. */
#define OWN(row, member, type) REPRISE_MEMBER(row, member, "", type)
#define OWN_ARRAY(row, member, type, count) \
  REPRISE_MEMBER_OF(row, member, "", type, REPRISE_ARRAY, count)
#define AS(name, row, member, type) \
  { name, "", (type), REPRISE_SCALAR, 1, offsetof(row, member) }

#define I32 REPRISE_INT32
#define I16 REPRISE_INT16
#define REF REPRISE_OBJECT

/* Fields of the lists in state_rows.h, of the row that ROW is at the time. */
#define int16_t_KIND REPRISE_INT16
#define int32_t_KIND REPRISE_INT32
#define uint32_t_KIND REPRISE_UINT32
#define LISTED(type, name) OWN(struct ROW, name, type##_KIND),
#define LISTED_ARRAY(type, name, count) \
  OWN_ARRAY(struct ROW, name, type##_KIND, count),

static const reprise_field level_fields[] = {
    OWN(struct level_row, random_index, I32),
    OWN(struct level_row, menu_random_index, I32),
    OWN(struct level_row, time, I32),
    OWN(struct level_row, tic, I32),
    OWN(struct level_row, paused, I32),
    OWN(struct level_row, ending, I32),
    OWN(struct level_row, kills, I32),
    OWN(struct level_row, items, I32),
    OWN(struct level_row, secrets, I32),
    OWN(struct level_row, on_ground, I32),
    OWN(struct level_row, open_top, I32),
    OWN(struct level_row, open_bottom, I32),
    OWN(struct level_row, open_range, I32),
    OWN(struct level_row, low_floor, I32),
    OWN(struct level_row, respawn_head, I32),
    OWN(struct level_row, respawn_tail, I32),
    OWN(struct level_row, brain_easy, I32),
    OWN(struct level_row, brain_target_count, I32),
    OWN(struct level_row, brain_target_next, I32),
    OWN(struct level_row, body_count, I32),
    OWN(struct level_row, thinkers_made, REPRISE_UINT32),
    OWN_ARRAY(struct level_row, brain_targets, REF, DOOM_BRAIN_TARGETS),
    OWN_ARRAY(struct level_row, bodies, REF, DOOM_BODIES),
    OWN_ARRAY(struct level_row, active_ceilings, REF, MAXCEILINGS),
    OWN_ARRAY(struct level_row, active_plats, REF, MAXPLATS)};

static const reprise_legend_entry ending_entries[] = {
    {DOOM_RUNNING, "running"},
    {DOOM_EXIT, "exit"},
    {DOOM_SECRET_EXIT, "secret_exit"}};
static const reprise_legend level_legends[] = {
    {"ending", 0, REPRISE_LIST(ending_entries)}};

#define ROW player_row
static const reprise_field player_fields[] = {
    OWN(struct player_row, mobj, REF),
    OWN(struct player_row, attacker, REF),
    OWN_ARRAY(struct player_row, sprite_state, I32, NUMPSPRITES),
    OWN_ARRAY(struct player_row, sprite_tics, I32, NUMPSPRITES),
    OWN_ARRAY(struct player_row, sprite_x, I32, NUMPSPRITES),
    OWN_ARRAY(struct player_row, sprite_y, I32, NUMPSPRITES),
    OWN(struct player_row, forwardmove, I16),
    OWN(struct player_row, sidemove, I16),
    OWN(struct player_row, angleturn, I16),
    OWN(struct player_row, buttons, REPRISE_UINT32),
    DOOM_PLAYER_FIELDS(LISTED, LISTED_ARRAY)};
#undef ROW

#define ROW sector_row
static const reprise_field sector_fields[] = {
    OWN(struct sector_row, sound_target, REF),
    OWN(struct sector_row, special_thinker, REF), DOOM_SECTOR_FIELDS(LISTED)};
#undef ROW

#define ROW side_row
static const reprise_field side_fields[] = {DOOM_SIDE_FIELDS(LISTED)};
#undef ROW

#define ROW line_row
static const reprise_field line_fields[] = {DOOM_LINE_FIELDS(LISTED)};
#undef ROW

static const reprise_field button_fields[] = {
    OWN(struct button_row, line, I32), OWN(struct button_row, where, I32),
    OWN(struct button_row, texture, I32), OWN(struct button_row, timer, I32)};

static const reprise_field respawn_fields[] = {
    OWN(struct respawn_row, time, I32),
    AS("x", struct respawn_row, thing.x, I16),
    AS("y", struct respawn_row, thing.y, I16),
    AS("angle", struct respawn_row, thing.angle, I16),
    AS("type", struct respawn_row, thing.type, I16),
    AS("options", struct respawn_row, thing.options, I16)};

#define ROW mobj_row
static const reprise_field mobj_fields[] = {
    OWN(struct mobj_row, number, REF),
    OWN(struct mobj_row, target, REF),
    OWN(struct mobj_row, tracer, REF),
    OWN(struct mobj_row, sector_next, REF),
    OWN(struct mobj_row, block_next, REF),
    OWN(struct mobj_row, state, I32),
    OWN(struct mobj_row, player, I32),
    OWN(struct mobj_row, removed, I32),
    DOOM_MOBJ_FIELDS(LISTED) AS("spawn_x", struct mobj_row, spawnpoint.x, I16),
    AS("spawn_y", struct mobj_row, spawnpoint.y, I16),
    AS("spawn_angle", struct mobj_row, spawnpoint.angle, I16),
    AS("spawn_type", struct mobj_row, spawnpoint.type, I16),
    AS("spawn_options", struct mobj_row, spawnpoint.options, I16)};
#undef ROW

#define HEAD                                      \
  AS("number", struct ROW, head.number, REF),     \
      AS("sector", struct ROW, head.sector, I32), \
      AS("in_stasis", struct ROW, head.in_stasis, I32),

#define ROW ceiling_row
static const reprise_field ceiling_fields[] = {
    HEAD DOOM_CEILING_FIELDS(LISTED)};
#undef ROW
#define ROW door_row
static const reprise_field door_fields[] = {HEAD DOOM_DOOR_FIELDS(LISTED)};
#undef ROW
#define ROW floor_row
static const reprise_field floor_fields[] = {HEAD DOOM_FLOOR_FIELDS(LISTED)};
#undef ROW
#define ROW plat_row
static const reprise_field plat_fields[] = {HEAD DOOM_PLAT_FIELDS(LISTED)};
#undef ROW
#define ROW flicker_row
static const reprise_field flicker_fields[] = {
    HEAD DOOM_FLICKER_FIELDS(LISTED)};
#undef ROW
#define ROW flash_row
static const reprise_field flash_fields[] = {HEAD DOOM_FLASH_FIELDS(LISTED)};
#undef ROW
#define ROW strobe_row
static const reprise_field strobe_fields[] = {HEAD DOOM_STROBE_FIELDS(LISTED)};
#undef ROW
#define ROW glow_row
static const reprise_field glow_fields[] = {HEAD DOOM_GLOW_FIELDS(LISTED)};
#undef ROW

#define TABLE(name, keys, row, fields)                                 \
  {                                                                    \
    "doom", name, keys, sizeof(row), REPRISE_LIST(fields), { 0, 0, 0 } \
  }

static const reprise_table tables[DOOM_TABLES] = {
    {"doom", "level", 0, sizeof(struct level_row), REPRISE_LIST(level_fields),
     REPRISE_LIST(level_legends)},
    TABLE("player", 0, struct player_row, player_fields),
    TABLE("sector", 0, struct sector_row, sector_fields),
    TABLE("side", 0, struct side_row, side_fields),
    TABLE("line", 0, struct line_row, line_fields),
    TABLE("button", 0, struct button_row, button_fields),
    TABLE("respawn", 0, struct respawn_row, respawn_fields),
    TABLE("mobj", 1, struct mobj_row, mobj_fields),
    TABLE("ceiling", 1, struct ceiling_row, ceiling_fields),
    TABLE("door", 1, struct door_row, door_fields),
    TABLE("floor", 1, struct floor_row, floor_fields),
    TABLE("plat", 1, struct plat_row, plat_fields),
    TABLE("light_flicker", 1, struct flicker_row, flicker_fields),
    TABLE("light_flash", 1, struct flash_row, flash_fields),
    TABLE("light_strobe", 1, struct strobe_row, strobe_fields),
    TABLE("light_glow", 1, struct glow_row, glow_fields)};

reprise_list doom_tables(void) {
  const reprise_list list = REPRISE_LIST(tables);
  return list;
}
