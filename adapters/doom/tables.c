/* Copyright 2026 The Reprise Authors.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

/* What the tables say of their rows: names, kinds, places. Lengths and speeds
 * are 65536ths of a unit of the map, angles 2^32ths of a turn. */

#include <stddef.h>

#include "adapters/doom/state_rows.h"

/* A field under its own name; of the engine's struct; an array of it. */
#define OWN(row, member, type) REPRISE_MEMBER(row, member, "", type)
#define OWN_ARRAY(row, member, type, count) \
  REPRISE_MEMBER_OF(row, member, "", type, REPRISE_ARRAY, count)
#define RAW(row, member, type) \
  { #member, "", (type), REPRISE_SCALAR, 1, offsetof(row, raw.member) }
#define RAW_ARRAY(row, member, type, count) \
  { #member, "", (type), REPRISE_ARRAY, (count), offsetof(row, raw.member) }
#define AS(name, row, member, type) \
  { name, "", (type), REPRISE_SCALAR, 1, offsetof(row, member) }

#define I32 REPRISE_INT32
#define I16 REPRISE_INT16
#define REF REPRISE_OBJECT

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

#define PLAYER(member) RAW(struct player_row, member, I32)
#define PLAYER_ARRAY(member, count) \
  RAW_ARRAY(struct player_row, member, I32, count)
static const reprise_field player_fields[] = {
    OWN(struct player_row, mobj, REF),
    OWN(struct player_row, attacker, REF),
    OWN_ARRAY(struct player_row, sprite_state, I32, NUMPSPRITES),
    OWN_ARRAY(struct player_row, sprite_tics, I32, NUMPSPRITES),
    OWN_ARRAY(struct player_row, sprite_x, I32, NUMPSPRITES),
    OWN_ARRAY(struct player_row, sprite_y, I32, NUMPSPRITES),
    AS("forwardmove", struct player_row, raw.cmd.forwardmove, REPRISE_INT8),
    AS("sidemove", struct player_row, raw.cmd.sidemove, REPRISE_INT8),
    AS("angleturn", struct player_row, raw.cmd.angleturn, I16),
    AS("buttons", struct player_row, raw.cmd.buttons, REPRISE_UINT8),
    PLAYER(playerstate),
    PLAYER(viewz),
    PLAYER(viewheight),
    PLAYER(deltaviewheight),
    PLAYER(bob),
    PLAYER(health),
    PLAYER(armorpoints),
    PLAYER(armortype),
    PLAYER_ARRAY(powers, NUMPOWERS),
    PLAYER_ARRAY(cards, NUMCARDS),
    PLAYER(backpack),
    PLAYER_ARRAY(frags, MAXPLAYERS),
    PLAYER(readyweapon),
    PLAYER(pendingweapon),
    PLAYER_ARRAY(weaponowned, NUMWEAPONS),
    PLAYER_ARRAY(ammo, NUMAMMO),
    PLAYER_ARRAY(maxammo, NUMAMMO),
    PLAYER(attackdown),
    PLAYER(usedown),
    PLAYER(cheats),
    PLAYER(refire),
    PLAYER(killcount),
    PLAYER(itemcount),
    PLAYER(secretcount),
    PLAYER(damagecount),
    PLAYER(bonuscount),
    PLAYER(extralight),
    PLAYER(fixedcolormap),
    PLAYER(colormap),
    PLAYER(didsecret)};

static const reprise_field sector_fields[] = {
    OWN(struct sector_row, sound_target, REF),
    OWN(struct sector_row, special_thinker, REF),
    RAW(struct sector_row, floorheight, I32),
    RAW(struct sector_row, ceilingheight, I32),
    RAW(struct sector_row, floorpic, I16),
    RAW(struct sector_row, ceilingpic, I16),
    RAW(struct sector_row, lightlevel, I16),
    RAW(struct sector_row, special, I16),
    RAW(struct sector_row, tag, I16),
    RAW(struct sector_row, soundtraversed, I32)};

/* Of these two the engine's own arrays are shown. */
static const reprise_field side_fields[] = {
    OWN(side_t, textureoffset, I32), OWN(side_t, toptexture, I16),
    OWN(side_t, bottomtexture, I16), OWN(side_t, midtexture, I16)};
static const reprise_field line_fields[] = {
    OWN(line_t, flags, I16), OWN(line_t, special, I16), OWN(line_t, tag, I16)};

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

#define MOBJ(member) RAW(struct mobj_row, member, I32)
static const reprise_field mobj_fields[] = {
    OWN(struct mobj_row, number, REF),
    OWN(struct mobj_row, target, REF),
    OWN(struct mobj_row, tracer, REF),
    OWN(struct mobj_row, sector_next, REF),
    OWN(struct mobj_row, block_next, REF),
    OWN(struct mobj_row, state, I32),
    OWN(struct mobj_row, player, I32),
    OWN(struct mobj_row, removed, I32),
    MOBJ(type),
    MOBJ(x),
    MOBJ(y),
    MOBJ(z),
    RAW(struct mobj_row, angle, REPRISE_UINT32),
    MOBJ(momx),
    MOBJ(momy),
    MOBJ(momz),
    MOBJ(floorz),
    MOBJ(ceilingz),
    MOBJ(radius),
    MOBJ(height),
    MOBJ(health),
    MOBJ(flags),
    MOBJ(tics),
    MOBJ(sprite),
    MOBJ(frame),
    MOBJ(movedir),
    MOBJ(movecount),
    MOBJ(reactiontime),
    MOBJ(threshold),
    MOBJ(lastlook),
    AS("spawn_x", struct mobj_row, raw.spawnpoint.x, I16),
    AS("spawn_y", struct mobj_row, raw.spawnpoint.y, I16),
    AS("spawn_angle", struct mobj_row, raw.spawnpoint.angle, I16),
    AS("spawn_type", struct mobj_row, raw.spawnpoint.type, I16),
    AS("spawn_options", struct mobj_row, raw.spawnpoint.options, I16)};

#define HEAD(row)                                                           \
  AS("number", row, head.number, REF), AS("sector", row, head.sector, I32), \
      AS("in_stasis", row, head.in_stasis, I32)

static const reprise_field ceiling_fields[] = {
    HEAD(struct ceiling_row),
    RAW(struct ceiling_row, type, I32),
    RAW(struct ceiling_row, bottomheight, I32),
    RAW(struct ceiling_row, topheight, I32),
    RAW(struct ceiling_row, speed, I32),
    RAW(struct ceiling_row, crush, I32),
    RAW(struct ceiling_row, direction, I32),
    RAW(struct ceiling_row, tag, I32),
    RAW(struct ceiling_row, olddirection, I32)};
static const reprise_field door_fields[] = {
    HEAD(struct door_row),
    RAW(struct door_row, type, I32),
    RAW(struct door_row, topheight, I32),
    RAW(struct door_row, speed, I32),
    RAW(struct door_row, direction, I32),
    RAW(struct door_row, topwait, I32),
    RAW(struct door_row, topcountdown, I32)};
static const reprise_field floor_fields[] = {
    HEAD(struct floor_row),
    RAW(struct floor_row, type, I32),
    RAW(struct floor_row, crush, I32),
    RAW(struct floor_row, direction, I32),
    RAW(struct floor_row, newspecial, I32),
    RAW(struct floor_row, texture, I16),
    RAW(struct floor_row, floordestheight, I32),
    RAW(struct floor_row, speed, I32)};
static const reprise_field plat_fields[] = {
    HEAD(struct plat_row),
    RAW(struct plat_row, speed, I32),
    RAW(struct plat_row, low, I32),
    RAW(struct plat_row, high, I32),
    RAW(struct plat_row, wait, I32),
    RAW(struct plat_row, count, I32),
    RAW(struct plat_row, status, I32),
    RAW(struct plat_row, oldstatus, I32),
    RAW(struct plat_row, crush, I32),
    RAW(struct plat_row, tag, I32),
    RAW(struct plat_row, type, I32)};
static const reprise_field flicker_fields[] = {
    HEAD(struct flicker_row), RAW(struct flicker_row, count, I32),
    RAW(struct flicker_row, maxlight, I32),
    RAW(struct flicker_row, minlight, I32)};
static const reprise_field flash_fields[] = {
    HEAD(struct flash_row),
    RAW(struct flash_row, count, I32),
    RAW(struct flash_row, maxlight, I32),
    RAW(struct flash_row, minlight, I32),
    RAW(struct flash_row, maxtime, I32),
    RAW(struct flash_row, mintime, I32)};
static const reprise_field strobe_fields[] = {
    HEAD(struct strobe_row),
    RAW(struct strobe_row, count, I32),
    RAW(struct strobe_row, minlight, I32),
    RAW(struct strobe_row, maxlight, I32),
    RAW(struct strobe_row, darktime, I32),
    RAW(struct strobe_row, brighttime, I32)};
static const reprise_field glow_fields[] = {
    HEAD(struct glow_row), RAW(struct glow_row, minlight, I32),
    RAW(struct glow_row, maxlight, I32), RAW(struct glow_row, direction, I32)};

#define TABLE(name, keys, row, fields)                                 \
  {                                                                    \
    "doom", name, keys, sizeof(row), REPRISE_LIST(fields), { 0, 0, 0 } \
  }

static const reprise_table tables[DOOM_TABLES] = {
    {"doom", "level", 0, sizeof(struct level_row), REPRISE_LIST(level_fields),
     REPRISE_LIST(level_legends)},
    TABLE("player", 0, struct player_row, player_fields),
    TABLE("sector", 0, struct sector_row, sector_fields),
    TABLE("side", 0, side_t, side_fields),
    TABLE("line", 0, line_t, line_fields),
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

void T_FireFlicker(fireflicker_t* flick);

#define KIND(think, special, row)                                    \
  {                                                                  \
    (actionf_p1)(think), sizeof(special), offsetof(special, sector), \
        sizeof(row), offsetof(row, raw)                              \
  }

const struct special_kind doom_special_kinds[DOOM_SPECIAL_KINDS] = {
    KIND(T_MoveCeiling, ceiling_t, struct ceiling_row),
    KIND(T_VerticalDoor, vldoor_t, struct door_row),
    KIND(T_MoveFloor, floormove_t, struct floor_row),
    KIND(T_PlatRaise, plat_t, struct plat_row),
    KIND(T_FireFlicker, fireflicker_t, struct flicker_row),
    KIND(T_LightFlash, lightflash_t, struct flash_row),
    KIND(T_StrobeFlash, strobe_t, struct strobe_row),
    KIND(T_Glow, glow_t, struct glow_row)};
